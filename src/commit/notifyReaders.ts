// Wakes the processes that have readers waiting for changes of an organization. It is best effort: they also look every few
// seconds. An organization without waiting readers gets no message. The gate learns that with each request; a change without a
// gate (a timer, a guest) asks Redis.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import { collected, defineItemScript } from '../stores/turnScript.ts'

/** The waiting readers of an organization, each with the time (ms) at which it counts as gone. */
export const waitsKey = ({ config }: App, orgId: Uuid): string => `${config.redisPrefix}:{${orgId}}:waits`

/** On which the processes with waiting readers listen. */
export const changesChannel = ({ config }: App, orgId: Uuid): string => `${config.redisPrefix}:{${orgId}}:changes`

// Its key is that of the waiting readers. Its arguments: now (ms), the channel.
const rouseScript = `
local function one(key, at)
  if redis.call('zcount', key, ARGV[at], '+inf') > 0 then redis.call('publish', ARGV[at + 1], '') end
  return 0
end
`

/** The message that the keys and sessions of the organization may have changed; every other one tells of a change. */
export const callersMessage = 'callers'

/** Readers that wait for changes of the organization check at once whether they still have access. */
export function rouseCallers(app: App, orgId: Uuid): void {
  if (app.redis.status !== 'ready') return
  app.redis.publish(changesChannel(app, orgId), callersMessage).catch(() => undefined)
}

/** How long the gate's word counts: longer than a request takes. */
const knownMs = 10_000
const maxKnown = 50_000

type Known = { notedAt: number; waitedUntil: number }

function openRouse(app: App) {
  const { redis, clock } = app
  const known = new Map<Uuid, Known>()
  const ask = defineItemScript<Uuid>(redis, 'rouse', {
    lua: rouseScript,
    keyOf: (orgId) => waitsKey(app, orgId),
    argumentsOf: (orgId) => [clock.now().getTime(), changesChannel(app, orgId)],
    settle: () => undefined,
  })
  const askTogether = collected<Uuid>((orgIds) => ask([...new Set(orgIds)]))
  return {
    note(orgId: Uuid, waitedUntil: number) {
      if (known.size >= maxKnown) known.clear()
      known.set(orgId, { notedAt: clock.now().getTime(), waitedUntil })
    },
    rouse(orgId: Uuid) {
      if (redis.status !== 'ready') return
      const noted = known.get(orgId)
      const now = clock.now().getTime()
      if (!noted || noted.notedAt + knownMs < now) askTogether(orgId)
      else if (noted.waitedUntil > now) redis.publish(changesChannel(app, orgId), '').catch(() => undefined)
    },
  }
}

const notifierOf = (app: App) => app.memory(openRouse)

/**
 * Stores what the gate has learned of an organization. `waitedUntil` (ms): a reader may wait until then; 0: no reader waits.
 */
export const noteReaders = (app: App, orgId: Uuid, waitedUntil: number): void =>
  notifierOf(app).note(orgId, waitedUntil)

/** After the commit of a change of each of these organizations. */
export function notifyReaders(app: App, orgIds: readonly Uuid[]): void {
  for (const orgId of orgIds) notifierOf(app).rouse(orgId)
}
