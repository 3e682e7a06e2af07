// A single hold that pre-empts members of groups: what ends with them may lie on other calendars.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { byActor } from '../changeLog/origin.ts'
import { commit } from '../commit/commit.ts'
import { again } from '../commit/decide.ts'
import { countDay } from '../quotas/keyDays.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import { emitOverCalendars } from '../webhooks/emit.ts'
import { changeMany } from './manyCalendars.ts'
import type { New } from './newEvents.ts'
import type { LiveHold } from './rules.ts'
import { answerOf } from './written.ts'
import { yieldingHolds } from './yielding.ts'

/** False: what it was decided by has changed since. */
export async function preemptMembers(
  app: App,
  actor: Actor,
  { row, event, seen, sync, extras, seenHolds }: New,
  preempted: readonly LiveHold[],
): Promise<boolean> {
  const now = row.createdAt
  const yielding = await yieldingHolds(
    app,
    row.orgId,
    preempted.map(({ id }) => id),
    now,
  )
  if (yielding === again) return false
  const { holdsRevision, revision } = seen
  const own = { id: row.calendarId, holdsRevision, revision, mustBeOpen: true }
  const { steps, guard, effects } = changeMany(app, {
    orgId: row.orgId,
    calendars: [own, ...yielding.calendars.filter(({ id }) => id !== row.calendarId)],
    groups: yielding.groups,
    placed: [row],
    ended: yielding.ended,
    now,
  })
  const day = countDay(app, actor, { holds: 1 }, seenHolds)
  const { matched } = await commit(app, {
    ...{ steps, guard },
    effects: [
      ...effects,
      ...emitOverCalendars(app, byActor(actor), [
        ...yielding.emissions,
        { type: 'event.hold_created', payload: { calendar_id: event.calendarId, event } },
      ]),
      auditEntry(app, actor, 'event.create', event.id),
      day,
      storeResponse(app, actor, answerOf({ event, sync }), { made: [event.id], ...(extras && { extras }), after: day }),
    ],
  })
  return matched
}
