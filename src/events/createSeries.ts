// Creating a recurring series: one stored event, capped by how many are active.

import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { requireCalendarId, requireLiveCalendar } from '../calendars/calendars.ts'
import { onCalendar } from '../calendars/onCalendar.ts'
import { asDecided, bumpCalendar } from '../calendars/writes.ts'
import { byActor } from '../changeLog/origin.ts'
import { commit } from '../commit/commit.ts'
import { again } from '../commit/decide.ts'
import { step } from '../commit/step.ts'
import { badRequest, planRequired } from '../errors.ts'
import { withinCap } from '../organizations/caps.ts'
import { isPaid } from '../plans/plans.ts'
import { answered } from '../storedResponses/answered.ts'
import type { Fragment } from '../stores/postgres.ts'
import { emit } from '../webhooks/emit.ts'
import { activeSeriesCount } from './counts.ts'
import { externalSyncOf } from './externalSync.ts'
import { insertEvent } from './insert.ts'
import { presentEvent } from './present.ts'
import { requireFree, type Terms, toldClash } from './requireFree.ts'
import { newEventRow } from './row.ts'
import { decideRule, isActiveSeries } from './rule.ts'
import type { CreateEventBody } from './schema.ts'
import { answerOf, type Written } from './written.ts'

export async function createSeries(
  app: App,
  actor: Actor,
  calendarId: string,
  body: CreateEventBody,
  rule: string,
  terms: Terms,
): Promise<Written> {
  const seriesLastStart = requireRule(actor, rule, body.start_time, 'recurrence_rule')
  let written: Written | undefined
  const add = async (capGuard?: Fragment) => {
    const calendar = await requireLiveCalendar(app, actor, calendarId)
    const now = app.clock.now()
    const row = { ...newEventRow(app, actor, calendar.id, body, now), seriesLastStart }
    const isFree = await requireFree(app, row, {}, terms, now)
    if (!isFree) return { matched: false, rows: [] }
    const event = presentEvent(app, row, now)
    const clash = await toldClash(app, row, {}, terms, now)
    const sync = await externalSyncOf(app, calendar.destinationId, { row, event }, now)
    written = { event, sync, clash }
    const cap = capGuard && step('cap', capGuard)
    const isAsDecided = asDecided(app, calendar, cap)
    return commit(app, {
      steps: cap ? [cap] : [],
      guard: bumpCalendar(app, row, { [row.status]: 1 }, (c) => app.sql`${isAsDecided(c)} and ${isFree(c)}`),
      effects: [
        ...insertEvent(app, { ...row, defaultReminders: calendar.defaultReminders }),
        ...emit(app, byActor(actor), [{ type: 'event.created', payload: { calendar_id: event.calendarId, event } }]),
        auditEntry(app, actor, 'event.create', event.id),
        answered(app, actor, answerOf({ event, sync }), { made: [event.id], beside: { clash } }),
      ],
    })
  }
  const now = app.clock.now()
  if (isActiveSeries({ status: body.status, recurrenceRule: rule, seriesLastStart }, now)) {
    await withinCap(app, actor, 'recurring_events', activeSeriesCount(app.sql, actor.orgId, now), add)
  } else {
    const key = requireCalendarId(calendarId)
    await onCalendar(app, key, async () => ((await add()).matched ? undefined : again))
  }
  return written!
}

/** When the series' last occurrence starts, null while it has no end. Throws if the rule is not accepted. */
export function requireRule(
  actor: Actor,
  rule: string,
  start: Date,
  blames: 'recurrence_rule' | 'start_time',
): Date | null {
  const decision = decideRule(rule, start, isPaid(actor.plan), blames)
  if (decision.kind === 'refused') throw badRequest(decision.reason, decision.param)
  if (decision.kind === 'needs_paid_plan') throw planRequired('unbounded_recurrence')
  return decision.lastStart
}
