import assert from 'node:assert/strict'
import { makeAgent, makeOrganization, makeWebhook } from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { hook, unknownWebhook, webhooksTest } from '../../src/testing/webhooks.ts'

const test = webhooksTest()

test('switching a webhook on resets its failures; another change does not', async ({
  service,
  receiver,
  desk: { patch },
}) => {
  const { key } = await makeOrganization(service)
  receiver.answer = () => 500
  const { id } = await makeWebhook(service, key, receiver.url, ['agent.created'])
  await makeAgent(service, key)
  await service.drain()
  const at = service.clock.now().toISOString()
  const failed = (await patch(key, id, { events: ['agent.created', 'agent.updated'] })).body
  assert.deepEqual([failed.active, failed.consecutiveFailures, failed.firstFailureAt], [true, 1, at])
  const off = (await patch(key, id, { active: false })).body
  assert.deepEqual([off.active, off.consecutiveFailures, off.firstFailureAt], [false, 1, at])
  const on = (await patch(key, id, { active: true })).body
  assert.deepEqual([on.active, on.consecutiveFailures, on.firstFailureAt], [true, 0, null])
})

test('the history has the exact records, newest first, and statistics that no filter changes', async ({
  service,
  call,
  receiver,
  desk: { history },
}) => {
  const { key } = await makeOrganization(service, { plan: 'free' })
  const { id } = await makeWebhook(service, key, receiver.url, ['agent.created', 'agent.updated'])
  receiver.answer = ({ type }) => (type === 'agent.created' ? 200 : 500)
  const createdAt = service.clock.now().toISOString()
  const agent = await makeAgent(service, key)
  await service.drain()
  await call('PATCH', `/v1/agents/${agent.id}`, { key, body: { name: 'Renamed' } })
  await service.drain()
  const { status, body } = await history(key, id)
  assert.equal(status, 200)
  const [updated, created] = body.data
  assert.match(created.id, /^whd_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  const nextRetryAt = new Date(service.clock.now().getTime() + 60_000).toISOString()
  const common = { subscription_id: id, attempts: 1, last_attempt_at: createdAt, created_at: createdAt }
  assert.deepEqual(body, {
    data: [
      { ...common, id: updated.id, event_type: 'agent.updated', status: 'pending', next_retry_at: nextRetryAt },
      { ...common, id: created.id, event_type: 'agent.created', status: 'delivered', next_retry_at: null },
    ],
    total: 2,
    limit: 20,
    offset: 0,
    stats: { pending: 1, delivered: 1, failed: 0 },
  })
  for (const [filter, rows] of [
    ['pending', [updated]],
    ['delivered', [created]],
    ['failed', []],
  ] as const) {
    const filtered = (await history(key, id, `?status=${filter}`)).body
    assert.deepEqual(filtered.data, rows)
    assert.equal(filtered.total, rows.length)
    assert.deepEqual(filtered.stats, { pending: 1, delivered: 1, failed: 0 })
  }
  const page = (await history(key, id, '?limit=1&offset=1')).body
  assert.deepEqual([page.data, page.total, page.limit, page.offset], [[created], 2, 1, 1])
})

test('every page of the history is a part of the whole, in every mixture of statuses', async ({
  service,
  receiver,
  desk: { history },
}) => {
  const { key } = await makeOrganization(service)
  const { id } = await makeWebhook(service, key, receiver.url, ['agent.created'])
  for (const status of [200, 500, 200, 200, 500, 200, 500]) {
    receiver.answer = () => status
    await makeAgent(service, key)
    await service.drain()
  }
  const whole = (await history(key, id)).body.data
  assert.equal(whole.length, 7)
  const [pending] = whole.filter(({ status }: { status: string }) => status === 'pending')
  for (const limit of [1, 3]) {
    for (let offset = 0; offset <= whole.length + 1; offset++) {
      const { data } = (await history(key, id, `?limit=${limit}&offset=${offset}`)).body
      assert.deepEqual(data, whole.slice(offset, offset + limit), `${limit} from ${offset}`)
    }
  }
  assert.deepEqual((await history(key, id, '?status=pending&offset=0&limit=1')).body.data, [pending])
  const later = (await history(key, id, '?status=delivered&offset=3')).body.data
  assert.deepEqual(later, whole.filter(({ status }: { status: string }) => status === 'delivered').slice(3))
})

test('payloads are in the history only on request, and are what was sent', async ({
  service,
  receiver,
  desk: { history },
}) => {
  const { key } = await makeOrganization(service)
  receiver.answer = () => 200
  receiver.received.length = 0
  const { id } = await makeWebhook(service, key, receiver.url, ['agent.created'])
  const agent = await makeAgent(service, key, { metadata: { note: 'ü "quoted" \\ 💡', nested: [1, { a: null }] } })
  await service.drain()
  assert.equal('payload' in (await history(key, id)).body.data[0], false)
  assert.equal('payload' in (await history(key, id, '?include_payload=false')).body.data[0], false)
  const [record] = (await history(key, id, '?include_payload=true')).body.data
  assert.deepEqual(record.payload, { agent })
  assert.equal(JSON.stringify(record.payload), receiver.received[0]?.raw)
})

test('a history query that is not as specified is refused', async ({ service, desk: { history } }) => {
  const { key } = await makeOrganization(service)
  const { id } = await makeWebhook(service, key, hook, ['event.created'])
  for (const [query, param] of [
    ['status=done', 'status'],
    ['status=', 'status'],
    ['status=Pending', 'status'],
    ['status=pending&status=failed', 'status'],
    ['include_payload=1', 'include_payload'],
    ['include_payload=yes', 'include_payload'],
    ['include_payload=', 'include_payload'],
    ['include_payload=TRUE', 'include_payload'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['offset=-1', 'offset'],
    ['offset=x', 'offset'],
  ] as const) {
    assertRefused(await history(key, id, `?${query}`), 400, 'validation_error', { param })
  }
  // Validation comes before existence.
  assertRefused(await history(key, unknownWebhook, '?status=done'), 400, 'validation_error', { param: 'status' })
})
