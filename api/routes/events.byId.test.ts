// An event by its id alone: the same use cases as through its calendar.
import assert from 'node:assert/strict'
import { asRead } from '../../src/testing/eventRecord.ts'
import {
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
  makeWebhook,
} from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const short = (id: string) => `/v1/events/${id}`
const lost = { code: 'event_not_found' }

const test = serviceTest()
  .extend('calendarId', perFile, async ({ service, key }) => (await makeCalendar(service, key)).id as string)
  .extend(
    'long',
    perFile,
    ({ calendarId }) =>
      (id: string) =>
        `/v1/calendars/${calendarId}/events/${id}`,
  )
  .extend(
    'send',
    perFile,
    ({ call, key }) =>
      (method: string, path: string, body?: object, by = key) =>
        call(method, path, { key: by, body }),
  )

test('an event reads the same by both paths', async ({ service, key, calendarId, long, send }) => {
  const { id } = await makeEvent(service, key, calendarId)
  const [one, other] = [await send('GET', short(id)), await send('GET', long(id))]
  assert.equal(one.status, 200)
  assert.deepEqual(one.body, other.body)
})

test('it is changed and deleted, and webhooks and the audit log hear of it as by the long path', async ({
  service,
  key,
  receiver,
  calendarId,
  send,
}) => {
  const types = ['event.updated', 'event.deleted'] as const
  const webhook = await makeWebhook(service, key, receiver.url, types)
  const { id } = await makeEvent(service, key, calendarId)
  const changed = asRead(await send('PATCH', short(id), { title: 'Renamed' }))
  assert.deepEqual([changed.status, changed.body.title], [200, 'Renamed'])
  assertRefused(await send('PATCH', short(id), {}), 400, 'validation_error')
  const removed = await send('DELETE', short(id))
  assert.deepEqual([removed.status, removed.body], [204, ''])
  await service.drain()
  const heard = receiver.received.map(({ type, payload }) => [type, payload])
  assert.deepEqual(heard, [
    ['event.updated', { calendar_id: calendarId, event: changed.body }],
    ['event.deleted', { calendar_id: calendarId, event_id: id }],
  ])
  const { data } = (await send('GET', '/v1/audit-log?limit=2')).body
  assert.deepEqual(
    data.map((entry: Record<string, unknown>) => [entry.action, entry.resource, entry.path, entry.status]),
    [
      ['event.delete', id, short(id), 204],
      ['event.update', id, short(id), 200],
    ],
  )
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    assertRefused(
      await send(method, short(id), method === 'PATCH' ? { title: 'x' } : undefined),
      404,
      'not_found',
      lost,
    )
  }
  await send('DELETE', `/v1/webhooks/${webhook.id}`)
})

test('one occurrence of a series is cancelled with 200 and the series', async ({
  service,
  key,
  calendarId,
  long,
  send,
}) => {
  const { id, startTime } = await makeEvent(service, key, calendarId, { recurrence_rule: 'FREQ=DAILY;COUNT=3' })
  const answer = asRead(await send('DELETE', `${short(id)}?occurrence_start=${startTime}`))
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body.recurrenceExdates, [startTime])
  assert.deepEqual((await send('GET', long(id))).body, answer.body)
  const again = await send('DELETE', `${short(id)}?occurrence_start=${startTime}`)
  assertRefused(again, 400, 'bad_request', { param: 'occurrence_start' })
  const single = await makeEvent(service, key, calendarId)
  const refusal = await send('DELETE', `${short(single.id)}?occurrence_start=${startTime}`)
  assertRefused(refusal, 409, 'conflict', { param: 'occurrence_start' })
})

test('a hold is not edited by it', async ({ service, key, calendarId, send }) => {
  const { id } = await makeHold(service, key, calendarId)
  assertRefused(await send('PATCH', short(id), { title: 'x' }), 400, 'invalid_transition', { param: 'status' })
})

test("another organization's event is not found, another agent's is forbidden, one's own is reached", async ({
  service,
  key,
  calendarId,
  send,
}) => {
  const stranger = await makeOrganization(service)
  const [owner, other] = [await makeAgent(service, key), await makeAgent(service, key)]
  const own = await makeEvent(service, key, (await makeCalendar(service, key, owner.id)).id)
  const [ownersKey, othersKey] = [
    await makeAgentKey(service, key, owner.id),
    await makeAgentKey(service, key, other.id),
  ]
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const body = method === 'PATCH' ? { title: 'Taken' } : undefined
    assertRefused(await send(method, short(own.id), body, stranger.key), 404, 'not_found', lost)
    assertRefused(await send(method, short(own.id), body, othersKey), 403, 'forbidden')
    assertRefused(await send(method, short('evt_none'), body), 404, 'not_found', lost)
    assertRefused(await send(method, short(calendarId), body), 404, 'not_found', lost)
  }
  assert.deepEqual((await send('GET', short(own.id))).body, own)
  assert.equal((await send('PATCH', short(own.id), { title: 'Mine' }, ownersKey)).body.title, 'Mine')
  assert.equal((await send('DELETE', short(own.id), undefined, ownersKey)).status, 204)
})

test('it is gone with its calendar', async ({ service, key, send }) => {
  const calendar = await makeCalendar(service, key)
  const { id } = await makeEvent(service, key, calendar.id)
  await send('DELETE', `/v1/calendars/${calendar.id}`)
  assertRefused(await send('GET', short(id)), 404, 'not_found', lost)
})

test('of twenty changes by both paths at once none is lost', async ({ service, key, calendarId, long, send }) => {
  const { id } = await makeEvent(service, key, calendarId, { metadata: {} })
  const fields = ['title', 'description', 'all_day', 'metadata'] as const
  const values = { title: 'T', description: 'D', all_day: true, metadata: { a: 1 } }
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, nth) => {
      const field = fields[nth % 4]!
      return send('PATCH', nth % 2 ? short(id) : long(id), { [field]: values[field] })
    }),
  )
  for (const { status } of answers) assert.equal(status, 200)
  const { title, description, allDay, metadata } = (await send('GET', short(id))).body
  assert.deepEqual({ title, description, all_day: allDay, metadata }, values)
})

test('another method is told which there are', async ({ send }) => {
  const refusal = await send('PUT', short('evt_none'), {})
  assertRefused(refusal, 405, 'bad_request')
  assert.equal(refusal.headers.get('allow'), 'GET, PATCH, DELETE')
})
