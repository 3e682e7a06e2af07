// Random rules of all kinds, held against a map of single minutes that shares nothing with them.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { dayMs, minuteMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { packMinutes } from '../testing/busyCases.ts'
import { wallClock } from '../testing/minuteMap.ts'
import { openBusy } from './busy.ts'
import { allowedFrom, allowedSlots, allowedStretches, barredStarts } from './dailyLimits.ts'
import { type NamedCalendar, openExplained } from './explained.ts'
import type { Stretch } from './hours.ts'
import { gaps, slotsWithin } from './intervals.ts'
import type { MoreRules } from './moreRules.ts'

const dayMinutes = 1440
const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const calendarId = '01890000-0000-7000-8000-000000000001' as Uuid

/** Times are minutes since 1970 in UTC; a series repeats every day `times` times. */
type Taken = { start: number; end: number; times: number; kind: 'event' | 'hold' }
type Rules = {
  zone: string
  buffer: number
  week: Record<string, Stretch[]> | null
  more: Omit<MoreRules, 'holiday_subscription_ids'>
  holidays: string[]
  taken: Taken[]
}
type Case = { from: number; to: number; slot: number; asked: { at: number; length: number }; rules: Rules[] }

const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

const stretches = (max: number): fc.Arbitrary<Stretch[]> =>
  fc.uniqueArray(fc.integer({ min: 0, max: dayMinutes }), { maxLength: 2 * max }).map((edges) => {
    const sorted = edges.toSorted((a, b) => a - b)
    return Array.from({ length: Math.floor(sorted.length / 2) }, (_, i) => ({
      start: clock(sorted[2 * i]!),
      end: clock(sorted[2 * i + 1]!),
    }))
  })

const dateText = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10)

const rulesNear = (from: number): fc.Arbitrary<Rules> => {
  const day = Math.floor(from / dayMinutes)
  const near = fc.integer({ min: -2, max: 5 }).map((offset) => dateText(day + offset))
  return fc
    .record({
      zone: fc.constantFrom('UTC', 'America/New_York', 'Australia/Lord_Howe', 'America/Havana', 'Pacific/Kiritimati'),
      buffer: fc.constantFrom(0, 0, 25),
      week: fc.option(fc.dictionary(fc.constantFrom(...weekdayNames), stretches(3), { minKeys: 1 }), { nil: null }),
      edges: fc.uniqueArray(fc.integer({ min: -2, max: 5 }), { maxLength: 4 }),
      hours: fc.array(stretches(2), { minLength: 2, maxLength: 2 }),
      off: fc.array(fc.tuple(fc.integer({ min: -2000, max: 7000 }), fc.integer({ min: 1, max: 3000 })), {
        maxLength: 2,
      }),
      meetings: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      minutes: fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }),
      holidays: fc.uniqueArray(near, { maxLength: 2 }),
      taken: fc.array(
        fc.record({
          at: fc.integer({ min: -2 * dayMinutes, max: 5 * dayMinutes }),
          length: fc.oneof(
            { weight: 5, arbitrary: fc.integer({ min: 1, max: 200 }) },
            fc.integer({ min: 1, max: 4000 }),
          ),
          times: fc.constantFrom(1, 1, 4),
          kind: fc.constantFrom('event' as const, 'hold' as const),
        }),
        { maxLength: 6 },
      ),
    })
    .map(({ zone, buffer, week, edges, hours, off, meetings, minutes, holidays, taken }) => {
      const sorted = edges.toSorted((a, b) => a - b)
      const dates = hours
        .map((one, i) => ({ from: sorted[2 * i], to: sorted[2 * i + 1], hours: one }))
        .flatMap(({ from: first, to: last, hours: one }) =>
          first === undefined
            ? []
            : [{ from: dateText(day + first), ...(last !== undefined && { to: dateText(day + last) }), hours: one }],
        )
      const iso = (minute: number) => new Date((from + minute) * minuteMs).toISOString()
      return {
        ...{ zone, buffer, week, holidays },
        more: {
          ...(dates.length > 0 && { dates: dates.toReversed() }),
          ...(off.length > 0 && { time_off: off.map(([at, length]) => ({ start: iso(at), end: iso(at + length) })) }),
          ...(meetings !== undefined && { max_meetings_per_day: meetings }),
          ...(minutes !== undefined && { max_busy_minutes_per_day: minutes }),
        },
        taken: taken.map(({ at, length, times, kind }) => ({
          ...{ start: from + at, end: from + at + length, kind },
          times: kind === 'hold' ? 1 : times,
        })),
      }
    })
}

const cases: fc.Arbitrary<Case> = fc
  .record({
    day: fc.constantFrom('2026-03-07', '2026-04-04', '2026-10-03', '2026-10-30', '2026-12-23'),
    minute: fc.integer({ min: 0, max: dayMinutes }),
    length: fc.integer({ min: 1, max: 3 * dayMinutes }),
  })
  .chain(({ day, minute, length }) => {
    const from = Date.parse(`${day}T00:00:00Z`) / minuteMs + minute
    return fc.record({
      from: fc.constant(from),
      to: fc.constant(from + length),
      slot: fc.constantFrom(15, 45, 120, 600),
      asked: fc.record({ at: fc.integer({ min: 0, max: length - 1 }), length: fc.integer({ min: 1, max: length }) }),
      rules: fc.array(rulesNear(from), { minLength: 1, maxLength: 2 }),
    })
  })

