// Webhook events about changes of events.
import assert from 'node:assert/strict'
import { decodeId } from '../../src/shapes/ids.ts'
import { deskTest, minimal } from '../../src/testing/eventDesk.ts'
import { makeEvent } from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = deskTest({ receives: ['event.created', 'event.updated', 'event.deleted'] })

test.beforeEach(async ({ service, receiver }) => {
  await service.drain()
  receiver.received.length = 0
})

test('creating an event sends event.created with the record', async ({
  service,
  receiver,
  desk: { calendar, post },
}) => {
  const { body } = await post(minimal)
  await service.drain()
  assert.deepEqual(
    receiver.received.map(({ type, payload }) => ({ type, payload })),
    [{ type: 'event.created', payload: { calendar_id: calendar.id, event: body } }],
  )
})

test('an event may be created as cancelled, and then behaves like any cancelled one', async ({
  service,
  key,
  receiver,
  desk: { calendar, patch },
}) => {
  const event = await makeEvent(service, key, calendar.id, { status: 'cancelled' })
  assert.equal(event.status, 'cancelled')
  assertRefused(await patch(event.id, { status: 'confirmed' }), 400, 'invalid_transition', { param: 'status' })
  await service.drain()
  assert.deepEqual(receiver.types(), ['event.created'])
})

test('PATCH sends event.updated with the record', async ({ service, key, receiver, desk: { calendar, patch } }) => {
  const event = await makeEvent(service, key, calendar.id)
  const { body } = await patch(event.id, { title: 'Renamed' })
  await service.drain()
  assert.deepEqual(receiver.types(), ['event.created', 'event.updated'])
  assert.deepEqual(receiver.received[1]?.payload, { calendar_id: calendar.id, event: body })
})

test('a deleted event is not found by any call, and event.deleted is sent once', async ({
  service,
  call,
  key,
  receiver,
  desk: { calendar, pathOf, get, patch, remove, confirm },
}) => {
  const event = await makeEvent(service, key, calendar.id)
  const answer = await remove(event.id)
  assert.equal(answer.status, 204)
  assert.equal(answer.body, '')
  const lost = { code: 'event_not_found' }
  assertRefused(await get(event.id), 404, 'not_found', lost)
  assertRefused(await patch(event.id, { title: 'x' }), 404, 'not_found', lost)
  assertRefused(await remove(event.id), 404, 'not_found', lost)
  assertRefused(await confirm(event.id), 404, 'not_found', lost)
  const list = await call('GET', pathOf(), { key })
  assert.deepEqual(list.body, { data: [], total: 0, limit: 50, offset: 0 })
  await service.drain()
  assert.deepEqual(receiver.types(), ['event.created', 'event.deleted'])
  assert.deepEqual(receiver.received[1]?.payload, { calendar_id: calendar.id, event_id: event.id })
})

test('deleting a calendar removes its events and sends no event.deleted for each', async ({
  service,
  call,
  key,
  receiver,
  desk: { calendar, pathOf, post, get, confirm },
}) => {
  const event = await makeEvent(service, key, calendar.id)
  assert.equal((await call('DELETE', `/v1/calendars/${calendar.id}`, { key })).status, 204)
  const gone = { code: 'calendar_not_found' }
  assertRefused(await get(event.id), 404, 'not_found', gone)
  assertRefused(await post(minimal), 404, 'not_found', gone)
  assertRefused(await call('GET', pathOf(), { key }), 404, 'not_found', gone)
  assertRefused(await confirm(event.id), 404, 'not_found', { code: 'event_not_found' })
  await service.drain()
  assert.deepEqual(receiver.types(), ['event.created'])
})

test('the database holds no plain title or description', async ({ service, key, desk: { calendar, get, patch } }) => {
  const secret = 'Acquisition of Initech'
  const event = await makeEvent(service, key, calendar.id, { title: secret, description: `${secret}, in detail` })
  await patch(event.id, { title: `${secret} again`, description: `${secret}, more` })
  const [row] = await service.app.sql<{ whole: string; titleSealed: Buffer; descriptionSealed: Buffer }[]>`
    select row_to_json(e)::text as whole, title_sealed, description_sealed from events e
    where id = ${decodeId('evt', event.id)!}`
  assert.doesNotMatch(row!.whole, /Initech/)
  assert.doesNotMatch(Buffer.from(row!.titleSealed).toString('latin1'), /Initech/)
  assert.doesNotMatch(Buffer.from(row!.descriptionSealed).toString('latin1'), /Initech/)
  const entries = await service.app.sql<{ payloadSealed: Buffer }[]>`select payload_sealed from changes`
  assert.ok(entries.length > 0)
  for (const { payloadSealed } of entries) assert.doesNotMatch(Buffer.from(payloadSealed).toString('latin1'), /Initech/)
  assert.equal((await get(event.id)).body.title, `${secret} again`)
})
