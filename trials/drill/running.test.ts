// A real Prometheus on the running service, under a short load: every panel of every dashboard shows something, and the
// alerts that can be caused are.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, test } from 'vitest'
import { pages } from '../../grafana/source/pages.ts'
import { selected } from '../../grafana/source/selected.ts'
import { openReceiver, type Receiver } from '../../src/testing/receiver.ts'
import { callOf } from '../world/client.ts'
import { openRunningService, type RunningService } from '../world/service.ts'
import { isPrometheusMissing, type Prometheus, startPrometheus } from './prometheus.ts'

// On the build machine nothing is skipped.
const skip = isPrometheusMissing() && !process.env.CI ? 'prometheus is missing: install the package prometheus' : false

let service: RunningService
let receiver: Receiver
let prometheus: Prometheus

beforeAll(async () => {
  if (skip) return
  receiver = await openReceiver()
  service = await openRunningService()
  const [api, worker] = [service.apis[0]!.metricsPort, service.workers[0]!.metricsPort]
  prometheus = await startPrometheus({
    // The waits of alerts are shortened.
    rules: [
      readFileSync(join(import.meta.dirname, '../../ops/prometheus/calendar.rules.yml'), 'utf8').replaceAll(
        /for: \d+[mh]/g,
        'for: 1s',
      ),
    ],
    jobs: { 'calendar-api': [api], 'calendar-worker': [worker] },
    everySeconds: 1,
  })
})
afterAll(async () => {
  await prometheus?.stop()
  await service?.close()
  await receiver?.close()
})

const listCalendars = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_calendars', arguments: {} } }

/** A bit of everything, until `over`. */
async function load(isOver: () => boolean): Promise<void> {
  const { call } = service
  // The document of the API does not describe MCP.
  const plainCall = callOf(service.baseUrls[0])
  const key = await service.makeKey('pro')
  const free = await service.makeKey('free')
  const events = ['event.created', 'event.started', 'event.hold_created']
  await call('POST', '/v1/webhooks', { key, body: { url: receiver.url, events } })
  const { body: calendar } = await call('POST', '/v1/calendars', { key, body: { name: 'Load', timezone: 'UTC' } })
  await Promise.all(Array.from({ length: 50 }, () => call('GET', '/v1/agents', { key: free })))
  const ahead = (ms: number) => new Date(Date.now() + ms).toISOString()
  let { cursor } = (await call('GET', '/v1/changes', { key })).body
  const readOn = async () => {
    const page = await call('GET', `/v1/changes?cursor=${cursor}&wait=2&types=event.created`, { key })
    assert.equal(page.status, 200, JSON.stringify(page.body))
    cursor = page.body.cursor
  }
  while (!isOver()) {
    // It waits before something happens.
    const reading = readOn()
    await pause(100)
    const body = { title: 'Load', start_time: ahead(1_500), end_time: ahead(3_000), reminders: [] }
    await Promise.all([
      call('POST', `/v1/calendars/${calendar.id}/events`, { key, body }),
      call('GET', `/v1/calendars/${calendar.id}/events`, { key }),
      call('GET', new URL(calendar.ical_url).pathname),
      call('GET', '/v1/agents', { key: 'svc_sk_nobody_has_this_key' }),
      plainCall('POST', '/mcp', { key, body: listCalendars }),
      reading,
    ])
    await pause(50)
  }
}

/** At least so long, and until so many deliveries have arrived. */
const [loadMs, minDeliveries] = [12_000, 50]

/** As Grafana asks before a process is chosen. */
const ofAll = (expr: string) =>
  selected(expr)
    .replaceAll('$__rate_interval', '15s')
    .replaceAll(/\$(job|instance)/g, '.*')

