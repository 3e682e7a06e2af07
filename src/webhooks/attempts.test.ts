// What a claim reads while much waits in its lane, and Postgres last looked at the table when it was nearly empty.
import assert from 'node:assert/strict'
import { newId } from '../shapes/ids.ts'
import { deliveryTest } from '../testing/deliveries.ts'
import { makeAgent } from '../testing/factories.ts'
import { openSingleConnection, readOf } from '../testing/plans.ts'
import { claimDeliveries } from './attempts.ts'
import { takeLanes } from './lanes.ts'

const test = deliveryTest()

test('a claim reads what it takes, however much waits behind it', async ({
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
  const add = (count: number) => sql`
    insert into webhook_deliveries (
      org_id, id, subscription_id, change_id, position, event_type, retry_schedule, next_retry_at, created_at, seq)
    select org_id, uuidv7(), subscription_id, uuidv7(), 0, event_type, retry_schedule, next_retry_at, created_at, seq
    from (select * from webhook_deliveries where org_id = ${orgId} limit 1) first, generate_series(1, ${count})`
  // Autovacuum looks at a table when fifty rows have changed.
  await add(50)
  await sql`analyze webhook_deliveries`
  await add(3_000)
  const single = openSingleConnection(service)
  onTestFinished(() => single.sql.end())
  const owner = newId()
  await takeLanes(sql, owner, lanes)
  const asks = lanes.map((lane) => ({ ...lane, room: 10, since: new Date(0) }))
  for (const mode of ['custom', 'generic'] as const) {
    const read = await readOf(single, claimDeliveries(single.sql, owner, asks), mode, 'webhook_deliveries')
    assert.ok(read.rows < 60, `${mode}: ${read.rows} rows by ${read.indexes}`)
  }
})
