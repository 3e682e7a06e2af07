// Secrets: rotation with its overlap, and what signs a delivery meanwhile, as independent receivers verify it.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { decodeId } from '../../src/shapes/ids.ts'
import { deliveryTest } from '../../src/testing/deliveries.ts'
import { makeAgent, makeCalendar, makeHold, makeOrganization } from '../../src/testing/factories.ts'
import type { Received } from '../../src/testing/receiver.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { unknownWebhook } from '../../src/testing/webhooks.ts'
import { upkeepHandlers } from '../../workers/upkeep.ts'

const test = deliveryTest().extend(
  'rotation',
  { scope: 'file' },
  ({ service, newReceiver }) =>
    async (events = ['agent.created']) => {
      const receiver = await newReceiver()
      const { key } = await makeOrganization(service, { plan: 'custom' })
      const made = await service.call('POST', '/v1/webhooks', {
        key,
        body: { url: receiver.url, events, standard: true },
      })
      const webhook = made.body as { id: string; secret: string }
      const at = `/v1/webhooks/${webhook.id}/secret`
      return {
        key,
        receiver,
        webhook,
        rotate: (body: object = {}) => service.call('POST', `${at}/rotate`, { key, body }),
        endOverlap: () => service.call('DELETE', `${at}/previous`, { key }),
        /** Until when the record says that the previous secret signs as well. */
        overlap: async (): Promise<string | undefined> =>
          (await service.call('GET', `/v1/webhooks/${webhook.id}`, { key })).body.previousSecretExpiresAt,
        /** The delivery of a new agent. */
        async next(): Promise<Received> {
          await makeAgent(service, key)
          await service.drain()
          return receiver.received.at(-1)!
        },
      }
    },
)

const signs = (secret: string, { headers, raw }: Received, name = 'x-signature') =>
  headers[name] === `sha256=${createHmac('sha256', secret).update(`${headers['x-timestamp']}.${raw}`).digest('hex')}`

function verifies(secret: string, { headers, raw }: Received): boolean {
  const sent = headers as Record<string, string>
  // The receiver's own clock is the real one, the service's is set: both look at the same minute.
  const shifted = { ...sent, 'webhook-timestamp': sent['webhook-timestamp']! }
  const realNow = Date.now
  Date.now = () => Number(sent['webhook-timestamp']) * 1000
  try {
    new Webhook(secret).verify(raw, shifted)
    return true
  } catch {
    return false
  } finally {
    Date.now = realNow
  }
}

test('in an overlap the secret of before signs as ever and the new one beside it; then the new one alone', async ({
  service,
  rotation,
}) => {
  const { webhook, rotate, next, overlap } = await rotation()
  const before = await next()
  assert.ok(signs(webhook.secret, before) && verifies(webhook.secret, before))
  assert.equal(before.headers['x-signature-next'], undefined)

  const { status, body } = await rotate({ overlap_seconds: 60 })
  assert.equal(status, 200)
  const { secret, ...rest } = body
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.notEqual(secret, webhook.secret)
  assert.deepEqual(rest, { previous_expires_at: new Date(service.clock.now().getTime() + 60_000).toISOString() })
  assert.equal(await overlap(), rest.previous_expires_at)
  const during = await next()
  assert.ok(signs(webhook.secret, during) && signs(secret, during, 'x-signature-next'))
  assert.ok(verifies(webhook.secret, during) && verifies(secret, during))
  assert.equal(verifies('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=', during), false)

  await service.clock.advance(60_000)
  assert.equal(await overlap(), undefined)
  const after = await next()
  assert.ok(signs(secret, after) && verifies(secret, after))
  assert.deepEqual([signs(webhook.secret, after), verifies(webhook.secret, after)], [false, false])
  assert.equal(after.headers['x-signature-next'], undefined)
})

