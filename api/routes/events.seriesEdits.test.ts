import assert from 'node:assert/strict'
import { afterAll, beforeAll, beforeEach, test } from 'vitest'
import { decodeId } from '../../src/shapes/ids.ts'
import { openDb } from '../../src/stores/postgres.ts'
import {
  ahead,
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
  makeWebhook,
} from '../../src/testing/factories.ts'
import { openTestService, type TestService, testStart } from '../../src/testing/harness.ts'
import { openReceiver, type Receiver } from '../../src/testing/receiver.ts'
import { forgetKeys } from '../../src/testing/redisKeys.ts'
import { assertRefused } from '../../src/testing/refused.ts'

let service: TestService
let receiver: Receiver

beforeAll(async () => {
  service = await openTestService()
  receiver = await openReceiver()
})
beforeEach(async () => {
  await service.clock.set(testStart)
  receiver.received.length = 0
})
afterAll(async () => {
  await receiver.close()
  await service.close()
})

/** A Monday at ten. */
const start = '2026-03-02T10:00:00.000Z'
const day = (nth: number, time = '10:00:00.000') => `2026-03-${String(nth).padStart(2, '0')}T${time}Z`

type Made = {
  key: string
  id: string
  calendar: { id: string; ical_url: string }
  edit: (body: object) => ReturnType<TestService['call']>
  cancel: (occurrenceStart: string) => ReturnType<TestService['call']>
  read: () => ReturnType<TestService['call']>
}

/** A daily series of 30 on a calendar of its own; `event` may say otherwise. */
async function makeSeries(event: object = {}, organization: object = {}): Promise<Made> {
  const { key } = await makeOrganization(service, organization)
  const calendar = await makeCalendar(service, key)
  const body = { start_time: start, end_time: day(2, '10:30:00.000'), recurrence_rule: 'FREQ=DAILY;COUNT=30', ...event }
  const { id } = await makeEvent(service, key, calendar.id, body)
  const path = `/v1/calendars/${calendar.id}/events/${id}`
  return {
    key,
    id,
    calendar,
    edit: (body) => service.call('PATCH', path, { key, body }),
    cancel: (occurrenceStart) =>
      service.call('DELETE', `${path}?occurrence_start=${encodeURIComponent(occurrenceStart)}`, { key }),
    read: () => service.call('GET', path, { key }),
  }
}

/** `kind offset due`, in the order of time. */
async function timersOf({ id }: { id: string }): Promise<string[]> {
  const rows = await service.app.sql<{ kind: string; offsetMinutes: number; dueAt: Date; occurrenceStart: Date }[]>`
    select kind, offset_minutes, due_at, occurrence_start from timers where subject_id = ${decodeId('evt', id)!}
    order by due_at, kind`
  return rows.map(({ kind, offsetMinutes, dueAt }) => `${kind} ${offsetMinutes} ${dueAt.toISOString().slice(8, 16)}`)
}

// Cancelling one occurrence

