import assert from 'node:assert/strict'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { openReceiver } from '../../../src/testing/receiver.ts'
import { clientTest } from '../../testing/client.ts'
import { verifyWebhook, type WebhookDelivery, WebhookVerificationError } from './entry.ts'

const test = clientTest()

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const now = new Date('2026-03-02T09:00:00Z')
const body = '{"calendar_id":"cal_1","event_id":"evt_1"}'

async function ownSignature(text: string, timestamp: string, of = secret): Promise<string> {
  const key = await crypto.subtle.importKey('raw', Buffer.from(of), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const bytes = await crypto.subtle.sign('HMAC', key, Buffer.from(`${timestamp}.${text}`))
  return `sha256=${Buffer.from(bytes).toString('hex')}`
}

const seconds = String(now.getTime() / 1000)
const own = async (more: object = {}) => ({
  'X-Timestamp': seconds,
  'X-Signature': await ownSignature(body, seconds),
  'X-Delivery-Id': 'whd_1',
  'X-Service-Event-Type': 'event.deleted',
  ...more,
})
const standard = (more: object = {}) => ({
  'webhook-id': 'whd_1',
  'webhook-timestamp': seconds,
  'webhook-signature': new StandardWebhook(secret).sign('whd_1', now, body),
  'x-service-event-type': 'event.deleted',
  ...more,
})

const reasonOf = (delivery: Omit<WebhookDelivery, 'secret'> & { secret?: string | string[] }) =>
  verifyWebhook({ secret, now, ...delivery }).then(
    ({ type }) => type,
    (error: unknown) => (error instanceof WebhookVerificationError ? error.reason : Promise.reject(error)),
  )

test('a delivery of the service is genuine by either scheme, and typed by its type', async ({ service, calendar }) => {
  const receiver = await openReceiver()
  try {
    const made = await calendar.webhooks.create({ url: receiver.url, events: ['agent.created'], standard: true })
    const agent = await calendar.agents.create({ name: 'Scheduler', type: 'ai' })
    await service.drain()
    const [{ raw, headers }] = receiver.received as [(typeof receiver.received)[0]]
    const at = { body: raw, secret: made.secret, now: service.clock.now() }
    for (const left of [/^x-(signature|timestamp)/, /^webhook-/]) {
      const some = Object.fromEntries(Object.entries(headers).filter(([name]) => !left.test(name)))
      const event = await verifyWebhook({ ...at, headers: some })
      assert.ok(event.type === 'agent.created')
      assert.equal(event.payload.agent.id, agent.id)
      assert.match(event.deliveryId, /^whd_/)
      assert.match(event.changeId!, /^chg_/)
      assert.equal(event.isTest, false)
      await assert.rejects(verifyWebhook({ ...at, body: `${raw} `, headers: some }), WebhookVerificationError)
    }
    // While a secret is rotated, receivers with the new one and receivers with the old one both verify.
    const { secret: next } = await calendar.webhooks.rotateSecret(made.id, {})
    await calendar.agents.create({ name: 'Another', type: 'ai' })
    await service.drain()
    const second = receiver.received.at(-1)!
    for (const known of [made.secret, next]) {
      const given = {
        body: second.raw,
        now: service.clock.now(),
        headers: new Headers(second.headers as Record<string, string>),
      }
      assert.equal((await verifyWebhook({ ...given, secret: known })).type, 'agent.created')
    }
  } finally {
    await receiver.close()
  }
})

test('both schemes, names of headers in any case, bytes or text, one of several secrets', async () => {
  const headers = await own()
  assert.equal(await reasonOf({ body, headers }), 'event.deleted')
  assert.equal(await reasonOf({ body: Buffer.from(body), headers: new Headers(headers) }), 'event.deleted')
  assert.equal(await reasonOf({ body, headers: standard() }), 'event.deleted')
  assert.equal(await reasonOf({ body, headers, secret: ['whsec_another', secret] }), 'event.deleted')
  const bytes = new TextEncoder().encode(body)
  assert.equal(await reasonOf({ body: bytes.buffer as ArrayBuffer, headers: standard() }), 'event.deleted')
})

test('what is changed, too old or from the future is refused', async () => {
  const headers = await own()
  assert.equal(await reasonOf({ body: body.replace('evt_1', 'evt_2'), headers }), 'wrong_signature')
  assert.equal(await reasonOf({ body, headers, secret: 'whsec_another' }), 'wrong_signature')
  assert.equal(
    await reasonOf({ body, headers: { ...headers, 'X-Timestamp': String(Number(seconds) + 1) } }),
    'wrong_signature',
  )
  assert.equal(await reasonOf({ body, headers: standard({ 'webhook-id': 'whd_2' }) }), 'wrong_signature')
  const at = (offset: number) => new Date(now.getTime() + offset * 1000)
  assert.equal(await reasonOf({ body, headers, now: at(300) }), 'event.deleted')
  assert.equal(await reasonOf({ body, headers, now: at(301) }), 'too_old')
  assert.equal(await reasonOf({ body, headers, now: at(-301) }), 'too_new')
  assert.equal(await reasonOf({ body, headers, now: at(3000), toleranceSeconds: 3600 }), 'event.deleted')
  assert.equal(await reasonOf({ body, headers, toleranceSeconds: Number.NaN }), 'too_old')
})

test('signatures of any other length or form are refused, and none crashes', async () => {
  const { 'X-Signature': good } = await own()
  const hex = good.slice('sha256='.length)
  const wrong = ['', 'sha256=', `sha256=${hex.slice(1)}`, `sha256=${hex}0`, `sha256=${hex}${hex}`, hex, `sha1=${hex}`]
  for (const signature of [...wrong, `sha256=${hex.toUpperCase()}`, ` ${good}`, `${good}\0`, 'sha256=é'.repeat(9)]) {
    assert.equal(
      await reasonOf({ body, headers: await own({ 'X-Signature': signature }) }),
      'missing_headers',
      signature,
    )
  }
  assert.equal(
    await reasonOf({ body, headers: await own({ 'X-Signature': `sha256=${'0'.repeat(64)}` }) }),
    'wrong_signature',
  )
  assert.equal(await reasonOf({ body, headers: await own({ 'X-Signature': [good, good] }) }), 'missing_headers')
  for (const timestamp of ['', '-1', '1e3', '99999999999999999999', 'NaN', `${seconds}.0`, ` ${seconds}`]) {
    assert.equal(
      await reasonOf({ body, headers: await own({ 'X-Timestamp': timestamp }) }),
      'missing_headers',
      timestamp,
    )
  }
  const [, base64] = new StandardWebhook(secret).sign('whd_1', now, body).split(',')
  for (const list of ['', 'v1', 'v1,', `v2,${base64}`, `v1,${base64!.slice(4)}`, 'v1,!!!!', `v1a,${base64}`]) {
    assert.equal(await reasonOf({ body, headers: standard({ 'webhook-signature': list }) }), 'missing_headers', list)
  }
  const late = `${'v1,AAAA '.repeat(50)}v1,${base64}`
  assert.equal(await reasonOf({ body, headers: standard({ 'webhook-signature': late }) }), 'missing_headers')
})

test('a genuine body that is not JSON, a parsed body and a secret that is none', async () => {
  const headers = await own({ 'X-Signature': await ownSignature('hello', seconds) })
  assert.equal(await reasonOf({ body: 'hello', headers }), 'not_json')
  await assert.rejects(verifyWebhook({ body: {} as never, headers, secret }), /raw body/)
  for (const none of ['', [], undefined]) {
    await assert.rejects(verifyWebhook({ body, headers, secret: none as never }), /signing secret/)
  }
})
