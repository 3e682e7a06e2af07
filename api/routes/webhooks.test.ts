import assert from 'node:assert/strict'
import { makeOrganization, makeWebhook } from '../../src/testing/factories.ts'
import { adminToken, testStart } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { hook, webhooksTest } from '../../src/testing/webhooks.ts'
import { eventTypes } from '../../src/webhooks/catalog.ts'

const test = webhooksTest()

test('the catalog is the 18 types of the specification, and those of approvals, hold groups and connections', () => {
  assert.deepEqual([...eventTypes].sort(), [
    'agent.created',
    'agent.updated',
    'approval.decided',
    'approval.requested',
    'availability_source.interrupted',
    'availability_source.restored',
    'connection_link.completed',
    'connection_link.ended',
    'event.created',
    'event.deleted',
    'event.ended',
    'event.hold_confirmed',
    'event.hold_created',
    'event.hold_expired',
    'event.hold_released',
    'event.reminder',
    'event.started',
    'event.updated',
    'hold_group.confirmed',
    'hold_group.created',
    'hold_group.expired',
    'hold_group.released',
    'proposal.cancelled',
    'proposal.confirmed',
    'proposal.created',
    'proposal.expired',
    'proposal.responded',
    'webhook.deactivated',
  ])
})

test('creating a webhook answers 201 with the record and its secret, which is never shown again', async ({
  service,
  call,
  desk: { create, patch },
}) => {
  const { id: orgId, key } = await makeOrganization(service)
  const { status, body } = await create(key, { url: hook, events: eventTypes })
  assert.equal(status, 201)
  const { secret, ...webhook } = body
  assert.match(webhook.id, /^whk_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  assert.deepEqual(webhook, {
    id: webhook.id,
    orgId,
    url: hook,
    events: [...eventTypes],
    active: true,
    consecutiveFailures: 0,
    firstFailureAt: null,
    createdAt: testStart.toISOString(),
  })
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.equal(Buffer.from(secret.slice('whsec_'.length), 'base64').length, 32)
  assert.deepEqual((await call('GET', `/v1/webhooks/${webhook.id}`, { key })).body, webhook)
  assert.deepEqual((await call('GET', '/v1/webhooks', { key })).body.data, [webhook])
  assert.deepEqual((await patch(key, webhook.id, { active: true })).body, webhook)
})

test('each webhook has a secret of its own', async ({ service }) => {
  const { key } = await makeOrganization(service)
  const one = await makeWebhook(service, key, hook, ['event.created'])
  const two = await makeWebhook(service, key, hook, ['event.updated'])
  assert.notEqual(one.secret, two.secret)
})

test('a type named twice counts once', async ({ service, desk: { create } }) => {
  const { key } = await makeOrganization(service)
  const { body } = await create(key, { url: hook, events: ['event.updated', 'event.created', 'event.updated'] })
  assert.deepEqual(body.events, ['event.updated', 'event.created'])
})

test('a body that is not as specified is refused, and the offending field is named', async ({
  service,
  call,
  desk: { create },
}) => {
  const { key } = await makeOrganization(service)
  const cases: [unknown, string | null][] = [
    [{}, 'url'],
    [{ url: hook }, 'events'],
    [{ url: hook, events: [] }, 'events'],
    [{ url: hook, events: 'event.created' }, 'events'],
    [{ url: hook, events: ['event.created', 'event.exploded'] }, 'events.1'],
    [{ url: hook, events: ['*'] }, 'events.0'],
    [{ url: hook, events: [null] }, 'events.0'],
    [{ url: 5, events: ['event.created'] }, 'url'],
    [{ url: null, events: ['event.created'] }, 'url'],
    [{ url: '', events: ['event.created'] }, 'url'],
    [{ url: 'https://exa\tmple.com/x', events: ['event.created'] }, 'url'],
    [{ url: 'https://example.com/\u202egnp.exe', events: ['event.created'] }, 'url'],
    [{ url: hook, events: ['event.created'], secret: 'mine' }, 'secret'],
    [{ url: hook, events: ['event.created'], active: false }, 'active'],
    [{ url: `https://receiver.example.com/${'x'.repeat(2048)}`, events: ['event.created'] }, 'url'],
    [[], null],
  ]
  for (const [body, param] of cases) assertRefused(await create(key, body), 400, 'validation_error', { param })
  assert.equal((await call('GET', '/v1/webhooks', { key })).body.total, 0)
})

test('the list is newest first, by pages of 20 unless told otherwise', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const ids: string[] = []
  for (let index = 0; index < 21; index++) {
    ids.unshift((await makeWebhook(service, key, `${hook}/${index}`, ['event.created'])).id)
  }
  const page = async (query: string) => {
    const { body } = await call('GET', `/v1/webhooks${query}`, { key })
    return { ...body, data: body.data.map(({ id }: { id: string }) => id) }
  }
  assert.deepEqual(await page(''), { data: ids.slice(0, 20), total: 21, limit: 20, offset: 0 })
  assert.deepEqual(await page('?limit=2&offset=19'), { data: ids.slice(19), total: 21, limit: 2, offset: 19 })
  assert.deepEqual(await page('?limit=100'), { data: ids, total: 21, limit: 100, offset: 0 })
  assert.deepEqual(await page('?offset=21'), { data: [], total: 21, limit: 20, offset: 21 })
  for (const limit of ['0', '101', '-1', '1.5', 'all', '']) {
    const answer = await call('GET', `/v1/webhooks?limit=${limit}`, { key })
    assertRefused(answer, 400, 'validation_error', { param: 'limit' })
  }
  assertRefused(await call('GET', '/v1/webhooks?offset=-1', { key }), 400, 'validation_error', { param: 'offset' })
})

