import assert from 'node:assert/strict'
import { newId } from '../shapes/ids.ts'
import { serviceTest } from '../testing/test.ts'
import { openFairShares } from './fairShares.ts'
import { newLane } from './lane.ts'
import { openPrefetch } from './prefetch.ts'
import type { Claim } from './send.ts'

const test = serviceTest().extend('desk', ({ service: { app } }) => {
  const begun: Claim[] = []
  const givenUp: Claim[] = []
  const lane = { ...newLane({ orgId: newId(), subscriptionId: newId() }, new Date(), 0), isQuick: true }
  const stock = openPrefetch(openFairShares(app.metrics, 400), {
    mayBegin: () => true,
    attempt: (claim) => begun.push(claim),
    giveUp: (claims) => void givenUp.push(...claims),
  })
  const claim = (): Claim => ({ row: {} as Claim['row'], lane, claimedUntilMs: 0, isAhead: true })
  return { begun, givenUp, lane, stock, claim }
})

test('what is claimed ahead of one lane and of all is bounded, and lanes share what is left', ({
  desk: { lane, stock },
}) => {
  assert.equal(stock.reserve({ ...lane, isQuick: false }, 1), 0)
  assert.equal(stock.reserve(lane, 1), 40)
  assert.equal(stock.reserve(lane, 1), 0)
  const others = Array.from({ length: 20 }, () => ({ ...lane, ahead: 0 }))
  const rooms = others.map((one, nth) => stock.reserve(one, others.length - nth))
  assert.deepEqual(new Set(rooms), new Set([18]))
  for (const one of others) stock.giveBack(one, one.ahead)
  stock.giveBack(lane, 40)
  assert.equal(stock.isEmpty(), true)
})

test('no more begins than the lane may have in flight, nor while twenty results are being recorded', ({
  desk: { begun, givenUp, lane, stock, claim },
}) => {
  assert.equal(stock.reserve(lane, 1), 40)
  lane.recording = 20
  for (let nth = 0; nth < 40; nth++) stock.add(claim())
  assert.equal(begun.length, 0)
  lane.recording = 19
  stock.continueWork(lane)
  assert.deepEqual([begun.length, lane.inUse, lane.ahead], [10, 10, 30])
  lane.isHungry = true
  assert.deepEqual(stock.low(), [])
  lane.ahead = 20
  assert.deepEqual(stock.low(), [lane])
  lane.ahead = 30
  stock.clearAll()
  assert.deepEqual([givenUp.length, stock.isEmpty(), lane.isQuick], [30, true, false])
})