test('every panel of every dashboard shows something under load', { skip: Boolean(skip) }, async () => {
  const startedAt = performance.now()
  await load(() => performance.now() - startedAt > loadMs && receiver.received.length > minDeliveries)
  const empty: string[] = []
  for (const page of pages) {
    for (const { title, queries } of page.rows.flatMap(({ panels }) => panels)) {
      for (const [expr] of queries) {
        const samples = await prometheus.query(ofAll(expr))
        assert.ok(Array.isArray(samples), `${page.title}, ${title}: ${expr} is not valid`)
        if (!samples.some(({ value: [, value] }) => Number.isFinite(Number(value))))
          empty.push(`${page.uid}: ${title}: ${expr}`)
      }
    }
  }
  assert.deepEqual(empty, [])
})

test('what happened is what is shown', { skip: Boolean(skip) }, async () => {
  const sum = async (expr: string) => Number((await prometheus.query(expr))[0]?.value[1])
  const delivered = receiver.received.length
  assert.ok(delivered > minDeliveries, `${delivered} deliveries`)
  await until(
    async () => (await sum('sum(calendar_delivery_attempts_total{outcome="delivered"})')) === receiver.received.length,
  )
  assert.ok((await sum('sum(calendar_timers_fired_total{kind="event_start"})')) > 20)
  assert.ok((await sum('sum(calendar_gate_decisions_total{plan="free", decision="rate"})')) > 0)
  assert.ok((await sum('sum(calendar_gate_decisions_total{decision="unauthenticated"})')) > 0)
  assert.equal(await sum('max(calendar_redis_noeviction)'), 1)
})

test('all is well: no alert fires', { skip: Boolean(skip) }, async () => {
  assert.deepEqual(await prometheus.alerts(), [])
})

async function until(isSo: () => Promise<boolean>, tries = 300): Promise<void> {
  for (let nth = 0; nth < tries; nth++) {
    if (await isSo()) return
    await pause(100)
  }
  assert.fail(`never so; the alerts that fire: ${await prometheus.alerts()}`)
}

const fires = (...wanted: string[]) =>
  until(async () => {
    const firing = await prometheus.alerts()
    return wanted.every((alert) => firing.includes(alert))
  })
const silence = () => until(async () => (await prometheus.alerts()).length === 0)

test('another policy of Redis is told, until it is put right', { skip: Boolean(skip) }, async () => {
  const redis = new Redis(service.store('redis').url)
  await redis.config('SET', 'maxmemory-policy', 'allkeys-lru')
  await fires('RedisEvicts')
  await redis.config('SET', 'maxmemory-policy', 'noeviction')
  await silence()
  redis.disconnect()
})

test('a Redis that is full is told, until it has room', { skip: Boolean(skip) }, async () => {
  const redis = new Redis(service.store('redis').url)
  const [, used] = /^used_memory:(\d+)/m.exec(await redis.info('memory'))!
  await redis.config('SET', 'maxmemory', used!)
  await fires('RedisFull')
  await redis.config('SET', 'maxmemory', 0)
  await silence()
  redis.disconnect()
})

test('a Redis that is away is told, until it is back', { skip: Boolean(skip) }, async () => {
  await service.store('redis').stop('now')
  await fires('RedisAway')
  await service.restartStore('redis')
  await silence()
})

const allowConnections = (isAllowed: boolean) =>
  service.withSql(async (sql) => {
    await sql.unsafe(`alter database calendar allow_connections ${isAllowed}`)
    if (!isAllowed) await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'calendar'`
  }, 'postgres')

test('a Postgres that takes no connections is told, until it does', { skip: Boolean(skip) }, async () => {
  await allowConnections(false)
  await fires('PostgresAway')
  await allowConnections(true)
  await silence()
})

test('workers that are gone are told, queue by queue', { skip: Boolean(skip) }, async () => {
  await service.workers[0]!.stop()
  await fires(
    ...['timers', 'deliveries', 'ical', 'connections', 'publishing', 'mail', 'upkeep'].map(
      (queue) => `NoWorker ${queue}`,
    ),
    'ProcessDown',
  )
})