test('each field of a webhook can be changed by itself', async ({ service, call, desk: { patch } }) => {
  const { key } = await makeOrganization(service)
  const { secret: _, ...webhook } = await makeWebhook(service, key, hook, ['event.created'])
  const changes: [object, object][] = [
    [{ url: `${hook}/new` }, { url: `${hook}/new` }],
    [{ events: ['event.deleted', 'event.deleted'] }, { events: ['event.deleted'] }],
    [{ active: false }, { active: false }],
    [
      { active: true, events: ['agent.created'] },
      { active: true, events: ['agent.created'] },
    ],
  ]
  let expected = webhook
  for (const [body, change] of changes) {
    expected = { ...expected, ...change }
    const { status, body: answer } = await patch(key, webhook.id, body)
    assert.equal(status, 200)
    assert.deepEqual(answer, expected)
    assert.deepEqual((await call('GET', `/v1/webhooks/${webhook.id}`, { key })).body, expected)
  }
})

test('a change needs at least one field, each of its own kind', async ({ service, desk: { patch } }) => {
  const { key } = await makeOrganization(service)
  const { id } = await makeWebhook(service, key, hook, ['event.created'])
  const cases: [unknown, string | null][] = [
    [{}, null],
    [{ active: 'true' }, 'active'],
    [{ active: null }, 'active'],
    [{ url: null }, 'url'],
    [{ events: [] }, 'events'],
    [{ events: ['event.exploded'] }, 'events.0'],
    [{ secret: 'mine' }, 'secret'],
    [{ consecutiveFailures: 0 }, 'consecutiveFailures'],
  ]
  for (const [body, param] of cases) assertRefused(await patch(key, id, body), 400, 'validation_error', { param })
})

