// The time that the rules of a calendar close, and by which rule. Of a day the dates decide first, then the holidays, then the
// week; time off closes on top of them. Pure.
import {
  daysAround,
  hoursByDay,
  type Opening,
  openingsBy,
  outside,
  type Stretch,
  type WorkingHours,
  wallTimesOf,
} from './hours.ts'
import type { Window } from './intervals.ts'
import { dateOfDay, dayOfDate, localDays } from './localDays.ts'

/** On the days from `from` to `to` the calendar is open in these hours alone. Dates are `YYYY-MM-DD`. */
export type DateHours = { from: string; to?: string; hours: readonly Stretch[] }

/** Instants, as `isoTime` writes them. */
export type TimeOff = { start: string; end: string }

export type ClosingRules = {
  workingHours: WorkingHours | null
  zone: string
  dates?: readonly DateHours[] | undefined
  timeOff?: readonly TimeOff[] | undefined
  /** Days that are closed unless a date names them, by their numbers since 1970. */
  holidays?: Iterable<number> | undefined
}

/** `date`: the local day that is closed or has other hours. The times lie in the window. */
export type Closing = { readonly startMs: number; readonly endMs: number } & (
  | { readonly kind: 'working_hours' }
  | { readonly kind: 'time_off' }
  | { readonly kind: 'closed_date' | 'holiday'; readonly date: string }
)

type NamedDay = { kind: 'closed_date' | 'holiday'; open: readonly Opening[] }

/** Those of one local day are disjoint; time off may overlap all others. */
export function closings(rules: ClosingRules, window: Window): Closing[] {
  const { workingHours, zone } = rules
  const named = namedDays(rules, window)
  const usual = hoursByDay(workingHours)
  const open = openingsBy((day) => (named.get(day) ?? { open: usual(day) }).open, zone, window)
  const days = named.size === 0 ? [] : localDays(zone, window).filter(({ day }) => named.has(day))
  const found: Closing[] = []
  const add = (
    startMs: number,
    endMs: number,
    why: { kind: 'working_hours' } | { kind: NamedDay['kind']; date: string },
  ) => {
    if (startMs < endMs) found.push({ startMs, endMs, ...why })
  }
  const closed = outside(open, window)
  for (let i = 0, nth = 0; i < closed.length; i += 2) {
    let cursor = closed[i]!
    const end = closed[i + 1]!
    while (nth < days.length && days[nth]!.endMs <= cursor) nth++
    for (let at = nth; at < days.length && days[at]!.startMs < end; at++) {
      const { day, startMs, endMs } = days[at]!
      add(cursor, startMs, { kind: 'working_hours' })
      cursor = Math.min(endMs, end)
      add(Math.max(closed[i]!, startMs), cursor, { kind: named.get(day)!.kind, date: dateOfDay(day) })
    }
    add(cursor, end, { kind: 'working_hours' })
  }
  const { firstDay, lastDay } = daysAround(zone, window)
  for (const { start, end } of rules.timeOff ?? []) {
    if (dayOfDate(end) < firstDay || dayOfDate(start) > lastDay) continue
    const [startMs, endMs] = [Math.max(Date.parse(start), window.fromMs), Math.min(Date.parse(end), window.toMs)]
    if (startMs < endMs) found.push({ startMs, endMs, kind: 'time_off' })
  }
  return found
}

/** The days around the window that have hours of their own. */
function namedDays({ zone, dates = [], holidays = [] }: ClosingRules, window: Window): Map<number, NamedDay> {
  const named = new Map<number, NamedDay>()
  for (const day of holidays) named.set(day, { kind: 'holiday', open: [] })
  for (const [day, open] of datedHours(dates, zone, window)) named.set(day, { kind: 'closed_date', open })
  return named
}

/** The hours of each day around the window that is named. */
export function datedHours(dates: readonly DateHours[], zone: string, window: Window): Map<number, readonly Opening[]> {
  const { firstDay, lastDay } = daysAround(zone, window)
  const named = new Map<number, readonly Opening[]>()
  for (const { from, to = from, hours } of dates) {
    const [first, last] = [Math.max(dayOfDate(from), firstDay), Math.min(dayOfDate(to), lastDay)]
    if (first > last) continue
    const open = hours.map(wallTimesOf)
    for (let day = first; day <= last; day++) named.set(day, open)
  }
  return named
}
