// Cancelling one occurrence of a series.
import assert from 'node:assert/strict'
import { decodeId } from '../../src/shapes/ids.ts'
import {
  makeAgent,
  makeAgentKey,
  makeEvent,
  makeHold,
  makeOrganization,
  makeWebhook,
} from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { day, seriesTest, start } from '../../src/testing/series.ts'

const test = seriesTest()

test('cancelling an occurrence answers with the updated series and sends event.updated', async ({
  service,
  receiver,
  makeSeries,
}) => {
  const series = await makeSeries()
  await makeWebhook(service, series.key, receiver.url, ['event.updated', 'event.deleted'])
  await service.clock.advance(60_000)
  const before = await series.read()
  const { status, body } = await series.cancel('2026-03-05T11:00:00+01:00')
  assert.equal(status, 200)
  assert.deepEqual(body, { ...before.body, recurrenceExdates: [day(5)], updatedAt: day(2, '09:01:00.000') })
  assert.deepEqual((await series.read()).body, body)
  await service.drain()
  assert.deepEqual(
    receiver.received.map(({ type, payload }) => [type, payload]),
    [['event.updated', { calendar_id: series.calendar.id, event: body }]],
  )
})

test('the audit log has a cancelled occurrence as an update that was answered with 200', async ({
  service,
  makeSeries,
}) => {
  const series = await makeSeries()
  await series.cancel(day(5))
  const { body } = await service.call('GET', '/v1/audit-log?action=event.update', { key: series.key })
  assert.deepEqual(
    body.data.map((entry: { method: string; status: number; resource: string }) => [
      entry.method,
      entry.status,
      entry.resource,
    ]),
    [['DELETE', 200, series.id]],
  )
})

test('cancelled occurrences are listed in the order in which they were cancelled', async ({ makeSeries }) => {
  const series = await makeSeries()
  const order = [9, 3, 31, 2]
  for (const nth of order) assert.equal((await series.cancel(day(nth))).status, 200)
  assert.deepEqual(
    (await series.read()).body.recurrenceExdates,
    order.map((nth) => day(nth)),
  )
})

test('lists, availability, feeds and webhooks leave cancelled occurrences out', async ({
  service,
  receiver,
  makeSeries,
}) => {
  const series = await makeSeries({ recurrence_rule: 'FREQ=DAILY;COUNT=5' })
  const { key, calendar } = series
  await makeWebhook(service, key, receiver.url, ['event.started'])
  for (const nth of [5, 3, 2]) await series.cancel(day(nth))
  const window = `start_after=${day(1)}&start_before=${day(10)}`
  const list = await service.call('GET', `/v1/calendars/${calendar.id}/events?expand=true&${window}`, { key })
  const left = list.body.data.map(({ startTime }: { startTime: string }) => startTime)
  assert.deepEqual([list.body.total, left], [2, [day(4), day(6)]])
  const busy = `start=${day(1)}&end=${day(10)}&include_busy=true`
  const taken = await service.call('GET', `/v1/calendars/${calendar.id}/availability?${busy}`, { key })
  assert.deepEqual(
    taken.body.busy.map((one: { start: string }) => one.start),
    [day(4), day(6)],
  )
  const feed = (await service.call('GET', new URL(calendar.ical_url).pathname)).body
  assert.match(feed, /EXDATE:20260305T100000Z,20260303T100000Z,20260302T100000Z\r\n/)
  assertRefused(await series.cancel(day(3)), 400, 'bad_request', { param: 'occurrence_start' })
  for (let nth = 2; nth < 8; nth++) {
    await service.clock.set(day(nth, '23:00:00.000'))
    await service.drain()
  }
  const started = receiver.received.filter(({ payload }) => payload.event_id === series.id)
  assert.deepEqual(
    started.map(({ payload }) => payload.start_time),
    [day(4), day(6)],
  )
})

test('only an active occurrence can be cancelled', async ({ makeSeries }) => {
  const series = await makeSeries({ recurrence_rule: 'FREQ=DAILY;INTERVAL=2;COUNT=3' })
  await series.cancel(day(4))
  const wrong = [
    day(4),
    day(3),
    day(1),
    day(8),
    day(2, '10:00:00.001'),
    day(2, '09:59:59.999'),
    day(2, '10:30:00.000'),
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
  ]
  for (const at of wrong) assertRefused(await series.cancel(at), 400, 'bad_request', { param: 'occurrence_start' })
  assert.deepEqual((await series.read()).body.recurrenceExdates, [day(4)])
})

test('a cancelled series has no active occurrence', async ({ makeSeries }) => {
  const series = await makeSeries()
  await series.edit({ status: 'cancelled' })
  assertRefused(await series.cancel(day(3)), 400, 'bad_request', { param: 'occurrence_start' })
})

test('an occurrence that is over can be cancelled, and the last one too', async ({ service, makeSeries }) => {
  const series = await makeSeries({ recurrence_rule: 'FREQ=DAILY;COUNT=2' })
  await service.clock.set(day(20))
  assert.equal((await series.cancel(day(2))).status, 200)
  assert.deepEqual((await series.cancel(day(3))).body.recurrenceExdates, [day(2), day(3)])
  const list = `/v1/calendars/${series.calendar.id}/events`
  assert.equal((await service.call('GET', list, { key: series.key })).body.total, 1, 'the series itself stays')
})

