// An oracle of availability that shares nothing with it: every minute of the window is looked at by itself, and wall
// clocks are read off `Intl`. Slow and plain; whole minutes only.
import { minuteMs } from '../shapes/durations.ts'

const dayMinutes = 1440
const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

export type MappedEvent = { start: number; end: number }

/** Every so many days, or on these weekdays (0 is Sunday) of every week; `cancelled` lists occurrence starts. */
export type MappedSeries = MappedEvent & { cancelled: number[] } & (
    | { everyDays: number }
    | { weekdays: number[]; everyDays?: undefined }
  )

/** Times are minutes since 1970 in UTC. */
export type MappedCalendar = {
  before: number
  after: number
  hours: Record<string, DayHours> | null
  zone: string
  events: MappedEvent[]
  series: MappedSeries[]
  /** Days that have these hours alone. */
  dates?: { from: string; to?: string; hours: DayHours[] }[]
  /** Without buffers. */
  timeOff?: MappedEvent[]
}

type DayHours = { start: string; end: string }

export type MappedWindow = { from: number; to: number }

/** One flag per minute of the window: true is taken. */
export function mapBusy(calendars: readonly MappedCalendar[], window: MappedWindow): boolean[] {
  const map = new Array<boolean>(window.to - window.from).fill(false)
  const mark = (start: number, end: number) => {
    for (let minute = start; minute < end; minute++) {
      if (minute >= window.from && minute < window.to) map[minute - window.from] = true
    }
  }
  for (const calendar of calendars) {
    const { before, after, hours, zone, events, series, dates = [], timeOff = [] } = calendar
    const single = [...events, ...series.flatMap((one) => occurrences(one, window))]
    for (const event of single) mark(event.start - before, event.end + after)
    for (const { start, end } of timeOff) mark(start, end)
    if (!hours && dates.length === 0) continue
    const open = openMinutes({ hours, zone, dates }, window)
    for (let minute = window.from; minute < window.to; minute++) if (!open.has(minute)) mark(minute, minute + 1)
  }
  return map
}

function occurrences(series: MappedSeries, window: MappedWindow): MappedEvent[] {
  const found: MappedEvent[] = []
  const length = series.end - series.start
  for (let start = series.start; start < window.to + dayMinutes; start += dayMinutes) {
    const days = (start - series.start) / dayMinutes
    const weekday = new Date(start * minuteMs).getUTCDay()
    const isOne = series.everyDays === undefined ? series.weekdays.includes(weekday) : days % series.everyDays === 0
    if (isOne && !series.cancelled.includes(start)) found.push({ start, end: start + length })
  }
  return found
}

/** The start of a day is the first minute at which the clock has come to it, the end follows the last at which it had not. */
function openMinutes(
  { hours, zone, dates }: Pick<MappedCalendar, 'hours' | 'zone'> & { dates: NonNullable<MappedCalendar['dates']> },
  window: MappedWindow,
): Set<number> {
  const first = window.from - 3 * dayMinutes
  const last = window.to + 3 * dayMinutes
  const shown = Array.from({ length: last - first }, (_, i) => wallClock(zone, first + i))
  const hoursOn = (date: string): DayHours[] => {
    const named = dates.find(({ from, to = from }) => from <= date && date <= to)
    if (named) return named.hours
    if (!hours) return [{ start: '00:00', end: '24:00' }]
    const day = hours[weekdayNames[new Date(`${date}T00:00:00Z`).getUTCDay()]!]
    return day ? [day] : []
  }
  const open = new Set<number>()
  for (const date of new Set(shown.map((text) => text.slice(0, 10)))) {
    for (const day of hoursOn(date)) {
      const opens = shown.findIndex((text) => text >= `${date} ${day.start}`)
      // The last date read lies beyond the window and may be cut.
      if (opens < 0) continue
      const start = first + opens
      const end = first + shown.findLastIndex((text) => text < `${date} ${day.end}`) + 1
      for (let minute = start; minute < end; minute++) open.add(minute)
    }
  }
  return open
}

const clocks = new Map<string, { format: Intl.DateTimeFormat; shown: Map<number, string> }>()

/** `2026-03-08 01:59`, which sorts like the time it shows. */
export function wallClock(zone: string, minute: number): string {
  let clock = clocks.get(zone)
  if (!clock) {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
    clock = { format, shown: new Map() }
    clocks.set(zone, clock)
  }
  const known = clock.shown.get(minute) ?? clock.format.format(minute * minuteMs)
  clock.shown.set(minute, known)
  return known
}

type Stretch = { start: string; end: string }

export function busyOf(map: readonly boolean[], { from }: MappedWindow): Stretch[] {
  return runs(map, true).map(([start, end]) => stretch(from + start, from + end))
}

export function slotsOf(map: readonly boolean[], { from }: MappedWindow, minutes: number): Stretch[] {
  return runs(map, false).flatMap(([start, end]) =>
    Array.from({ length: Math.floor((end - start) / minutes) }, (_, i) =>
      stretch(from + start + i * minutes, from + start + (i + 1) * minutes),
    ),
  )
}

function runs(map: readonly boolean[], wanted: boolean): [start: number, end: number][] {
  const found: [number, number][] = []
  map.forEach((flag, minute) => {
    if (flag !== wanted) return
    const last = found.at(-1)
    if (last?.[1] === minute) last[1]++
    else found.push([minute, minute + 1])
  })
  return found
}

const stretch = (start: number, end: number): Stretch => ({
  start: new Date(start * minuteMs).toISOString(),
  end: new Date(end * minuteMs).toISOString(),
})

export const union = (maps: readonly boolean[][]): boolean[] =>
  maps.reduce((all, map) => all.map((flag, minute) => flag || map[minute]!))
