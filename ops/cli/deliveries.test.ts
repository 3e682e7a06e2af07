import assert from 'node:assert/strict'
import type { App } from '../../src/app.ts'
import { openDeliverer } from '../../src/deliveries/deliver.ts'
import { openHttp } from '../../src/outbound/http.ts'
import { minuteMs } from '../../src/shapes/durations.ts'
import { decodeId } from '../../src/shapes/ids.ts'
import {
  makeAgent,
  makeCalendar,
  makeHold,
  makeOrganization,
  makeWebhook,
  type OrganizationOptions,
} from '../../src/testing/factories.ts'
import type { TestService } from '../../src/testing/harness.ts'
import { openProcess } from '../../src/testing/process.ts'
import { openReceiver } from '../../src/testing/receiver.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { deliveriesDue } from '../../src/webhooks/due.ts'
import { deliveryCommands } from './deliveries.ts'

const test = serviceTest()
  // The output of `deliveries show`, as fields.
  .extend('show', perFile, ({ service }) => async (id: string) => {
    const command = deliveryCommands.find(({ name }) => name === 'deliveries show')!
    const tools = { app: service.app, progress: () => undefined, stopped: new AbortController().signal }
    const { json, text } = await command.run(tools, { words: [id], options: {} })
    const shown = json as { status: string; last_outcome: string | null; waits_for: string | null }
    for (const field of ['last_outcome', 'waits_for'] as const) {
      assert.match(text, new RegExp(`^${field} +${(shown[field] ?? '-').replace(/[.()]/g, '\\$&')}$`, 'm'))
    }
    return shown
  })
  .extend('readHistory', perFile, ({ call }) => async (key: string, webhookId: string) => {
    const { body } = await call('GET', `/v1/webhooks/${webhookId}/deliveries`, { key })
    return body.data
  })
  // An organization whose webhook has one delivery to get.
  .extend(
    'subscribe',
    perFile,
    ({ service, receiver, readHistory }) =>
      async (url = receiver.url, options: OrganizationOptions = {}) => {
        const organization = await makeOrganization(service, options)
        const webhook = await makeWebhook(service, organization.key, url, ['agent.created'])
        await makeAgent(service, organization.key)
        const [delivery] = await readHistory(organization.key, webhook.id)
        return { ...organization, webhook, deliveryId: delivery.id as string }
      },
  )

/** One attempt of each delivery that is due, by a worker of another configuration. */
async function attemptBy(app: App) {
  const deliverer = openDeliverer(app)
  for (const wakeup of await deliveriesDue.due(app, app.clock.now())) {
    if (wakeup.name === 'deliver') await deliverer.deliver(wakeup.payload)
  }
  await deliverer.settle()
}

const inMinutes = ({ clock }: TestService, minutes: number) =>
  new Date(clock.now().getTime() + minutes * minuteMs).toISOString()

test('a delivery that failed shows why, and when it is tried again', async ({
  service,
  show,
  readHistory,
  subscribe,
}) => {
  const elsewhere = await openReceiver()
  const { key, webhook, deliveryId } = await subscribe(elsewhere.url)
  assert.deepEqual(
    [(await show(deliveryId)).last_outcome, (await show(deliveryId)).waits_for],
    [null, `a worker: it is due since ${service.clock.now().toISOString()}`],
  )
  elsewhere.answer = () => 401
  await service.drain()
  const refused = await show(deliveryId)
  assert.deepEqual([refused.last_outcome, refused.waits_for], ['answered 401', `the retry at ${inMinutes(service, 1)}`])

  await elsewhere.close()
  await service.clock.advance(minuteMs)
  await service.drain()
  const unreached = await show(deliveryId)
  assert.deepEqual(
    [unreached.last_outcome, unreached.waits_for],
    ['no connection', `the retry at ${inMinutes(service, 5)}`],
  )
  const [row] = await service.app.sql`
    select last_outcome, last_http_status from webhook_deliveries where id = ${decodeId('whd', deliveryId)!}`
  assert.deepEqual({ ...row }, { lastOutcome: 'connect', lastHttpStatus: null })

  // The contract fixes what its owner may read.
  assert.deepEqual(Object.keys((await readHistory(key, webhook.id))[0]).sort(), [
    ...['attempts', 'created_at', 'event_type', 'id', 'last_attempt_at', 'next_retry_at', 'status', 'subscription_id'],
  ])
  await service.call('DELETE', `/v1/webhooks/${webhook.id}`, { key })
  assert.equal((await show(deliveryId)).waits_for, 'nothing: its webhook has been removed, so it is never sent')
})

