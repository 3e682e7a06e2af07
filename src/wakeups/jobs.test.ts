import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Uuid } from '../shapes/ids.ts'
import {
  jobs,
  joinWakeups,
  lanesOf,
  type Payload,
  poolNames,
  type Wakeup,
  wakeLane,
  wakeLanes,
  wakeSlice,
  wakeTimers,
  wakeUpkeep,
} from './jobs.ts'

const second = 1_772_442_000
const at = new Date(second * 1000)
const lane = {
  orgId: '0190163d-8694-739b-aea5-966c26f8ad91' as Uuid,
  subscriptionId: '0190163d-8694-739b-aea5-966c26f8ad93' as Uuid,
}
const sister = { ...lane, subscriptionId: '0193b3c2-7f6d-7000-8000-0000000000aa' as Uuid }
const rescuedAt = new Date('2026-03-02T09:00:00.000Z')
const wakeups: Wakeup[] = [
  wakeTimers(second),
  wakeTimers(second, rescuedAt),
  wakeSlice({ nth: 1, of: 2 }, rescuedAt),
  wakeLane(lane, at),
  wakeLane(lane, at, rescuedAt),
  ...wakeLanes([lane, sister], at),
  wakeUpkeep(492_345),
]

test('every job goes to a queue that has a pool', () => {
  for (const { queue } of Object.values(jobs)) assert.ok(poolNames.includes(queue), queue)
})

test('every wake-up carries what its job expects, as JSON', () => {
  for (const { name, payload } of wakeups) {
    assert.deepEqual(jobs[name].payload.parse(JSON.parse(JSON.stringify(payload))), payload)
  }
})

test('an identifier holds no colon and is never all digits: BullMQ would refuse it', () => {
  for (const { id } of wakeups) assert.match(id, /^(?!\d+$)[^:]+$/)
})

test('the timers of one second share one wake-up, due with that second', () => {
  assert.deepEqual(wakeTimers(second), wakeTimers(second))
  assert.equal(wakeTimers(second).dueAt.getTime(), second * 1000)
  assert.notEqual(wakeTimers(second).id, wakeTimers(second + 1).id)
})

test('the retries of one subscription and second share one wake-up, at the end of that second', () => {
  const within = (ms: number) => wakeLane(lane, new Date(at.getTime() + ms))
  assert.deepEqual(within(1), within(1_000))
  assert.equal(within(1).dueAt.getTime(), at.getTime() + 1_000)
  assert.equal(within(0).dueAt.getTime(), at.getTime())
  assert.notEqual(within(1).id, within(0).id)
  assert.notEqual(within(1).id, wakeLane(sister, within(1).dueAt).id)
})

test('what is due at once is rung for together, each subscription once, fifty at most', () => {
  const lanes = Array.from({ length: 120 }, (_, nth) => ({ ...lane, subscriptionId: `s${nth}` as Uuid }))
  const rung = wakeLanes([...lanes, ...lanes], at)
  const rungFor = rung.map(({ payload }) => lanesOf(payload as Payload<'deliver'>))
  assert.deepEqual(
    rungFor.map(({ length }) => length),
    [50, 50, 20],
  )
  assert.deepEqual(rungFor.flat(), lanes)
  assert.equal(new Set(rung.map(({ id }) => id)).size, 3)
  assert.deepEqual(wakeLanes([], at), [])
})

test('the wake-ups of one turn that are due now are joined, and others stay as they are', () => {
  const later = wakeLane(lane, new Date(at.getTime() + 60_000))
  const joined = joinWakeups(
    [...wakeLanes([lane], at), wakeTimers(second), later, ...wakeLanes([sister, lane], at)],
    at,
  )
  assert.deepEqual(joined.slice(0, 2), [wakeTimers(second), later])
  assert.deepEqual(
    joined.slice(2).map(({ payload }) => lanesOf(payload as Payload<'deliver'>)),
    [[lane, sister]],
  )
})

test('a rescue is not swallowed by the wake-up that got stuck, and is repeated every ten seconds at most', () => {
  const after = (ms: number) => wakeLane(lane, at, new Date(rescuedAt.getTime() + ms)).id
  assert.notEqual(after(0), wakeLane(lane, at).id)
  assert.equal(after(0), after(9_999))
  assert.notEqual(after(0), after(10_000))
  assert.notEqual(wakeTimers(second, rescuedAt).id, wakeTimers(second).id)
})

test('upkeep is due at its full hour', () => {
  assert.equal(wakeUpkeep(492_345).dueAt.toISOString(), '2026-03-02T09:00:00.000Z')
})
