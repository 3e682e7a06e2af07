// The reads of claims and results while much waits in their lane, and Postgres last looked at the table when it was nearly
// empty.
import assert from 'node:assert/strict'
import { newId } from '../shapes/ids.ts'
import { deliveryTest } from '../testing/deliveries.ts'
import { makeAgent } from '../testing/factories.ts'
import { openSingleConnection, readOf } from '../testing/plans.ts'
import { claimDeliveries } from './attempts.ts'
import { takeLanes } from './lanes.ts'
import { recordResults } from './results.ts'

const test = deliveryTest()
const waiting = 3_000

test('a claim reads no due row twice, and a result none but its own, however much waits', async ({
  service,
  newReceiver,
  desk: { subscribe, dueLanes },
  onTestFinished,
}) => {
  const { sql } = service.app
  const organization = await subscribe(await newReceiver())
  await makeAgent(service, organization.key)
  const lanes = await dueLanes(organization)
  const { orgId } = lanes[0]!
  // Postgres takes what comes after it looked for as little as there was then.
  await sql`analyze webhook_deliveries`
  await sql`
    insert into webhook_deliveries (
      org_id, id, subscription_id, change_id, position, event_type, retry_schedule, next_retry_at, created_at, seq)
    select org_id, uuidv7(), subscription_id, uuidv7(), 0, event_type, retry_schedule, next_retry_at, created_at, seq
    from webhook_deliveries, generate_series(1, ${waiting})
    where org_id = ${orgId}`
  const single = openSingleConnection(service)
  onTestFinished(() => single.sql.end())
  const owner = newId()
  await takeLanes(sql, owner, lanes)
  const asks = lanes.map((lane) => ({ ...lane, room: 10, since: new Date(0) }))
  for (const mode of ['custom', 'generic'] as const) {
    const claim = await readOf(single, claimDeliveries(single.sql, owner, asks), mode, 'webhook_deliveries')
    assert.ok(claim.rows < 1.1 * waiting, `${mode}: ${claim.rows} rows by ${claim.indexes}`)
    const claimed = await claimDeliveries(sql, owner, asks)
    const results = claimed.map(({ id, attempts }) => {
      return { orgId, id, attempts, status: 'delivered' as const, nextRetryAt: null, attemptsMade: attempts }
    })
    assert.equal(results.length, 10)
    const recording = recordResults(single.sql, { results, streaks: [], health: [] }, service.clock.now())
    const record = await readOf(single, recording, mode, 'webhook_deliveries')
    assert.ok(record.rows < 60, `${mode}: ${record.rows} rows by ${record.indexes}`)
  }
})
