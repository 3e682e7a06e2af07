// Headers and envelopes that a receiver asks for.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { deliveryTest } from '../../src/testing/deliveries.ts'
import { makeAgent, makeOrganization } from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = deliveryTest()

test('headers leave with each attempt as they are then, and records show their names alone', async ({
  service,
  call,
  newReceiver,
  desk: { subscribe, onlyDelivery, patchWebhook },
}) => {
  const receiver = await newReceiver(() => 503)
  const { key, webhook } = await subscribe(receiver)
  const path = `/v1/webhooks/${webhook.id}`
  const from = service.clock.now().toISOString()
  const named = { 'X-Team': 'one', Authorization: 'Bearer canary', 'User-Agent': 'theirs' }
  const { body } = await patchWebhook(key, webhook.id, { headers: named })
  const names = ['authorization', 'user-agent', 'x-team']
  assert.deepEqual(body.headerNames, names)
  assert.doesNotMatch(JSON.stringify((await call('GET', path, { key })).body), /canary/)
  await makeAgent(service, key)
  await service.drain()
  const [first] = receiver.received
  assert.deepEqual(
    names.map((name) => first!.headers[name]),
    ['Bearer canary', 'theirs', 'one'],
  )
  await patchWebhook(key, webhook.id, { headers: { 'x-team': 'two' } })
  receiver.answer = () => 200
  await service.clock.advance(60_000)
  await service.drain()
  const again = receiver.received.at(-1)!
  assert.deepEqual([again.headers['x-team'], again.headers.authorization], ['two', undefined])
  assert.equal(again.raw, first!.raw)
  const delivery = await onlyDelivery(key, webhook.id)
  const { request_headers } = (await call('GET', `${path}/deliveries/${delivery.id}`, { key })).body
  assert.deepEqual([request_headers['x-team'], request_headers['user-agent']], [undefined, 'agent-calendar/1'])
  for (const how of [`/deliveries/${delivery.id}/resend`, '/test']) {
    assert.ok((await call('POST', path + how, { key })).status < 300, how)
    await service.drain()
    assert.equal(receiver.received.at(-1)!.headers['x-team'], 'two', how)
  }
  await patchWebhook(key, webhook.id, { headers: { 'x-team': 'three' } })
  const { body: replay } = await call('POST', `${path}/replay`, { key, body: { from, only: 'all' } })
  assert.ok(replay.matched > 0, JSON.stringify(replay))
  receiver.received.length = 0
  await service.drain()
  const replayed = receiver.received.find(({ raw }) => raw === first!.raw)
  assert.equal(replayed?.headers['x-team'], 'three')
  assert.equal(replayed?.headers['x-delivery-id'], first!.headers['x-delivery-id'])
  for (const headers of [{}, null]) {
    await patchWebhook(key, webhook.id, { headers: { 'x-team': 'two' } })
    assert.equal('headerNames' in (await patchWebhook(key, webhook.id, { headers })).body, false)
  }
})

test('an envelope has the payload as its data, in the same bytes at each attempt, and is signed as it is', async ({
  service,
  call,
  newReceiver,
  desk: { subscribe, onlyDelivery, patchWebhook },
}) => {
  const receiver = await newReceiver(() => 503)
  const { key, webhook } = await subscribe(receiver)
  const { body } = await patchWebhook(key, webhook.id, { envelope: true, standard: true })
  assert.equal(body.envelope, true)
  await makeAgent(service, key)
  const { body: changes } = await call('GET', '/v1/changes?cursor=oldest&types=agent.created', { key })
  const { at, payload } = changes.data.at(-1)
  await service.drain()
  // A delivery keeps the form it was made in.
  await patchWebhook(key, webhook.id, { envelope: false })
  receiver.answer = () => 200
  await service.clock.advance(60_000)
  await service.drain()
  const [first, second] = receiver.received
  assert.equal(second!.raw, first!.raw)
  const { id } = await onlyDelivery(key, webhook.id)
  assert.equal(first!.raw, JSON.stringify({ type: 'agent.created', id, at, data: payload }))
  const { headers, raw } = second!
  const mac = (secret: string | Buffer, text: string) => createHmac('sha256', secret).update(text)
  const timestamp = headers['x-timestamp']
  assert.equal(headers['x-signature'], `sha256=${mac(webhook.secret, `${timestamp}.${raw}`).digest('hex')}`)
  const standardKey = Buffer.from(webhook.secret.replace('whsec_', ''), 'base64')
  const signed = mac(standardKey, `${id}.${headers['webhook-timestamp']}.${raw}`).digest('base64')
  assert.equal(headers['webhook-signature'], `v1,${signed}`)
  const shown = (await call('GET', `/v1/webhooks/${webhook.id}/deliveries/${id}`, { key })).body
  assert.deepEqual(shown.payload, payload)
  await patchWebhook(key, webhook.id, { envelope: true })
  await service.clock.advance(2_000)
  await call('POST', `/v1/webhooks/${webhook.id}/test`, { key })
  assert.deepEqual(Object.keys(receiver.received.at(-1)!.payload), ['type', 'id', 'at', 'data'])
})

test('a name or a value that cannot be sent is refused where it stands', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const create = (headers: unknown) =>
    call('POST', '/v1/webhooks', { key, body: { url: 'https://example.com/h', events: ['agent.created'], headers } })
  const wrong: [unknown, string][] = [
    ...['Host', 'content-type', 'X-Signature-Next', 'X-Service-Test', 'webhook-id', 'Cookie', 'a b', 'é', ''].map(
      (name): [unknown, string] => [{ [name]: 'x' }, `headers.${name}`],
    ),
    [{ 'X-A': '1', 'x-a': '2' }, 'headers.x-a'],
    [{ 'X-A': 'é' }, 'headers.X-A'],
    [{ 'X-A': 'a\nb' }, 'headers.X-A'],
    [{ 'X-A': 'x'.repeat(1_025) }, 'headers.X-A'],
    [{ 'X-A': 1 }, 'headers.X-A'],
    [Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`X-${n}`, ''])), 'headers'],
    [[], 'headers'],
  ]
  for (const [headers, param] of wrong) {
    assertRefused(await create(headers), 400, 'validation_error', { param })
  }
  const most = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`X-${n}`, 'x'.repeat(1_024)]))
  assert.equal((await create(most)).status, 201)
})
