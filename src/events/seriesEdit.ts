// The effect of an edit on the rule of an event and on the fields beside it.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { invalid } from '../errors.ts'
import { isOccurrence } from '../recurrence/expand.ts'
import { besideOf, seriesOf } from '../timers/series.ts'
import { onlyWithRule, rdateBeforeStart } from './bodyRules.ts'
import type { EventRow } from './columns.ts'
import { requireRule } from './createSeries.ts'
import { overridesOf } from './overrideQueries.ts'
import { inherited, type OverrideChanges } from './overrides.ts'
import { inOrder } from './plan.ts'
import type { EventWithCalendar } from './queries.ts'
import type { UpdateEventBody } from './schema.ts'
import { changedMoments, isRescheduled } from './timers.ts'

type Repeating = Pick<EventRow, 'recurrenceRule' | 'recurrenceTimezone' | 'recurrenceRdates'>

/** Without a rule, nothing stands beside it. */
export function repeatingOf(before: EventRow, body: UpdateEventBody): Repeating {
  const { recurrence_rule: rule, recurrence_timezone: zone, recurrence_rdates: rdates } = body
  const recurrenceRule = rule === undefined ? before.recurrenceRule : rule
  if (recurrenceRule === null) {
    if (zone) throw invalid(`recurrence_timezone: ${onlyWithRule}`, 'recurrence_timezone')
    if (rdates) throw invalid(`recurrence_rdates: ${onlyWithRule}`, 'recurrence_rdates')
    return { recurrenceRule, recurrenceTimezone: null, recurrenceRdates: [] }
  }
  return {
    recurrenceRule,
    recurrenceTimezone: zone === undefined ? before.recurrenceTimezone : zone,
    recurrenceRdates: rdates === undefined ? before.recurrenceRdates : inOrder(rdates),
  }
}

/**
 * A new rule, zone or start is a new series: its cancelled and edited occurrences are forgotten. Other dates beside the rule keep those that are
 * still there.
 */
export function withSeries<Row extends EventRow>(actor: Actor, before: Row, row: Row, body: UpdateEventBody): Row {
  const isSame = isSameSeries(before, row)
  if (isSame && String(row.recurrenceRdates.map(Number)) === String(before.recurrenceRdates.map(Number))) return row
  if (row.recurrenceRdates.some((at) => at < row.startTime))
    throw invalid(`recurrence_rdates: ${rdateBeforeStart}`, 'recurrence_rdates')
  const changed = isSame ? row : { ...row, recurrenceSkippedMs: 0 }
  const { recurrenceRule, startTime } = changed
  const blames = body.start_time && body.recurrence_rule === undefined ? 'start_time' : 'recurrence_rule'
  const seriesLastStart =
    recurrenceRule === null ? null : requireRule(actor, recurrenceRule, startTime, blames, besideOf(changed))
  const [recurrenceExdates, overriddenStarts] = isSame
    ? [startsStill(changed, changed.recurrenceExdates), startsStill(changed, changed.overriddenStarts)]
    : [[], []]
  return { ...changed, recurrenceExdates, overriddenStarts, seriesLastStart }
}

/** Whether the rule gives the same occurrences as before. */
const isSameSeries = (before: EventRow, row: EventRow): boolean =>
  row.recurrenceRule === before.recurrenceRule &&
  row.recurrenceTimezone === before.recurrenceTimezone &&
  row.startTime.getTime() === before.startTime.getTime()

/** Those of the starts at which the series still has an occurrence. */
function startsStill(row: EventRow, starts: readonly Date[]): Date[] {
  const series = seriesOf({ ...row, recurrenceExdates: [], overriddenStarts: [] })
  return starts.filter((at) => series && isOccurrence(series, at.getTime()))
}

/** An edit of a series reaches the occurrences that have rows of their own, in every field that is not theirs. */
export async function reachedOverrides(
  app: App,
  before: EventRow,
  row: EventRow & Pick<EventWithCalendar, 'defaultReminders'>,
  now: Date,
): Promise<OverrideChanges | undefined> {
  if (before.overriddenStarts.length === 0) return undefined
  const kept = new Set(row.overriddenStarts.map(Number))
  const rows = await overridesOf(app.sql, before)
  const [staying, leaving] = [true, false].map((stays) =>
    rows.filter(({ originalStart }) => kept.has(originalStart!.getTime()) === stays),
  )
  const written = staying!.map((one) => {
    const after = inherited(app, row, one)
    const timed = { ...after, defaultReminders: row.defaultReminders }
    return { row: after, moments: isRescheduled(one, after) ? changedMoments(timed, now) : undefined, isNew: false }
  })
  return { written, dropped: leaving!.map(({ id }) => id) }
}
