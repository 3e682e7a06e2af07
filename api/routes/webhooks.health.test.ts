import assert from 'node:assert/strict'
import { dayMs, hourMs, minuteMs } from '../../src/shapes/durations.ts'
import { deliveryTest, type Looked } from '../../src/testing/deliveries.ts'
import { makeAgent } from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { unknownWebhook } from '../../src/testing/webhooks.ts'
import { upkeepHandlers } from '../../workers/upkeep.ts'

const test = deliveryTest().extend(
  'health',
  { scope: 'file' },
  ({ call }) =>
    async (key: string, id: string, window?: string): Promise<Looked> =>
      (await call('GET', `/v1/webhooks/${id}/health${window ? `?window=${window}` : ''}`, { key })).body,
)

const unused = {
  state: 'healthy',
  attempts: 0,
  delivered: 0,
  failed: 0,
  by_outcome: {},
  p50_ms: null,
  p95_ms: null,
  pending: 0,
  oldest_pending_at: null,
  last_success_at: null,
  last_failure: null,
  consecutive_failures: 0,
  disables_at: 50,
}

test('it counts every attempt, and shows the last ones and what waits', async ({
  service,
  newReceiver,
  health,
  desk: { subscribe },
}) => {
  const answers = [200, 503, 200, 404]
  const receiver = await newReceiver(() => answers.shift() ?? 200)
  const { key, webhook } = await subscribe(receiver)
  assert.deepEqual(await health(key, webhook.id), unused)
  const at = service.clock.now().toISOString()
  for (let nth = 0; nth < 4; nth++) {
    await makeAgent(service, key)
    await service.drain()
  }
  const { p50_ms, p95_ms, ...shown } = await health(key, webhook.id)
  assert.deepEqual(shown, {
    state: 'healthy',
    attempts: 4,
    delivered: 2,
    failed: 2,
    by_outcome: { delivered: 2, refused: 2 },
    pending: 2,
    oldest_pending_at: at,
    last_success_at: at,
    last_failure: { at, outcome: 'refused', http_status: 404 },
    consecutive_failures: 1,
    disables_at: 50,
  })
  assert.ok(p50_ms >= 0 && p50_ms <= p95_ms && p95_ms <= 10_000, `${p50_ms} ${p95_ms}`)
  await service.clock.advance(minuteMs)
  await service.drain()
  const later = await health(key, webhook.id)
  assert.deepEqual([later.attempts, later.delivered, later.pending, later.oldest_pending_at], [6, 4, 0, null])
  assert.deepEqual([later.last_success_at, later.last_failure.at], [service.clock.now().toISOString(), at])
})

test('five failures in a row are failing; a success ends that; off is disabled', async ({
  service,
  newReceiver,
  health,
  desk: { patchWebhook, subscribe },
}) => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver)
  const state = async () => (await health(key, webhook.id)).state
  const send = async (status: number) => {
    receiver.answer = () => status
    await makeAgent(service, key)
    await service.drain()
  }
  for (let nth = 0; nth < 4; nth++) await send(500)
  assert.equal(await state(), 'healthy')
  await send(500)
  const failing = await health(key, webhook.id)
  assert.deepEqual([failing.state, failing.consecutive_failures], ['failing', 5])
  await send(200)
  assert.equal(await state(), 'healthy')
  await patchWebhook(key, webhook.id, { active: false })
  assert.equal(await state(), 'disabled')
})

test('fewer than nine in ten of at least ten attempts of the last hour are failing', async ({
  service,
  newReceiver,
  health,
  desk: { subscribe },
}) => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver)
  const states: string[] = []
  for (const status of [500, ...Array(9).fill(200), 500]) {
    receiver.answer = () => status
    await makeAgent(service, key)
    await service.drain()
    states.push((await health(key, webhook.id)).state)
  }
  // Nine of ten are enough, nine of eleven are not.
  assert.deepEqual(states, [...Array(10).fill('healthy'), 'failing'])
  await service.clock.advance(hourMs + 10 * minuteMs)
  receiver.answer = () => 200
  assert.equal((await health(key, webhook.id)).state, 'healthy')
})

test('a window shows what is in it', async ({ service, newReceiver, health, desk: { subscribe } }) => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver)
  await makeAgent(service, key)
  await service.drain()
  const attempts = async () => [
    ...[(await health(key, webhook.id, '1h')).attempts, (await health(key, webhook.id, '24h')).attempts],
    ...[(await health(key, webhook.id)).attempts, (await health(key, webhook.id, '7d')).attempts],
  ]
  const seen = [await attempts()]
  for (const ms of [2 * hourMs, dayMs, 7 * dayMs]) {
    await service.clock.advance(ms)
    await upkeepHandlers(service.app).purge({ hour: 0 })
    seen.push(await attempts())
  }
  assert.deepEqual(seen, [
    [1, 1, 1, 1],
    [0, 1, 1, 1],
    [0, 0, 0, 1],
    [0, 0, 0, 0],
  ])
  assert.notEqual((await health(key, webhook.id)).last_success_at, null)
  const [kept] = await service.app.sql<{ count: number }[]>`select count(*)::integer as count from webhook_health`
  assert.equal(kept!.count, 0)
})

