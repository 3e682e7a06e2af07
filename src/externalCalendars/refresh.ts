// Requests that workers read calendars now: the caller rings and waits for the row. API processes read nothing themselves.
import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { requireConnection } from '../connections/connections.ts'
import { calendarsOf } from '../connections/queries.ts'
import { conflict, providerFailed } from '../errors.ts'
import { ofAll, refuseExcess, throttle } from '../quotas/throttle.ts'
import { minuteMs } from '../shapes/durations.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { commitResponse } from '../storedResponses/storeResponse.ts'
import { wakeup } from '../wakeups/jobs.ts'
import { readStates } from './readQueries.ts'
import { requestRead } from './readWrites.ts'

/** Of a connection; and, as it can be made anew, of all those of its organization. */
const perConnection = { name: 'connection_refresh', max: 6, windowMs: minuteMs }
const patienceMs = 10_000

/** A dry run reads nothing. */
const unread = { status: null, synced_calendars: null }

export async function refreshConnection(app: App, actor: Actor, id: string) {
  const row = await requireConnection(app, actor, id)
  if (row.status !== 'active') throw conflict(`Only an active connection is read; this one is ${row.status}.`)
  const { dryRun } = actor.request
  const count = dryRun ? refuseExcess : throttle
  await count(app, perConnection, encodeId('con', row.id))
  await count(app, ofAll(perConnection, actor.limits.calendar_connections), actor.orgId)
  if (dryRun) await commitResponse(app, actor, unread)
  const since = app.clock.now()
  await readAnew(app, row.orgId, [row.id], since, { patienceMs, withList: true })
  const selected = (await calendarsOf(app.sql, row.orgId, row.id)).filter((one) => one.isSelected)
  const synced = selected.filter(({ lastReadAt }) => lastReadAt !== null && lastReadAt >= since).length
  if (synced === 0 && selected.length > 0) {
    throw providerFailed('None of the calendars could be read within 10 seconds. Their states say why.')
  }
  const status = synced === selected.length ? ('current' as const) : ('partial' as const)
  const answer = { status, synced_calendars: synced }
  await commitResponse(app, actor, answer)
  return answer
}

type RefreshOptions = { patienceMs: number; withList?: boolean }

/** Returns when reads that began since then are over, or the patience is. */
export async function readAnew(
  app: App,
  orgId: Uuid,
  ids: readonly Uuid[],
  since: Date,
  { patienceMs: waitMs, withList = false }: RefreshOptions,
): Promise<void> {
  if (ids.length === 0) return
  const minClaims = new Map(
    (await requestRead(app.sql, orgId, { ids, withList }, since)).map((row) => [row.id, row.claim]),
  )
  app.bell.ring([...minClaims.keys()].map((id) => wakeup('read', { orgId, id }, since)))
  const over = performance.now() + waitMs
  for (let waitedMs = 20; minClaims.size > 0 && performance.now() < over; waitedMs = Math.min(200, waitedMs * 1.5)) {
    await pause(Math.min(waitedMs, Math.max(0, over - performance.now())))
    for (const { id, status, claim, claimedUntil, heldUntil } of await readStates(app.sql, orgId, [
      ...minClaims.keys(),
    ])) {
      const isRead = claim > minClaims.get(id)! && claimedUntil === null
      // Nothing is asked of a provider that asked for patience.
      if (isRead || status !== 'active' || (heldUntil !== null && heldUntil > since)) minClaims.delete(id)
    }
  }
}

/** A write was refused: the account is asked for its calendars, which tells whether it is refused for good. */
export const checkAccount = (app: App, orgId: Uuid, id: Uuid): Promise<void> =>
  askForRead(app, orgId, id, { withList: true })

/** Something was written into this calendar: if its busy time counts, it counts at once. */
export const readBack = (app: App, orgId: Uuid, id: Uuid, calendarId: Uuid): Promise<void> =>
  askForRead(app, orgId, id, { calendarId })

/** Has the calendars of a connection read from now on, and does not wait for it. */
async function askForRead(
  app: App,
  orgId: Uuid,
  id: Uuid,
  options: { withList?: boolean; calendarId?: Uuid },
): Promise<void> {
  const now = app.clock.now()
  const asked = await requestRead(app.sql, orgId, { ids: [id], ...options }, now)
  app.bell.ring(asked.map(() => wakeup('read', { orgId, id }, now)))
}