test('a removed webhook is gone, and its deliveries with it', async ({ service, call, desk: { patch, history } }) => {
  const { key } = await makeOrganization(service)
  const { id } = await makeWebhook(service, key, hook, ['event.created'])
  const removed = await call('DELETE', `/v1/webhooks/${id}`, { key })
  assert.equal(removed.status, 204)
  assert.equal(removed.body, '')
  assertRefused(await call('DELETE', `/v1/webhooks/${id}`, { key }), 404, 'not_found')
  assertRefused(await call('GET', `/v1/webhooks/${id}`, { key }), 404, 'not_found')
  assertRefused(await patch(key, id, { active: true }), 404, 'not_found')
  assertRefused(await history(key, id), 404, 'not_found')
  assert.equal((await call('GET', '/v1/webhooks', { key })).body.total, 0)
})

test('of several concurrent removals one succeeds', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const { id } = await makeWebhook(service, key, hook, ['event.created'])
  const answers = await Promise.all(Array.from({ length: 5 }, () => call('DELETE', `/v1/webhooks/${id}`, { key })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404, 404, 404, 404])
})

test('at the limit of webhooks a creation is refused with 429 until one is removed, also concurrently', async ({
  service,
  call,
  desk: { create, patch },
}) => {
  const { key } = await makeOrganization(service, { plan: 'free' })
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => create(key, { url: `${hook}/${index}`, events: ['event.created'] })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 429, 429, 429, 429, 429])
  const refused = await create(key, { url: `${hook}/more`, events: ['event.created'] })
  assertRefused(refused, 429, 'quota_exceeded')
  assert.equal(Number(refused.headers.get('retry-after')), 30 * 24 * 60 * 60)
  const { data } = (await call('GET', '/v1/webhooks', { key })).body
  // An inactive webhook keeps its place.
  await patch(key, data[0].id, { active: false })
  assertRefused(await create(key, { url: `${hook}/more`, events: ['event.created'] }), 429, 'quota_exceeded')
  await call('DELETE', `/v1/webhooks/${data[0].id}`, { key })
  assert.equal((await create(key, { url: `${hook}/more`, events: ['event.created'] })).status, 201)
})

test('the pro plan has 25 webhooks', async ({ service, desk: { create } }) => {
  const { key } = await makeOrganization(service, { plan: 'pro' })
  for (let index = 0; index < 25; index++) await makeWebhook(service, key, `${hook}/${index}`, ['event.created'])
  assertRefused(await create(key, { url: hook, events: ['event.created'] }), 429, 'quota_exceeded')
})

test('a lower plan keeps the webhooks there are and refuses more', async ({ service, call, desk: { create } }) => {
  const { id: orgId, key } = await makeOrganization(service, { plan: 'pro' })
  for (let index = 0; index < 4; index++) await makeWebhook(service, key, `${hook}/${index}`, ['event.created'])
  await call('PATCH', `/v1/admin/orgs/${orgId}`, { key: adminToken, body: { plan: 'free' } })
  assert.equal((await call('GET', '/v1/webhooks', { key })).body.total, 4)
  assertRefused(await create(key, { url: hook, events: ['event.created'] }), 429, 'quota_exceeded')
})

test('changes of webhooks are in the audit, with the webhook as resource', async ({
  service,
  call,
  desk: { patch },
}) => {
  const { id: orgId, key } = await makeOrganization(service)
  const { id } = await makeWebhook(service, key, hook, ['event.created'])
  await patch(key, id, { active: false })
  await call('DELETE', `/v1/webhooks/${id}`, { key })
  const rows = await service.app.sql<{ action: string }[]>`
    select action from audit_entries where resource = ${id} order by id`
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['webhook.create', 'webhook.update', 'webhook.delete'],
    orgId,
  )
})

test('address and secret are sealed at rest', async ({ service }) => {
  const { key } = await makeOrganization(service)
  const { secret } = await makeWebhook(service, key, 'https://receiver.example.com/very-secret-path', ['event.created'])
  const [row] = await service.app.sql<{ found: boolean }[]>`
    select bool_or(position(${Buffer.from('very-secret-path')}::bytea in url_sealed) > 0
      or position(${Buffer.from(secret)}::bytea in secret_sealed) > 0) as found from webhook_subscriptions`
  assert.equal(row?.found, false)
})
