// Placing holds. Those of a calendar that are asked for at the same moment are decided in one round, and all that are granted in it
// are written by one statement.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import type { Verdict } from '../availability/judge.ts'
import { requireCalendarId, requireLiveCalendar } from '../calendars/calendars.ts'
import { bumpSeenHolds } from '../calendars/writes.ts'
import { commit } from '../commit/commit.ts'
import { again } from '../commit/decide.ts'
import { inRounds, type Rounds } from '../commit/rounds.ts'
import { invalid, planRequired } from '../errors.ts'
import { isPaid } from '../plans/plans.ts'
import { countDay, isOldCount } from '../quotas/keyDays.ts'
import { recorded } from '../recording/recorded.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { clearAllTimers } from '../timers/writes.ts'
import { externalSyncOf } from './externalSync.ts'
import { requireAllowedNew, requireAllowedPriority, requireFewHolds } from './guarded.ts'
import { holdConflict } from './holdConflict.ts'
import { insertEvent } from './insert.ts'
import { type New, newHolds, writeNew } from './newEvents.ts'
import { type Planned, planEvent } from './plan.ts'
import { preemptMembers } from './preemptMembers.ts'
import type { HoldCalendar } from './queries.ts'
import { judgeEvent, notFree, overlapsToReport, type Requirement, refusedBy } from './requireFree.ts'
import { readRivals } from './rivals.ts'
import { decideHold, isHoldLengthAllowed, type LiveHold } from './rules.ts'
import type { CreateEventBody } from './schema.ts'
import { endHolds } from './writes.ts'
import { answerOf, type Written } from './written.ts'

type Creation = { actor: Actor; calendarId: string; body: CreateEventBody; requirement: Requirement }

export async function createHold(
  app: App,
  actor: Actor,
  calendarId: string,
  body: CreateEventBody,
  requirement: Requirement,
): Promise<Written> {
  if (!isHoldLengthAllowed(body.hold_expires_at!, app.clock.now())) {
    throw invalid('hold_expires_at: must lie 30 seconds to 15 minutes ahead', 'hold_expires_at')
  }
  if (!isPaid(actor.plan)) throw planRequired('temporal_holds')
  requireAllowedNew(actor, body, app.clock.now())
  requireAllowedPriority(actor, body)
  return inRounds(app, holds, requireCalendarId(calendarId), { actor, calendarId, body, requirement })
}

type Read = Planned &
  Creation & {
    calendar: HoldCalendar
    /** How many holds the key had placed today, if that decides. */
    seenHolds: number | undefined
    /** If it must be free. */
    verdict: Verdict | undefined
    decision: ReturnType<typeof decideHold>
    now: Date
  }

const holds: Rounds<Creation, Read, Written> = {
  noun: 'calendar',
  read: async (app, key, creation) => {
    const { actor, calendarId, body, requirement } = creation
    const now = app.clock.now()
    const planned = planEvent(app, actor, key as Uuid, body, now)
    const seenHolds = await requireFewHolds(app, actor, now)
    const rules = refusedBy(requirement)
    if (rules) await requireLiveCalendar(app, actor, calendarId)
    // Read before the holds, so that a hold in the way is always reported as a hold.
    const verdict = rules && (await judgeEvent(app, planned.row, omittedOf(planned), rules, now))
    const [calendar] = await readRivals(app, [{ ...planned.row, now }])
    if (!calendar || !isWritable(calendar, actor)) {
      await requireLiveCalendar(app, actor, calendarId)
      return again
    }
    return {
      ...creation,
      ...planned,
      calendar,
      seenHolds,
      verdict,
      decision: decideHold(planned.row.holdPriority, calendar.rivals),
      now,
    }
  },
  refusal: (app, read) => {
    const { row, body, calendar, verdict, decision, requirement, now } = read
    const newHold = { ...row, title: body.title, agentId: calendar.agentId }
    if (decision.kind === 'blocked') return () => holdConflict(app, newHold, decision.by, requirement, now)
    if (!verdict || verdict.conflicts.length === 0) return undefined
    return () => notFree(app, newHold, omittedOf(read), verdict, requirement, now)
  },
  goesWith: (read, chosen) => chosen.every((other) => !goesAlone(other) && !goesAlone(read) && !overlap(other, read)),
  write: async (app, read) => {
    const { actor, row, event, calendar, verdict, decision, requirement, seenHolds, now } = read
    const preempted = decision.kind === 'granted' ? decision.preempt : []
    const extras = {
      preempted: preempted.map(({ id }) => encodeId('evt', id)),
      overlaps: await overlapsToReport(app, row, omittedOf(read), requirement, now),
    }
    const { destinationId, holdsRevision } = calendar
    const sync = await externalSyncOf(app, destinationId, { row, event }, now)
    const seen = { destinationId, holdsRevision, ...(verdict && { revision: verdict.revision }) }
    const hold = { row, event, seen, sync, extras, seenHolds }
    const place =
      preempted.length > 0
        ? preempt(app, actor, { ...hold, calendar }, preempted)
        : writeNew(app, actor, newHolds, hold)
    const isGranted = await place.catch((error) => {
      if (isOldCount(error)) return false
      throw error
    })
    return isGranted ? { event, sync, ...extras } : again
  },
}

const omittedOf = ({ row }: Planned) => ({ holdsBelow: row.holdPriority })

const isWritable = ({ agentId, ownerStatus }: HoldCalendar, actor: Actor): boolean =>
  ownerStatus !== 'decommissioned' && (actor.agentId === undefined || actor.agentId === agentId)

/** It ends other holds, or was judged by all that is on the calendar. */
const goesAlone = ({ verdict, decision }: Read): boolean =>
  verdict !== undefined || (decision.kind === 'granted' && decision.preempt.length > 0)

const overlap = (a: Read, b: Read): boolean => a.row.startTime < b.row.endTime && a.row.endTime > b.row.startTime

/** Ends holds and writes one instead. False: something that the decision depends on has changed since. */
async function preempt(
  app: App,
  actor: Actor,
  hold: New & { calendar: HoldCalendar },
  preempted: readonly LiveHold[],
): Promise<boolean> {
  if (preempted.some(({ groupId }) => groupId !== null)) return preemptMembers(app, actor, hold, preempted)
  const { row, event, seen, sync, extras, calendar, seenHolds } = hold
  const ids = preempted.map(({ id }) => id)
  const expired = ids.map((id) => ({
    type: 'event.hold_expired' as const,
    payload: { calendar_id: event.calendarId, event_id: encodeId('evt', id) },
  }))
  const day = countDay(app, actor, { holds: 1 }, seenHolds)
  const { matched } = await commit(app, {
    guard: bumpSeenHolds(app, { ...row, ...calendar, ...seen }, { hold: 1 - ids.length, cancelled: ids.length }),
    effects: [
      ...insertEvent(app, row),
      endHolds(app, row.orgId, ids, 'preempted', row.createdAt),
      clearAllTimers(app, row.orgId, ids),
      // The loser's expired leaves before the winner's created: receivers rebuild state from this order.
      day,
      ...recorded(app, actor, {
        action: 'event.create',
        resource: event.id,
        emits: [...expired, { type: 'event.hold_created', payload: { calendar_id: event.calendarId, event } }],
        response: answerOf({ event, sync }),
        created: [event.id],
        extras,
        after: day,
      }),
    ],
  })
  return matched
}
