import assert from 'node:assert/strict'
import { feedBacklog } from '../src/imports/metrics.ts'
import { mailBacklog } from '../src/mails/metrics.ts'
import { openDb } from '../src/stores/postgres.ts'
import {
  ahead,
  makeAgent,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
  makeWebhook,
} from '../src/testing/factories.ts'
import { openFeedServer } from '../src/testing/feedServer.ts'
import { directly } from '../src/testing/harness.ts'
import { serviceTest } from '../src/testing/test.ts'
import { timerBacklog } from '../src/timers/metrics.ts'
import { deliveryBacklog, disabledWebhooks } from '../src/webhooks/metrics.ts'
import { openGauges } from './gauges.ts'

const test = serviceTest()

test('timers are due, then overdue, then gone', async ({ service }) => {
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  await makeHold(service, key, calendar.id, { hold_expires_at: ahead(service, 0.75) })
  await makeHold(service, key, calendar.id, { start_time: ahead(service, 200), end_time: ahead(service, 210) })
  assert.deepEqual(await timerBacklog(service.app), { due: 1, overdue: 0, oldestSeconds: 0 })
  await service.clock.advance(52_000)
  assert.deepEqual(await timerBacklog(service.app), { due: 0, overdue: 1, oldestSeconds: 7 })
  await service.drain()
  assert.deepEqual(await timerBacklog(service.app), { due: 0, overdue: 0, oldestSeconds: 0 })
})

test('deliveries wait for their first attempt, then for a retry', async ({ service, receiver }) => {
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  await makeWebhook(service, key, receiver.url, ['event.created'])
  await makeEvent(service, key, calendar.id)
  await service.clock.advance(3_000)
  assert.deepEqual(await deliveryBacklog(service.app), { first: 1, retry: 0, overdue: 1, oldestSeconds: 3 })
  receiver.answer = () => 500
  await service.drain()
  assert.deepEqual(await deliveryBacklog(service.app), { first: 0, retry: 1, overdue: 0, oldestSeconds: 0 })
  receiver.answer = () => 200
  await service.clock.advance(60_000)
  await service.drain()
  assert.deepEqual(await deliveryBacklog(service.app), { first: 0, retry: 0, overdue: 0, oldestSeconds: 0 })
})

test('endpoints that are switched off count by who did it', async ({ service, receiver }) => {
  const { id, key } = await makeOrganization(service)
  const mine = await makeWebhook(service, key, receiver.url, ['event.created'])
  await makeWebhook(service, key, `${receiver.url}/2`, ['event.created'])
  assert.deepEqual(await disabledWebhooks(service.app), { failures: 0, owner: 0 })
  await service.call('PATCH', `/v1/webhooks/${mine.id}`, { key, body: { active: false } })
  assert.deepEqual(await disabledWebhooks(service.app), { failures: 0, owner: 1 })
  await service.app.sql`
    update webhook_subscriptions set active = false, consecutive_failures = 50, first_failure_at = app_now() where active`
  const { failures, owner } = await disabledWebhooks(service.app)
  assert.deepEqual([failures > 0, owner], [true, 1])
  await service.call('DELETE', `/v1/webhooks/${mine.id}`, { key })
  assert.equal((await disabledWebhooks(service.app)).owner, 0)
  assert.ok(id)
})

test('with nothing there the gauges are 0', async ({ service }) => {
  assert.deepEqual(await feedBacklog(service.app), { active: 0, error: 0, stalestSeconds: 0 })
  assert.deepEqual(await mailBacklog(service.app), { waiting: 0, oldestSeconds: 0 })
})

test('a feed that was never read is as stale as it is old; one whose server fails is not', async ({ service }) => {
  const feeds = await openFeedServer()
  feeds.answer = (_request, response) => response.writeHead(503).end()
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const body = { calendar_id: calendar.id, url: feeds.url() }
  await service.call('POST', `/v1/agents/${agent.id}/ical-subscriptions`, { key, body })
  await service.clock.advance(60_000)
  assert.deepEqual(await feedBacklog(service.app), { active: 1, error: 0, stalestSeconds: 60 })
  await service.drain()
  assert.deepEqual(await feedBacklog(service.app), { active: 0, error: 1, stalestSeconds: 0 })
  await feeds.close()
})

test('a scrape reads them all, and none fails', async ({ service }) => {
  openGauges(service.app)
  await service.app.metrics.measurements.refresh()
  const { values } = await service.app.metrics.measurementFailures.get()
  assert.deepEqual(
    values.map(({ labels, value }) => [labels.source, value]),
    [
      'timers',
      'deliveries',
      'webhooks',
      'feeds',
      'external reads',
      'connections',
      'publications',
      'mails',
      'approvals',
      'queues',
      'quotas',
      'replication',
      'disk',
    ].map((source) => [source, 0]),
  )
  assert.ok(((await service.app.metrics.postgresDatabase.get()).values[0]?.value ?? 0) > 1_000_000)
})

test('the statements behind the gauges read no table from end to end', async ({ service }) => {
  const databaseUrl = directly(service.app.config.databaseUrl)
  const sql = openDb(databaseUrl, { connections: 1, deadlineMs: 10_000, name: 'explain' })
  // Small tables are read whole in spite of their indexes, so the planner is configured not to.
  await sql.unsafe('set enable_seqscan = off')
  const statements = {
    timers: 'select from timers where due_at <= app_now() limit 10000',
    deliveries: `select attempts from webhook_deliveries
      where status = 'pending' and next_retry_at is not null order by next_retry_at limit 10`,
    disabled: 'select consecutive_failures from webhook_subscriptions where not active and deleted_at is null limit 10',
    feeds: `select min(last_synced_at) from ical_subscriptions where next_sync_at is not null and status = 'active'`,
    newFeeds: `select min(created_at) from ical_subscriptions
      where next_sync_at is not null and status = 'active' and last_synced_at is null`,
    mails: 'select min(created_at) from mails',
    dueReads: `select min(next_read_at) from calendar_connections where next_read_at <= app_now() and status = 'active'`,
    stalest: `select x.last_read_at from external_calendars x
      join calendar_connections n on n.org_id = x.org_id and n.id = x.connection_id
      where x.is_selected and x.last_read_at is not null and x.last_error is null and n.status = 'active'
      order by x.last_read_at limit 1`,
    channels: 'select renew_at from connection_channels order by expires_at limit 10',
  }
  for (const [name, statement] of Object.entries(statements)) {
    const rows = await sql.unsafe(`explain ${statement}`)
    const plan = rows.map((row) => Object.values(row)[0]).join('\n')
    assert.match(plan, /Index/, name)
    assert.doesNotMatch(plan, /Seq Scan on (?!test_clock)/, `${name}: ${plan}`)
  }
  await sql.end()
})
