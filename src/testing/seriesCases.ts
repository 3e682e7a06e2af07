// Random series with all that may happen to them, for the test that compares free time with their definitions.
import fc from 'fast-check'
import type { MappedCalendar, MappedWindow } from './minuteMap.ts'

export const dayMinutes = 1440

/** Days with a change of clocks in one of the zones, or shortly before. */
const days = ['2026-03-06', '2026-03-27', '2026-04-03', '2026-09-25', '2026-10-02', '2026-10-23', '2026-10-30']
const seriesZones = [
  ...['Europe/Berlin', 'America/New_York', 'America/St_Johns', 'America/Santiago', 'Asia/Kolkata'],
  ...['Australia/Lord_Howe', 'Pacific/Chatham', 'Atlantic/Azores'],
] as const

const lengths = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 240 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 * dayMinutes }) },
)

/** `pick` chooses among the occurrences near the window. */
const step = fc.record({
  what: fc.constantFrom(
    ...(['cancel', 'cancel', 'move', 'move', 'move', 'title', 'lengthen', 'state', 'revert'] as const),
    ...(['split', 'split', 'cut', 'wholeLength', 'wholeState', 'wholeTaking', 'wholeMove'] as const),
  ),
  series: fc.nat(10),
  pick: fc.nat(1_000),
  by: fc.integer({ min: -900, max: 900 }),
  length: lengths,
})
export type SeriesStep = typeof step extends fc.Arbitrary<infer T> ? T : never

const definition = fc.record({
  zone: fc.option(fc.constantFrom(...seriesZones), { nil: undefined, freq: 3 }),
  daysBefore: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: 0, max: 40 })),
  // Often by night, when clocks change.
  minute: fc.oneof(fc.integer({ min: 0, max: 240 }), fc.nat(dayMinutes - 1)),
  length: lengths,
  isAllDay: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  by: fc.constantFrom('DAILY', 'DAILY', 'WEEKLY', 'monthDay', 'nthWeekday'),
  interval: fc.integer({ min: 1, max: 3 }),
  weekdays: fc.subarray([0, 1, 2, 3, 4, 5, 6]),
  end: fc.constantFrom('never', 'never', 'count', 'date'),
  size: fc.integer({ min: 1, max: 60 }),
  status: fc.constantFrom('confirmed', 'confirmed', 'tentative', 'cancelled'),
  isTransparent: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  /** Minutes from the begin of the window. */
  rdates: fc.uniqueArray(fc.integer({ min: -3 * dayMinutes, max: 7 * dayMinutes }), { maxLength: 3 }),
})
export type SeriesDefinition = typeof definition extends fc.Arbitrary<infer T> ? T : never

const time = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

const stretch = fc
  .uniqueArray(fc.integer({ min: 0, max: dayMinutes - 1 }), { minLength: 2, maxLength: 2 })
  .map(([a, b]) => ({ start: time(Math.min(a!, b!)), end: time(Math.max(a!, b!)) }))

type Rules = Pick<MappedCalendar, 'before' | 'after' | 'hours' | 'zone'> &
  Required<Pick<MappedCalendar, 'dates' | 'timeOff'>>
export type SeriesCase = { window: MappedWindow; rules: Rules; series: SeriesDefinition[]; steps: SeriesStep[] }

const weekdayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

export const seriesCase: fc.Arbitrary<SeriesCase> = fc
  .record({
    day: fc.constantFrom(...days),
    minute: fc.nat(dayMinutes),
    length: fc.integer({ min: 1, max: 5 * dayMinutes }),
  })
  .chain(({ day, minute, length }) => {
    const midnight = Date.parse(`${day}T00:00:00Z`) / 60_000
    const from = midnight + minute
    const near = fc.integer({ min: from - dayMinutes, max: from + 5 * dayMinutes })
    const dateOf = (nth: number) => new Date((midnight + nth * dayMinutes) * 60_000).toISOString().slice(0, 10)
    const rules = fc.record({
      before: fc.constantFrom(0, 0, 7, 120),
      after: fc.constantFrom(0, 0, 15, 90),
      zone: fc.constantFrom('UTC', ...seriesZones),
      hours: fc.option(
        fc
          .tuple(...weekdayNames.map((name) => fc.tuple(fc.constant(name), stretch)))
          .map((all) => Object.fromEntries(all)),
        { nil: null, freq: 2 },
      ),
      dates: fc
        .uniqueArray(fc.tuple(fc.integer({ min: -1, max: 6 }), fc.array(stretch, { maxLength: 1 })), {
          selector: ([nth]) => nth,
          maxLength: 2,
        })
        .map((all) => all.map(([nth, hours]) => ({ from: dateOf(nth), hours }))),
      timeOff: fc.array(
        fc.tuple(near, fc.integer({ min: 1, max: 600 })).map(([start, size]) => ({ start, end: start + size })),
        { maxLength: 2 },
      ),
    })
    return fc.record({
      window: fc.constant({ from, to: from + length }),
      rules,
      series: fc.array(definition, { minLength: 1, maxLength: 3 }),
      steps: fc.array(step, { maxLength: 9 }),
    })
  })