test('a webhook whose host lost its trust shows that, and a later success leaves no trace of it', async ({
  service,
  receiver,
  show,
  subscribe,
}) => {
  const { deliveryId } = await subscribe()
  const wary = await openProcess(service, { config: { trustedHosts: [] } })
  await attemptBy(wary.app)
  await wary.close()
  assert.equal(
    (await show(deliveryId)).last_outcome,
    'not sent: its host resolves to a private address or is reached over plain http, and is not in OUTBOUND_TRUSTED_HOSTS',
  )
  receiver.answer = () => 204
  await service.clock.advance(minuteMs)
  await attemptBy(service.app)
  const { status, last_outcome, waits_for } = await show(deliveryId)
  assert.deepEqual([status, last_outcome, waits_for], ['delivered', 'delivered', null])
  const [row] = await service.app.sql`
    select last_outcome, last_http_status from webhook_deliveries where id = ${decodeId('whd', deliveryId)!}`
  assert.deepEqual({ ...row }, { lastOutcome: null, lastHttpStatus: 204 })
})

test('a host without an address is told apart from a host that is down', async ({ service, show, subscribe }) => {
  const { deliveryId, key, webhook } = await subscribe('https://unknown.example.com/hook')
  const http = openHttp({ trustedHosts: [], lookup: async () => [] })
  await attemptBy({ ...service.app, http })
  await http.close()
  assert.equal((await show(deliveryId)).last_outcome, 'the name of its host could not be resolved')
  await service.call('DELETE', `/v1/webhooks/${webhook.id}`, { key })
})

test('a redirect is shown as not followed, and the last attempt stays on record', async ({
  service,
  receiver,
  show,
  subscribe,
}) => {
  const { deliveryId } = await subscribe(receiver.url, { plan: 'free' })
  receiver.answer = () => 302
  for (const minutes of [0, 1, 5, 30]) {
    await service.clock.advance(minutes * minuteMs)
    await service.drain()
  }
  const { status, last_outcome, waits_for } = await show(deliveryId)
  assert.deepEqual([status, last_outcome, waits_for], ['failed', 'answered 302, and redirects are not followed', null])
})

test('a delivery shows that it waits for an attempt under way, an inactive webhook or an earlier event', async ({
  service,
  receiver,
  show,
  readHistory,
  subscribe,
}) => {
  const { key, webhook, deliveryId } = await subscribe()
  let seen: string | null = null
  receiver.answer = async () => {
    seen = (await show(deliveryId)).waits_for
    return 500
  }
  await service.drain()
  const lost = new Date(service.clock.now().getTime() + 15_000).toISOString()
  assert.equal(seen, `the attempt under way, which counts as lost at ${lost}`)
  await service.call('PATCH', `/v1/webhooks/${webhook.id}`, { key, body: { active: false } })
  const parked = await show(deliveryId)
  assert.deepEqual([parked.last_outcome, parked.waits_for], ['answered 500', 'its webhook, which is not active'])

  const { key: other } = await makeOrganization(service, { plan: 'custom' })
  const changes = await makeWebhook(service, other, receiver.url, ['event.hold_expired', 'event.hold_created'])
  const calendar = await makeCalendar(service, other)
  await makeHold(service, other, calendar.id)
  await makeHold(service, other, calendar.id, { hold_priority: 5 })
  const [created, expired] = await readHistory(other, changes.id)
  assert.equal((await show(created.id)).waits_for, `${expired.id}, which is sent before it`)
  await service.call('DELETE', `/v1/webhooks/${changes.id}`, { key: other })
})

test('a delivery beyond the budget of the month shows that it is not sent', async ({
  service,
  receiver,
  show,
  subscribe,
}) => {
  const { deliveryId } = await subscribe(receiver.url, { plan: 'custom', limits: { webhook_deliveries: 0 } })
  await service.drain()
  const { status, last_outcome, waits_for } = await show(deliveryId)
  assert.deepEqual([status, last_outcome, waits_for], ['failed', 'not sent: the month had no deliveries left', null])
})
