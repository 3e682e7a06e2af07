// Ends of access under load: keys are revoked or rotated, members removed, while requests are made with them. Every request that begins
// after the answer is refused.
import { setTimeout as pause } from 'node:timers/promises'
import { decodeId, encodeId, newId } from '../../src/shapes/ids.ts'
import { openAgentKeys } from './agentKeys.ts'
import { askOnce, isDone, type Told, untilAnswered } from './asking.ts'
import type { Caller } from './client.ts'
import { any, type Kind, openPile, type Site } from './kind.ts'
import { isAnswered } from './ledger.ts'
import type { Tenant } from './tenants.ts'

/** `who`: for the finding. `first` and `last`: when the request that ends it began, and when its answer came. */
type Ending = { who: string; first: number; last: number; seen: { at: number; until: number; status: number }[] }

const askersAtOnce = 3
const restMs = 20
const afterMs = 1_000
const refusals = new Set([401, 403, 404])
const list = '/v1/calendars?limit=1'

/** Asks all the time, until a while after `end` was answered. Undefined: it was not answered with a success. */
async function watch(
  who: string,
  ask: () => Promise<Told>,
  end: () => Promise<Told | undefined>,
): Promise<Ending | undefined> {
  const seen: Ending['seen'] = []
  let untilMs = Number.POSITIVE_INFINITY
  const asking = Array.from({ length: askersAtOnce }, async () => {
    while (Date.now() < untilMs) {
      const at = Date.now()
      const { status } = await ask()
      seen.push({ at, until: Date.now(), status })
      await pause(restMs)
    }
  })
  await pause(300 * Math.random())
  const first = Date.now()
  const answer = await end()
  const last = Date.now()
  untilMs = isDone(answer) ? last + afterMs : 0
  await Promise.all(asking)
  return isDone(answer) ? { who, first, last, seen } : undefined
}

export function judgeEnding({ who, first, last, seen }: Ending): string[] {
  const answered = seen.filter(({ status }) => isAnswered(status))
  const late = answered.filter(({ at, status }) => at > last && !refusals.has(status))
  const early = answered.filter(({ until, status }) => until < first && refusals.has(status))
  return [
    ...late.map(({ at, status }) => `${who}: ${status} for a request ${at - last} ms after its end was answered`),
    ...early.map(({ until, status }) => `${who}: ${status} for a request ${first - until} ms before it was ended`),
  ]
}

export function openAccess(site: Site): Kind {
  const { client, tenants } = site
  const endings = openPile<Ending>()
  const lost = openPile<string>()
  const keys = openAgentKeys(client)
  const members = openMembers(site)

  async function endKey(tenant: Tenant) {
    const key = await keys.make(tenant, null, true)
    if (!key) return
    const path = `/v1/keys/${key.id}`
    const isRotated = Math.random() < 0.5
    let next: Told | undefined
    const ending = await watch(
      `the key ${key.id} of ${tenant.orgId}`,
      () => key.caller.call('GET', list),
      async () => {
        next = await (isRotated
          ? askOnce(tenant.api, 'POST', `${path}/rotate`, { overlap_seconds: 0 })
          : askOnce(tenant.api, 'DELETE', path))
        return next
      },
    )
    if (ending) endings.add(ending)
    if (!isRotated || !isDone(next)) return
    const { caller, id } = keys.known(tenant, next.body, true)
    const used = await untilAnswered(() => caller.call('GET', list))
    if (used && !isDone(used))
      lost.add(`the key ${id}, to which one of ${tenant.orgId} was rotated, is answered ${used.status}`)
    await askOnce(tenant.api, 'DELETE', `/v1/keys/${id}`)
  }

  return {
    weight: 3,
    async tell(tenant) {
      if (Math.random() < 0.5) return endKey(tenant)
      const ending = await members.joinAndLeave(any(tenants.slice(1)))
      if (ending) endings.add(ending)
    },
    async judge(findings) {
      for (const ending of endings.take()) for (const text of judgeEnding(ending)) findings.add('promise', text)
      for (const text of lost.take()) findings.add('lost', text)
    },
  }
}

/** The owner of another organization is a member of the busy one for a while. */
function openMembers({ client, tenants, withSql }: Site) {
  const busy = tenants[0]!
  const joined = new Set<string>()
  const owner = client.as({ address: busy.address, token: busy.session })
  /** As an invitation makes it. */
  const join = (guest: Tenant) =>
    withSql((sql) =>
      sql.begin(async (tx) => {
        const [orgId, id] = [decodeId('org', busy.orgId)!, newId()]
        await tx`
          insert into memberships (org_id, id, account_id, role, joined_at)
          select ${orgId}, ${id}, account_id, 'developer', now() from memberships
          where org_id = ${decodeId('org', guest.orgId)!}`
        await tx`update organizations set revision = revision + 1 where id = ${orgId}`
        return encodeId('mem', id)
      }),
    )

  return {
    async joinAndLeave(guest: Tenant): Promise<Ending | undefined> {
      if (joined.has(guest.orgId)) return undefined
      joined.add(guest.orgId)
      const id = await join(guest).catch(() => undefined)
      if (!id) return undefined
      const inside = { 'x-organization-id': busy.orgId }
      const visitor = client.as({ address: guest.address, token: guest.session })
      const ask = () => visitor.call('GET', list, undefined, undefined, inside)
      const ending = await watch(`the member ${id}`, ask, () => remove(owner, busy, id))
      if (ending) joined.delete(guest.orgId)
      return ending
    },
  }
}

/** Repeated until it is known; the person shows again who they are when they are asked to. */
async function remove(owner: Caller, { password }: Tenant, id: string): Promise<Told | undefined> {
  const path = `/v1/auth/members/${id}`
  const told = await askOnce(owner, 'DELETE', path)
  if (told?.status !== 403) return told
  await untilAnswered(() => owner.call('POST', '/v1/auth/reauthenticate', { password }))
  return askOnce(owner, 'DELETE', path)
}
