import assert from 'node:assert/strict'
import { asRead } from '../../src/testing/eventRecord.ts'
import { makeCalendar, makeEvent, makeOrganization } from '../../src/testing/factories.ts'
import { testStart } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

/** Every Friday at 9 in Berlin, over the change of clocks of 29 March. */
const weekly = {
  title: 'Planning',
  start_time: '2026-03-20T08:00:00Z',
  end_time: '2026-03-20T09:00:00Z',
  recurrence_rule: 'FREQ=WEEKLY;BYDAY=FR;COUNT=4',
  recurrence_timezone: 'Europe/Berlin',
}
const fridays = ['2026-03-20T08:00:00.000Z', '2026-03-27T08:00:00.000Z', '2026-04-03T07:00:00.000Z']

const test = serviceTest({ plan: 'pro' }).extend('desk', perFile, ({ service }) => async (body: object = {}) => {
  const { key } = await makeOrganization(service, { plan: 'pro' })
  const calendar = await makeCalendar(service, key)
  const list = `/v1/calendars/${calendar.id}/events`
  const call = (method: string, path: string, sent?: object) => service.call(method, path, { key, body: sent })
  const series = await makeEvent(service, key, calendar.id, { ...weekly, ...body })
  const path = `${list}/${series.id}`
  const starts = async (window = 'start_after=2026-03-01T00:00Z&start_before=2026-08-01T00:00Z') => {
    const { body: listed } = await call('GET', `${list}?expand=true&${window}`)
    assert.equal(listed.total, listed.data.length)
    return listed.data.map(({ startTime }: { startTime: string }) => startTime)
  }
  return { key, calendar, list, path, call, series, starts }
})

test.beforeEach(({ service }) => service.clock.set(testStart))

test('a series with a zone keeps its local hour, and shows the zone', async ({ desk }) => {
  const { series, starts, call, path } = await desk()
  assert.deepEqual(await starts(), [...fridays, '2026-04-10T07:00:00.000Z'])
  assert.equal((series as unknown as { recurrenceTimezone: string }).recurrenceTimezone, 'Europe/Berlin')
  assert.deepEqual((await call('GET', path)).body, series)
})

test('a series without a zone shows no new field', async ({ desk }) => {
  for (const body of [{ recurrence_timezone: undefined }, { recurrence_timezone: null }]) {
    const { series, starts } = await desk(body)
    assert.equal('recurrenceTimezone' in series || 'recurrenceRdates' in series, false)
    assert.equal((await starts())[2], '2026-04-03T08:00:00.000Z')
  }
})

test('the rule must fit the local start: BYDAY is a local day', async ({ desk }) => {
  const tuesday = { start_time: '2026-03-02T20:00:00Z', end_time: '2026-03-02T21:00:00Z' }
  const { call, list, starts } = await desk({
    ...tuesday,
    recurrence_rule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=2',
    recurrence_timezone: 'Pacific/Auckland',
  })
  assert.deepEqual(await starts(), ['2026-03-02T20:00:00.000Z', '2026-03-09T20:00:00.000Z'])
  const misfit = { ...weekly, ...tuesday, recurrence_rule: 'FREQ=WEEKLY;BYDAY=TU' }
  assertRefused(await call('POST', list, misfit), 400, 'bad_request', { param: 'recurrence_rule' })
})

test('zone and dates need a rule, and the zone is a name', async ({ desk }) => {
  const { call, list, path } = await desk()
  const single = { title: 'Once', start_time: weekly.start_time, end_time: weekly.end_time }
  for (const [param, value] of [
    ['recurrence_timezone', 'Europe/Berlin'],
    ['recurrence_rdates', ['2026-04-01T08:00:00Z']],
  ] as const) {
    assertRefused(await call('POST', list, { ...single, [param]: value }), 400, 'validation_error', { param: param })
    const { body: once } = await call('POST', list, single)
    const patched = await call('PATCH', `${list}/${once.id}`, { [param]: value })
    assertRefused(patched, 400, 'validation_error', { param: param })
    const both = { recurrence_rule: null, [param]: value }
    assertRefused(await call('PATCH', path, both), 400, 'validation_error', { param: param })
  }
  const nowhere = await call('POST', list, { ...weekly, recurrence_timezone: 'Mars/Olympus' })
  assertRefused(nowhere, 400, 'validation_error', { param: 'recurrence_timezone' })
})

test('another zone is a change of the rule: cancelled occurrences come back; null means UTC', async ({ desk }) => {
  const { call, path, starts } = await desk()
  await call('DELETE', `${path}?occurrence_start=${fridays[1]}`)
  assert.deepEqual((await starts()).slice(0, 2), [fridays[0], fridays[2]])
  const { body } = await call('PATCH', path, { recurrence_timezone: 'America/New_York' })
  assert.deepEqual([body.recurrenceTimezone, body.recurrenceExdates], ['America/New_York', []])
  assert.deepEqual((await starts())[2], '2026-04-03T08:00:00.000Z')
  const utc = await call('PATCH', path, { recurrence_timezone: null })
  assert.equal('recurrenceTimezone' in utc.body, false)
  const single = await call('PATCH', path, { recurrence_rule: null })
  assert.equal(single.status, 200)
})