test('a malformed occurrence_start is refused, and never deletes the series', async ({ service, makeSeries }) => {
  const series = await makeSeries()
  for (const malformed of ['', 'yesterday', '2026-03-03', '2026-03-03T10:00:00', '2026-02-30T10:00:00Z']) {
    assertRefused(await series.cancel(malformed), 400, 'validation_error', {
      param: 'occurrence_start',
      code: 'invalid_time_format',
    })
  }
  const twice = await service.call('DELETE', `${series.path}?occurrence_start=${day(3)}&occurrence_start=${day(4)}`, {
    key: series.key,
  })
  assertRefused(twice, 400, 'validation_error', { param: 'occurrence_start' })
  const misspelt = await service.call('DELETE', `${series.path}?occurence_start=${day(3)}`, { key: series.key })
  assertRefused(misspelt, 400, 'validation_error', { param: 'occurence_start' })
  assert.equal((await series.read()).status, 200)
})

test('an event without a rule has no occurrences, nor has a hold', async ({ service, makeSeries }) => {
  const single = await makeSeries({ recurrence_rule: undefined })
  assertRefused(await single.cancel(start), 409, 'conflict', { param: 'occurrence_start' })
  const hold = await makeHold(service, single.key, single.calendar.id)
  const path = `/v1/calendars/${single.calendar.id}/events/${hold.id}?occurrence_start=${hold.startTime}`
  assertRefused(await service.call('DELETE', path, { key: single.key }), 409, 'conflict', { param: 'occurrence_start' })
})

test('occurrences of imported series, of unknown events and of other owners cannot be cancelled', async ({
  service,
  makeSeries,
}) => {
  const series = await makeSeries()
  const path = (id: string) => `/v1/calendars/${series.calendar.id}/events/${id}?occurrence_start=${day(3)}`
  const unknown = await service.call('DELETE', path('evt_00000000000000000000000000'), { key: series.key })
  assertRefused(unknown, 404, 'not_found', { code: 'event_not_found' })
  const stranger = await makeOrganization(service)
  const foreign = await service.call('DELETE', path(series.id), { key: stranger.key })
  assertRefused(foreign, 404, 'not_found', { code: 'calendar_not_found' })
  const agentKey = await makeAgentKey(service, series.key, (await makeAgent(service, series.key)).id)
  assertRefused(await service.call('DELETE', path(series.id), { key: agentKey }), 403, 'forbidden')
  await service.app.sql`update events set source = 'external_ical' where id = ${decodeId('evt', series.id)!}`
  assertRefused(await series.cancel(day(3)), 403, 'forbidden', { code: 'external_event_readonly' })
})

test('of occurrences that are cancelled at the same time none is lost', async ({ makeSeries }) => {
  const series = await makeSeries()
  const days = Array.from({ length: 20 }, (_, nth) => day(nth + 3))
  const answers = await Promise.all(days.toReversed().map(series.cancel))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.deepEqual((await series.read()).body.recurrenceExdates.sort(), days)
})

test('an occurrence is cancelled once, however many requests come at once', async ({
  service,
  receiver,
  makeSeries,
}) => {
  const series = await makeSeries()
  await makeWebhook(service, series.key, receiver.url, ['event.updated'])
  const answers = await Promise.all(Array.from({ length: 8 }, () => series.cancel(day(3))))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(400)])
  for (const answer of answers.filter(({ status }) => status === 400)) {
    assertRefused(answer, 400, 'bad_request', { param: 'occurrence_start' })
  }
  await service.drain()
  assert.deepEqual(receiver.types(), ['event.updated'])
  assert.deepEqual((await series.read()).body.recurrenceExdates, [day(3)])
})

test('deleting without occurrence_start deletes the whole series', async ({ service, receiver, makeSeries }) => {
  const series = await makeSeries()
  await makeWebhook(service, series.key, receiver.url, ['event.updated', 'event.deleted', 'event.started'])
  const deleted = await service.call('DELETE', series.path, { key: series.key })
  assert.equal(deleted.status, 204)
  assert.equal(deleted.body, '')
  assertRefused(await series.cancel(day(3)), 404, 'not_found', { code: 'event_not_found' })
  assert.deepEqual(await series.timers(), [])
  await service.clock.set(day(10))
  await service.drain()
  assert.deepEqual(
    receiver.received.map(({ type, payload }) => [type, payload]),
    [['event.deleted', { calendar_id: series.calendar.id, event_id: series.id }]],
  )
})

test('an occurrence is moved by cancelling it and creating an event', async ({ service, makeSeries }) => {
  const series = await makeSeries({ recurrence_rule: 'FREQ=DAILY;COUNT=3' })
  await series.cancel(day(3))
  const single = await makeEvent(service, series.key, series.calendar.id, {
    start_time: day(3, '15:00:00.000'),
    end_time: day(3, '16:00:00.000'),
  })
  const query = `expand=true&start_after=${day(1)}&start_before=${day(30)}`
  const { body } = await service.call('GET', `/v1/calendars/${series.calendar.id}/events?${query}`, { key: series.key })
  assert.deepEqual(
    body.data.map(({ id, startTime }: { id: string; startTime: string }) => [id, startTime]),
    [
      [series.id, day(2)],
      [single.id, day(3, '15:00:00.000')],
      [series.id, day(4)],
    ],
  )
})
