import assert from 'node:assert/strict'
import { afterAll, afterEach, beforeAll, beforeEach, test } from 'vitest'
import { decodeId, type Uuid } from '../shapes/ids.ts'
import { makeAgent, makeOrganization, makeWebhook } from '../testing/factories.ts'
import { openTestService, type TestService } from '../testing/harness.ts'
import { openReceiver, type Receiver } from '../testing/receiver.ts'
import { claimDeliveries, type DeliveryKey, type RecordedRow, type ResultItem, recordResults } from './attempts.ts'
import { openDeliverer } from './deliver.ts'
import { parkInactive } from './parking.ts'

let service: TestService
let receiver: Receiver
let key: string
let orgId: Uuid
// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
let webhook: any
let subscriptionId: Uuid
let keys: DeliveryKey[]

beforeAll(async () => {
  service = await openTestService()
  receiver = await openReceiver()
})
afterAll(async () => {
  await receiver.close()
  await service.close()
})
/** A webhook that has failed before, with three deliveries under way. */
beforeEach(async () => {
  const organization = await makeOrganization(service)
  key = organization.key
  orgId = decodeId('org', organization.id)!
  webhook = await makeWebhook(service, key, receiver.url, ['agent.created'])
  subscriptionId = decodeId('whk', webhook.id)!
  for (let nth = 0; nth < 3; nth++) await makeAgent(service, key)
  const { sql } = service.app
  await sql`update webhook_subscriptions set consecutive_failures = 1, first_failure_at = now() where id = ${subscriptionId}`
  const rows = await sql<{ id: Uuid }[]>`select id from webhook_deliveries where org_id = ${orgId} order by id`
  keys = rows.map(({ id }) => ({ orgId, deliveryId: id }))
  assert.equal((await claimDeliveries(sql, keys, 15_000)).length, 3)
})
afterEach(() => service.app.sql`delete from webhook_deliveries where org_id = ${orgId}`)

/** Holds the row of a table in a transaction of its own, until what it returns is called. */
async function holdRow(table: string, id: string): Promise<() => Promise<void>> {
  const other = await service.app.sql.reserve()
  await other`begin`
  await other`select from ${other(table)} where org_id = ${orgId} and id = ${id} for update`
  return async () => {
    await other`commit`
    other.release()
  }
}

