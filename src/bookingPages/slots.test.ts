import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { stretchesOf, weekdays } from '../availability/hours.ts'
import type { Window } from '../availability/intervals.ts'
import { minuteMs } from '../shapes/durations.ts'
import { eachStart, freeStarts, slotsFrom } from './freeStarts.ts'
import type { Offer } from './openings.ts'
import { judgeStart, windowOf } from './slots.ts'

const utc = Date.parse

const offerOf = (offer: Partial<Offer> = {}): Offer => ({
  durationMinutes: 30,
  windowDays: 14,
  minNoticeMinutes: 0,
  timezone: 'UTC',
  availabilityConstraints: null,
  ...offer,
})

const freeSlots = (offer: Offer, window: Window, taken: number[]) => {
  const free = freeStarts(offer, window, taken)
  return slotsFrom(eachStart(free), free)
}

/** Starts, as short texts in UTC. */
const startsOf = (offer: Offer, from: string, to: string, taken: number[] = []) =>
  freeSlots(offer, { fromMs: utc(from), toMs: utc(to) }, taken)
    .filter((_, nth) => nth % 2 === 0)
    .map((ms) => new Date(ms).toISOString().slice(5, 16))

test('slots stand on multiples of the duration since local midnight', () => {
  const offer = offerOf({ durationMinutes: 45, timezone: 'Asia/Kolkata' })
  // Midnight in Kolkata is 18:30 in UTC.
  assert.deepEqual(startsOf(offer, '2026-03-02T18:00:00Z', '2026-03-02T21:00:00Z'), [
    ...['03-02T18:30', '03-02T19:15', '03-02T20:00'],
  ])
})

test('with hours they are counted from the opening and end with it', () => {
  const offer = offerOf({ durationMinutes: 50, availabilityConstraints: { mon: { start: '09:10', end: '12:00' } } })
  assert.deepEqual(startsOf(offer, '2026-03-02T00:00:00Z', '2026-03-09T00:00:00Z'), [
    ...['03-02T09:10', '03-02T10:00', '03-02T10:50'],
  ])
})

test('hours keep their wall clock when the clocks change', () => {
  const offer = offerOf({
    durationMinutes: 60,
    timezone: 'Europe/Berlin',
    availabilityConstraints: { fri: { start: '09:00', end: '10:00' }, mon: { start: '09:00', end: '10:00' } },
  })
  assert.deepEqual(startsOf(offer, '2026-03-26T00:00:00Z', '2026-03-31T00:00:00Z'), ['03-27T08:00', '03-30T07:00'])
})

test('a day that the clocks make shorter or longer counts its slots by the time that passes', () => {
  const offer = offerOf({ durationMinutes: 120, timezone: 'Europe/Berlin' })
  // 23 hours from 23:00 to 22:00 in UTC; the last slot of the day runs into the next.
  assert.deepEqual(startsOf(offer, '2026-03-29T17:00:00Z', '2026-03-30T03:00:00Z'), [
    ...['03-29T17:00', '03-29T19:00', '03-29T21:00', '03-29T22:00', '03-30T00:00'],
  ])
  assert.deepEqual(startsOf(offer, '2026-10-25T18:00:00Z', '2026-10-26T03:00:00Z'), [
    ...['10-25T18:00', '10-25T20:00', '10-25T22:00', '10-25T23:00', '10-26T01:00'],
  ])
})

test('a midnight that is skipped opens the day after the gap', () => {
  const offer = offerOf({ durationMinutes: 60, timezone: 'America/Havana' })
  // 2026-03-08, 00:00 becomes 01:00: the day opens at 05:00 in UTC.
  assert.deepEqual(startsOf(offer, '2026-03-08T04:00:00Z', '2026-03-08T07:00:00Z'), [
    ...['03-08T04:00', '03-08T05:00', '03-08T06:00'],
  ])
})

test('a slot that anything takes a part of is not offered', () => {
  const taken = [utc('2026-03-02T10:15:00Z'), utc('2026-03-02T10:45:00Z')]
  assert.deepEqual(startsOf(offerOf(), '2026-03-02T09:30:00Z', '2026-03-02T11:30:00Z', taken), [
    ...['03-02T09:30', '03-02T11:00'],
  ])
})

test('a slot that ends where something begins, or begins where it ends, is free', () => {
  const taken = [utc('2026-03-02T10:00:00Z'), utc('2026-03-02T10:30:00Z')]
  assert.deepEqual(startsOf(offerOf(), '2026-03-02T09:30:00Z', '2026-03-02T11:00:00Z', taken), [
    ...['03-02T09:30', '03-02T10:30'],
  ])
})

test('the window runs from the notice to so many days from now, and holds whole slots', () => {
  const now = new Date('2026-03-02T09:10:00Z')
  const offer = offerOf({ minNoticeMinutes: 50, windowDays: 1 })
  assert.deepEqual(windowOf(offer, now), {
    fromMs: utc('2026-03-02T10:00:00Z'),
    toMs: utc('2026-03-03T09:10:00Z'),
  })
  const judged = (start: string) => judgeStart(offer, utc(start), now)
  assert.equal(judged('2026-03-02T10:00:00Z'), 'possible')
  assert.equal(judged('2026-03-02T09:30:00Z'), 'too_soon')
  assert.equal(judged('2026-03-03T08:30:00Z'), 'possible')
  assert.equal(judged('2026-03-03T09:00:00Z'), 'too_late')
})

