import assert from 'node:assert/strict'
import { asRead } from '../../src/testing/eventRecord.ts'
import { ahead, makeCalendar } from '../../src/testing/factories.ts'
import { inputTest, isInvalid } from '../../src/testing/inputs.ts'

const test = inputTest()

const impossibleTimes = [
  '2026-02-30T09:00:00Z',
  '2026-02-29T09:00:00Z',
  '2026-04-31T09:00:00Z',
  '2026-13-01T09:00:00Z',
  '2026-00-01T09:00:00Z',
  '2026-01-00T09:00:00Z',
  '2026-03-02T24:00:00Z',
  '2026-03-02T25:00:00Z',
  '2026-03-02T09:60:00Z',
  '2026-03-02T09:00:60Z',
  '2026-03-02T09:00:00+24:00',
  '2026-03-02T09:00:00+02:60',
  // No offset: the moment is unknown.
  '2026-03-02T09:00:00',
  '2026-03-02T09:00:00.000',
  '2026-03-02',
  '2026-03-02 09:00:00Z',
  '2026-03-02T09Z',
  '20260302T090000Z',
  '2026-3-2T09:00:00Z',
  '2026-W10-1T09:00:00Z',
  '2026-061T09:00:00Z',
  '01/02/2026',
  'Mon, 02 Mar 2026 09:00:00 GMT',
  'tomorrow',
  'now',
  '1767340800000',
  '',
  ' 2026-03-02T09:00:00Z',
  '2026-03-02T09:00:00Z ',
  '2026-03-02T09:00:00Z\n',
  '2026-03-02T09:00:00.Z',
  '2026-03-02T09:00,5Z',
  '2026-03-02T09:00:00+2',
  '2026-03-02T09:00:00+24',
  '２０２６-03-02T09:00:00Z',
  // Outside what the years 1 to 9999 hold.
  '0000-01-01T00:00:00Z',
  '10000-01-01T00:00:00Z',
  '+010000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '0001-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
]

test('a time that does not exist or is not told with its offset is refused with the code invalid_time_format', async ({
  call,
  key,
  event,
  eventsPath,
  eventBody,
  postEvent,
  storesNothing,
}) => {
  await storesNothing(async () => {
    for (const text of impossibleTimes) {
      for (const field of ['start_time', 'end_time']) {
        isInvalid(await postEvent(eventBody({ [field]: text })), field, 'invalid_time_format')
        const changed = await call('PATCH', `${eventsPath}/${event.id}`, { key, body: { [field]: text } })
        isInvalid(changed, field, 'invalid_time_format')
      }
      const hold = await postEvent(eventBody({ status: 'hold', hold_expires_at: text }))
      isInvalid(hold, 'hold_expires_at', 'invalid_time_format')
      for (const field of ['start_after', 'start_before']) {
        const listed = await call('GET', `${eventsPath}?${field}=${encodeURIComponent(text)}`, { key })
        isInvalid(listed, field, 'invalid_time_format')
      }
      const cancelled = `${eventsPath}/${event.id}?occurrence_start=${encodeURIComponent(text)}`
      isInvalid(await call('DELETE', cancelled, { key }), 'occurrence_start', 'invalid_time_format')
    }
  })
})

test('a time that is no text is refused', async ({ eventBody, postEvent }) => {
  for (const value of [null, 1767340800000, true, [], {}, ['2026-03-02T09:00:00Z']]) {
    isInvalid(await postEvent(eventBody({ start_time: value })), 'start_time')
  }
})

test('every spelling of a moment is returned as UTC with milliseconds', async ({
  call,
  key,
  eventsPath,
  eventBody,
  postEvent,
}) => {
  const spellings: [sent: string, kept: string][] = [
    ['2026-05-01T09:00:00Z', '2026-05-01T09:00:00.000Z'],
    ['2026-05-01T09:00Z', '2026-05-01T09:00:00.000Z'],
    ['2026-05-01T09:00:00.1Z', '2026-05-01T09:00:00.100Z'],
    ['2026-05-01T09:00:00.123456789Z', '2026-05-01T09:00:00.123Z'],
    ['2026-05-01T09:00:00+02:00', '2026-05-01T07:00:00.000Z'],
    ['2026-05-01T09:00:00-0530', '2026-05-01T14:30:00.000Z'],
    ['2026-05-01T09:00:00+02', '2026-05-01T07:00:00.000Z'],
    ['2026-05-01T09:00:00,5Z', '2026-05-01T09:00:00.500Z'],
    ['2026-05-01T00:00:00+14:00', '2026-04-30T10:00:00.000Z'],
    ['2028-02-29T23:59:59Z', '2028-02-29T23:59:59.000Z'],
  ]
  for (const [sent, kept] of spellings) {
    const created = await postEvent(eventBody({ start_time: sent, end_time: '2030-01-01T00:00:00Z' }))
    assert.deepEqual([created.status, created.body.startTime], [201, kept], sent)
    assert.equal((await call('GET', `${eventsPath}/${created.body.id}`, { key })).body.startTime, kept)
  }
})

test('the first and the last years are kept as they are', async ({ service, call, key }) => {
  const own = await makeCalendar(service, key)
  const path = `/v1/calendars/${own.id}/events`
  for (const [start_time, end_time] of [
    ['0001-01-01T00:00:00.000Z', '0001-01-01T00:00:00.001Z'],
    ['0049-12-31T12:00:00.000Z', '0099-01-01T00:00:00.000Z'],
    ['1890-06-01T00:00:00.000Z', '1890-06-01T01:00:00.000Z'],
    ['9999-12-31T23:59:59.998Z', '9999-12-31T23:59:59.999Z'],
  ]) {
    const sent = { title: 'T', start_time, end_time }
    const { status, body } = asRead(await call('POST', path, { key, body: sent }))
    assert.deepEqual([status, body.startTime, body.endTime], [201, start_time, end_time])
    assert.deepEqual((await call('GET', `${path}/${body.id}`, { key })).body, body)
    const { data } = (await call('GET', `${path}?start_after=${start_time}&start_before=${end_time}`, { key })).body
    assert.deepEqual(data, [body])
  }
})

test('an end that is not after the start is refused with the code end_before_start', async ({
  service,
  call,
  key,
  event,
  eventsPath,
  postEvent,
}) => {
  const [early, late] = [ahead(service, 60), ahead(service, 90)]
  for (const [start_time, end_time] of [
    [late, early],
    [early, early],
    ['2026-05-01T09:00:00+02:00', '2026-05-01T08:00:00+01:00'],
  ]) {
    isInvalid(await postEvent({ title: 'T', start_time, end_time }), 'end_time', 'end_before_start')
  }
  const path = `${eventsPath}/${event.id}`
  const changes: [body: object, param: string][] = [
    [{ start_time: late, end_time: early }, 'end_time'],
    [{ end_time: event.startTime }, 'end_time'],
    [{ start_time: event.endTime }, 'start_time'],
    [{ start_time: '9999-01-01T00:00:00Z' }, 'start_time'],
  ]
  for (const [body, param] of changes) isInvalid(await call('PATCH', path, { key, body }), param, 'end_before_start')
  assert.deepEqual((await call('GET', path, { key })).body, event)
})
