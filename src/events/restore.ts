// Restoring a deleted event: it comes back under its id as it was, and is judged anew, as a new one would be.
import type { Actor } from '../actors/actor.ts'
import { changedAt } from '../actors/precondition.ts'
import type { App } from '../app.ts'
import { again } from '../commit/decide.ts'
import { planRequired } from '../errors.ts'
import { withinCap } from '../organizations/caps.ts'
import { isPaid } from '../plans/plans.ts'
import { withinDay } from '../quotas/keyDays.ts'
import type { Alone } from '../recording/together.ts'
import { besideOf } from '../timers/series.ts'
import { activeSeriesCount } from './counts.ts'
import { onEventOrCalendar, underCap } from './edit.ts'
import { writeEdit } from './editedEvents.ts'
import { externalSyncOf } from './externalSync.ts'
import { mustBeFree, requireAllowedTimes } from './guarded.ts'
import { overridesOf } from './overrideQueries.ts'
import { inherited, type OverrideChanges } from './overrides.ts'
import { presentEvent } from './present.ts'
import type { EventWithCalendar } from './queries.ts'
import { type Requirement, requireFree, requirementOf, type WriteOptions } from './requireFree.ts'
import { restoreOccurrence } from './restoreOccurrence.ts'
import { decideRule, isActiveSeries } from './rule.ts'
import type { RestoreEventBody } from './schema.ts'
import { changedMoments } from './timers.ts'
import { requireRestorable } from './trash.ts'
import { answerOf, type Written } from './written.ts'

export async function restoreEvent(
  app: App,
  actor: Actor,
  eventId: string,
  { require_free, occurrence_start: occurrenceStart }: RestoreEventBody,
  options: WriteOptions = {},
): Promise<Written> {
  const requirement = requirementOf(require_free || mustBeFree(actor), options)
  if (occurrenceStart) return restoreOccurrence(app, actor, { eventId, occurrenceStart }, requirement)
  return withinDay(app, actor, 'events', async () => {
    const tryOnce = (cap?: Alone) => restore(app, actor, eventId, requirement, cap)
    const find = () => requireRestorable(app, actor, eventId, { isDeleted: true })
    const outcome = await onEventOrCalendar(app, actor, { eventId }, requirement, () => tryOnce(), find)
    if (outcome !== needsCap) return outcome
    const count = activeSeriesCount(app.sql, actor.orgId, app.clock.now())
    const written = await withinCap(app, actor, 'recurring_events', count, (guard) => tryOnce(underCap(app, guard)))
    return written as Written
  })
}

/** It makes one more active series, which a plan caps. */
const needsCap = Symbol('needs a place under the cap')

async function restore(
  app: App,
  actor: Actor,
  eventId: string,
  requirement: Requirement,
  cap: Alone | undefined,
): Promise<Written | typeof again | typeof needsCap> {
  const before = await requireRestorable(app, actor, eventId, { isDeleted: true })
  const now = app.clock.now()
  const row = { ...before, updatedAt: changedAt(actor, now, before.updatedAt) }
  requireRuleOfPlan(actor, row)
  const overrides = await restoredOverrides(app, row, now)
  const edited = (overrides?.written ?? [])
    .map((one) => one.row)
    .filter(({ status, transparent }) => status !== 'cancelled' && !transparent)
  for (const one of [row, ...edited]) requireAllowedTimes(actor, one, now)
  const spans = edited.flatMap(({ startTime, endTime }) => [startTime.getTime(), endTime.getTime()])
  const free = await requireFree(app, { ...row, edited: spans }, {}, requirement, now)
  if (!free) return again
  if (!cap && isActiveSeries(row, now)) return needsCap
  const event = presentEvent(app, row, now)
  const sync = await externalSyncOf(app, before.destinationId, { row, event, before }, now)
  const change = {
    ...{ before, row, now, overrides, seenRevision: free.revision },
    ...{ isRestored: true, publishes: true, isMoved: false },
    moments: changedMoments(row, now),
  }
  const done = {
    emission: { type: 'event.created' as const, payload: { calendar_id: event.calendarId, event, restored: true } },
    action: 'event.restore' as const,
    ...{ resource: event.id, response: answerOf({ event, sync }) },
  }
  return (await writeEdit(app, actor, change, done, cap)) ? { event, sync } : again
}

/** The plan may be another one than when the series was made. */
function requireRuleOfPlan(actor: Actor, row: EventWithCalendar): void {
  if (row.recurrenceRule === null) return
  const rule = decideRule(row.recurrenceRule, row.startTime, isPaid(actor.plan), 'recurrence_rule', besideOf(row))
  if (rule.kind === 'needs_paid_plan') throw planRequired('unbounded_recurrence')
}

/** The occurrences that had rows of their own have them again, with timers. */
async function restoredOverrides(app: App, series: EventWithCalendar, now: Date): Promise<OverrideChanges | undefined> {
  if (series.overriddenStarts.length === 0) return undefined
  const written = (await overridesOf(app.sql, series)).map((one) => {
    const row = inherited(app, series, one)
    const moments = changedMoments({ ...row, defaultReminders: series.defaultReminders }, now)
    return { row, moments, isNew: false }
  })
  return { written, dropped: [] }
}
