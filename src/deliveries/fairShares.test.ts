import assert from 'node:assert/strict'
import { test } from 'vitest'
import { openMetrics } from '../observability/metrics.ts'
import type { Uuid } from '../shapes/ids.ts'
import { maxInFlight } from './attempts.ts'
import { type Holder, openFairShares } from './fairShares.ts'

/** Places of lanes that always have more to do; `working` has what began and did not end, in its order. */
function openWork(total: number) {
  const metrics = openMetrics()
  const shares = openFairShares<Holder>(metrics, total)
  const working: Holder[] = []
  const order: string[] = []
  function begin() {
    for (const [lane, count] of shares.grant(() => true)) {
      for (let nth = 0; nth < count; nth++) {
        working.push(lane)
        order.push(lane.subscriptionId)
      }
      shares.enqueue(lane)
    }
  }
  const held = (orgId: string) => working.filter((lane) => lane.orgId === orgId).length
  /** Ends the first attempt that is under way, of this organization when it is named, and lets what follows begin. */
  function endOne(orgId?: string) {
    const at = working.findIndex((lane) => orgId === undefined || lane.orgId === orgId)
    if (at < 0) return false
    const [ended] = working.splice(at, 1)
    shares.giveBack(ended!, 1)
    begin()
    return true
  }
  return { shares, metrics, working, order, begin, held, endOne }
}

/** Names stand for identifiers: shares only compare them. */
const lane = (orgId: string, subscriptionId = `${orgId}'s`): Holder => ({
  orgId: orgId as Uuid,
  subscriptionId: subscriptionId as Uuid,
  inUse: 0,
  others: 0,
  isSlow: false,
  isInLine: false,
})

function flood({ shares, begin }: ReturnType<typeof openWork>, orgId: string, lanes: number): Holder[] {
  const all = Array.from({ length: lanes }, (_, nth) => lane(orgId, `${orgId} ${nth}`))
  for (const one of all) shares.enqueue(one)
  begin()
  return all
}

test('an organization alone has a quarter of the shares at most, and who comes next has one at once', () => {
  for (const total of [400, 200, 100, 24, 8, 4]) {
    const work = openWork(total)
    flood(work, 'flooder', 25)
    assert.ok(work.held('flooder') <= total / 4, `${work.held('flooder')} of ${total}`)
    assert.ok(work.held('flooder') >= total / 5, `${work.held('flooder')} of ${total}`)
    flood(work, 'other', 1)
    assert.ok(work.held('other') >= 1)
  }
})

test('a lane holds at most ten shares, however many are free', () => {
  const work = openWork(4_000)
  flood(work, 'a', 1)
  assert.deepEqual([work.held('a'), maxInFlight], [10, 10])
})

test('a single place goes to whoever asks first, and then to the next organization', () => {
  const { shares, order, begin, endOne } = openWork(1)
  for (const name of ['a', 'b', 'c']) shares.enqueue(lane(name, name))
  begin()
  for (let ended = 0; ended < 4; ended++) endOne()
  assert.deepEqual(order, ['a', 'b', 'c', 'a', 'b'])
})

test('however many organizations flood, a place is free for one more, and each of them has some', () => {
  const work = openWork(400)
  flood(work, 'flooder', 25)
  const others = Array.from({ length: 20 }, (_, nth) => `other ${nth}`)
  for (const other of others) flood(work, other, 3)
  for (const other of others) assert.ok(work.held(other) >= 1, other)
  flood(work, 'victim', 1)
  assert.ok(work.held('victim') >= 1)
})

test('the longer it lasts the more equal are the parts', () => {
  const work = openWork(400)
  flood(work, 'flooder', 25)
  const others = Array.from({ length: 20 }, (_, nth) => `other ${nth}`)
  for (const other of others) flood(work, other, 3)
  for (let ended = 0; ended < 1_500; ended++) work.endOne()
  const all = ['flooder', ...others].map(work.held)
  assert.ok(Math.max(...all) <= 1.5 * Math.min(...all), `${all}`)
  assert.ok(work.working.length > 300, `${work.working.length} at work`)
})

test('a lane leaves room for the others of its organization', () => {
  const work = openWork(40)
  flood(work, 'a', 1)
  const slow = work.held('a')
  assert.ok(slow >= 5 && slow < 10, String(slow))
  const quick = lane('a', 'quick')
  work.shares.enqueue(quick)
  work.begin()
  assert.ok(quick.inUse >= 1)
})

test('the lanes of an organization take turns', () => {
  const work = openWork(4)
  flood(work, 'a', 3)
  for (let ended = 0; ended < 8; ended++) work.endOne()
  assert.deepEqual(
    work.order,
    Array.from({ length: 9 }, (_, nth) => `a ${nth % 3}`),
  )
})

test('lanes whose receivers take seconds hold at most half of all shares together', () => {
  const work = openWork(400)
  const slow = Array.from({ length: 100 }, (_, nth) => lane(`slow ${nth}`))
  for (const one of slow) {
    work.shares.setSlow(one, true)
    work.shares.enqueue(one)
  }
  work.begin()
  assert.equal(work.working.length, 200)
  const quick = flood(work, 'quick', 1)
  assert.equal(quick[0]!.inUse, maxInFlight)
  // One that answers quickly again counts as the others do.
  for (const one of slow.slice(0, 50)) work.shares.setSlow(one, false)
  work.begin()
  assert.ok(work.working.length > 250, `${work.working.length} at work`)
})

test('a lane that goes on by itself is bound by the same rule', () => {
  const { shares, working } = openWork(16)
  const [one, two] = [lane('a', 'one'), lane('a', 'two')]
  while (shares.take(one)) working.push(one)
  assert.deepEqual([one.inUse, shares.free()], [3, 13])
  assert.equal(shares.take(two), true)
  // The other lane of its organization has come up, so a place that is free again is not its own.
  shares.giveBack(one, 1)
  assert.equal(shares.take(one), false)
})

test('a lane that may not begin keeps its place in line, and one that left it gets nothing', () => {
  const { shares } = openWork(40)
  const [late, gone, ready] = [lane('a', 'late'), lane('a', 'gone'), lane('b', 'ready')]
  for (const one of [late, gone, ready]) shares.enqueue(one)
  shares.leave(gone)
  assert.deepEqual([...shares.grant((one) => one !== late).keys()], [ready])
  assert.deepEqual([late.isInLine, gone.isInLine, ready.isInLine, shares.waiting()], [true, false, false, 1])
})

test('when everything is given back all shares are free and nobody waits, as the metrics say', async () => {
  const { shares, metrics } = openWork(16)
  const lanes = ['a', 'b', 'c'].flatMap((orgId) => [lane(orgId, `${orgId} 1`), lane(orgId, `${orgId} 2`)])
  for (const one of lanes) shares.enqueue(one)
  for (let turn = 0; turn < 10; turn++) for (const [one, count] of shares.grant(() => true)) shares.giveBack(one, count)
  assert.equal(shares.grant(() => true).size, 0)
  for (const one of lanes) assert.deepEqual([one.inUse, one.isInLine], [0, false])
  const of = async (metric: { get(): Promise<{ values: { value: number }[] }> }) =>
    (await metric.get()).values.map(({ value }) => value)
  assert.deepEqual(await of(metrics.deliveryPlaces), [0, 16])
  assert.deepEqual(await of(metrics.deliveriesInLine), [0])
})
