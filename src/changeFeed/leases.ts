// The waiting readers of all processes: a lease for each wait in Redis, which its process renews. The limits count leases; the
// leases of a process that died run out. The gate reads from the organization's hash whether a reader waits.
import type { App } from '../app.ts'
import { waitsKey } from '../commit/notifyReaders.ts'
import { gateKey, waitsField } from '../quotas/gateHash.ts'
import type { Uuid } from '../shapes/ids.ts'
import { defineScript } from '../stores/redis.ts'
import { maxWaitsEach } from './rules.ts'

/** The waiting reader: `bucket` is the key, or the organization for its sessions together, or the session of a console. */
export type Waiter = { id: Uuid; orgId: Uuid; bucket: string }

type Refusal = 'key' | 'organization'

/** Longer than two renewals. */
const leaseMs = 10_000

// KEYS: the organization's hash, its waits, those of the bucket. ARGV: now (ms), end of the lease, id, limit of the bucket,
// limit of the organization ('': none). Returns 0, or the limit that is reached: 1 the bucket, 2 the organization.
const takeScript = `
for i = 2, 3 do redis.call('zremrangebyscore', KEYS[i], '-inf', ARGV[1]) end
if redis.call('zcard', KEYS[3]) >= tonumber(ARGV[4]) then return 1 end
if ARGV[5] ~= '' and redis.call('zcard', KEYS[2]) >= tonumber(ARGV[5]) then return 2 end
for i = 2, 3 do
  redis.call('zadd', KEYS[i], ARGV[2], ARGV[3])
  redis.call('pexpire', KEYS[i], ${2 * leaseMs})
end
if redis.call('exists', KEYS[1]) == 1 then redis.call('hset', KEYS[1], '${waitsField}', ARGV[2]) end
return 0
`

// KEYS: the organization's hash, its waits, then those of the bucket of each. ARGV: end of the lease, then the id of each.
const renewScript = `
for i = 3, #KEYS do
  for _, key in ipairs({KEYS[2], KEYS[i]}) do
    redis.call('zadd', key, ARGV[1], ARGV[i - 1])
    redis.call('pexpire', key, ${2 * leaseMs})
  end
end
if redis.call('exists', KEYS[1]) == 1 then redis.call('hset', KEYS[1], '${waitsField}', ARGV[1]) end
`

const refusals: Record<number, Refusal> = { 1: 'key', 2: 'organization' }

const maxRenewedAtOnce = 200

export function openLeases(app: App) {
  const { redis, clock } = app
  const take = defineScript(redis, 'take_wait', takeScript)
  const renew = defineScript(redis, 'renew_waits', renewScript)
  const bucketKey = ({ orgId, bucket }: Waiter) => `${waitsKey(app, orgId)}:${bucket}`
  const endsAt = () => clock.now().getTime() + leaseMs
  const ignore = (error: Error) => app.log.debug({ error: error.message }, 'a lease in redis was not changed')

  return {
    /** The limit that is reached, if the wait may not begin. While Redis is away there is no limit here. */
    async take(waiter: Waiter, maxOfOrganization: number | null): Promise<Refusal | undefined> {
      if (redis.status !== 'ready') return undefined
      const keys = [gateKey(app, waiter.orgId), waitsKey(app, waiter.orgId), bucketKey(waiter)]
      const args = [clock.now().getTime(), endsAt(), waiter.id, maxWaitsEach, maxOfOrganization ?? '']
      try {
        return refusals[(await take(keys, args)) as number]
      } catch (error) {
        ignore(error as Error)
        return undefined
      }
    },
    renew(orgId: Uuid, waiters: readonly Waiter[]): void {
      if (redis.status !== 'ready') return
      const keys = [gateKey(app, orgId), waitsKey(app, orgId)]
      for (let from = 0; from < waiters.length; from += maxRenewedAtOnce) {
        const some = waiters.slice(from, from + maxRenewedAtOnce)
        renew([...keys, ...some.map(bucketKey)], [endsAt(), ...some.map(({ id }) => id)]).catch(ignore)
      }
    },
    end(waiter: Waiter): void {
      if (redis.status !== 'ready') return
      for (const key of [waitsKey(app, waiter.orgId), bucketKey(waiter)]) redis.zrem(key, waiter.id).catch(ignore)
    },
  }
}
