import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ahead, makeCalendar, makeHold, makeOrganization, makeWebhook } from '../src/testing/factories.ts'
import { openTestService, type TestService } from '../src/testing/harness.ts'
import { openReceiver, type Receiver } from '../src/testing/receiver.ts'

let service: TestService
let receiver: Receiver

before(async () => {
  service = await openTestService()
  receiver = await openReceiver()
})
after(async () => {
  await receiver.close()
  await service.close()
})

test('a hold that lapses tells the receiver, once', async () => {
  const { key } = await makeOrganization(service)
  await makeWebhook(service, key, receiver.url, ['event.hold_created', 'event.hold_expired'])
  const calendar = await makeCalendar(service, key)
  const hold = await makeHold(service, key, calendar.id, { hold_expires_at: ahead(service, 1) })
  await service.drain()
  assert.deepEqual(receiver.types(), ['event.hold_created'])
  await service.clock.advance(61_000)
  await service.drain()
  assert.deepEqual(receiver.types(), ['event.hold_created', 'event.hold_expired'])
  assert.deepEqual(receiver.received[1]?.payload, { calendar_id: calendar.id, event_id: hold.id })
})
