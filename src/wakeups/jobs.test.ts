import assert from 'node:assert/strict'
import { test } from 'vitest'
import { wakePurge } from '../../workers/upkeep.ts'
import type { Uuid } from '../shapes/ids.ts'
import { wakeSecond } from '../timers/ring.ts'
import { jobs, type Payload, poolNames, queues, type Wakeup, wakeup } from './jobs.ts'
import { joinWakeups, lanesOf, wakeLane, wakeLanes } from './lanes.ts'

const second = 1_772_442_000
const at = new Date(second * 1000)
const lane = {
  orgId: '0190163d-8694-739b-aea5-966c26f8ad91' as Uuid,
  subscriptionId: '0190163d-8694-739b-aea5-966c26f8ad93' as Uuid,
}
const sister = { ...lane, subscriptionId: '0193b3c2-7f6d-7000-8000-0000000000aa' as Uuid }
const rescuedAt = new Date('2026-03-02T09:00:00.000Z')
const wakeups: Wakeup[] = [
  wakeSecond(second),
  wakeSecond(second, rescuedAt),
  wakeup('fire', { second, slice: { nth: 1, of: 2 } }, rescuedAt, { rescuedAt }),
  wakeLane(lane, at),
  wakeLane(lane, at, rescuedAt),
  ...wakeLanes([lane, sister], at),
  wakePurge(492_345),
  wakeup('read', { orgId: lane.orgId, id: lane.subscriptionId }, at),
  wakeup('read', { orgId: lane.orgId, id: lane.subscriptionId, interest: true }, at),
  wakeup('erase', { orgId: lane.orgId }, at),
]

test('every job goes to a queue that has a pool', () => {
  for (const { queue } of Object.values(jobs)) assert.ok(poolNames.includes(queue), queue)
})

test('no job is limited to more than its queue takes', () => {
  const limits = Object.entries(jobs).flatMap(([name, job]) => ('atOnce' in job ? [{ name, ...job }] : []))
  assert.ok(limits.length > 0)
  for (const { name, queue, atOnce } of limits) assert.ok(atOnce <= queues[queue].atOnce, name)
  assert.ok(
    jobs.read.atOnce + jobs.watch.atOnce < queues.connections.atOnce,
    'both at once, and a job that finds no place',
  )
})

test('a row has one wake-up for each moment; one for a question a minute; each of a destination is new', () => {
  const key = { orgId: lane.orgId, id: lane.subscriptionId }
  const later = new Date(at.getTime() + 30_000)
  const idAt = (dueAt: Date, interest?: boolean) => wakeup('read', interest ? { ...key, interest } : key, dueAt).id
  assert.equal(idAt(at), idAt(at))
  assert.notEqual(idAt(at), idAt(later))
  assert.equal(idAt(at, true), idAt(later, true))
  assert.notEqual(idAt(at, true), idAt(at))
  assert.notEqual(wakeup('publish', key, at).id, wakeup('publish', key, at).id)
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
  assert.deepEqual(wakeSecond(second), wakeSecond(second))
  assert.equal(wakeSecond(second).dueAt.getTime(), second * 1000)
  assert.notEqual(wakeSecond(second).id, wakeSecond(second + 1).id)
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
    [...wakeLanes([lane], at), wakeSecond(second), later, ...wakeLanes([sister, lane], at)],
    at,
  )
  assert.deepEqual(joined.slice(0, 2), [wakeSecond(second), later])
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
  assert.notEqual(wakeSecond(second, rescuedAt).id, wakeSecond(second).id)
})

test('upkeep is due at its full hour', () => {
  assert.equal(wakePurge(492_345).dueAt.toISOString(), '2026-03-02T09:00:00.000Z')
})
