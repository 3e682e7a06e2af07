// Redis answers, but with LOADING: it reads its data after a restart, or copies it from another server.
import assert from 'node:assert/strict'
import { makeAgent, makeOrganization } from '../../src/testing/factories.ts'
import { openTestService } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { until } from '../../src/testing/until.ts'
import { openWayToRedis } from '../../src/testing/wayToRedis.ts'

const test = serviceTest()
  .extend('way', perFile, async ({ options: _ }, { onCleanup }) => {
    const way = await openWayToRedis(process.env.TEST_REDIS_URL!)
    onCleanup(way.close)
    return way
  })
  .override('service', perFile, async ({ way }, { onCleanup }) => {
    const service = await openTestService({ env: { REDIS_URL: way.url } })
    onCleanup(service.close)
    return service
  })

for (const isAnew of [false, true]) {
  const what = isAnew ? 'after its connections broke' : 'on the connections that are there'
  test(`requests are answered while Redis loads, ${what}, and limits hold`, async ({ service, call, way }) => {
    const { key } = await makeOrganization(service, { plan: 'custom', limits: { api_calls: 6 } })
    await makeAgent(service, key)
    way.load(true)
    if (isAnew) way.hangUp()
    try {
      for (let nth = 0; nth < 5; nth++) assert.equal((await call('GET', '/v1/agents', { key })).status, 200)
      assertRefused(await call('GET', '/v1/agents', { key }), 429, 'quota_exceeded')
      assertRefused(await call('GET', '/v1/agents', { key: `${key}x` }), 401, 'authentication_error')
      assert.equal((await call('GET', '/healthz')).status, 200)
      const ready = await call('GET', '/readyz')
      assert.deepEqual([ready.status, ready.body], [200, { status: 'degraded', postgres: 'up', redis: 'down' }])
    } finally {
      way.load(false)
    }
    await until(async () => (await call('GET', '/readyz')).body.status === 'ready')
    assertRefused(await call('GET', '/v1/agents', { key }), 429, 'quota_exceeded')
  })
}
