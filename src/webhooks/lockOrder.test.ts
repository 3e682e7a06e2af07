import assert from 'node:assert/strict'
import { claimDeliveries } from '../deliveries/attempts.ts'
import { openDeliverer } from '../deliveries/deliver.ts'
import { giveLanesBack, takeLanes } from '../deliveries/lanes.ts'
import { type RecordedRow, type ResultItem, recordResults } from '../deliveries/results.ts'
import { decodeId, newId, type Uuid } from '../shapes/ids.ts'
import { makeAgent, makeOrganization, makeWebhook } from '../testing/factories.ts'
import { deadlocks, untilWaiting } from '../testing/locks.ts'
import { openReceiver } from '../testing/receiver.ts'
import { serviceTest } from '../testing/test.ts'
import { until } from '../testing/until.ts'
import { suspendInactive } from './suspension.ts'

/** An organization with a webhook that has failed before, and three deliveries under way. */
const test = serviceTest().extend('desk', async ({ service, receiver }, { onCleanup }) => {
  const { id, key } = await makeOrganization(service)
  const orgId = decodeId('org', id)!
  const webhook = await makeWebhook(service, key, receiver.url, ['agent.created'])
  const subscriptionId = decodeId('whk', webhook.id)!
  for (let nth = 0; nth < 3; nth++) await makeAgent(service, key)
  const { sql } = service.app
  await sql`update webhook_subscriptions set consecutive_failures = 1, first_failure_at = now() where id = ${subscriptionId}`
  const rows = await sql<{ id: Uuid }[]>`select id from webhook_deliveries where org_id = ${orgId} order by id`
  const lane = { orgId, subscriptionId }
  const owner = newId()
  await takeLanes(sql, owner, [lane])
  assert.equal((await claimDeliveries(sql, owner, [{ ...lane, room: 10, since: new Date(0) }])).length, 3)
  await giveLanesBack(sql, owner, [lane])
  onCleanup(async () => {
    await sql`delete from webhook_deliveries where org_id = ${orgId}`
  })

  /** Holds the row of a table in a transaction of its own, until what it returns is called. */
  async function holdRow(table: string, rowId: string): Promise<() => Promise<void>> {
    const other = await sql.reserve()
    await other`begin`
    await other`select from ${other(table)} where org_id = ${orgId} and id = ${rowId} for update`
    return async () => {
      await other`commit`
      other.release()
    }
  }

  function recordAll(status: 'delivered' | 'pending'): PromiseLike<RecordedRow[]> {
    const at = new Date(service.clock.now().getTime() + 60_000)
    const results = rows.map(
      ({ id: deliveryId }): ResultItem => ({
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
    return recordResults(sql, { results, streaks: [streak], health: [] }, service.clock.now()).then(
      (recorded) => recorded,
    )
  }
  return { key, orgId, webhook, subscriptionId, lane, rows, holdRow, recordAll }
})

test('recording results and removing their webhook cause no deadlock, whichever comes first', async ({
  service,
  desk: { key, orgId, webhook, subscriptionId, rows, holdRow, recordAll },
}) => {
  for (const first of ['result', 'removal']) {
    const before = await deadlocks(service.app.sql)
    // The first one has locked the subscription and waits for a delivery when the second one comes.
    const release = await holdRow('webhook_deliveries', rows[2]!.id)
    const remove = () => service.call('DELETE', `/v1/webhooks/${webhook.id}`, { key })
    const begun = first === 'result' ? recordAll('pending') : remove()
    if (first === 'result') await untilWaiting(service.app.sql, 1)
    else await begun
    const followed = first === 'result' ? remove() : recordAll('pending')
    await untilWaiting(service.app.sql, first === 'result' ? 2 : 1)
    await release()
    await Promise.all([begun, followed])
    assert.equal((await deadlocks(service.app.sql)) - before, 0, first)
    const after = await service.app.sql`select status, attempts from webhook_deliveries where org_id = ${orgId}`
    assert.equal(after.length, 3)
    assert.ok(after.every((row) => row.attempts === 1))
    await service.app
      .sql`update webhook_subscriptions set deleted_at = null, active = true where id = ${subscriptionId}`
    await service.app.sql`update webhook_deliveries set next_retry_at = now(), attempts = 1 where org_id = ${orgId}`
  }
})

test('parking a delivery while its result is written causes no deadlock', async ({
  service,
  desk: { subscriptionId, lane, rows, holdRow, recordAll },
}) => {
  const before = await deadlocks(service.app.sql)
  const { sql } = service.app
  await sql`update webhook_subscriptions set active = false where id = ${subscriptionId}`
  // The result waits for the last delivery when the first one is parked.
  const release = await holdRow('webhook_deliveries', rows[2]!.id)
  const recorded = recordAll('pending')
  await untilWaiting(service.app.sql, 1)
  const parked = suspendInactive(sql, [lane]).then(() => 'parked')
  await untilWaiting(service.app.sql, 2)
  await release()
  assert.equal((await recorded).length, 3)
  assert.equal(await parked, 'parked')
  assert.equal((await deadlocks(service.app.sql)) - before, 0)
})

test('a result whose statement Postgres ends because of a deadlock is written all the same', async ({
  service,
  receiver,
  desk: { key, orgId, subscriptionId, holdRow },
}) => {
  const before = await deadlocks(service.app.sql)
  const { sql } = service.app
  await makeAgent(service, key)
  const [due] = await sql<{ id: Uuid }[]>`
    select id from webhook_deliveries where org_id = ${orgId} and attempts = 0`
  // Another session locks in the wrong order: the delivery, then the subscription. It does not look for deadlocks, so
  // Postgres ends the statement of the result.
  const other = await sql.reserve()
  let release: (() => Promise<void>) | undefined
  receiver.answer = async () => {
    await other`begin`
    await other`set local deadlock_timeout = '1min'`
    await other`select from webhook_deliveries where org_id = ${orgId} and id = ${due!.id} for update`
    release = await holdRow('webhook_subscriptions', subscriptionId)
    return 500
  }
  const deliverer = openDeliverer(service.app)
  deliverer.wake([{ orgId, subscriptionId }])
  const delivered = deliverer.settle()
  // The result is first in line for the subscription. Once it has the lock it waits for the delivery: the deadlock is
  // complete before the result looks for one.
  await untilWaiting(service.app.sql, 1)
  const updated = other`update webhook_subscriptions set updated_at = updated_at where id = ${subscriptionId}`.then(
    () => undefined,
  )
  await untilWaiting(service.app.sql, 2)
  await release!()
  await updated
  await other`commit`
  other.release()
  await delivered
  assert.equal((await deadlocks(service.app.sql)) - before, 1)
  const [row] = await sql`
    select d.last_http_status, s.consecutive_failures from webhook_deliveries d
    join webhook_subscriptions s on s.id = d.subscription_id where d.id = ${due!.id}`
  assert.deepEqual({ ...row }, { lastHttpStatus: 500, consecutiveFailures: 2 })
})

test('removing webhooks while their deliveries are under way causes no deadlock and loses no result', async ({
  service,
}) => {
  const before = await deadlocks(service.app.sql)
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
  const delivered = async () => {
    const [row] = await service.app.sql<{ count: number }[]>`
      select count(*)::integer from webhook_deliveries
      where org_id = ${decodeId('org', organization.id)!} and status = 'delivered'`
    return row!.count
  }
  const drained = service.drain()
  await until(async () => (await delivered()) > 0)
  for (const { id } of webhooks) await service.call('DELETE', `/v1/webhooks/${id}`, { key: organization.key })
  await drained
  await slow.close()
  assert.equal((await deadlocks(service.app.sql)) - before, 0)
  const answered = new Set(slow.received.map(({ deliveryId }) => deliveryId))
  const recorded = await delivered()
  assert.ok(recorded > 0 && recorded <= answered.size, `${recorded} of ${answered.size}`)
})
