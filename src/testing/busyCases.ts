// Random calendars and windows for the tests of availability, around moments at which clocks change.
import fc from 'fast-check'
import type { MappedCalendar, MappedEvent, MappedSeries, MappedWindow } from './minuteMap.ts'

const dayMinutes = 1440

/** Days with a change of clocks in one of the zones, or shortly before. */
const days = ['2011-12-29', '2026-03-07', '2026-03-28', '2026-04-04', '2026-10-03', '2026-10-24', '2026-10-31']
const zones = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
] as const

export type BusyCase = { window: MappedWindow; calendars: MappedCalendar[]; slotMinutes: number; duration: string }

const durations = { '15m': 15, '30m': 30, '45m': 45, '1h': 60, '2h': 120 } as const

const time = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

const dayHours = fc
  .uniqueArray(fc.integer({ min: 0, max: dayMinutes - 1 }), { minLength: 2, maxLength: 2 })
  .map(([a, b]) => ({ start: time(Math.min(a!, b!)), end: time(Math.max(a!, b!)) }))

const hours = fc
  .uniqueArray(fc.constantFrom('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'), { minLength: 1 })
  .chain((names) =>
    fc.tuple(...names.map(() => dayHours)).map((all) => Object.fromEntries(names.map((name, i) => [name, all[i]!]))),
  )

const eventNear = (from: number): fc.Arbitrary<MappedEvent> =>
  fc
    .record({
      offset: fc.integer({ min: -2 * dayMinutes, max: 5 * dayMinutes }),
      // Mostly meetings, sometimes absences of up to two weeks.
      length: fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: 1, max: 300 }) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 14 * dayMinutes }) },
      ),
      early: fc.boolean(),
    })
    .map(({ offset, length, early }) => {
      const start = from + offset - (early && length > 300 ? length : 0)
      return { start, end: start + length }
    })

const seriesBefore = (from: number): fc.Arbitrary<MappedSeries> =>
  fc
    .record({
      daysBefore: fc.oneof(fc.integer({ min: -2, max: 40 }), fc.integer({ min: -2, max: 1 })),
      minute: fc.integer({ min: 0, max: dayMinutes - 1 }),
      length: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 3 * dayMinutes })),
      everyDays: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
      weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 3 }),
      cancelledDays: fc.uniqueArray(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 44 })), { maxLength: 6 }),
    })
    .map(({ daysBefore, minute, length, everyDays, weekdays, cancelledDays }) => {
      const midnight = Math.floor(from / dayMinutes) * dayMinutes
      const start = midnight - daysBefore * dayMinutes + minute
      const startWeekday = new Date(start * 60_000).getUTCDay()
      const cancelled = cancelledDays.map((day) => start + day * dayMinutes)
      const base = { start, end: start + length, cancelled }
      return everyDays ? { ...base, everyDays } : { ...base, weekdays: [...new Set([startWeekday, ...weekdays])] }
    })

const calendarNear = (from: number): fc.Arbitrary<MappedCalendar> =>
  fc
    .record({
      before: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 120 })),
      after: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 120 })),
      hours: fc.option(hours, { nil: null, freq: 2 }),
      zone: fc.constantFrom(...zones),
      events: fc.array(eventNear(from), { maxLength: 6 }),
      series: fc.array(seriesBefore(from), { maxLength: 2 }),
      isDoubled: fc.boolean(),
    })
    // Beside each series an event at the time of its first occurrence, cancelled or not.
    .map(({ isDoubled, events, series, ...rest }) => ({
      ...rest,
      series,
      events: isDoubled ? [...events, ...series.map(({ start, end }) => ({ start, end }))] : events,
    }))

export const busyCase = (maxCalendars: number): fc.Arbitrary<BusyCase> =>
  fc
    .record({
      day: fc.constantFrom(...days),
      minute: fc.integer({ min: 0, max: 2 * dayMinutes }),
      length: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 300, max: 4 * dayMinutes })),
    })
    .chain(({ day, minute, length }) => {
      const from = Date.parse(`${day}T00:00:00Z`) / 60_000 + minute
      return fc.record({
        window: fc.constant({ from, to: from + length }),
        calendars: fc.array(calendarNear(from), { minLength: 1, maxLength: maxCalendars }),
        duration: fc.constantFrom(...(Object.keys(durations) as (keyof typeof durations)[])),
      })
    })
    .map((one) => ({ ...one, slotMinutes: durations[one.duration] }))

const weekdayCodes = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

export const ruleOf = (series: MappedSeries): string =>
  series.everyDays === undefined
    ? `FREQ=WEEKLY;BYDAY=${series.weekdays.map((day) => weekdayCodes[day]).join(',')}`
    : `FREQ=DAILY;INTERVAL=${series.everyDays}`

const year2000Micros = BigInt(Date.UTC(2000, 0, 1)) * 1000n

/** Minutes since 1970 as Postgres sends a list of timestamptz. */
export function packMinutes(minutes: readonly number[]): Buffer {
  const packed = Buffer.alloc(8 * minutes.length)
  minutes.forEach((minute, i) => {
    packed.writeBigInt64BE(BigInt(minute * 60_000) * 1000n - year2000Micros, 8 * i)
  })
  return packed
}
