import assert from 'node:assert/strict'
import { newId } from '../shapes/ids.ts'
import { deliveryTest, type Looked } from '../testing/deliveries.ts'
import { makeAgent } from '../testing/factories.ts'
import { claimDeliveries } from './attempts.ts'
import { newLane, sinceEver } from './lane.ts'
import { takeLanes } from './lanes.ts'
import { releaseClaims } from './release.ts'

const test = deliveryTest().extend(
  'claimed',
  ({ service, newReceiver, desk: { subscribe, dueLanes, onlyDelivery } }) => {
    /** One delivery, claimed by an owner whose claim counts for so long. */
    return async ({ attempts = 0, claimedForMs = 10_000 } = {}) => {
      const { sql } = service.app
      const { key, id, webhook } = await subscribe(await newReceiver(), { plan: 'free' })
      await makeAgent(service, key)
      const [lane] = await dueLanes({ id })
      if (attempts > 0) {
        await sql`
        update webhook_deliveries set attempts = ${attempts}, last_attempt_at = next_retry_at
        where org_id = ${lane!.orgId}`
      }
      const look = (): Promise<Looked> => onlyDelivery(key, webhook.id)
      const before = await look()
      const owner = newId()
      await takeLanes(sql, owner, [lane!])
      const [row] = await claimDeliveries(sql, owner, [{ ...lane!, room: 1, since: sinceEver }])
      const claimedUntilMs = performance.now() + claimedForMs
      const claim = { row: row!, lane: newLane(lane!, new Date(), 0), claimedUntilMs, isAhead: true }
      return { before, look, lane: lane!, release: () => releaseClaims(service.app, [claim]) }
    }
  },
)

test('a delivery whose claim is given up is as it was', async ({ claimed }) => {
  const { before, look, release } = await claimed()
  assert.equal((await look()).attempts, 1)
  await release()
  assert.deepEqual(await look(), before)
})

test('before a retry it has the attempts of before', async ({ claimed }) => {
  const { before, look, release } = await claimed({ attempts: 2 })
  assert.equal((await look()).attempts, 3)
  await release()
  const { attempts, next_retry_at } = await look()
  assert.deepEqual([attempts, next_retry_at], [2, before.next_retry_at])
})

test('an attempt after the last one was not counted, and is not uncounted', async ({ claimed }) => {
  const { before, look, release } = await claimed({ attempts: 4 })
  await release()
  const { attempts, next_retry_at } = await look()
  assert.deepEqual([attempts, next_retry_at], [4, before.next_retry_at])
})

test('what was parked in the meantime stays so, and its attempt is not counted', async ({ service, claimed }) => {
  const { look, lane, release } = await claimed()
  await service.app.sql`update webhook_deliveries set next_retry_at = null where org_id = ${lane.orgId}`
  await release()
  const { attempts, next_retry_at, last_attempt_at } = await look()
  assert.deepEqual([attempts, next_retry_at, last_attempt_at], [0, null, null])
})

test('a claim that is over is somebody else’s', async ({ claimed }) => {
  const { look, release } = await claimed({ claimedForMs: 0 })
  const taken = await look()
  await release()
  assert.deepEqual(await look(), taken)
})