/** As the statement for plain answers packs them, or with their identifiers. */
function rowOf({ zone, buffer, week, more, holidays, taken }: Rules, isNamed: boolean): NamedCalendar {
  const single = taken.filter(({ kind, times }) => kind === 'event' && times === 1)
  const series = taken.filter(({ times }) => times > 1)
  const holds = taken.filter(({ kind }) => kind === 'hold')
  const starting = isNamed ? single : [...single, ...series]
  const apart = [...series, ...holds]
  const id = Buffer.alloc(16)
  return {
    calendarId,
    agentId: null,
    bufferBeforeMinutes: buffer,
    bufferAfterMinutes: buffer,
    workingHours: week && JSON.stringify(week),
    timezone: zone,
    more,
    holidays: holidays.map((date) => Date.parse(date) / dayMs),
    starts: starting.length > 0 ? packMinutes(starting.map(({ start }) => start)) : null,
    ends: starting.length > 0 ? packMinutes(starting.map(({ end }) => end)) : null,
    ids: isNamed && starting.length > 0 ? Buffer.concat(starting.map(() => id)) : null,
    statuses: starting.map(() => 'c').join(''),
    originals: null,
    apartStarts: packMinutes(apart.map(({ start }) => start)),
    apartEnds: packMinutes(apart.map(({ end }) => end)),
    rules: apart.map(({ times }) => (times > 1 ? `FREQ=DAILY;COUNT=${times}` : null)),
    cancelled: apart.map(() => []),
    beside: [],
    apartNames: apart.map(({ kind }) => ({
      id: calendarId,
      status: kind === 'hold' ? 'hold' : 'confirmed',
      priority: 0,
      original: null,
      expires: '2099-01-01T00:00:00.000Z',
      group: null,
    })),
  }
}

/** By what each minute of a calendar is taken, and which days would get beyond a limit. */
function mapOf({ from, to }: Pick<Case, 'from' | 'to'>, { zone, buffer, week, more, holidays, taken }: Rules) {
  const first = from - 4 * dayMinutes
  const shown = Array.from({ length: to - from + 8 * dayMinutes }, (_, i) => wallClock(zone, first + i))
  const dateAt = (minute: number) => shown[minute - first]!.slice(0, 10)
  const causes = new Map<number, Set<string>>()
  const add = (start: number, end: number, cause: string) => {
    for (let minute = Math.max(start, from); minute < Math.min(end, to); minute++)
      causes.set(minute, (causes.get(minute) ?? new Set()).add(cause))
  }
  const named = (date: string) => more.dates?.find((range) => range.from <= date && date <= (range.to ?? range.from))
  const open = new Set<number>()
  for (const date of new Set(shown.map((text) => text.slice(0, 10)))) {
    const weekday = weekdayNames[new Date(`${date}T00:00:00Z`).getUTCDay()]!
    const hours =
      named(date)?.hours ??
      (holidays.includes(date) ? [] : week ? (week[weekday] ?? []) : [{ start: '00:00', end: '24:00' }])
    for (const { start, end } of hours) {
      const opens = shown.findIndex((text) => text >= `${date} ${start}`)
      const next = shown.findIndex((text) => text > `${date} 24:00`)
      const closes = end === '24:00' ? next : shown.findLastIndex((text) => text < `${date} ${end}`) + 1
      if (opens >= 0) for (let i = opens; i < (closes < 0 ? shown.length : closes); i++) open.add(first + i)
    }
  }
  for (let minute = from; minute < to; minute++) {
    if (open.has(minute)) continue
    const date = dateAt(minute)
    const why = named(date) ? `closed_date ${date}` : holidays.includes(date) ? `holiday ${date}` : 'working_hours'
    add(minute, minute + 1, why)
  }
  for (const { start, end } of more.time_off ?? [])
    add(Date.parse(start) / minuteMs, Date.parse(end) / minuteMs, 'time_off')
  const all = taken.flatMap(({ start, end, times }) =>
    Array.from({ length: times }, (_, i) => ({ start: start + i * dayMinutes, end: end + i * dayMinutes })),
  )
  for (const { start, end } of all) add(start - buffer, end + buffer, 'taken')
  const inMap = (minute: number) => minute >= first && minute < first + shown.length
  const starts = new Map<string, number>()
  const busy = new Map<string, Set<number>>()
  for (const { start, end } of all) {
    if (inMap(start)) starts.set(dateAt(start), (starts.get(dateAt(start)) ?? 0) + 1)
    for (let minute = start; minute < end; minute++)
      if (inMap(minute)) busy.set(dateAt(minute), (busy.get(dateAt(minute)) ?? new Set()).add(minute))
  }
  const startsOn = (date: string) => starts.get(date) ?? 0
  const busyOn = (date: string) => busy.get(date)?.size ?? 0
  const { max_meetings_per_day: meetings = Infinity, max_busy_minutes_per_day: minutes = Infinity } = more
  for (let minute = from; minute < to; minute++) {
    const date = dateAt(minute)
    if (startsOn(date) >= meetings) add(minute, minute + 1, `daily_limit ${date} meetings`)
    if (busyOn(date) >= minutes) add(minute, minute + 1, `daily_limit ${date} busy_minutes`)
  }
  /** The days that are within a limit, and would not be with this time too. */
  const beyond = (start: number, end: number) => {
    const added = new Map<string, number>()
    for (let minute = start; minute < end; minute++) {
      const date = dateAt(minute)
      if (!busy.get(date)?.has(minute)) added.set(date, (added.get(date) ?? 0) + 1)
    }
    const dates = [...added].filter(([date, more]) => busyOn(date) < minutes && busyOn(date) + more > minutes)
    return dates.map(([date]) => `daily_limit ${date} busy_minutes`)
  }
  return { causes, beyond }
}