test('cancelling an occurrence answers with the updated series and tells event.updated', async () => {
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

test('a cancelled occurrence is logged as an update that was answered with 200', async () => {
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

test('each cancelled occurrence is appended to those before it, whatever its time', async () => {
  const series = await makeSeries()
  const order = [9, 3, 31, 2]
  for (const nth of order) assert.equal((await series.cancel(day(nth))).status, 200)
  assert.deepEqual(
    (await series.read()).body.recurrenceExdates,
    order.map((nth) => day(nth)),
  )
})

test('in whatever order they were cancelled, no reader has the occurrences', async () => {
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

test('what is no active occurrence cannot be cancelled', async () => {
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

test('no occurrence of a cancelled series is active', async () => {
  const series = await makeSeries()
  await series.edit({ status: 'cancelled' })
  assertRefused(await series.cancel(day(3)), 400, 'bad_request', { param: 'occurrence_start' })
})

test('an occurrence that is over can be cancelled, and the last one too', async () => {
  const series = await makeSeries({ recurrence_rule: 'FREQ=DAILY;COUNT=2' })
  await service.clock.set(day(20))
  assert.equal((await series.cancel(day(2))).status, 200)
  assert.deepEqual((await series.cancel(day(3))).body.recurrenceExdates, [day(2), day(3)])
  const list = `/v1/calendars/${series.calendar.id}/events`
  assert.equal((await service.call('GET', list, { key: series.key })).body.total, 1, 'the series itself stays')
})

test('a malformed occurrence_start is refused, and never deletes the series', async () => {
  const series = await makeSeries()
  for (const malformed of ['', 'yesterday', '2026-03-03', '2026-03-03T10:00:00', '2026-02-30T10:00:00Z']) {
    assertRefused(await series.cancel(malformed), 400, 'validation_error', {
      param: 'occurrence_start',
      code: 'invalid_time_format',
    })
  }
  const path = `/v1/calendars/${series.calendar.id}/events/${series.id}`
  const twice = await service.call('DELETE', `${path}?occurrence_start=${day(3)}&occurrence_start=${day(4)}`, {
    key: series.key,
  })
  assertRefused(twice, 400, 'validation_error', { param: 'occurrence_start' })
  const misspelt = await service.call('DELETE', `${path}?occurence_start=${day(3)}`, { key: series.key })
  assertRefused(misspelt, 400, 'validation_error', { param: 'occurence_start' })
  assert.equal((await series.read()).status, 200)
})

test('an event that happens once has no occurrences, whatever its status', async () => {
  const single = await makeSeries({ recurrence_rule: undefined })
  assertRefused(await single.cancel(start), 409, 'conflict', { param: 'occurrence_start' })
  const hold = await makeHold(service, single.key, single.calendar.id)
  const path = `/v1/calendars/${single.calendar.id}/events/${hold.id}?occurrence_start=${hold.startTime}`
  assertRefused(await service.call('DELETE', path, { key: single.key }), 409, 'conflict', { param: 'occurrence_start' })
})

test('no occurrence of an imported series, of an unknown event or of another owner can be cancelled', async () => {
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

test('occurrences that are cancelled at the same instant are all kept', async () => {
  const series = await makeSeries()
  const days = Array.from({ length: 20 }, (_, nth) => day(nth + 3))
  const answers = await Promise.all(days.toReversed().map(series.cancel))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.deepEqual((await series.read()).body.recurrenceExdates.sort(), days)
})

test('the same occurrence is cancelled once, however many ask at once', async () => {
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

test('deleting without occurrence_start deletes the whole series', async () => {
  const series = await makeSeries()
  await makeWebhook(service, series.key, receiver.url, ['event.updated', 'event.deleted', 'event.started'])
  const path = `/v1/calendars/${series.calendar.id}/events/${series.id}`
  const deleted = await service.call('DELETE', path, { key: series.key })
  assert.equal(deleted.status, 204)
  assert.equal(deleted.body, '')
  assertRefused(await series.cancel(day(3)), 404, 'not_found', { code: 'event_not_found' })
  assert.deepEqual(await timersOf(series), [])
  await service.clock.set(day(10))
  await service.drain()
  assert.deepEqual(
    receiver.received.map(({ type, payload }) => [type, payload]),
    [['event.deleted', { calendar_id: series.calendar.id, event_id: series.id }]],
  )
})

test('an altered occurrence is a cancelled one and an event of its own', async () => {
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

// PATCH

test('a new rule or a new start forgets the cancelled occurrences, anything else keeps them', async () => {
  const kept = [
    { title: 'New' },
    { description: 'New', metadata: { a: 1 }, all_day: true, reminders: [5] },
    { end_time: day(2, '12:00:00.000') },
    { status: 'tentative' },
    { recurrence_rule: 'FREQ=DAILY;COUNT=30' },
    { start_time: start },
    { start_time: '2026-03-02T11:00:00+01:00', recurrence_rule: 'FREQ=DAILY;COUNT=30' },
  ]
  const series = await makeSeries()
  await series.cancel(day(4))
  for (const body of kept) {
    const answer = await series.edit(body)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body.recurrenceExdates, [day(4)], JSON.stringify(body))
  }
  const cleared = [
    { recurrence_rule: 'FREQ=DAILY;COUNT=31' },
    { start_time: day(2, '10:00:00.001') },
    { recurrence_rule: null },
  ]
  for (const body of cleared) {
    const fresh = await makeSeries()
    await fresh.cancel(day(4))
    const answer = await fresh.edit(body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    assert.deepEqual(answer.body.recurrenceExdates, [], JSON.stringify(body))
    assert.deepEqual((await fresh.read()).body, answer.body)
  }
})

test('an edit of the series tells event.updated with the record', async () => {
  const series = await makeSeries()
  await makeWebhook(service, series.key, receiver.url, ['event.updated'])
  const { body } = await series.edit({ recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO,TH', title: 'New' })
  assert.equal(body.recurrenceRule, 'FREQ=WEEKLY;BYDAY=MO,TH')
  await service.drain()
  assert.deepEqual(
    receiver.received.map(({ payload }) => payload),
    [{ calendar_id: series.calendar.id, event: body }],
  )
})

test('null makes the series a one-off at its first start, without occurrences', async () => {
  const series = await makeSeries({ start_time: day(3), end_time: day(3, '10:30:00.000') })
  const { status, body } = await series.edit({ recurrence_rule: null })
  assert.equal(status, 200)
  assert.equal(body.recurrenceRule, null)
  assert.equal(body.startTime, day(3))
  assertRefused(await series.cancel(day(3)), 409, 'conflict', { param: 'occurrence_start' })
  const query = `expand=true&start_after=${day(1)}&start_before=${day(30)}`
  const list = await service.call('GET', `/v1/calendars/${series.calendar.id}/events?${query}`, { key: series.key })
  assert.deepEqual(list.body.data, [body])
  assert.deepEqual(await timersOf(series), [
    'event_reminder 10 03T09:50',
    'event_start 0 03T10:00',
    'event_end 0 03T10:30',
  ])
})

test('an event that happened once becomes a series from its start on', async () => {
  const single = await makeSeries({ recurrence_rule: undefined })
  assert.equal((await single.edit({ recurrence_rule: 'FREQ=DAILY;COUNT=3' })).status, 200)
  await makeWebhook(service, single.key, receiver.url, ['event.started'])
  await service.clock.set(day(20))
  await service.drain()
  assert.deepEqual(
    receiver.received.map(({ payload }) => payload.occurrence_start),
    [day(2), day(3), day(4)],
  )
})

test('a rule that is not accepted, or a start that does not fit it, is a bad request and changes nothing', async () => {
  const series = await makeSeries({ recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO;COUNT=9' })
  const before = await series.read()
  const tuesday = { start_time: day(3), end_time: day(3, '11:00:00.000') }
  const refusals: [body: object, param: string][] = [
    [{ recurrence_rule: '' }, 'recurrence_rule'],
    [{ recurrence_rule: 'FREQ=HOURLY' }, 'recurrence_rule'],
    [{ recurrence_rule: 'FREQ=DAILY;COUNT=3;UNTIL=20260401' }, 'recurrence_rule'],
    [{ recurrence_rule: 'FREQ=WEEKLY;BYDAY=TU' }, 'recurrence_rule'],
    [{ recurrence_rule: 'FREQ=DAILY;UNTIL=20260301' }, 'recurrence_rule'],
    [{ recurrence_rule: 'FREQ=WEEKLY;BYDAY=WE', ...tuesday }, 'recurrence_rule'],
    [tuesday, 'start_time'],
  ]
  for (const [body, param] of refusals) {
    assertRefused(await series.edit(body), 400, 'bad_request', { param })
  }
  assertRefused(await series.edit({ recurrence_rule: 5 }), 400, 'validation_error', { param: 'recurrence_rule' })
  assert.deepEqual((await series.read()).body, before.body)
  assert.equal((await series.edit({ ...tuesday, recurrence_rule: 'FREQ=WEEKLY;BYDAY=TU' })).status, 200)
})

test('a start that is moved past UNTIL does not fit', async () => {
  const series = await makeSeries({ recurrence_rule: 'FREQ=DAILY;UNTIL=20260305' })
  const body = { start_time: day(6), end_time: day(6, '11:00:00.000') }
  assertRefused(await series.edit(body), 400, 'bad_request', { param: 'start_time' })
})

test('on the Free plan an edit may not make the series longer than 90 days', async () => {
  const series = await makeSeries({}, { plan: 'free' })
  for (const recurrence_rule of ['FREQ=DAILY', 'FREQ=DAILY;COUNT=92']) {
    assertRefused(await series.edit({ recurrence_rule }), 403, 'plan_required', { feature: 'unbounded_recurrence' })
  }
  assert.equal((await series.edit({ recurrence_rule: 'FREQ=DAILY;UNTIL=20260531' })).status, 200)
  // The bound holds for a start that moves away from UNTIL, too.
  const earlier = { start_time: '2026-03-01T10:00:00Z', end_time: '2026-03-01T10:30:00Z' }
  assertRefused(await series.edit(earlier), 403, 'plan_required', { feature: 'unbounded_recurrence' })
})

test('a series from a paid time can still be edited on the Free plan, as long as its rule and start stay', async () => {
  const { id: orgId, key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  const event = await makeEvent(service, key, calendar.id, { recurrence_rule: 'FREQ=DAILY' })
  await service.app.sql`update organizations set plan = 'free' where id = ${decodeId('org', orgId)!}`
  await forgetKeys(service.app.redis, `${service.app.config.redisPrefix}:*`)
  const path = `/v1/calendars/${calendar.id}/events/${event.id}`
  const edit = (body: object) => service.call('PATCH', path, { key, body })
  assert.equal((await edit({ title: 'Still mine', recurrence_rule: 'FREQ=DAILY' })).status, 200)
  const moved = await edit({ start_time: ahead(service, 61) })
  assertRefused(moved, 403, 'plan_required', { feature: 'unbounded_recurrence' })
})

test('adding a rule needs a place under the cap, editing a series does not', async () => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { recurring_events: 1 } })
  const calendar = await makeCalendar(service, key)
  const series = await makeEvent(service, key, calendar.id, { recurrence_rule: 'FREQ=DAILY;COUNT=3' })
  const single = await makeEvent(service, key, calendar.id)
  const edit = (id: string, body: object) =>
    service.call('PATCH', `/v1/calendars/${calendar.id}/events/${id}`, { key, body })
  const rule = { recurrence_rule: 'FREQ=DAILY' }
  assertRefused(await edit(single.id, rule), 429, 'quota_exceeded')
  assert.equal((await edit(series.id, rule)).status, 200)
  // A cancelled event may get any rule: it takes no place.
  const cancelled = await makeEvent(service, key, calendar.id, { status: 'cancelled' })
  assert.equal((await edit(cancelled.id, rule)).status, 200)
  // So may one that is over by then.
  const over = { start_time: '2026-02-02T10:00:00Z', end_time: '2026-02-02T10:30:00Z' }
  assert.equal((await edit(single.id, { ...over, recurrence_rule: 'FREQ=DAILY;COUNT=3' })).status, 200)
  assertRefused(await edit(single.id, { recurrence_rule: 'FREQ=DAILY;COUNT=60' }), 429, 'quota_exceeded')
  assert.equal((await edit(series.id, { recurrence_rule: null })).status, 200)
  assert.equal((await edit(single.id, { recurrence_rule: 'FREQ=DAILY;COUNT=60' })).status, 200)
})

test('of rules that are added at once exactly as many are taken as the cap leaves room for', async () => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { recurring_events: 3 } })
  const calendars = [await makeCalendar(service, key), await makeCalendar(service, key)]
  const singles = await Promise.all(
    Array.from({ length: 10 }, async (_, nth) => {
      const calendar = calendars[nth % 2]
      return `/v1/calendars/${calendar.id}/events/${(await makeEvent(service, key, calendar.id)).id}`
    }),
  )
  const answers = await Promise.all(
    singles.map((path) => service.call('PATCH', path, { key, body: { recurrence_rule: 'FREQ=DAILY' } })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(3).fill(200), ...Array(7).fill(429)])
})

test('an edit with a rule is refused on a hold and on an imported event, and kept on what once was a hold', async () => {
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  const edit = (id: string) =>
    service.call('PATCH', `/v1/calendars/${calendar.id}/events/${id}`, {
      key,
      body: { recurrence_rule: 'FREQ=DAILY;COUNT=3' },
    })
  const hold = await makeHold(service, key, calendar.id)
  assertRefused(await edit(hold.id), 400, 'invalid_transition', { param: 'status' })
  await service.call('PUT', `/v1/events/${hold.id}/release`, { key })
  assert.equal((await edit(hold.id)).status, 200)
  const confirmed = await makeHold(service, key, calendar.id)
  await service.call('PUT', `/v1/events/${confirmed.id}/confirm`, { key })
  assert.equal((await edit(confirmed.id)).body.recurrenceRule, 'FREQ=DAILY;COUNT=3')
  const imported = await makeEvent(service, key, calendar.id)
  await service.app.sql`update events set source = 'external_ical' where id = ${decodeId('evt', imported.id)!}`
  assertRefused(await edit(imported.id), 403, 'forbidden', { code: 'external_event_readonly' })
})

test('a new end changes the length of every occurrence', async () => {
  const series = await makeSeries({ recurrence_rule: 'FREQ=DAILY;COUNT=2' })
  assert.equal((await series.edit({ end_time: day(2, '11:15:00.000') })).status, 200)
  const query = `expand=true&start_after=${day(1)}&start_before=${day(30)}`
  const list = await service.call('GET', `/v1/calendars/${series.calendar.id}/events?${query}`, { key: series.key })
  assert.deepEqual(
    list.body.data.map(({ startTime, endTime }: { startTime: string; endTime: string }) => [startTime, endTime]),
    [
      [day(2), day(2, '11:15:00.000')],
      [day(3), day(3, '11:15:00.000')],
    ],
  )
  assertRefused(await series.edit({ end_time: start }), 400, 'validation_error', {
    param: 'end_time',
    code: 'end_before_start',
  })
  await service.clock.set(day(2, '10:45:00.000'))
  assert.deepEqual((await timersOf(series)).slice(-1), ['event_end 0 02T11:15'])
})

// The timers that follow

test('a new series waits for one moment of each kind and offset', async () => {
  const series = await makeSeries({ reminders: [5, 60] })
  assert.deepEqual(await timersOf(series), [
    'event_reminder 5 02T09:55',
    'event_start 0 02T10:00',
    'event_end 0 02T10:30',
    'event_reminder 60 03T09:00',
  ])
})

test('an edit of the title leaves the timers as they are, row by row', async () => {
  const series = await makeSeries()
  const rows = () => service.app.sql`
    select *, xmin::text from timers where subject_id = ${decodeId('evt', series.id)!} order by kind`
  const before = await rows()
  assert.equal(before.length, 3)
  await series.edit({ title: 'New', description: 'New', metadata: { a: 1 } })
  assert.deepEqual([...(await rows())], [...before])
})

test('timers follow the rule, the start, the end and the reminders', async () => {
  const series = await makeSeries({ reminders: [] })
  await service.clock.set(day(5, '12:00:00.000'))
  await service.drain()
  assert.deepEqual(await timersOf(series), ['event_start 0 06T10:00', 'event_end 0 06T10:30'])
  await series.edit({ recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO,FR' })
  assert.deepEqual(await timersOf(series), ['event_start 0 06T10:00', 'event_end 0 06T10:30'])
  await series.edit({ recurrence_rule: 'FREQ=WEEKLY' })
  assert.deepEqual(await timersOf(series), ['event_start 0 09T10:00', 'event_end 0 09T10:30'])
  await series.edit({ start_time: day(9, '08:00:00.000'), end_time: day(9, '09:00:00.000') })
  assert.deepEqual(await timersOf(series), ['event_start 0 09T08:00', 'event_end 0 09T09:00'])
  await series.edit({ end_time: day(9, '09:10:00.000'), reminders: [15] })
  assert.deepEqual(await timersOf(series), [
    'event_reminder 15 09T07:45',
    'event_start 0 09T08:00',
    'event_end 0 09T09:10',
  ])
  await series.edit({ reminders: null })
  assert.deepEqual((await timersOf(series))[0], 'event_reminder 10 09T07:50')
  await series.edit({ recurrence_rule: 'FREQ=WEEKLY;COUNT=1' })
  await series.edit({ start_time: day(4, '08:00:00.000'), end_time: day(4, '09:10:00.000') })
  assert.deepEqual(await timersOf(series), [], 'a series that is over waits for nothing')
})

test('a tentative or cancelled series is silent; confirmed again it goes on with its next occurrence', async () => {
  const series = await makeSeries()
  await makeWebhook(service, series.key, receiver.url, ['event.started', 'event.ended', 'event.reminder'])
  await series.edit({ status: 'tentative' })
  assert.deepEqual(await timersOf(series), [])
  await service.clock.set(day(4, '12:00:00.000'))
  await series.edit({ status: 'confirmed' })
  await service.drain()
  assert.deepEqual(receiver.received, [])
  assert.deepEqual(await timersOf(series), [
    'event_reminder 10 05T09:50',
    'event_start 0 05T10:00',
    'event_end 0 05T10:30',
  ])
  await service.clock.set(day(5, '10:15:00.000'))
  await service.drain()
  assert.deepEqual(receiver.types().sort(), ['event.reminder', 'event.started'])
  await series.edit({ status: 'cancelled' })
  await service.clock.set(day(9))
  await service.drain()
  assert.equal(receiver.received.length, 2)
})

test('what was due and had not fired when the series was edited still fires, if the edit did not move it', async () => {
  const series = await makeSeries({ reminders: [5] })
  await makeWebhook(service, series.key, receiver.url, ['event.started', 'event.ended', 'event.reminder'])
  await service.clock.set(day(3, '10:15:00.000'))
  await series.edit({ recurrence_rule: 'FREQ=DAILY;COUNT=40' })
  await series.edit({ reminders: [5, 20], title: 'New' })
  await service.drain()
  const seen = receiver.received
    .filter(({ payload }) => payload.event_id === series.id)
    .map(({ type, payload }) => `${type} ${payload.occurrence_start}`)
  assert.deepEqual(seen.toSorted(), [
    `event.ended ${day(2)}`,
    `event.reminder ${day(2)}`,
    `event.reminder ${day(3)}`,
    `event.started ${day(2)}`,
    `event.started ${day(3)}`,
  ])
  assert.deepEqual(await timersOf(series), [
    'event_end 0 03T10:30',
    'event_reminder 20 04T09:40',
    'event_reminder 5 04T09:55',
    'event_start 0 04T10:00',
  ])
})

test('what was due and had not fired goes on from where the new rule has it', async () => {
  const series = await makeSeries({ reminders: [] })
  await makeWebhook(service, series.key, receiver.url, ['event.started', 'event.ended'])
  // The workers are away since Tuesday the 3rd: of what they missed, Thursday the 5th is left.
  await service.clock.set(day(2, '11:00:00.000'))
  await service.drain()
  receiver.received.length = 0
  await service.clock.set(day(7, '10:10:00.000'))
  assert.equal((await series.edit({ recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO,TH' })).status, 200)
  await service.drain()
  const seen = receiver.received.filter(({ payload }) => payload.event_id === series.id)
  assert.deepEqual(seen.map(({ type, payload }) => `${type} ${payload.occurrence_start}`).toSorted(), [
    `event.ended ${day(5)}`,
    `event.started ${day(5)}`,
  ])
  assert.deepEqual(await timersOf(series), ['event_start 0 09T10:00', 'event_end 0 09T10:30'])
})

test('what was due when the event became a series, or ceased to be one, fires as what it is now', async () => {
  const single = await makeSeries({ recurrence_rule: undefined, reminders: [] })
  const series = await makeSeries({ reminders: [] })
  await service.clock.set(day(2, '10:10:00.000'))
  assert.equal((await single.edit({ recurrence_rule: 'FREQ=DAILY;COUNT=2' })).status, 200)
  assert.equal((await series.edit({ recurrence_rule: null })).status, 200)
  await makeWebhook(service, single.key, receiver.url, ['event.started'])
  await makeWebhook(service, series.key, receiver.url, ['event.started'])
  await service.clock.set(day(9))
  await service.drain()
  const seen = receiver.received
    .map(({ payload }) => [payload.event_id, payload.occurrence_start])
    .filter(([id]) => id === single.id || id === series.id)
  assert.deepEqual(
    new Set(seen.map((line) => line.join(' '))),
    new Set([`${single.id} ${day(2)}`, `${single.id} ${day(3)}`, `${series.id} `]),
  )
  assert.equal(seen.length, 3)
  assert.deepEqual([...(await timersOf(single)), ...(await timersOf(series))], [])
})

test('an edit waits for a timer that is just firing, and goes by where it moved', async () => {
  const edits = [{ reminders: [7] }, { recurrence_rule: 'FREQ=DAILY;COUNT=9' }, { status: 'tentative' }]
  for (const body of edits) {
    await service.clock.set(testStart)
    const series = await makeSeries({ reminders: [] })
    await service.clock.set(day(3, '10:15:00.000'))
    await editWhileFiring(series, body)
    // The start of the 3rd was due as well, and is still to fire; the end of the 3rd is not due yet.
    assert.deepEqual(
      (await timersOf(series)).filter((timer) => !timer.startsWith('event_reminder')),
      'status' in body ? [] : ['event_start 0 03T10:00', 'event_end 0 03T10:30'],
      JSON.stringify(body),
    )
  }
})

test('a timer that moved on while its series became a one-off is silent', async () => {
  const series = await makeSeries({ reminders: [] })
  await makeWebhook(service, series.key, receiver.url, ['event.started', 'event.ended'])
  await service.clock.set(day(2, '10:45:00.000'))
  await editWhileFiring(series, { recurrence_rule: null })
  await service.clock.set(day(9))
  await service.drain()
  assert.deepEqual(
    receiver.received.filter(({ payload }) => payload.event_id === series.id),
    [],
  )
  assert.deepEqual(await timersOf(series), [])
})

/** A worker is in the middle of firing the first occurrence: it goes on once the edit waits for it. */
async function editWhileFiring(series: Made, body: object) {
  const worker = openDb(service.app.config.databaseUrl, { connections: 1, deadlineMs: 20_000, name: 'worker' })
  try {
    await worker`begin`
    await worker`
      update timers set due_at = due_at + interval '1 day', occurrence_start = occurrence_start + interval '1 day',
        generation = generation + 1
      where subject_id = ${decodeId('evt', series.id)!} and due_at <= app_now()`
    const editing = series.edit(body)
    await untilWaiting()
    await worker`commit`
    assert.equal((await editing).status, 200)
  } finally {
    await worker.end({ timeout: 1 })
  }
}

/** Until a statement of the service waits for somebody's lock. */
async function untilWaiting() {
  for (let looks = 0; looks < 2_000; looks++) {
    const [row] = await service.app.sql<{ waiting: number }[]>`
      select count(*)::integer as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    if (row!.waiting > 0) return
  }
  throw new Error('nothing waits')
}
