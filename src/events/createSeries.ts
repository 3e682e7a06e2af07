// Creating a recurring series: one stored event, capped by how many are active.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { requireCalendarId, requireLiveCalendar } from '../calendars/calendars.ts'
import { asDecided, bumpCalendar, onCalendar, stale } from '../calendars/revision.ts'
import { commitParts } from '../changes/commitParts.ts'
import { badRequest, planRequired } from '../errors.ts'
import { isPaid } from '../plans/plans.ts'
import { withinCap } from '../quotas/caps.ts'
import type { Fragment } from '../stores/postgres.ts'
import { emit } from '../webhooks/emit.ts'
import { type EventRecord, presentEvent } from './present.ts'
import { activeSeries, insertEvent } from './queries.ts'
import { newEventRow } from './row.ts'
import { decideRule, isActiveSeries } from './rule.ts'
import type { CreateEventBody } from './schema.ts'
import { eventTimers } from './timers.ts'

/** How many the plan's cap counts. */
export { activeSeries } from './queries.ts'

export async function createSeries(
  app: App,
  actor: Actor,
  calendarId: string,
  body: CreateEventBody,
  rule: string,
): Promise<EventRecord> {
  const seriesLastStart = requireRule(actor, rule, body.start_time, 'recurrence_rule')
  let event: EventRecord | undefined
  const add = async (cap?: Fragment) => {
    const calendar = await requireLiveCalendar(app, actor, calendarId)
    const now = app.clock.now()
    const row = { ...newEventRow(app, actor, calendar.id, body, now), seriesLastStart }
    event = presentEvent(app, row, now)
    return commitParts(
      app,
      bumpCalendar(app, row, { [row.status]: 1 }, asDecided(app, calendar, cap)),
      {
        event: insertEvent(app.sql, row),
        ...eventTimers(app, { ...row, defaultReminders: calendar.defaultReminders }, now),
        deliveries: emit(app, actor.orgId, [
          { type: 'event.created', payload: { calendar_id: event.calendarId, event } },
        ]),
        audit: auditEntry(app, actor, 'event.create', event.id),
      },
      { cap },
    )
  }
  if (isActiveSeries({ status: body.status, recurrenceRule: rule, seriesLastStart }, app.clock.now())) {
    await withinCap(app, actor, 'recurring_events', activeSeries(app.sql, actor.orgId, app.clock.now()), add)
  } else {
    await onCalendar(requireCalendarId(calendarId), async () => ((await add()).matched ? undefined : stale))
  }
  return event!
}

/** When the series' last occurrence starts, null while it has no end. Throws when the rule is not accepted. */
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
