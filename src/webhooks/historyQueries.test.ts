// How much each page reads, whatever the planner believes: rows are counted, nothing is timed.
import assert from 'node:assert/strict'
import { closeApp } from '../app.ts'
import { decodeId, type newId } from '../shapes/ids.ts'
import { makeWebhook } from '../testing/factories.ts'
import { openSingleConnection, readOf } from '../testing/plans.ts'
import { perFile, serviceTest } from '../testing/test.ts'
import { vacuum } from '../testing/vacuum.ts'
import { deliveriesOf, filteredCount } from './historyQueries.ts'

/** One a second, up to now; every thousandth of a rare type, every fiftieth failed. */
const count = 40_000

const test = serviceTest().extend('world', perFile, async ({ service, organization }, { onCleanup }) => {
  const app = openSingleConnection(service)
  onCleanup(() => closeApp(app))
  const orgId = decodeId('org', organization.id)!
  const { id } = await makeWebhook(service, organization.key, 'https://example.com/hook', ['agent.created'])
  const webhook = decodeId('whk', id)!
  await service.app.sql`
    insert into webhook_deliveries (org_id, id, subscription_id, change_id, position, event_type, seq,
      retry_schedule, status, attempts, last_attempt_at, created_at)
    select ${orgId}::uuid, uuidv7(ago), ${webhook}::uuid, uuidv7(ago), 0,
      case when n % 1000 = 0 then 'event.deleted' else 'agent.created' end, 1, '{60}',
      case when n % 50 = 0 then 'failed' else 'delivered' end, 1, now() + ago, now() + ago
    from generate_series(1, ${count}::integer) as n,
      lateral (select (n - ${count}::integer) * interval '1 second' as ago) made`
  await vacuum(service.app.sql, 'webhook_deliveries')
  return { app, orgId, webhook }
})

for (const mode of ['custom', 'generic'] as const) {
  test(`a page reads a page of each status, however deep, rare or long ago what it shows (${mode} plan)`, async ({
    world: { app, orgId, webhook },
  }) => {
    const { sql } = app
    const [middle] = await sql<{ changeId: ReturnType<typeof newId>; createdAt: Date }[]>`
      select change_id, created_at from webhook_deliveries where org_id = ${orgId} order by change_id offset ${count / 2} limit 1`
    const after = { changeId: middle!.changeId, position: 0 }
    const page = { limit: 50, offset: 0, include_payload: false }
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
    assert.ok(rare.rows + rare.indexRows <= count / 1_000 + 10, `${rare.rows} rows\n${rare.plan}`)
  })
}