/** So many statements wait for a lock. */
async function untilWaiting(count: number) {
  for (;;) {
    const [row] = await service.app.sql<{ waiting: number }[]>`
      select count(*)::integer as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    if (row!.waiting >= count) return
  }
}

const deadlocks = async () => {
  const [row] = await service.app.sql<{ deadlocks: number }[]>`
    select pg_stat_get_db_deadlocks(oid)::integer as deadlocks from pg_database where datname = current_database()`
  return row!.deadlocks
}

const recordAll = (status: 'delivered' | 'pending'): PromiseLike<RecordedRow[]> => {
  const at = new Date(service.clock.now().getTime() + 60_000)
  const results = keys.map(
    ({ deliveryId }): ResultItem => ({
      orgId,
      id: deliveryId,
      attempts: 1,
      status,
      nextRetryAt: status === 'pending' ? at : null,
      attemptsMade: 1,
    }),
  )
  const succeeded = status === 'delivered'
  const streak = { orgId, subscriptionId, succeeded, failures: succeeded ? 0 : 3 }
  return recordResults(service.app.sql, results, [streak], service.clock.now()).then((rows) => rows)
}

test('results and the removal of their webhook meet without a deadlock, whichever comes first', async () => {
  for (const first of ['result', 'removal']) {
    const before = await deadlocks()
    // The first of them has the subscription and waits for a delivery, then the other one comes.
    const release = await holdRow('webhook_deliveries', keys[2]!.deliveryId)
    const remove = () => service.call('DELETE', `/v1/webhooks/${webhook.id}`, { key })
    const begun = first === 'result' ? recordAll('pending') : remove()
    if (first === 'result') await untilWaiting(1)
    else await begun
    const followed = first === 'result' ? remove() : recordAll('pending')
    await untilWaiting(first === 'result' ? 2 : 1)
    await release()
    await Promise.all([begun, followed])
    assert.equal((await deadlocks()) - before, 0, first)
    const rows = await service.app.sql`select status, attempts from webhook_deliveries where org_id = ${orgId}`
    assert.equal(rows.length, 3)
    assert.ok(rows.every((row) => row.attempts === 1))
    await service.app
      .sql`update webhook_subscriptions set deleted_at = null, active = true where id = ${subscriptionId}`
    await service.app.sql`update webhook_deliveries set next_retry_at = now(), attempts = 1 where org_id = ${orgId}`
  }
})

test('a delivery that is being parked and its result meet without a deadlock', async () => {
  const before = await deadlocks()
  const { sql } = service.app
  await sql`update webhook_subscriptions set active = false where id = ${subscriptionId}`
  // The result waits for the last delivery; what parks the first one comes meanwhile.
  const release = await holdRow('webhook_deliveries', keys[2]!.deliveryId)
  const recorded = recordAll('pending')
  await untilWaiting(1)
  const parked = parkInactive(sql, keys.slice(0, 1)).then(() => 'parked')
  await untilWaiting(2)
  await release()
  assert.equal((await recorded).length, 3)
  assert.equal(await parked, 'parked')
  assert.equal((await deadlocks()) - before, 0)
})

test('a result whose statement Postgres ends for a deadlock is written all the same', async () => {
  const before = await deadlocks()
  const { sql } = service.app
  await makeAgent(service, key)
  const [due] = await sql<{ id: Uuid }[]>`
    select id from webhook_deliveries where org_id = ${orgId} and attempts = 0`
  // Somebody who does not keep to the order: has the delivery, and wants the subscription once the result waits.
  const other = await sql.reserve()
  receiver.answer = async () => {
    await other`begin`
    await other`select from webhook_deliveries where org_id = ${orgId} and id = ${due!.id} for update`
    return 500
  }
  const delivered = openDeliverer(service.app).deliver({ orgId, subscriptionId, deliveryId: due!.id })
  await untilWaiting(1)
  await other`update webhook_subscriptions set updated_at = updated_at where id = ${subscriptionId}`
  await other`commit`
  other.release()
  await delivered
  assert.equal((await deadlocks()) - before, 1)
  const [row] = await sql`
    select d.last_http_status, s.consecutive_failures from webhook_deliveries d
    join webhook_subscriptions s on s.id = d.subscription_id where d.id = ${due!.id}`
  assert.deepEqual({ ...row }, { lastHttpStatus: 500, consecutiveFailures: 2 })
})

test('webhooks that are removed while their deliveries are under way cost no deadlock and no result', async () => {
  const before = await deadlocks()
  const organization = await makeOrganization(service, { plan: 'pro' })
  const slow = await openReceiver()
  const webhooks = []
  for (let nth = 0; nth < 20; nth++) {
    webhooks.push(await makeWebhook(service, organization.key, `${slow.url}/${nth}`, ['agent.created']))
  }
  for (let nth = 0; nth < 10; nth++) await makeAgent(service, organization.key)
  slow.answer = async () => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 100))
    return slow.received.length % 2 ? 204 : 500
  }
  const drained = service.drain()
  for (const { id } of webhooks) await service.call('DELETE', `/v1/webhooks/${id}`, { key: organization.key })
  await drained
  await slow.close()
  assert.equal((await deadlocks()) - before, 0)
  const [row] = await service.app.sql<{ delivered: number }[]>`
    select count(*)::integer as delivered from webhook_deliveries
    where org_id = ${decodeId('org', organization.id)!} and status = 'delivered'`
  const answered = new Set(slow.received.map(({ deliveryId }) => deliveryId))
  assert.ok(row!.delivered > 0 && row!.delivered <= answered.size, `${row!.delivered} of ${answered.size}`)
})
