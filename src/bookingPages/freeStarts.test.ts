// Runs of free starts against a list of all of them.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { merged } from '../availability/intervals.ts'
import { dayMs, hourMs, minuteMs } from '../shapes/durations.ts'
import { eachStart, firstPart, freeDates, freeStarts, isFree, nearestStarts, startsOn } from './freeStarts.ts'
import type { Offer } from './openings.ts'
import { datesOf } from './times.ts'

const zones = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/Havana', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']
const wed = [
  { start: '09:10', end: '12:00' },
  { start: '13:00', end: '24:00' },
]

const arbitrary = fc.record({
  from: fc.constantFrom('2026-03-05T03:07Z', '2026-03-27T22:00Z', '2026-10-24T11:11Z').map(Date.parse),
  hours: fc.integer({ min: 1, max: 240 }),
  busy: fc.array(fc.tuple(fc.integer({ min: -100, max: 15_000 }), fc.integer({ min: 1, max: 3_000 })), {
    maxLength: 12,
  }),
  durationMinutes: fc.constantFrom(5, 30, 50, 480),
  interval: fc.option(fc.constantFrom(5, 60, 480), { nil: undefined }),
  timezone: fc.constantFrom(...zones),
  zone: fc.constantFrom(...zones),
  availabilityConstraints: fc.option(fc.constant({ wed, sun: { start: '00:00', end: '06:00' } }), { nil: null }),
})
type Case = typeof arbitrary extends fc.Arbitrary<infer Of> ? Of : never

function given({ from, hours, busy, interval, ...rest }: Case) {
  const details = interval === undefined ? {} : { slot_interval_minutes: interval }
  const offer: Offer = { windowDays: 14, minNoticeMinutes: 0, details, ...rest }
  const window = { fromMs: from, toMs: from + hours * hourMs }
  const pieces = busy.flatMap(([at, length]) => [from + at * minuteMs, from + (at + length) * minuteMs])
  return { offer, window, busy: merged(pieces, window) }
}

test('a start is free if nothing takes a part of its slot', () => {
  fc.assert(
    fc.property(arbitrary, (one) => {
      const { offer, window, busy } = given(one)
      const free = freeStarts(offer, window, busy)
      const lengthMs = offer.durationMinutes * minuteMs
      const isTaken = (start: number) =>
        busy.some((from, at) => at % 2 === 0 && from < start + lengthMs && busy[at + 1]! > start)
      const expected = [...eachStart(freeStarts(offer, window, []))].filter((start) => !isTaken(start))
      assert.deepEqual([...eachStart(free)], expected)
      for (const start of expected.slice(0, 50)) {
        assert.ok(isFree(free, start))
        assert.ok(!isFree(free, start + 1))
      }
    }),
  )
})

test('dates, the starts of each, and those closest to a time are those of the whole list', () => {
  fc.assert(
    fc.property(arbitrary, fc.integer({ min: -500, max: 15_000 }), (one, minute) => {
      const { offer, window, busy } = given(one)
      const free = freeStarts(offer, window, busy)
      const starts = [...eachStart(free)]
      const dates = [...datesOf(starts, one.zone, window)]
      assert.deepEqual(freeDates(free, one.zone, window), [...new Set(dates)])
      for (const date of new Set(dates)) {
        assert.deepEqual(
          startsOn(free, date, one.zone),
          starts.filter((_, nth) => dates[nth] === date),
        )
      }
      const ms = window.fromMs + minute * minuteMs
      const byDistance = starts.toSorted((a, b) => Math.abs(a - ms) - Math.abs(b - ms))
      assert.deepEqual(
        nearestStarts(free, ms, 6),
        byDistance.slice(0, 6).toSorted((a, b) => a - b),
      )
    }),
  )
})

test('parts follow each other without a gap, and hold every start once', () => {
  fc.assert(
    fc.property(arbitrary, fc.integer({ min: 1, max: 90 }), (one, max) => {
      const { offer, window, busy } = given(one)
      const whole = [...eachStart(freeStarts(offer, window, busy))]
      const found: number[] = []
      let fromMs: number | undefined = window.fromMs
      while (fromMs !== undefined) {
        const part = firstPart(offer, { ...window, fromMs }, max)
        const starts = [...eachStart(freeStarts(offer, part.window, busy))]
        assert.ok(starts.length <= max)
        assert.ok(part.window.toMs >= (part.nextMs ?? window.toMs))
        found.push(...starts)
        fromMs = part.nextMs
      }
      assert.deepEqual(found, whole)
    }),
    { numRuns: 60 },
  )
})

test('a year of short slots is a few runs', () => {
  const offer = {
    windowDays: 365,
    minNoticeMinutes: 0,
    durationMinutes: 5,
    timezone: 'UTC',
    availabilityConstraints: null,
  }
  const window = { fromMs: 0, toMs: 365 * dayMs }
  expect(freeStarts(offer, window, [dayMs, 300 * dayMs]).runs.length).toBeLessThan(2 * 70)
})
