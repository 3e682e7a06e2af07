// A replay that meets the result of an attempt.
import assert from 'node:assert/strict'
import { openDeliverer } from '../../src/deliveries/deliver.ts'
import { decodeId } from '../../src/shapes/ids.ts'
import { deliveryTest, openGate } from '../../src/testing/deliveries.ts'
import { makeCalendar, makeHold, makeOrganization, makeWebhook } from '../../src/testing/factories.ts'
import { untilWaiting, whileOpen } from '../../src/testing/locks.ts'
import { until } from '../../src/testing/until.ts'
import { walkReplay } from '../../src/webhooks/replayWalk.ts'

const test = deliveryTest()

test('what a replay makes wait for an attempt leaves after it, also if its result is recorded at the same moment', async ({
  service,
  call,
  newReceiver,
  desk: { history, serve },
}) => {
  const receiver = await newReceiver()
  const organization = await makeOrganization(service, { plan: 'custom' })
  const { key } = organization
  const from = service.clock.now().toISOString()
  const webhook = await makeWebhook(service, key, receiver.url, ['event.hold_expired', 'event.hold_created'])
  const path = `/v1/webhooks/${webhook.id}`
  // The second hold takes the place of the first: two events of one change.
  const calendar = await makeCalendar(service, key)
  await makeHold(service, key, calendar.id)
  await makeHold(service, key, calendar.id, { hold_priority: 5 })
  await service.drain()
  const deliveries = (await history(key, webhook.id)).data
  const expired = deliveries.find((one: { event_type: string }) => one.event_type === 'event.hold_expired')
  assert.equal((await call('POST', `${path}/deliveries/${expired.id}/resend`, { key })).status, 202)

  // Its attempt is under way while the replay begins.
  const { open, opened } = openGate()
  const before = receiver.received.length
  receiver.answer = () => opened.then(() => 200)
  const deliverer = openDeliverer(service.app)
  const serving = serve(organization, deliverer)
  await until(() => receiver.received.length > before)
  const { body: replay } = await call('POST', `${path}/replay`, { key, body: { from, only: 'all' } })
  assert.equal(replay.matched, 3)
  const keyOfReplay = { orgId: decodeId('org', organization.id)!, id: decodeId('rpl', replay.id)! }
  await whileOpen(service.app.sql, {
    change: (sql) => sql`select from webhook_delivery_counts where org_id = ${keyOfReplay.orgId} for update`,
    // The replay has changed its deliveries, and waits for the counts. The result waits for the replay.
    work: () => walkReplay(service.app, keyOfReplay),
    async meanwhile() {
      open()
      await untilWaiting(service.app.sql, 2)
    },
  })
  await serving
  await deliverer.close()
  await service.drain()
  const { data, stats } = await history(key, webhook.id)
  assert.deepEqual(stats, { pending: 0, delivered: 3, failed: 0 })
  assert.deepEqual(
    data.filter(({ status }: { status: string }) => status !== 'delivered'),
    [],
  )
})
