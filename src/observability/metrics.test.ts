import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'vitest'
import { openMetrics } from './metrics.ts'

/** `calendar_timers_oldest_overdue_seconds` → `timersOldestOverdue` */
const fieldOf = (name: string) =>
  name
    .replace(/^calendar_/, '')
    .replace(/_(total|seconds|bytes)$/, '')
    .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const isDefault = (name: string) => /^calendar_(process|nodejs)_/.test(name)

test('each metric has one field, which is its name without the prefix and the unit', () => {
  const { registry, measurements, ...fields } = openMetrics()
  const named = Object.fromEntries(Object.entries(fields).map(([field, metric]) => [nameOf(metric), field]))
  const names = registry.getMetricsAsArray().map(({ name }) => name)
  const expected = names.filter((name) => !isDefault(name)).map((name) => [name, fieldOf(name)])
  assert.deepEqual(named, Object.fromEntries(expected))
  assert.equal(Object.keys(fields).length, expected.length)
})

const nameOf = (metric: object) => ('name' in metric ? String(metric.name) : assert.fail('it has no name'))

test('what has no labels is shown with 0 before anything happens', async () => {
  const text = await openMetrics().registry.metrics()
  for (const name of ['calendar_gate_without_redis_total', 'calendar_timers_overdue', 'calendar_redis_up']) {
    assert.match(text, new RegExp(`^${name} 0$`, 'm'))
  }
  assert.match(text, /^calendar_delivery_attempt_duration_seconds_count 0$/m)
})

test('a turn of the event loop that takes long is told at the next scrape, and only then', async () => {
  const { registry } = openMetrics()
  const longest = async () => {
    await pause(1)
    return Number(/^calendar_nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await registry.metrics())![1])
  }
  await longest()
  const until = performance.now() + 400
  while (performance.now() < until);
  const first = await longest()
  assert.ok(first >= 0.4)
  assert.notEqual(await longest(), first)
})

test('a scrape shows what was counted in plain numbers since the last one, once', async () => {
  const { registry, gateDecisions, httpRequestsInFlight } = openMetrics()
  const admitted = gateDecisions.tallyOf({ plan: 'free', decision: 'admitted' })
  const shown = async () => {
    const text = await registry.metrics()
    const decisions = /^calendar_gate_decisions_total\{plan="free",decision="admitted"\} (\d+)$/m.exec(text)?.[1]
    return [Number(decisions), Number(/^calendar_http_requests_in_flight (\S+)$/m.exec(text)?.[1])]
  }
  assert.deepEqual(await shown(), [0, 0])
  admitted.count += 3
  httpRequestsInFlight.now++
  assert.deepEqual(await shown(), [3, 1])
  gateDecisions.inc({ plan: 'free', decision: 'admitted' })
  admitted.count++
  httpRequestsInFlight.now--
  assert.deepEqual(await shown(), [5, 0])
  assert.deepEqual(await shown(), [5, 0])
})