test('without a body the overlap is a day; an overlap of 0 has none', async ({ service, rotation }) => {
  const { webhook, rotate, next } = await rotation()
  const plain = await rotate()
  const tomorrow = new Date(service.clock.now().getTime() + 86_400_000).toISOString()
  assert.deepEqual([plain.status, plain.body.previous_expires_at], [200, tomorrow])
  await service.clock.advance(86_400_000)
  const atOnce = await rotate({ overlap_seconds: 0 })
  assert.deepEqual([atOnce.status, atOnce.body.previous_expires_at], [200, null])
  const sent = await next()
  assert.ok(signs(atOnce.body.secret, sent))
  assert.equal(verifies(plain.body.secret, sent) || verifies(webhook.secret, sent), false)
  assert.equal((await rotate({ overlap_seconds: 604_800 })).status, 200)
})

test('an open overlap refuses the next rotation unless it is forced: then what signs now goes on, and the one between is gone', async ({
  rotation,
}) => {
  const { webhook, rotate, next } = await rotation()
  const between = (await rotate()).body.secret
  assertRefused(await rotate(), 409, 'conflict', { param: 'force' })
  assertRefused(await rotate({ overlap_seconds: 0 }), 409, 'conflict', { param: 'force' })
  const forced = (await rotate({ force: true })).body
  const sent = await next()
  assert.ok(signs(webhook.secret, sent) && signs(forced.secret, sent, 'x-signature-next'))
  assert.ok(verifies(webhook.secret, sent) && verifies(forced.secret, sent))
  assert.equal(verifies(between, sent), false)
})

test('the overlap ends on request, twice too, and the next rotation needs no force', async ({ service, rotation }) => {
  const { key, webhook, rotate, endOverlap, overlap, next } = await rotation()
  assert.equal((await endOverlap()).status, 204)
  const { secret } = (await rotate()).body
  assert.deepEqual([(await endOverlap()).status, (await endOverlap()).status], [204, 204])
  assert.equal(await overlap(), undefined)
  const sent = await next()
  assert.ok(signs(secret, sent))
  assert.equal(verifies(webhook.secret, sent), false)
  assert.equal(sent.headers['x-signature-next'], undefined)
  assert.equal((await rotate()).status, 200)
  const { body } = await service.call('GET', '/v1/audit-log?action=webhook.rotate', { key })
  assert.deepEqual(
    body.data.map(({ resource, method }: Record<string, string>) => [resource, method]),
    [
      [webhook.id, 'POST'],
      [webhook.id, 'DELETE'],
      [webhook.id, 'POST'],
    ],
  )
})

test('a rotation that is asked for again with its key gets the same secret', async ({ service, rotation }) => {
  const { key, webhook } = await rotation()
  const ask = () =>
    service.call('POST', `/v1/webhooks/${webhook.id}/secret/rotate`, { key, headers: { 'Idempotency-Key': 'once' } })
  const [first, second] = await Promise.all([ask(), ask()])
  assert.deepEqual([first.status, second.status, second.body], [200, 200, first.body])
})

test('what is not as specified is refused', async ({ service, rotation }) => {
  const { key, rotate } = await rotation()
  for (const overlap_seconds of [-1, 604_801, 1.5, '60', null]) {
    assertRefused(await rotate({ overlap_seconds }), 400, 'validation_error', { param: 'overlap_seconds' })
  }
  assertRefused(await rotate({ force: 'yes' }), 400, 'validation_error', { param: 'force' })
  assertRefused(await rotate({ overlap: 1 }), 400, 'validation_error', { param: 'overlap' })
  const at = `/v1/webhooks/${unknownWebhook}/secret`
  assertRefused(await service.call('POST', `${at}/rotate`, { key, body: {} }), 404, 'not_found')
  assertRefused(await service.call('DELETE', `${at}/previous`, { key }), 404, 'not_found')
})

test('a webhook without these features sends none of their headers', async ({
  service,
  newReceiver,
  desk: { subscribe },
}) => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver)
  await makeAgent(service, key)
  await service.drain()
  const [{ headers }] = receiver.received as [Received]
  for (const name of [
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
    'x-signature-next',
    'x-change-id',
    'x-service-test',
  ])
    assert.equal(headers[name], undefined, name)
  assert.equal('standard' in webhook, false)
})

