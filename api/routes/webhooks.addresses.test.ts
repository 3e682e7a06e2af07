import assert from 'node:assert/strict'
import { sha256 } from '../../src/sealing/sealer.ts'
import { decodeId } from '../../src/shapes/ids.ts'
import { makeOrganization, makeWebhook } from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { hook, webhooksTest } from '../../src/testing/webhooks.ts'

const test = webhooksTest()

test('only HTTPS to the public internet is accepted, however the address is spelled', async ({
  service,
  call,
  desk: { create, patch },
}) => {
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

test('a trusted host may be inward and without TLS', async ({ service, receiver, desk: { create } }) => {
  const { key } = await makeOrganization(service)
  const { status, body } = await create(key, { url: receiver.url, events: ['event.created'] })
  assert.equal(status, 201)
  assert.equal(body.url, receiver.url)
})

test('the same address and type twice is a conflict', async ({ service, desk: { create } }) => {
  const { key } = await makeOrganization(service)
  await makeWebhook(service, key, hook, ['event.created', 'event.updated'])
  const taken = await create(key, { url: hook, events: ['event.deleted', 'event.updated'] })
  assertRefused(taken, 409, 'conflict', { param: 'events' })
  assert.match(taken.body.error.message, /event\.updated/)
  assert.equal((await create(key, { url: hook, events: ['event.deleted'] })).status, 201)
  assert.equal((await create(key, { url: `${hook}2`, events: ['event.created'] })).status, 201)
})

test('another organization may have the same address and type', async ({ service, desk: { create } }) => {
  const [one, two] = [await makeOrganization(service), await makeOrganization(service)]
  await makeWebhook(service, one.key, hook, ['event.created'])
  assert.equal((await create(two.key, { url: hook, events: ['event.created'] })).status, 201)
})

test('spellings that lead to the same request are the same address', async ({ service, desk: { create } }) => {
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

test('a change that subscribes the same address and type twice is a conflict and changes nothing', async ({
  service,
  call,
  desk: { patch },
}) => {
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

test('inactive webhooks count as duplicates, removed ones do not', async ({
  service,
  call,
  desk: { create, patch },
}) => {
  const { key } = await makeOrganization(service)
  const webhook = await makeWebhook(service, key, hook, ['event.created'])
  await patch(key, webhook.id, { active: false })
  assertRefused(await create(key, { url: hook, events: ['event.created'] }), 409, 'conflict', { param: 'events' })
  await call('DELETE', `/v1/webhooks/${webhook.id}`, { key })
  assert.equal((await create(key, { url: hook, events: ['event.created'] })).status, 201)
})

test('after a change of address the old one is free and the new one is taken', async ({
  service,
  desk: { create, patch },
}) => {
  const { key } = await makeOrganization(service)
  const webhook = await makeWebhook(service, key, hook, ['event.created'])
  assert.equal((await patch(key, webhook.id, { url: `${hook}/new` })).status, 200)
  assertRefused(await create(key, { url: `${hook}/new`, events: ['event.created'] }), 409, 'conflict', {
    param: 'events',
  })
  assert.equal((await create(key, { url: hook, events: ['event.created'] })).status, 201)
})

test('of twenty concurrent creations of one address and type exactly one succeeds', async ({
  service,
  call,
  desk: { create },
}) => {
  const { key } = await makeOrganization(service)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => create(key, { url: hook, events: ['event.created'] })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(19).fill(409)])
  assert.equal((await call('GET', '/v1/webhooks', { key })).body.total, 1)
})

test('a creation or change that another process overtakes is decided again', async ({
  service,
  desk: { create, patch },
}) => {
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
    // Another process has written and not yet committed while ours decides.
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
