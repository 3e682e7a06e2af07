import assert from 'node:assert/strict'
import { afterAll, beforeAll, test } from 'vitest'
import { sha256 } from '../../src/sealing/sealer.ts'
import { decodeId } from '../../src/shapes/ids.ts'
import { makeAgent, makeAgentKey, makeOrganization, makeWebhook } from '../../src/testing/factories.ts'
import { adminToken, openTestService, type TestService, testStart } from '../../src/testing/harness.ts'
import { openReceiver, type Receiver } from '../../src/testing/receiver.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { eventTypes } from '../../src/webhooks/catalog.ts'

let service: TestService
let receiver: Receiver
let call: TestService['call']

beforeAll(async () => {
  service = await openTestService()
  receiver = await openReceiver()
  call = service.call
})
afterAll(async () => {
  await receiver.close()
  await service.close()
})

const unknownId = 'whk_01k9xr8m3fe8tbc4x9m2v7h5qd'
const hook = 'https://receiver.example.com/hook'

const create = (key: string, body: unknown) => call('POST', '/v1/webhooks', { key, body })
const patch = (key: string, id: string, body: unknown) => call('PATCH', `/v1/webhooks/${id}`, { key, body })
const history = (key: string, id: string, query = '') => call('GET', `/v1/webhooks/${id}/deliveries${query}`, { key })

test('the catalog is the 18 types of the specification', () => {
  assert.deepEqual([...eventTypes].sort(), [
    'agent.created',
    'agent.updated',
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
    'proposal.cancelled',
    'proposal.confirmed',
    'proposal.created',
    'proposal.expired',
    'proposal.responded',
    'webhook.deactivated',
  ])
})

