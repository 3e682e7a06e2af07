// A real Prometheus on the running service, under a short load: every panel of every dashboard shows something, and the
// alerts that can be caused are.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { openReceiver, type Receiver } from '../../src/testing/receiver.ts'
import { pages } from '../grafana/pages.ts'
import { freePort } from '../local/ports.ts'
import { openRunningService, type RunningService } from '../test/service.ts'

const isMissing = spawnSync('prometheus', ['--version']).error !== undefined
// On the build machine nothing is left out.
const skip = isMissing && !process.env.CI ? 'prometheus is missing: install the package prometheus' : false

type Sample = { metric: Record<string, string>; value: [number, string] }
type Prometheus = { query(expr: string): Promise<Sample[]>; alerts(): Promise<string[]>; stop(): Promise<void> }

/** Scrapes every second; what an alert waits for is cut short. */
async function startPrometheus(ports: RunningService['metricsPorts']): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'))
  const rules = readFileSync(join(import.meta.dirname, 'calendar.rules.yml'), 'utf8')
  writeFileSync(join(folder, 'calendar.rules.yml'), rules.replaceAll(/for: \d+[mh]/g, 'for: 1s'))
  const targets = (name: keyof typeof ports) => ({
    job_name: `calendar-${name}`,
    static_configs: [{ targets: [`127.0.0.1:${ports[name]}`] }],
  })
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: ['calendar.rules.yml'],
    scrape_configs: [targets('api'), targets('worker')],
  }
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const port = await freePort()
  const flags = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`]
  const child = spawn('prometheus', [...flags, `--web.listen-address=127.0.0.1:${port}`], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into field by field
  const ask = async (path: string): Promise<any> => {
    const answer = (await (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json()) as { data: unknown }
    return answer.data
  }
  return {
    query: async (expr) => (await ask(`query?query=${encodeURIComponent(expr)}`))?.result,
    async alerts() {
      const { alerts } = await ask('alerts').catch(() => ({ alerts: [] }))
      const firing = alerts.filter(({ state }: { state: string }) => state === 'firing')
      return firing.map(({ labels }: Sample & { labels: Record<string, string> }) =>
        [labels.alertname, labels.queue].filter(Boolean).join(' '),
      )
    },
    async stop() {
      child.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

let service: RunningService
let receiver: Receiver
let prometheus: Prometheus

before(async () => {
  if (skip) return
  receiver = await openReceiver()
  service = await openRunningService()
  prometheus = await startPrometheus(service.metricsPorts)
})
after(async () => {
  await prometheus?.stop()
  await service?.close()
  await receiver?.close()
})

/** A bit of everything, until `over`. */
async function load(isOver: () => boolean): Promise<void> {
  const { call } = service
  const key = await service.makeKey('pro')
  const free = await service.makeKey('free')
  const events = ['event.created', 'event.started', 'event.hold_created']
  await call('POST', '/v1/webhooks', { key, body: { url: receiver.url, events } })
  const { body: calendar } = await call('POST', '/v1/calendars', { key, body: { name: 'Load', timezone: 'UTC' } })
  await Promise.all(Array.from({ length: 50 }, () => call('GET', '/v1/agents', { key: free })))
  const ahead = (ms: number) => new Date(Date.now() + ms).toISOString()
  while (!isOver()) {
    const body = { title: 'Load', start_time: ahead(1_500), end_time: ahead(3_000), reminders: [] }
    await Promise.all([
      call('POST', `/v1/calendars/${calendar.id}/events`, { key, body }),
      call('GET', `/v1/calendars/${calendar.id}/events`, { key }),
      call('GET', new URL(calendar.ical_url).pathname),
      call('GET', '/v1/agents', { key: 'svc_sk_nobody_has_this_key' }),
    ])
    await pause(150)
  }
}

const loadMs = 12_000

test('every panel of every dashboard shows something under load', { skip }, async () => {
  const startedAt = performance.now()
  await load(() => performance.now() - startedAt > loadMs)
  const empty: string[] = []
  for (const page of pages) {
    for (const { title, queries } of page.rows.flatMap(({ panels }) => panels)) {
      for (const [expr] of queries) {
        const samples = await prometheus.query(expr.replaceAll('$__rate_interval', '15s'))
        assert.ok(Array.isArray(samples), `${page.title}, ${title}: ${expr} is not valid`)
        if (!samples.some(({ value: [, value] }) => Number.isFinite(Number(value))))
          empty.push(`${page.uid}: ${title}: ${expr}`)
      }
    }
  }
  assert.deepEqual(empty, [])
})

test('what happened is what is shown', { skip }, async () => {
  const sum = async (expr: string) => Number((await prometheus.query(expr))[0]?.value[1])
  const delivered = receiver.received.length
  assert.ok(delivered > 50, `${delivered} deliveries`)
  await until(
    async () => (await sum('sum(calendar_delivery_attempts_total{outcome="delivered"})')) === receiver.received.length,
  )
  assert.ok((await sum('sum(calendar_timers_fired_total{kind="event_start"})')) > 20)
  assert.ok((await sum('sum(calendar_gate_decisions_total{plan="free", decision="rate"})')) > 0)
  assert.ok((await sum('sum(calendar_gate_decisions_total{decision="unauthenticated"})')) > 0)
  assert.equal(await sum('max(calendar_redis_noeviction)'), 1)
})

test('all is well: no alert fires', { skip }, async () => {
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

test('another policy of Redis is told, until it is put right', { skip }, async () => {
  const redis = new Redis(service.redis().url)
  await redis.config('SET', 'maxmemory-policy', 'allkeys-lru')
  await fires('RedisEvicts')
  await redis.config('SET', 'maxmemory-policy', 'noeviction')
  await silence()
  redis.disconnect()
})

test('a Redis that is away is told, until it is back', { skip }, async () => {
  await service.redis().stop('now')
  await fires('RedisAway')
  await service.startRedis()
  await silence()
})

test('a Postgres that takes no connections is told, until it does', { skip }, async () => {
  await service.refuseConnections(true)
  await fires('PostgresAway')
  await service.refuseConnections(false)
  await silence()
})

test('workers that are gone are told, queue by queue', { skip }, async () => {
  await service.worker.stop()
  await fires(...['timers', 'deliveries', 'ical', 'mail', 'upkeep'].map((queue) => `NoWorker ${queue}`), 'ProcessDown')
})
