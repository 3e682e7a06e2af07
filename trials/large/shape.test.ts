import assert from 'node:assert/strict'
import { test } from 'vitest'
import { dayMs } from '../../src/shapes/durations.ts'
import { chosenAgents, idAt, organizationsOf } from './organization.ts'
import { kindsOf, placeEvent, shareOfDay, sizesOf } from './shape.ts'

const nowMs = Date.parse('2026-11-28T12:00:00Z')

test('a million agents have the rows that the trial promises', () => {
  const { agents, calendars, events, deliveries } = sizesOf(1_000_000)
  assert.deepEqual([agents, calendars, events, deliveries], [1_000_000, 2_000_000, 20_000_000, 10_000_000])
})

test('one organization is huge, some are large, most are small, and together they have every agent once', () => {
  assert.deepEqual(kindsOf(1_000_000), [
    { count: 1, agents: 100_000 },
    { count: 10, agents: 10_000 },
    { count: 100, agents: 1_000 },
    { count: 70_000, agents: 10 },
  ])
  for (const agents of [1, 9, 10, 205, 10_000, 12_345]) {
    const organizations = organizationsOf(agents, nowMs)
    assert.equal(organizations.length, sizesOf(agents).organizations)
    let next = 0
    for (const { firstAgent, agents: own } of organizations) {
      assert.equal(firstAgent, next)
      next += own
    }
    assert.equal(next, agents)
  }
})

test('both installations have as many chosen agents, each once, of organizations of every kind', () => {
  for (const agents of [10_000, 10_007, 1_000_000]) {
    const chosen = chosenAgents(kindsOf(agents), 10)
    assert.equal(new Set(chosen).size, 40)
    assert.ok(chosen.every((agent) => agent < agents))
  }
})

test('nothing begins or ends within a day of now, and only confirmed events ahead have timers', () => {
  for (let seed = 0; seed < 200; seed++) {
    for (let nth = 0; nth < 15; nth++) {
      const { startMs, endMs, status, hasTimers } = placeEvent(nth, 15, seed, nowMs)
      assert.ok(startMs >= nowMs + dayMs || endMs <= nowMs - dayMs + 45 * 60_000, `${seed} ${nth}`)
      assert.equal(hasTimers, startMs > nowMs && status === 'confirmed')
    }
  }
})

test('the deliveries of an organization are spread over days, and none is left out', () => {
  for (const deliveries of [0, 1, 29, 30, 100, 1_234_567]) {
    const shares = Array.from({ length: 30 }, (_, day) => shareOfDay(deliveries, day, 30))
    assert.equal(
      shares.reduce((sum, share) => sum + share),
      deliveries,
    )
    assert.ok(Math.max(...shares) - Math.min(...shares) <= 1)
  }
})

test('an identifier is a UUIDv7 of its millisecond, and the number tells it apart', () => {
  const id = idAt(nowMs, 255)
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7000-8000-0000000000ff$/)
  assert.equal(Number.parseInt(id.replace('-', '').slice(0, 12), 16), nowMs)
})
