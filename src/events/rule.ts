// Whether a recurrence rule is accepted for an event. Pure.
import { exceedsSpan, freeSpanDays } from '../recurrence/bounds.ts'
import { parseRule } from '../recurrence/grammar.ts'
import { type Beside, compileSeries, lastOccurrence } from '../recurrence/series.ts'
import { checkStart } from '../recurrence/start.ts'
import type { EventStatus } from './rules.ts'

type RuleDecision =
  | { kind: 'refused'; reason: string; param: 'recurrence_rule' | 'start_time' }
  /** Unbounded, or longer than the Free plan allows. */
  | { kind: 'needs_paid_plan' }
  | { kind: 'accepted'; lastStart: Date | null }

/** `blames`: the field that the caller has to change if rule and start do not fit. `beside`: what the series has beside its rule. */
export function decideRule(
  rule: string,
  start: Date,
  isPaid: boolean,
  blames: 'recurrence_rule' | 'start_time',
  beside?: Beside,
): RuleDecision {
  const parsed = parseRule(rule)
  if (!parsed.ok) return { kind: 'refused', reason: parsed.reason, param: 'recurrence_rule' }
  const misfit = checkStart(parsed.rule, start, beside?.zone, beside?.skippedMs)
  if (misfit !== undefined) return { kind: 'refused', reason: misfit, param: blames }
  const series = compileSeries(parsed.rule, start, [], 0, beside)
  if (!isPaid && exceedsSpan(series, freeSpanDays)) return { kind: 'needs_paid_plan' }
  const lastMs = lastOccurrence(series)
  return { kind: 'accepted', lastStart: lastMs === undefined ? null : new Date(lastMs) }
}

/** As the cap counts it: not cancelled, and its last occurrence has not started. */
export const isActiveSeries = (
  event: { status: EventStatus; recurrenceRule: string | null; seriesLastStart: Date | null },
  now: Date,
): boolean =>
  event.recurrenceRule !== null &&
  event.status !== 'cancelled' &&
  (event.seriesLastStart === null || event.seriesLastStart > now)

/** When an event is over, with its last occurrence; null: never. */
export function lastEnd({ startTime, endTime, recurrenceRule, seriesLastStart }: LastEnd): Date | null {
  if (recurrenceRule === null) return endTime
  return seriesLastStart && new Date(seriesLastStart.getTime() + endTime.getTime() - startTime.getTime())
}

type LastEnd = { startTime: Date; endTime: Date; recurrenceRule: string | null; seriesLastStart: Date | null }