test('what was never posted is no attempt', async ({ service, newReceiver, health, desk: { subscribe } }) => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver, { plan: 'custom', limits: { webhook_deliveries: 0 } })
  await makeAgent(service, key)
  await service.drain()
  assert.deepEqual(await health(key, webhook.id), unused)
})

test('the history shows how the last attempt ended, on request', async ({
  service,
  newReceiver,
  desk: { subscribe },
}) => {
  const receiver = await newReceiver(() => 503)
  const { key, webhook } = await subscribe(receiver)
  await makeAgent(service, key)
  const last = async (query: string) =>
    (await service.call('GET', `/v1/webhooks/${webhook.id}/deliveries${query}`, { key })).body.data[0]
  assert.equal((await last('?include_attempt=true')).last_attempt, null)
  await service.drain()
  const { duration_ms, ...failed } = (await last('?include_attempt=true')).last_attempt
  assert.deepEqual(failed, { outcome: 'refused', http_status: 503 })
  assert.ok(Number.isInteger(duration_ms))
  receiver.answer = () => 204
  await service.clock.advance(minuteMs)
  await service.drain()
  const { outcome, http_status } = (await last('?include_attempt=true')).last_attempt
  assert.deepEqual([outcome, http_status], ['delivered', 204])
  for (const query of ['', '?include_attempt=false']) assert.equal('last_attempt' in (await last(query)), false)
  const wrong = await service.call('GET', `/v1/webhooks/${webhook.id}/deliveries?include_attempt=1`, { key })
  assertRefused(wrong, 400, 'validation_error', { param: 'include_attempt' })
})

test('what is not as specified is refused', async ({ service, newReceiver, desk: { subscribe } }) => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver)
  for (const window of ['2h', '', '24H']) {
    const answer = await service.call('GET', `/v1/webhooks/${webhook.id}/health?window=${window}`, { key })
    assertRefused(answer, 400, 'validation_error', { param: 'window' })
  }
  assertRefused(await service.call('GET', `/v1/webhooks/${unknownWebhook}/health`, { key }), 404, 'not_found')
})

test('over time: every step of the window, which together are what the health counts', async ({
  service,
  call,
  newReceiver,
  health,
  desk: { subscribe },
}) => {
  const receiver = await newReceiver(({ payload }) => (payload.agent.name === 'refused' ? 500 : 200))
  const { key, webhook } = await subscribe(receiver)
  const series = async (window: string): Promise<Looked> =>
    (await call('GET', `/v1/webhooks/${webhook.id}/health/series?window=${window}`, { key })).body.points
  for (const name of ['one', 'refused', 'three']) {
    await makeAgent(service, key, { name })
    await service.drain()
    await service.clock.advance(40 * minuteMs)
    await service.drain()
  }
  for (const [window, stepMs, steps] of [
    ['1h', 10 * minuteMs, 7],
    ['24h', 10 * minuteMs, 145],
    ['7d', hourMs, 169],
  ] as const) {
    const points: Looked[] = await series(window)
    assert.equal(points.length, steps, window)
    points.forEach(({ at }, nth) => {
      assert.equal(Date.parse(at), Date.parse(points[0].at) + nth * stepMs)
    })
    const now = service.clock.now().getTime()
    assert.ok(Date.parse(points.at(-1).at) <= now && now < Date.parse(points.at(-1).at) + stepMs, window)
    const counted = await health(key, webhook.id, window)
    const sum = (field: 'delivered' | 'failed') => points.reduce((total, point) => total + point[field], 0)
    assert.deepEqual([sum('delivered'), sum('failed')], [counted.delivered, counted.failed], window)
    for (const { delivered, failed, p95_ms } of points) assert.equal(p95_ms === null, delivered + failed === 0)
  }
  const path = `/v1/webhooks/${webhook.id}/health/series`
  assert.deepEqual(Object.keys((await call('GET', path, { key })).body), ['points'])
  assertRefused(await call('GET', `${path}?window=2h`, { key }), 400, 'validation_error', { param: 'window' })
  assertRefused(await call('GET', `/v1/webhooks/${unknownWebhook}/health/series`, { key }), 404, 'not_found')
})
