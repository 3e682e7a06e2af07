// Creating a recurring series: one stored event, capped by how many are active.

import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { requireCalendarId, requireLiveCalendar } from '../calendars/calendars.ts'
import { onCalendar } from '../calendars/onCalendar.ts'
import { again } from '../commit/decide.ts'
import { badRequest, planRequired } from '../errors.ts'
import { withinCap } from '../organizations/caps.ts'
import { isPaid } from '../plans/plans.ts'
import type { Alone } from '../recording/together.ts'
import type { Beside } from '../recurrence/series.ts'
import { activeSeriesCount } from './counts.ts'
import { underCap } from './edit.ts'
import { externalSyncOf } from './externalSync.ts'
import { requireAllowedNew } from './guarded.ts'
import { newSeries, writeNew } from './newEvents.ts'
import { planEvent } from './plan.ts'
import { overlapsToReport, type Requirement, requireFree } from './requireFree.ts'
import { decideRule, isActiveSeries } from './rule.ts'
import type { CreateEventBody } from './schema.ts'
import type { Written } from './written.ts'

export async function createSeries(
  app: App,
  actor: Actor,
  calendarId: string,
  body: CreateEventBody,
  rule: string,
  requirement: Requirement,
): Promise<Written> {
  const { recurrence_timezone: zone, recurrence_rdates: rdates = [] } = body
  const beside = { zone: zone ?? undefined, rdates: rdates.map(Number) }
  const seriesLastStart = requireRule(actor, rule, body.start_time, 'recurrence_rule', beside)
  requireAllowedNew(actor, body, app.clock.now())
  const add = async (cap?: Alone): Promise<Written | typeof again> => {
    const { id, destinationId, defaultReminders } = await requireLiveCalendar(app, actor, calendarId)
    const now = app.clock.now()
    const { row: first, event } = planEvent(app, actor, id, body, now)
    const row = { ...first, seriesLastStart }
    const free = await requireFree(app, row, {}, requirement, now)
    if (!free) return again
    const overlaps = await overlapsToReport(app, row, {}, requirement, now)
    const sync = await externalSyncOf(app, destinationId, { row, event }, now)
    const seen = { destinationId, defaultReminders, ...free }
    const series = { row, event, seen, sync, extras: { overlaps } }
    return (await writeNew(app, actor, newSeries, series, cap)) ? { event, sync, overlaps } : again
  }
  const now = app.clock.now()
  if (isActiveSeries({ status: body.status, recurrenceRule: rule, seriesLastStart }, now)) {
    const count = activeSeriesCount(app.sql, actor.orgId, now)
    return withinCap(app, actor, 'recurring_events', count, (guard) => add(underCap(app, guard)))
  }
  return onCalendar(app, requireCalendarId(calendarId), () => add())
}

/** When the series' last occurrence starts, null while it has no end. Throws if the rule is not accepted. */
export function requireRule(
  actor: Actor,
  rule: string,
  start: Date,
  blames: 'recurrence_rule' | 'start_time',
  beside?: Beside,
): Date | null {
  const decision = decideRule(rule, start, isPaid(actor.plan), blames, beside)
  if (decision.kind === 'refused') throw badRequest(decision.reason, decision.param)
  if (decision.kind === 'needs_paid_plan') throw planRequired('unbounded_recurrence')
  return decision.lastStart
}
