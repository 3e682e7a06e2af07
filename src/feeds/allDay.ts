// All-day events as dates of their calendar's zone. Pure.
import { parseRule } from '../recurrence/grammar.ts'
import { printRule } from '../recurrence/print.ts'
import type { Rule } from '../recurrence/rule.ts'
import { compileSeries, lastOccurrence } from '../recurrence/series.ts'
import { shiftRuleByDays } from '../recurrence/shiftRule.ts'
import { dayMs, hourMs } from '../shapes/durations.ts'

/** By the name as the caller sent it. A zone has many spellings, and each format takes some 26 KB, so only some are kept. */
const formats = new Map<string, Intl.DateTimeFormat>()
const maxFormats = 200

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const fields = { era: 'short', year: 'numeric', month: 'numeric', day: 'numeric' } as const
  const format = new Intl.DateTimeFormat('en-u-ca-gregory', { ...fields, timeZone: zone })
  if (formats.size >= maxFormats) formats.clear()
  formats.set(zone, format)
  return format
}

const dayOf = (at: Date): number => Math.floor(at.getTime() / dayMs)

/** The local date in the zone at that moment, in days since 1970-01-01. */
export function localDay(at: Date, zone: string): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const year = parts.get('era') === 'BC' ? 1 - Number(parts.get('year')) : Number(parts.get('year'))
  const date = new Date(0)
  date.setUTCFullYear(year, Number(parts.get('month')) - 1, Number(parts.get('day')))
  return dayOf(date)
}

/** Every day that is begun counts. A difference of one hour is a clock change. */
const daysOf = (start: Date, end: Date): number =>
  Math.max(1, Math.ceil((end.getTime() - start.getTime() - hourMs) / dayMs))

type Dates = {
  /** Days since 1970-01-01, `[firstDay, endDay)`. */
  firstDay: number
  endDay: number
  /** For a series: the rule, the days beside it and the cancelled days. */
  rule: string | undefined
  addedDays: number[]
  cancelledDays: number[]
}

type AllDayEvent = {
  startTime: Date
  endTime: Date
  recurrenceRule: string | null
  recurrenceExdates: readonly Date[]
  recurrenceTimezone: string | null
  recurrenceRdates: readonly Date[]
}

/**
 * Undefined for a series that dates cannot express: the rule counts in UTC, its occurrences fall on other dates in the zone,
 * and for rules by month or year, and some by week, the local dates follow no rule. A series with a zone of its own has its dates there.
 */
export function datesOf(event: AllDayEvent, calendarZone: string): Dates | undefined {
  const { startTime, endTime, recurrenceRule, recurrenceTimezone, recurrenceRdates, recurrenceExdates } = event
  const zone = recurrenceTimezone ?? calendarZone
  const firstDay = localDay(startTime, zone)
  const endDay = firstDay + daysOf(startTime, endTime)
  if (recurrenceRule === null) return { firstDay, endDay, rule: undefined, addedDays: [], cancelledDays: [] }
  const shift = firstDay - dayOf(startTime)
  const rule = recurrenceTimezone === null ? shiftedRule(recurrenceRule, startTime, shift) : localRule(event, zone)
  if (rule === undefined) return undefined
  const dayOfStart = (at: Date) => (recurrenceTimezone === null ? dayOf(at) + shift : localDay(at, zone))
  const addedDays = recurrenceRdates.map(dayOfStart)
  return { firstDay, endDay, rule, addedDays, cancelledDays: recurrenceExdates.map(dayOfStart) }
}

/** The rule counts in days of the zone already; only its end may be a moment. */
function localRule({ recurrenceRule, startTime }: AllDayEvent, zone: string): string | undefined {
  const parsed = parseRule(recurrenceRule!)
  if (!parsed.ok) return undefined
  const { rule } = parsed
  const last = rule.end.kind === 'until' ? lastOccurrence(compileSeries(rule, startTime, [], 0, { zone })) : undefined
  return last === undefined ? printRule(rule) : printRule(endingOn(rule, localDay(new Date(last), zone)))
}

const endingOn = (rule: Rule, day: number): Rule => ({
  ...rule,
  end: { kind: 'until', form: 'date', lastMs: day * dayMs },
})

/** The same rule over dates: its end is a date, and its days are local ones. */
function shiftedRule(text: string, start: Date, shift: number): string | undefined {
  const parsed = parseRule(text)
  if (!parsed.ok) return undefined
  const { freq } = parsed.rule
  if (shift !== 0 && (freq === 'MONTHLY' || freq === 'YEARLY')) return undefined
  const rule = shiftRuleByDays(parsed.rule, start, shift)
  if (!rule) return undefined
  const last = rule.end.kind === 'until' ? lastOccurrence(compileSeries(parsed.rule, start)) : undefined
  if (last === undefined) return printRule(rule)
  return printRule(endingOn(rule, Math.floor(last / dayMs) + shift))
}
