// How much each page reads, whatever the planner believes: rows are counted, nothing is timed.
import assert from 'node:assert/strict'
import { closeApp } from '../app.ts'
import { dayMs } from '../shapes/durations.ts'
import { decodeId, encodeId, firstIdAt, type Uuid } from '../shapes/ids.ts'
import { makeWebhook } from '../testing/factories.ts'
import { openSingleConnection, readOf } from '../testing/plans.ts'
import { perFile, serviceTest } from '../testing/test.ts'
import { vacuum } from '../testing/vacuum.ts'
import { deliveriesOf, deliveryCounts, filteredCount } from './historyQueries.ts'
import { dueLanes, healthOf, lanesBetween } from './queries.ts'
import { makeDeliveryDays } from './retention.ts'
import { deleteDeliveries, deleteParked, oldestPending } from './retentionWrites.ts'
import { suspendInactive } from './suspension.ts'

/** Over thirty days, up to now; every thousandth of a rare type, every fiftieth failed. */
const count = 40_000
const days = 30

const test = serviceTest().extend('world', perFile, async ({ service, organization }, { onCleanup }) => {
  const app = openSingleConnection(service)
  onCleanup(() => closeApp(app))
  const orgId = decodeId('org', organization.id)!
  const { id } = await makeWebhook(service, organization.key, 'https://example.com/hook', ['agent.created'])
  const webhook = decodeId('whk', id)!
  const from = new Date(Date.now() - days * dayMs)
  for (let day = 0; day < days; day += 4) await makeDeliveryDays(service.app, new Date(from.getTime() + day * dayMs))
  await service.app.sql`
    insert into webhook_deliveries (org_id, id, subscription_id, change_id, position, event_type, seq,
      retry_schedule, status, attempts, last_attempt_at, created_at)
    select ${orgId}::uuid, uuidv7(ago), ${webhook}::uuid, uuidv7(ago), 0,
      case when n % 1000 = 0 then 'event.deleted' else 'agent.created' end, 1, '{60}',
      case when n % 50 = 0 then 'failed' else 'delivered' end, 1, now() + ago, now() + ago
    from generate_series(1, ${count}::integer) as n,
      lateral (select (n - ${count}::integer) * ${days / count}::float8 * interval '1 day' as ago) made`
  await vacuum(service.app.sql, 'webhook_deliveries')
  const [{ parts } = { parts: 0 }] = await service.app.sql<{ parts: number }[]>`
    select count(distinct tableoid)::integer as parts from webhook_deliveries`
  assert.ok(parts >= days, `${parts} parts`)
  return { app, orgId, webhook }
})

for (const mode of ['custom', 'generic'] as const) {
  test(`a page reads a page of each status, however deep, rare or long ago what it shows (${mode} plan)`, async ({
    world: { app, orgId, webhook },
  }) => {
    const { sql } = app
    const [middle] = await sql<{ changeId: Uuid; createdAt: Date }[]>`
      select change_id, created_at from webhook_deliveries where org_id = ${orgId} order by change_id offset ${count / 2} limit 1`
    const after = { changeId: middle!.changeId, position: 0 }
    const page = { limit: 50, offset: 0 }
    for (const query of [
      { ...page, after },
      { ...page, event_type: 'event.deleted' as const },
      { ...page, event_type: 'event.deleted' as const, after },
      { ...page, event_type: 'event.deleted' as const, status: 'failed' as const },
      { ...page, event_type: 'agent.created' as const, status: 'delivered' as const, after },
      { ...page, event_type: 'agent.updated' as const },
    ]) {
      const read = await readOf(app, deliveriesOf(sql, orgId, webhook, query), mode, 'webhook_deliveries')
      assert.ok(
        read.rows + read.indexRows <= 4 * page.limit,
        `${JSON.stringify(query)}: ${read.rows} rows\n${read.plan}`,
      )
    }
    const rare = await readOf(
      app,
      filteredCount(sql, orgId, webhook, { event_type: 'event.deleted' }),
      mode,
      'webhook_deliveries',
    )
    // The first day is small enough to be read whole.
    assert.ok(rare.rows + rare.indexRows <= count / 1_000 + 200, `${rare.rows} rows\n${rare.plan}`)
  })
}

test('pages that end within days and pages that do not show each delivery once, newest first', async ({
  service,
  key,
  world: { app, orgId, webhook },
}) => {
  const all = await app.sql<{ id: Uuid }[]>`
    select id from webhook_deliveries
    where org_id = ${orgId} and subscription_id = ${webhook} and status = 'failed'
    order by change_id desc, position desc`
  // Two days have 53 of them.
  for (const limit of [40, 70]) {
    const path = `/v1/webhooks/${encodeId('whk', webhook)}/deliveries?status=failed&limit=${limit}&cursor=`
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: { body: { data: { id: string }[]; next_cursor: string | null } } = await service.call(
        'GET',
        path + cursor,
        { key },
      )
      seen.push(...body.data.map(({ id }) => id))
      cursor = body.next_cursor
    }
    assert.deepEqual(
      seen,
      all.map(({ id }) => encodeId('whd', id)),
    )
  }
})

for (const mode of ['custom', 'generic'] as const) {
  test(`the engine, gauges and health read no day, and an erasure no more than its block (${mode} plan)`, async ({
    service,
    world: { app, orgId, webhook },
  }) => {
    const { sql } = app
    const now = service.clock.now()
    const lanes = [{ orgId, subscriptionId: webhook }]
    for (const query of [
      healthOf(sql, { orgId, id: webhook }, now, now),
      deliveryCounts(sql, orgId, webhook),
      dueLanes(sql, now, 10),
      lanesBetween(sql, now, new Date(now.getTime() + dayMs), 10),
      suspendInactive(sql, lanes),
      oldestPending(sql),
      deleteParked(sql, firstIdAt(now), 10),
    ]) {
      const { plan } = await readOf(app, query, mode, 'webhook_deliveries')
      assert.match(plan, /"webhook_deliveries_pending"/)
      assert.doesNotMatch(plan, /webhook_deliveries_(\d{8}|ended)/)
    }
    const erased = await readOf(app, deleteDeliveries(sql, orgId, 100), mode, 'webhook_deliveries')
    // A day of few is read whole.
    assert.ok(erased.rows + erased.indexRows < 1_000, `${erased.rows} rows\n${erased.plan}`)
  })
}
