// The best times beside a plain search that scores every minute.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { minuteMs } from '../shapes/durations.ts'
import { type BestOrder, bestTimes, ranks } from './best.ts'

const zones = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Europe/Berlin'] as const
const days = ['2026-03-07', '2026-03-28', '2026-06-10', '2026-10-03', '2026-10-24', '2026-10-31']

const formats = new Map(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
  ]),
)

/** The wall clock, read off `Intl`: `2026-03-08` and the minute of that day. */
function wallOf(zone: (typeof zones)[number], minute: number): { date: string; minute: number } {
  const text = formats.get(zone)!.format(minute * minuteMs)
  return { date: text.slice(0, 10), minute: Number(text.slice(11, 13)) * 60 + Number(text.slice(14, 16)) }
}

type Zone = { zone: (typeof zones)[number] }
type Case = { from: number; to: number; free: [number, number][]; length: number; order: BestOrder & Zone }

function expected({ from, to, free, length, order }: Case) {
  const found = []
  for (const [begin, end] of free) {
    for (let start = begin; start + length <= end; start++) {
      const wall = wallOf(order.zone, start)
      if (wall.minute % order.stepMinutes !== 0) continue
      const last = wallOf(order.zone, start + length - 1)
      const { prefer } = order
      const isInside = prefer && wall.minute >= prefer.from && last.minute + 1 <= prefer.to && wall.date === last.date
      const before = begin > from && start === begin
      const after = end < to && start + length === end
      const score = {
        soonest: () => 100 - Math.floor((100 * (start - from)) / (to - from)),
        compact: () => (before ? 50 : 0) + (after ? 50 : 0),
        spread: () => Math.floor((100 * Math.min(120, start - begin, end - start - length)) / 120),
      }[order.rank]()
      const reasons = [
        ...(before ? ['touches_before'] : []),
        ...(after ? ['touches_after'] : []),
        ...(isInside ? ['in_preferred_hours'] : []),
        ...(begin > from && !before ? [`minutes_before:${start - begin}`] : []),
        ...(end < to && !after ? [`minutes_after:${end - start - length}`] : []),
      ]
      found.push({ start, end: start + length, score: Math.max(0, score - (prefer && !isInside ? 50 : 0)), reasons })
    }
  }
  const chosen: typeof found = []
  for (const one of found.sort((a, b) => b.score - a.score || a.start - b.start)) {
    if (chosen.length < order.count && !chosen.some(({ start, end }) => start < one.end && one.start < end))
      chosen.push(one)
  }
  return chosen.map(({ start, end, score, reasons }) => ({
    startMs: start * minuteMs,
    endMs: end * minuteMs,
    score,
    reasons,
  }))
}

const cases = fc
  .record({
    day: fc.constantFrom(...days),
    offset: fc.integer({ min: 0, max: 1440 }),
    window: fc.integer({ min: 30, max: 2000 }),
    cuts: fc.uniqueArray(fc.integer({ min: 0, max: 2000 }), { maxLength: 8 }),
    length: fc.constantFrom(15, 30, 45, 60, 120),
    order: fc.record({
      count: fc.integer({ min: 1, max: 8 }),
      rank: fc.constantFrom(...ranks),
      stepMinutes: fc.constantFrom(5, 10, 15, 30, 60),
      prefer: fc.option(
        fc.record({ from: fc.integer({ min: 0, max: 1000 }), to: fc.integer({ min: 1001, max: 1439 }) }),
        { nil: undefined },
      ),
      zone: fc.constantFrom(...zones),
    }),
  })
  .map(({ day, offset, window, cuts, length, order }): Case => {
    const from = Date.parse(`${day}T00:00:00Z`) / minuteMs + offset
    const edges = cuts.filter((cut) => cut <= window).sort((a, b) => a - b)
    const free: [number, number][] = []
    for (let n = 0; n + 1 < edges.length; n += 2) free.push([from + edges[n]!, from + edges[n + 1]!])
    if (cuts.length % 3 === 0) free.splice(0, free.length, [from, from + window])
    return { from, to: from + window, free, length, order }
  })

test('the best times are those of a plain search, in every zone and over changes of clocks', () => {
  const holds = (one: Case) => {
    const window = { fromMs: one.from * minuteMs, toMs: one.to * minuteMs }
    const free = one.free.flat().map((minute) => minute * minuteMs)
    assert.deepEqual(bestTimes(free, window, one.length * minuteMs, one.order), expected(one))
  }
  fc.assert(fc.property(cases, holds), { numRuns: 150 })
})
