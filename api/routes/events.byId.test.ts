// An event by its id alone: the same use cases as through its calendar.
import assert from 'node:assert/strict'
import { afterAll, beforeAll, test } from 'vitest'
import {
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
  makeWebhook,
} from '../../src/testing/factories.ts'
import { openTestService, type TestService } from '../../src/testing/harness.ts'
import { openReceiver, type Receiver } from '../../src/testing/receiver.ts'
import { assertRefused } from '../../src/testing/refused.ts'

let service: TestService
let receiver: Receiver
let key: string
let calendarId: string

beforeAll(async () => {
  service = await openTestService()
  receiver = await openReceiver()
  ;({ key } = await makeOrganization(service))
  calendarId = (await makeCalendar(service, key)).id
})
afterAll(async () => {
  await receiver.close()
  await service.close()
})

const short = (id: string) => `/v1/events/${id}`
const long = (id: string) => `/v1/calendars/${calendarId}/events/${id}`
const call = (method: string, path: string, body?: object, by = key) => service.call(method, path, { key: by, body })
const lost = { code: 'event_not_found' }

test('an event reads the same by both paths', async () => {
  const { id } = await makeEvent(service, key, calendarId)
  const [one, other] = [await call('GET', short(id)), await call('GET', long(id))]
  assert.equal(one.status, 200)
  assert.deepEqual(one.body, other.body)
})

test('it is changed and deleted, and webhooks and the audit log hear of it as by the long path', async () => {
  const types = ['event.updated', 'event.deleted'] as const
  const webhook = await makeWebhook(service, key, receiver.url, types)
  const { id } = await makeEvent(service, key, calendarId)
  const changed = await call('PATCH', short(id), { title: 'Renamed' })
  assert.deepEqual([changed.status, changed.body.title], [200, 'Renamed'])
  assertRefused(await call('PATCH', short(id), {}), 400, 'validation_error')
  const removed = await call('DELETE', short(id))
  assert.deepEqual([removed.status, removed.body], [204, ''])
  await service.drain()
  const heard = receiver.received.map(({ type, payload }) => [type, payload])
  assert.deepEqual(heard, [
    ['event.updated', { calendar_id: calendarId, event: changed.body }],
    ['event.deleted', { calendar_id: calendarId, event_id: id }],
  ])
  const { data } = (await call('GET', '/v1/audit-log?limit=2')).body
  assert.deepEqual(
    data.map((entry: Record<string, unknown>) => [entry.action, entry.resource, entry.path, entry.status]),
    [
      ['event.delete', id, short(id), 204],
      ['event.update', id, short(id), 200],
    ],
  )
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    assertRefused(
      await call(method, short(id), method === 'PATCH' ? { title: 'x' } : undefined),
      404,
      'not_found',
      lost,
    )
  }
  await call('DELETE', `/v1/webhooks/${webhook.id}`)
})

test('one occurrence of a series is cancelled with 200 and the series', async () => {
  const { id, startTime } = await makeEvent(service, key, calendarId, { recurrence_rule: 'FREQ=DAILY;COUNT=3' })
  const answer = await call('DELETE', `${short(id)}?occurrence_start=${startTime}`)
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body.recurrenceExdates, [startTime])
  assert.deepEqual((await call('GET', long(id))).body, answer.body)
  const again = await call('DELETE', `${short(id)}?occurrence_start=${startTime}`)
  assertRefused(again, 400, 'bad_request', { param: 'occurrence_start' })
  const single = await makeEvent(service, key, calendarId)
  const refusal = await call('DELETE', `${short(single.id)}?occurrence_start=${startTime}`)
  assertRefused(refusal, 409, 'conflict', { param: 'occurrence_start' })
})

test('a hold is not edited by it', async () => {
  const { id } = await makeHold(service, key, calendarId)
  assertRefused(await call('PATCH', short(id), { title: 'x' }), 400, 'invalid_transition', { param: 'status' })
})

test("another organization's event is not found, another agent's is forbidden, one's own is reached", async () => {
  const stranger = await makeOrganization(service)
  const [owner, other] = [await makeAgent(service, key), await makeAgent(service, key)]
  const own = await makeEvent(service, key, (await makeCalendar(service, key, owner.id)).id)
  const [ownersKey, othersKey] = [
    await makeAgentKey(service, key, owner.id),
    await makeAgentKey(service, key, other.id),
  ]
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const body = method === 'PATCH' ? { title: 'Taken' } : undefined
    assertRefused(await call(method, short(own.id), body, stranger.key), 404, 'not_found', lost)
    assertRefused(await call(method, short(own.id), body, othersKey), 403, 'forbidden')
    assertRefused(await call(method, short('evt_none'), body), 404, 'not_found', lost)
    assertRefused(await call(method, short(calendarId), body), 404, 'not_found', lost)
  }
  assert.deepEqual((await call('GET', short(own.id))).body, own)
  assert.equal((await call('PATCH', short(own.id), { title: 'Mine' }, ownersKey)).body.title, 'Mine')
  assert.equal((await call('DELETE', short(own.id), undefined, ownersKey)).status, 204)
})

test('it is gone with its calendar', async () => {
  const calendar = await makeCalendar(service, key)
  const { id } = await makeEvent(service, key, calendar.id)
  await call('DELETE', `/v1/calendars/${calendar.id}`)
  assertRefused(await call('GET', short(id)), 404, 'not_found', lost)
})

test('of twenty changes by both paths at once none is lost', async () => {
  const { id } = await makeEvent(service, key, calendarId, { metadata: {} })
  const fields = ['title', 'description', 'all_day', 'metadata'] as const
  const values = { title: 'T', description: 'D', all_day: true, metadata: { a: 1 } }
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, nth) => {
      const field = fields[nth % 4]!
      return call('PATCH', nth % 2 ? short(id) : long(id), { [field]: values[field] })
    }),
  )
  for (const { status } of answers) assert.equal(status, 200)
  const { title, description, allDay, metadata } = (await call('GET', short(id))).body
  assert.deepEqual({ title, description, all_day: allDay, metadata }, values)
})

test('another method is told which there are', async () => {
  const refusal = await call('PUT', short('evt_none'), {})
  assertRefused(refusal, 405, 'bad_request')
  assert.equal(refusal.headers.get('allow'), 'GET, PATCH, DELETE')
})