test('standard is shown where it is used or asked for, and taken back by a PATCH', async ({
  service,
  newReceiver,
  desk: { patchWebhook, readWebhook, subscribe },
}) => {
  const receiver = await newReceiver()
  const { key, webhook } = await subscribe(receiver)
  assert.equal((await patchWebhook(key, webhook.id, { standard: true })).body.standard, true)
  assert.equal((await readWebhook(key, webhook.id)).standard, true)
  await makeAgent(service, key)
  await service.drain()
  const [{ headers, deliveryId }] = receiver.received as [Received]
  assert.equal(headers['webhook-id'], deliveryId)
  assert.equal(headers['webhook-timestamp'], headers['x-timestamp'])
  assert.match(String(headers['x-change-id']), /^chg_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  assert.equal(
    (await patchWebhook(key, webhook.id, { events: ['agent.created', 'agent.updated'] })).body.standard,
    true,
  )
  assert.equal((await patchWebhook(key, webhook.id, { standard: false })).body.standard, false)
  assert.equal('standard' in (await readWebhook(key, webhook.id)), false)
  assertRefused(await patchWebhook(key, webhook.id, { standard: 'yes' }), 400, 'validation_error', {
    param: 'standard',
  })
})

test('under rotations without end, every delivery verifies by the secret of before or the new one alone', async ({
  service,
  rotation,
}) => {
  const { key, receiver, webhook, rotate, endOverlap } = await rotation()
  /** All secrets in the order of their lives; each is the new one of one rotation. */
  const secrets = [webhook.secret]
  let isDone = false
  const rotating = (async () => {
    while (!isDone) {
      const answer = await rotate({ overlap_seconds: 3_600 })
      assert.equal(answer.status, 200)
      secrets.push(answer.body.secret)
      await endOverlap()
    }
  })()
  const before = receiver.received.length
  for (let round = 0; round < 10; round++) {
    await Promise.all(Array.from({ length: 5 }, () => makeAgent(service, key)))
    await service.drain()
  }
  isDone = true
  await rotating
  const sent = receiver.received.slice(before)
  assert.equal(sent.length, 50)
  assert.ok(secrets.length > 5, `${secrets.length} secrets`)
  for (const one of sent) assert.ok(secrets.some((secret) => signs(secret, one) && verifies(secret, one)))
})

test('a secret whose overlap is over is not kept', async ({ service, rotation }) => {
  const { webhook, rotate } = await rotation()
  await rotate({ overlap_seconds: 60 })
  const kept = async () => {
    const [row] = await service.app.sql<{ isKept: boolean }[]>`
      select secret_previous_sealed is not null as is_kept
      from webhook_subscriptions
      where id = ${decodeId('whk', webhook.id)!}`
    return row!.isKept
  }
  await upkeepHandlers(service.app).purge({ hour: 0 })
  assert.equal(await kept(), true)
  await service.clock.advance(60_000)
  await upkeepHandlers(service.app).purge({ hour: 1 })
  assert.equal(await kept(), false)
})

test('a standard delivery names its change and the revision of its calendar', async ({ service, rotation }) => {
  const { key, receiver } = await rotation(['event.hold_created', 'event.hold_expired', 'agent.created'])
  const calendar = await makeCalendar(service, key)
  await makeHold(service, key, calendar.id)
  await makeHold(service, key, calendar.id, { hold_priority: 5 })
  await makeAgent(service, key)
  await service.drain()
  const told = receiver.received.map(({ type, headers }) => [
    type,
    headers['x-change-id'],
    headers['x-calendar-revision'],
  ])
  const [one, two, three] = [...new Set(told.map(([, change]) => change))]
  assert.deepEqual(
    told.toSorted((a, b) => String(a[1]).localeCompare(String(b[1]))),
    [
      ['event.hold_created', one, '1'],
      ['event.hold_expired', two, '2'],
      ['event.hold_created', two, '2'],
      ['agent.created', three, undefined],
    ],
  )
})
