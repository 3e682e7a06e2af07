// The answers to an operator's probes.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { openMetricsPort } from '../src/process.ts'
import { openTestService } from '../src/testing/harness.ts'
import { callerOf } from '../src/testing/http.ts'
import { openProcess } from '../src/testing/process.ts'
import { assertRefused } from '../src/testing/refused.ts'
import { serviceTest } from '../src/testing/test.ts'
import { until } from '../src/testing/until.ts'
import { withoutRedis } from '../src/testing/withoutRedis.ts'
import { probeAnswers } from './health.ts'

const test = serviceTest()

test('/healthz says that the process is up, /readyz what it reaches', async ({ call }) => {
  const health = await call('GET', '/healthz')
  assert.deepEqual([health.status, health.body], [200, { status: 'ok' }])
  const ready = await call('GET', '/readyz')
  assert.deepEqual([ready.status, ready.body], [200, { status: 'ready', postgres: 'up', redis: 'up' }])
})

test('without Redis the service is ready, but degraded', async ({ service, call }) => {
  const { redis } = service.app
  await withoutRedis([redis], async () => {
    const ready = await call('GET', '/readyz')
    assert.deepEqual([ready.status, ready.body], [200, { status: 'degraded', postgres: 'up', redis: 'down' }])
    assert.equal((await call('GET', '/healthz')).status, 200)
  })
  assert.equal((await call('GET', '/readyz')).body.status, 'ready')
})

test('without Postgres the service is not ready, the process is up, and requests are to come again', async () => {
  const other = await openTestService()
  await other.app.sql.end({ timeout: 1 })
  const ready = await other.call('GET', '/readyz')
  assert.deepEqual([ready.status, ready.body], [503, { status: 'unavailable', postgres: 'down', redis: 'up' }])
  assert.deepEqual((await other.call('GET', '/healthz')).body, { status: 'ok' })
  const answer = await other.call('GET', '/v1/agents', { key: 'svc_sk_whoever-this-may-be' })
  assertRefused(answer, 503, 'internal_error')
  assert.equal(answer.headers.get('retry-after'), '1')
  await other.close()
})

test('the port of the metrics answers probes, and is ready only while the port of the API is open', async ({
  service,
  onTestFinished,
}) => {
  const process = await openProcess(service)
  const api = createServer()
  const door = { metricsPort: 0, metricsHost: '127.0.0.1' }
  const metrics = await openMetricsPort(process.app.metrics, door, probeAnswers(process.app, api))
  onTestFinished(() => {
    metrics.server.close()
    return process.close()
  })
  const call = callerOf(`http://127.0.0.1:${metrics.port}`)
  const readiness = async () => {
    const { status, body } = await call('GET', '/readyz')
    return [status, body.status]
  }
  assert.deepEqual(await readiness(), [503, 'closed'])
  const health = await call('GET', '/healthz')
  assert.deepEqual([health.status, health.body], [200, { status: 'ok' }])
  await once(api.listen(0, '127.0.0.1'), 'listening')
  assert.deepEqual(await readiness(), [200, 'ready'])
  process.app.redis.disconnect()
  await until(() => process.app.redis.status === 'end')
  assert.deepEqual(await readiness(), [200, 'degraded'])
  await process.app.sql.end({ timeout: 1 })
  assert.deepEqual(await readiness(), [503, 'unavailable'])
  assert.equal((await call('GET', '/healthz')).status, 200)
  await once(api.close(), 'close')
  assert.deepEqual(await readiness(), [503, 'closed'])
  assert.equal((await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).status, 200)
})

test('metrics are not on the public port', async ({ call }) => {
  assertRefused(await call('GET', '/metrics'), 404, 'not_found')
})