const pairsOf = (flat: readonly number[]) =>
  Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i]! / minuteMs, flat[2 * i + 1]! / minuteMs] as const)

test('closed time, slots, causes and daily limits equal those of a map of single minutes', () => {
  fc.assert(
    fc.property(cases, (one) => {
      const { from, to, slot, asked } = one
      const window = { fromMs: from * minuteMs, toMs: to * minuteMs }
      const maps = one.rules.map((rules) => mapOf(one, rules))
      const isFree = (minute: number) => maps.every(({ causes }) => !causes.has(minute))
      const fits = (start: number, end: number) => maps.every(({ beyond }) => beyond(start, end).length === 0)

      const plain = openBusy(window)
      const busy = plain.busyOf(one.rules.map((rules) => rowOf(rules, false)))
      const explained = openExplained(window, () => true)
      assert.deepEqual(explained.busyOf(one.rules.map((rules) => rowOf(rules, true))), busy)
      assert.deepEqual(explained.rooms(), plain.rooms)
      const minutes = Array.from({ length: to - from }, (_, i) => from + i)
      const free = gaps(busy, window)
      const isOpen = new Set(pairsOf(free).flatMap(([a, b]) => Array.from({ length: b - a }, (_, i) => a + i)))
      assert.deepEqual(
        minutes.filter((minute) => isOpen.has(minute)),
        minutes.filter(isFree),
      )

      const lengthMs = slot * minuteMs
      const barred = barredStarts(plain.rooms, lengthMs)
      const possible = slotsWithin(free, lengthMs)
      assert.deepEqual(
        pairsOf(allowedSlots(possible, barred)),
        pairsOf(possible).filter(([start, end]) => fits(start, end)),
      )
      const freeUntil = new Map<number, number>()
      for (const minute of minutes.toReversed())
        if (isFree(minute)) freeUntil.set(minute, freeUntil.get(minute + 1) ?? minute + 1)
      const startable = minutes.filter(
        (start) => (freeUntil.get(start) ?? 0) >= start + slot && fits(start, start + slot),
      )
      const stretches = pairsOf(allowedStretches(free, lengthMs, barred))
      assert.deepEqual(
        minutes.filter((start) => stretches.some(([a, b]) => a <= start && start + slot <= b)),
        startable,
      )
      const next = startable.find((start) => start >= from + asked.at)
      const firstIn = pairsOf(free).flatMap(([a, b]) => {
        const start = allowedFrom(barred, Math.max(a, from + asked.at) * minuteMs) / minuteMs
        return start + slot <= b ? [start] : []
      })[0]
      assert.equal(firstIn, next)

      const causesAt = (minute: number) =>
        new Set(
          explained.pieces
            .filter(({ startMs, endMs }) => startMs <= minute * minuteMs && minute * minuteMs < endMs)
            .map(({ cause }) => shown(cause)),
        )
      for (const minute of [from, from + asked.at, to - 1])
        assert.deepEqual(causesAt(minute), new Set(maps.flatMap(({ causes }) => [...(causes.get(minute) ?? [])])))
      const [start, end] = [from + asked.at, Math.min(to, from + asked.at + asked.length)]
      const over = explained.beyondLimits([start * minuteMs, end * minuteMs]).map(({ cause }) => shown(cause))
      assert.deepEqual(new Set(over), new Set(maps.flatMap(({ beyond }) => beyond(start, end))))
    }),
    { numRuns: 40 },
  )
})

function shown(cause: ReturnType<typeof openExplained>['pieces'][number]['cause']): string {
  switch (cause.kind) {
    case 'closed_date':
    case 'holiday':
      return `${cause.kind} ${cause.date}`
    case 'daily_limit':
      return `daily_limit ${cause.date} ${cause.limit}`
    case 'working_hours':
    case 'time_off':
      return cause.kind
    default:
      return 'taken'
  }
}
