import assert from 'node:assert/strict'
import { ahead, makeCalendar, makeHold } from '../src/testing/factories.ts'
import { serviceTest } from '../src/testing/test.ts'

const test = serviceTest({ receives: ['event.hold_created', 'event.hold_expired'] })

test('a hold that lapses tells the receiver, once', async ({ service, key, receiver }) => {
  const calendar = await makeCalendar(service, key)
  const hold = await makeHold(service, key, calendar.id, { hold_expires_at: ahead(service, 1) })
  await service.drain()
  assert.deepEqual(receiver.types(), ['event.hold_created'])
  await service.clock.advance(61_000)
  await service.drain()
  assert.deepEqual(receiver.types(), ['event.hold_created', 'event.hold_expired'])
  assert.deepEqual(receiver.received[1]?.payload, { calendar_id: calendar.id, event_id: hold.id })
})