test('a start off the grid is told from one outside the hours', () => {
  const now = new Date('2026-03-01T00:00:00Z')
  const offer = offerOf({ availabilityConstraints: { mon: { start: '09:00', end: '10:15' } } })
  const judged = (start: string) => judgeStart(offer, utc(start), now)
  assert.equal(judged('2026-03-02T09:30:00Z'), 'possible')
  assert.equal(judged('2026-03-02T09:35:00Z'), 'off_grid')
  assert.equal(judged('2026-03-02T09:30:00.001Z'), 'off_grid')
  assert.equal(judged('2026-03-02T10:00:00Z'), 'closed')
  assert.equal(judged('2026-03-03T09:00:00Z'), 'closed')
})

test('slots count from the start of each stretch, and the last one may end at midnight', () => {
  const mon = [
    { start: '09:10', end: '10:00' },
    { start: '22:45', end: '24:00' },
  ]
  const offer = offerOf({ durationMinutes: 30, availabilityConstraints: { mon } })
  const window = { fromMs: utc('2026-03-02T00:00:00Z'), toMs: utc('2026-03-03T12:00:00Z') }
  const slots = freeSlots(offer, window, []).map((ms) => new Date(ms).toISOString().slice(8, 16))
  assert.deepEqual(slots, ['02T09:10', '02T09:40', '02T22:45', '02T23:15', '02T23:15', '02T23:45'])
  assert.equal(judgeStart(offer, utc('2026-03-02T23:15:00Z'), new Date('2026-03-01T00:00:00Z')), 'possible')
})

// An oracle that shares nothing with the code: every minute is looked at by itself, wall clocks are read off Intl.

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/Havana']
const days = ['2026-03-07', '2026-03-28', '2026-04-04', '2026-06-01', '2026-10-24', '2026-10-31']

function openMinutes(offer: Offer, fromMs: number, toMs: number) {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{
      timeZone: offer.timezone,
      hourCycle: 'h23',
      weekday: 'short',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    },
  })
  const minutes: { ms: number; date: string; isOpen: boolean }[] = []
  for (let ms = fromMs; ms < toMs; ms += minuteMs) {
    const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]))
    const hours = offer.availabilityConstraints?.[part.weekday!.toLowerCase() as (typeof weekdays)[number]]
    const wall = `${part.hour}:${part.minute}`
    const isOpen =
      offer.availabilityConstraints === null || stretchesOf(hours).some(({ start, end }) => wall >= start && wall < end)
    minutes.push({ ms, date: part.day!, isOpen })
  }
  return minutes
}

/** From a day's first open minute every so many minutes, as long as all minutes of the slot are open. */
function expectedStarts(offer: Offer, from: number, to: number): number[] {
  const aroundMs = 3 * 86_400_000
  const minutes = openMinutes(offer, from - aroundMs, to + aroundMs)
  const open = new Set(minutes.filter(({ isOpen }) => isOpen).map(({ ms }) => ms))
  const starts = new Set<number>()
  // The first date is cut off, so that its first minute is not its opening.
  const byDate = [...Map.groupBy(minutes, ({ date }) => date).values()].slice(1)
  for (const date of byDate) {
    const opening = date.find(({ isOpen }) => isOpen)
    if (!opening) continue
    for (const { ms, isOpen } of date) {
      if (!isOpen || (ms - opening.ms) % (offer.durationMinutes * minuteMs) !== 0) continue
      const slot = Array.from({ length: offer.durationMinutes }, (_, nth) => ms + nth * minuteMs)
      if (ms >= from && slot.at(-1)! < to && slot.every((minute) => open.has(minute))) starts.add(ms)
    }
  }
  return [...starts].sort((a, b) => a - b)
}

const time = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

// Hours that begin or end inside a change of clocks are for the tests of `hours.ts`.
const dayHours = fc
  .tuple(fc.integer({ min: 180, max: 700 }), fc.integer({ min: 1, max: 700 }))
  .map(([start, length]) => ({ start: time(start), end: time(start + length) }))
const hours = fc
  .uniqueArray(fc.constantFrom(...weekdays), { minLength: 1 })
  .chain((names) =>
    fc.tuple(...names.map(() => dayHours)).map((all) => Object.fromEntries(names.map((n, i) => [n, all[i]!]))),
  )

test('slots are those that an oracle finds minute by minute, around changes of the clocks', () => {
  const arbitrary = fc.record({
    day: fc.constantFrom(...days),
    minute: fc.integer({ min: 0, max: 1440 }),
    length: fc.integer({ min: 60, max: 2 * 1440 }),
    durationMinutes: fc.constantFrom(5, 15, 30, 45, 50, 60, 90, 120, 480),
    timezone: fc.constantFrom(...zones),
    availabilityConstraints: fc.option(hours, { nil: null }),
  })
  fc.assert(
    fc.property(arbitrary, ({ day, minute, length, ...rest }) => {
      const offer = offerOf(rest)
      const from = utc(`${day}T00:00:00Z`) + minute * minuteMs
      const to = from + length * minuteMs
      const found = freeSlots(offer, { fromMs: from, toMs: to }, []).filter((_, nth) => nth % 2 === 0)
      assert.deepEqual(found, expectedStarts(offer, from, to))
      const now = new Date(from)
      const wide = { ...offer, windowDays: 30 }
      for (const start of found) assert.equal(judgeStart(wide, start, now), 'possible')
    }),
    { numRuns: 60 },
  )
})