test('dates stand beside the rule, free of COUNT, and one that is an occurrence counts once', async ({ desk }) => {
  const rdates = ['2026-06-01T10:00:00Z', '2026-03-27T08:00:00Z', '2026-03-25T10:00:00Z']
  const { series, starts, call, path } = await desk({ recurrence_rdates: rdates })
  const shown = ['2026-03-25T10:00:00.000Z', '2026-03-27T08:00:00.000Z', '2026-06-01T10:00:00.000Z']
  assert.deepEqual((series as unknown as { recurrenceRdates: string[] }).recurrenceRdates, shown)
  const all = [fridays[0], shown[0], shown[1], fridays[2], '2026-04-10T07:00:00.000Z', shown[2]]
  assert.deepEqual(await starts(), all)
  const cancelled = await call('DELETE', `${path}?occurrence_start=${shown[0]}`)
  assert.deepEqual(cancelled.body.recurrenceExdates, [shown[0]])
  assert.deepEqual(await starts(), all.toSpliced(1, 1))
  await call('DELETE', `${path}?occurrence_start=${fridays[2]}`)
  const fewer = asRead(await call('PATCH', path, { recurrence_rdates: [shown[2]] }))
  assert.deepEqual([fewer.body.recurrenceExdates, fewer.body.recurrenceRdates], [[fridays[2]], [shown[2]]])
  const none = await call('PATCH', path, { recurrence_rdates: [] })
  assert.equal('recurrenceRdates' in none.body, false)
})

test('a date before the start, one given twice and the 101st are refused', async ({ desk }) => {
  const { call, list, path } = await desk()
  const refused = async (recurrence_rdates: string[]) => {
    const created = await call('POST', list, { ...weekly, recurrence_rdates })
    assertRefused(created, 400, 'validation_error', { param: 'recurrence_rdates' })
    const patched = await call('PATCH', path, { recurrence_rdates })
    assertRefused(patched, 400, 'validation_error', { param: 'recurrence_rdates' })
  }
  await refused(['2026-03-20T07:59:59Z'])
  await refused(['2026-04-01T08:00:00Z', '2026-04-01T10:00:00+02:00'])
  const many = Array.from({ length: 101 }, (_, nth) => new Date(Date.UTC(2026, 4, 1, nth)).toISOString())
  await refused(many)
  assert.equal((await call('PATCH', path, { recurrence_rdates: many.slice(1) })).status, 200)
  const later = await call('PATCH', path, { start_time: '2026-05-08T08:00:00Z', end_time: '2026-05-08T09:00:00Z' })
  assertRefused(later, 400, 'validation_error', { param: 'recurrence_rdates' })
})

test('on the Free plan dates end within 90 days of the start, too', async ({ service }) => {
  const { key } = await makeOrganization(service, { plan: 'free' })
  const calendar = await makeCalendar(service, key)
  const create = (rdate: string) =>
    service.call('POST', `/v1/calendars/${calendar.id}/events`, {
      key,
      body: { ...weekly, recurrence_rdates: [rdate] },
    })
  assertRefused(await create('2026-06-18T08:00:01Z'), 403, 'plan_required', { feature: 'unbounded_recurrence' })
  assert.equal((await create('2026-06-18T08:00:00Z')).status, 201)
})

test('availability takes the local hours and the dates, and require_free judges them', async ({ desk }) => {
  const { calendar, call, list } = await desk({ recurrence_rdates: ['2026-04-01T12:00:00Z'] })
  const window = 'start=2026-04-01T11:00:00Z&end=2026-04-03T12:00:00Z&duration=1h&include_busy=true'
  const { body } = await call('GET', `/v1/calendars/${calendar.id}/availability?${window}`)
  assert.deepEqual(
    body.busy.map(({ start, end }: { start: string; end: string }) => [start, end]),
    [
      ['2026-04-01T12:00:00.000Z', '2026-04-01T13:00:00.000Z'],
      ['2026-04-03T07:00:00.000Z', '2026-04-03T08:00:00.000Z'],
    ],
  )
  const once = (hour: string) => ({
    ...{ title: 'Once', require_free: true },
    ...{ start_time: `2026-04-03T${hour}:00:00Z`, end_time: `2026-04-03T${hour}:30:00Z` },
  })
  assertRefused(await call('POST', list, once('07')), 409, 'conflict', { code: 'not_free' })
  assert.equal((await call('POST', list, once('08'))).status, 201)
  const explained = await call('POST', `${list}?explain=true`, { ...once('07'), start_time: '2026-04-03T07:10:00Z' })
  assert.equal(explained.body.error.conflict.occurrence_start, fridays[2])
})

test('the moments of a series with a zone come at its local hour, those of its dates with them', async ({
  service,
  desk,
  receiver,
}) => {
  const { key, series } = await desk({ recurrence_rdates: ['2026-04-01T12:00:00Z'], reminders: [] })
  await service.call('POST', '/v1/webhooks', { key, body: { url: receiver.url, events: ['event.started'] } })
  receiver.received.length = 0
  await service.clock.set(new Date('2026-04-12T00:00:00Z'))
  await service.drain()
  const told = receiver.received
    .map(({ payload }) => payload as { event_id: string; occurrence_start: string; start_time: string })
    .filter(({ event_id }) => event_id === series.id)
  assert.deepEqual(told.map(({ occurrence_start }) => occurrence_start).sort(), [
    ...fridays.slice(0, 2),
    '2026-04-01T12:00:00.000Z',
    fridays[2],
    '2026-04-10T07:00:00.000Z',
  ])
})