test('creating a webhook answers 201 with the record and its secret, which is never shown again', async () => {
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

test('each webhook has a secret of its own', async () => {
  const { key } = await makeOrganization(service)
  const one = await makeWebhook(service, key, hook, ['event.created'])
  const two = await makeWebhook(service, key, hook, ['event.updated'])
  assert.notEqual(one.secret, two.secret)
})

test('a type named twice counts once', async () => {
  const { key } = await makeOrganization(service)
  const { body } = await create(key, { url: hook, events: ['event.updated', 'event.created', 'event.updated'] })
  assert.deepEqual(body.events, ['event.updated', 'event.created'])
})

test('a body that is not as specified is refused, and the offending field is named', async () => {
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

test('only HTTPS to the public internet is accepted, in whatever spelling the address comes', async () => {
  const { key } = await makeOrganization(service)
  const inward = [
    'http://receiver.example.com/hook',
    'ftp://receiver.example.com/hook',
    'javascript:alert(1)',
    'not an address',
    'https://',
    'https://user:password@receiver.example.com/hook',
    'https://10.0.0.1/',
    'https://192.168.1.1/',
    'https://172.16.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/',
    'https://127.0.0.2/',
    'https://127.2/',
    'https://0/',
    'https://2130706434/',
    'https://0x7f000002/',
    'https://0177.0.0.2/',
    'https://①②⑦.⓪.⓪.②/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[::ffff:7f00:2]/',
    'https://[64:ff9b::a00:1]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://[2002:7f00:1::]/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://api.internal/',
    'https://db/',
    'https://metadata.google.internal./',
  ]
  const webhook = await makeWebhook(service, key, hook, ['event.created'])
  for (const url of inward) {
    assertRefused(await create(key, { url, events: ['event.created'] }), 400, 'validation_error', { param: 'url' })
    assertRefused(await patch(key, webhook.id, { url }), 400, 'validation_error', { param: 'url' })
  }
  assert.equal((await call('GET', `/v1/webhooks/${webhook.id}`, { key })).body.url, hook)
  assert.equal((await call('GET', '/v1/webhooks', { key })).body.total, 1)
})

test('a trusted host may be inward and without TLS', async () => {
  const { key } = await makeOrganization(service)
  const { status, body } = await create(key, { url: receiver.url, events: ['event.created'] })
  assert.equal(status, 201)
  assert.equal(body.url, receiver.url)
})

test('the list is newest first, by pages of 20 unless told otherwise', async () => {
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

test('the same address and type twice is a conflict', async () => {
  const { key } = await makeOrganization(service)
  await makeWebhook(service, key, hook, ['event.created', 'event.updated'])
  const taken = await create(key, { url: hook, events: ['event.deleted', 'event.updated'] })
  assertRefused(taken, 409, 'conflict', { param: 'events' })
  assert.match(taken.body.error.message, /event\.updated/)
  assert.equal((await create(key, { url: hook, events: ['event.deleted'] })).status, 201)
  assert.equal((await create(key, { url: `${hook}2`, events: ['event.created'] })).status, 201)
})

test('another organization may have the same address and type', async () => {
  const [one, two] = [await makeOrganization(service), await makeOrganization(service)]
  await makeWebhook(service, one.key, hook, ['event.created'])
  assert.equal((await create(two.key, { url: hook, events: ['event.created'] })).status, 201)
})

test('spellings that go over the wire alike are the same address', async () => {
  const { key } = await makeOrganization(service)
  await makeWebhook(service, key, 'https://receiver.example.com/a/b?x=1', ['event.created'])
  for (const url of [
    'https://RECEIVER.example.com/a/b?x=1',
    'HTTPS://receiver.example.com:443/a/b?x=1',
    'https://receiver.example.com./a/b?x=1',
    'https://receiver.example.com/a/./b?x=1',
    'https://receiver.example.com/a/c/../b?x=1',
    'https://receiver.example.com/a/b?x=1#part',
    ' https://receiver.example.com/a/b?x=1 ',
    'https:\\\\receiver.example.com\\a\\b?x=1',
  ]) {
    assertRefused(await create(key, { url, events: ['event.created'] }), 409, 'conflict', { param: 'events' })
  }
  for (const url of [
    'https://receiver.example.com/a/b',
    'https://receiver.example.com/a/b?x=2',
    'https://receiver.example.com/a/b/?x=1',
    'https://receiver.example.com/A/b?x=1',
    'https://receiver.example.com:8443/a/b?x=1',
  ]) {
    assert.equal((await create(key, { url, events: ['event.created'] })).status, 201, url)
  }
  assert.equal((await create(key, { url: 'https://receiver.example.com', events: ['event.created'] })).status, 201)
  for (const url of [
    'https://receiver.example.com/',
    'https://receiver.example.com/?',
    'https://receiver.example.com#',
  ]) {
    assertRefused(await create(key, { url, events: ['event.created'] }), 409, 'conflict', { param: 'events' })
  }
})

test('a change that would subscribe the same address and type twice is a conflict, and changes nothing', async () => {
  const { key } = await makeOrganization(service)
  await makeWebhook(service, key, hook, ['event.created'])
  const elsewhere = await makeWebhook(service, key, `${hook}/2`, ['event.created'])
  const beside = await makeWebhook(service, key, hook, ['event.updated'])
  assertRefused(await patch(key, elsewhere.id, { url: hook }), 409, 'conflict', { param: 'events' })
  assertRefused(await patch(key, beside.id, { events: ['event.created'] }), 409, 'conflict', { param: 'events' })
  assertRefused(await patch(key, elsewhere.id, { url: `${hook}#x`, events: ['event.updated'] }), 409, 'conflict', {
    param: 'events',
  })
  assert.equal((await call('GET', `/v1/webhooks/${elsewhere.id}`, { key })).body.url, `${hook}/2`)
  assert.deepEqual((await call('GET', `/v1/webhooks/${beside.id}`, { key })).body.events, ['event.updated'])
  // Its own address and types are no rival of a webhook.
  assert.equal((await patch(key, beside.id, { url: hook, events: ['event.updated', 'event.ended'] })).status, 200)
})

test('inactive webhooks count as duplicates, removed ones do not', async () => {
  const { key } = await makeOrganization(service)
  const webhook = await makeWebhook(service, key, hook, ['event.created'])
  await patch(key, webhook.id, { active: false })
  assertRefused(await create(key, { url: hook, events: ['event.created'] }), 409, 'conflict', { param: 'events' })
  await call('DELETE', `/v1/webhooks/${webhook.id}`, { key })
  assert.equal((await create(key, { url: hook, events: ['event.created'] })).status, 201)
})

test('after a change of address the old one is free and the new one is taken', async () => {
  const { key } = await makeOrganization(service)
  const webhook = await makeWebhook(service, key, hook, ['event.created'])
  assert.equal((await patch(key, webhook.id, { url: `${hook}/new` })).status, 200)
  assertRefused(await create(key, { url: `${hook}/new`, events: ['event.created'] }), 409, 'conflict', {
    param: 'events',
  })
  assert.equal((await create(key, { url: hook, events: ['event.created'] })).status, 201)
})

test('of twenty creations of one address and type at once exactly one succeeds', async () => {
  const { key } = await makeOrganization(service)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => create(key, { url: hook, events: ['event.created'] })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(19).fill(409)])
  assert.equal((await call('GET', '/v1/webhooks', { key })).body.total, 1)
})

test('a creation or change that another process overtakes is decided again', async () => {
  const { id: orgId, key } = await makeOrganization(service)
  const org = decodeId('org', orgId)!
  const { sql } = service.app
  const requests = {
    creation: async () => create(key, { url: `${hook}/creation`, events: ['event.created'] }),
    change: async () => patch(key, moving.id, { url: `${hook}/change` }),
  }
  const moving = await makeWebhook(service, key, `${hook}/moving`, ['event.created'])
  for (const [name, send] of Object.entries(requests)) {
    const rival = await makeWebhook(service, key, `${hook}/rival/${name}`, ['event.created'])
    // The other process: it has written and not yet committed while ours decides.
    const other = await sql.reserve()
    await other`begin`
    await other`update organizations set revision = revision + 1 where id = ${org}`
    await other`update webhook_subscriptions set url_hash = ${sha256(`${hook}/${name}`)} where id = ${decodeId('whk', rival.id)!}`
    const answer = send()
    for (let waiting = 0; waiting === 0; ) {
      const [row] = await sql<{ waiting: number }[]>`
        select count(*)::integer as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      waiting = row!.waiting
    }
    await other`commit`
    other.release()
    assertRefused(await answer, 409, 'conflict', { param: 'events' })
  }
})

test('at the cap of endpoints a creation is refused with 429 until one is removed, also for many at once', async () => {
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

test('pro has 25 endpoints', async () => {
  const { key } = await makeOrganization(service, { plan: 'pro' })
  for (let index = 0; index < 25; index++) await makeWebhook(service, key, `${hook}/${index}`, ['event.created'])
  assertRefused(await create(key, { url: hook, events: ['event.created'] }), 429, 'quota_exceeded')
})

test('each field of a webhook can be changed by itself', async () => {
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

test('a change needs at least one field, each of its own kind', async () => {
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

test('a removed webhook is gone, and its deliveries with it', async () => {
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

test('of several removals at once one succeeds', async () => {
  const { key } = await makeOrganization(service)
  const { id } = await makeWebhook(service, key, hook, ['event.created'])
  const answers = await Promise.all(Array.from({ length: 5 }, () => call('DELETE', `/v1/webhooks/${id}`, { key })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404, 404, 404, 404])
})

const doors = (id: string): [method: string, path: string, body?: object][] => [
  ['GET', `/v1/webhooks/${id}`],
  ['PATCH', `/v1/webhooks/${id}`, { active: false }],
  ['DELETE', `/v1/webhooks/${id}`],
  ['GET', `/v1/webhooks/${id}/deliveries`],
]

test('an unknown, malformed or foreign identifier is 404', async () => {
  const [{ key }, stranger] = [await makeOrganization(service), await makeOrganization(service)]
  const foreign = await makeWebhook(service, stranger.key, hook, ['event.created'])
  for (const id of [
    foreign.id,
    unknownId,
    unknownId.replace('whk_', 'evt_'),
    'whk_1',
    foreign.id.toUpperCase(),
    '%00',
  ]) {
    for (const [method, path, body] of doors(id)) {
      assertRefused(await call(method, path, { key, body }), 404, 'not_found')
    }
  }
  assert.equal((await call('GET', `/v1/webhooks/${foreign.id}`, { key: stranger.key })).body.active, true)
})

test('an agent key is refused at every door, and a missing key is 401', async () => {
  const { key } = await makeOrganization(service)
  const { id } = await makeWebhook(service, key, hook, ['event.created'])
  const agentKey = await makeAgentKey(service, key, (await makeAgent(service, key)).id)
  const all = [...doors(id), ['GET', '/v1/webhooks'], ['POST', '/v1/webhooks', { url: hook, events: [] }]] as const
  for (const [method, path, body] of all) {
    assertRefused(await call(method, path, { key: agentKey, body }), 403, 'forbidden')
    assertRefused(await call(method, path, { body }), 401, 'authentication_error')
  }
})

test('switching a webhook on resets its failures; another change does not', async (t) => {
  const { key } = await makeOrganization(service)
  const failing = await openReceiver()
  t.onTestFinished(() => failing.close())
  failing.answer = () => 500
  const { id } = await makeWebhook(service, key, failing.url, ['agent.created'])
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

test('the history has the exact records, newest first, and stats that no filter changes', async () => {
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
  const second = (await history(key, id, '?limit=1&offset=1')).body
  assert.deepEqual([second.data, second.total, second.limit, second.offset], [[created], 2, 1, 1])
})

test('payloads are in the history only on request, and are what was sent', async () => {
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

test('a history query that is not as specified is refused', async () => {
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
  assertRefused(await history(key, unknownId, '?status=done'), 400, 'validation_error', { param: 'status' })
})

test('changes of webhooks are in the audit, with the webhook as resource', async () => {
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

test('address and secret are sealed at rest', async () => {
  const { key } = await makeOrganization(service)
  const { secret } = await makeWebhook(service, key, 'https://receiver.example.com/very-secret-path', ['event.created'])
  const [row] = await service.app.sql<{ found: boolean }[]>`
    select bool_or(position(${Buffer.from('very-secret-path')}::bytea in url_sealed) > 0
      or position(${Buffer.from(secret)}::bytea in secret_sealed) > 0) as found from webhook_subscriptions`
  assert.equal(row?.found, false)
})

test('a lower plan keeps the webhooks there are and refuses more', async () => {
  const { id: orgId, key } = await makeOrganization(service, { plan: 'pro' })
  for (let index = 0; index < 4; index++) await makeWebhook(service, key, `${hook}/${index}`, ['event.created'])
  await call('PATCH', `/v1/admin/orgs/${orgId}`, { key: adminToken, body: { plan: 'free' } })
  assert.equal((await call('GET', '/v1/webhooks', { key })).body.total, 4)
  assertRefused(await create(key, { url: hook, events: ['event.created'] }), 429, 'quota_exceeded')
})
