// The times of an event, for the check whether they are free. Pure.
import type { Spans } from '../availability/conflictingPieces.ts'
import { merged } from '../availability/intervals.ts'
import type { Rules } from '../availability/judge.ts'
import { occurrencesBetween } from '../recurrence/expand.ts'
import { dayMs } from '../shapes/durations.ts'
import { besideOf, type Recurring, seriesOf } from '../timers/series.ts'
import type { EventRow } from './columns.ts'
import { decideRule } from './rule.ts'

type Timed = Recurring

/** The fields of an event that the check of free time needs. */
export type JudgedEvent = Timed & Pick<EventRow, 'orgId' | 'calendarId'> & WithEdited

/** The times of a series' edited occurrences, where they are judged along with it: pairs in any order. */
type WithEdited = { edited?: readonly number[] }

/** Of a series every occurrence is judged that starts in its first days, up to a number. */
const judged: Record<Rules, { days: number; occurrences: number }> = {
  availability: { days: 366, occurrences: 730 },
  overlap: { days: 90, occurrences: 100 },
}

const maxLengthMs = 366 * dayMs

/** The conflicts of a longer event have no bound. */
export const isJudgeable = ({ startTime, endTime }: Timed): boolean =>
  endTime.getTime() - startTime.getTime() <= maxLengthMs

/** A flat list, empty if every occurrence is cancelled. Of an event that is not judgeable, its first days. */
export function spansOf(event: Timed, rules: Rules): Spans {
  const startMs = event.startTime.getTime()
  const lengthMs = Math.min(event.endTime.getTime() - startMs, maxLengthMs)
  const { days, occurrences } = judged[rules]
  const series = seriesOf(event)
  const starts = series ? occurrencesBetween(series, startMs, startMs + days * dayMs, occurrences) : [startMs]
  return starts.flatMap((start) => [start, start + lengthMs])
}

/** The same with those of its edited occurrences. */
export function judgedSpans(event: Timed & WithEdited, rules: Rules): Spans {
  const spans = spansOf(event, rules)
  const { edited = [], startTime } = event
  const untilMs = startTime.getTime() + judged[rules].days * dayMs
  const soon = edited.flatMap((start, at) => (at % 2 === 0 && start < untilMs ? [start, edited[at + 1]!] : []))
  if (soon.length === 0) return spans
  return merged([...spans, ...soon], { fromMs: Math.min(...soon, ...spans), toMs: Math.max(...soon, ...spans) })
}

/** The times of the event if it started then; undefined if its rule does not fit that start. */
export function spansFrom(event: Timed, startMs: number, rules: Rules): Spans | undefined {
  const startTime = new Date(startMs)
  const endTime = new Date(startMs + event.endTime.getTime() - event.startTime.getTime())
  const { recurrenceRule, recurrenceTimezone = null, recurrenceRdates = [] } = event
  const moved: Timed = {
    ...{ startTime, endTime, recurrenceRule, recurrenceTimezone, recurrenceExdates: [] },
    recurrenceRdates: recurrenceRdates.filter((at) => at >= startTime),
  }
  const isAccepted =
    recurrenceRule === null ||
    decideRule(recurrenceRule, startTime, true, 'start_time', besideOf(moved)).kind === 'accepted'
  return isAccepted ? spansOf(moved, rules) : undefined
}
