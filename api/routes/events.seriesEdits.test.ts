// PATCH of a series: its rule, start, end and status.
import assert from 'node:assert/strict'
import { decodeId } from '../../src/shapes/ids.ts'
import { ahead, makeCalendar, makeEvent, makeHold, makeOrganization, makeWebhook } from '../../src/testing/factories.ts'
import { forgetKeys } from '../../src/testing/redisKeys.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { day, seriesTest, start } from '../../src/testing/series.ts'

const test = seriesTest()

test('a new rule or a new start clears the cancelled occurrences, any other edit keeps them', async ({
  makeSeries,
}) => {
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

test('an edit of the series sends event.updated with the record', async ({ service, receiver, makeSeries }) => {
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

test('a rule of null makes the series a one-off at its first start', async ({ service, makeSeries }) => {
  const series = await makeSeries({ start_time: day(3), end_time: day(3, '10:30:00.000') })
  const { status, body } = await series.edit({ recurrence_rule: null })
  assert.equal(status, 200)
  assert.equal(body.recurrenceRule, null)
  assert.equal(body.startTime, day(3))
  assertRefused(await series.cancel(day(3)), 409, 'conflict', { param: 'occurrence_start' })
  const query = `expand=true&start_after=${day(1)}&start_before=${day(30)}`
  const list = await service.call('GET', `/v1/calendars/${series.calendar.id}/events?${query}`, { key: series.key })
  assert.deepEqual(list.body.data, [body])
  assert.deepEqual(await series.timers(), [
    'event_reminder 10 03T09:50',
    'event_start 0 03T10:00',
    'event_end 0 03T10:30',
  ])
})

test('a one-off that gets a rule is a series from its start on', async ({ service, receiver, makeSeries }) => {
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

test('a rule that is not accepted, or a start that does not fit the rule, is refused and changes nothing', async ({
  makeSeries,
}) => {
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

test('a start that is moved past UNTIL does not fit', async ({ makeSeries }) => {
  const series = await makeSeries({ recurrence_rule: 'FREQ=DAILY;UNTIL=20260305' })
  const body = { start_time: day(6), end_time: day(6, '11:00:00.000') }
  assertRefused(await series.edit(body), 400, 'bad_request', { param: 'start_time' })
})

test('on the Free plan an edit may not make the series longer than 90 days', async ({ makeSeries }) => {
  const series = await makeSeries({}, { plan: 'free' })
  for (const recurrence_rule of ['FREQ=DAILY', 'FREQ=DAILY;COUNT=92']) {
    assertRefused(await series.edit({ recurrence_rule }), 403, 'plan_required', { feature: 'unbounded_recurrence' })
  }
  assert.equal((await series.edit({ recurrence_rule: 'FREQ=DAILY;UNTIL=20260531' })).status, 200)
  // The bound holds for a start that moves away from UNTIL, too.
  const earlier = { start_time: '2026-03-01T10:00:00Z', end_time: '2026-03-01T10:30:00Z' }
  assertRefused(await series.edit(earlier), 403, 'plan_required', { feature: 'unbounded_recurrence' })
})

test('after a downgrade to Free a series can be edited as long as its rule and start stay', async ({ service }) => {
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

test('adding a rule counts towards the cap, editing a series does not', async ({ service }) => {
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

test('of rules that are added at once, only as many as the cap allows are accepted', async ({ service }) => {
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

test('a hold and an imported event cannot get a rule; a released or confirmed hold can', async ({ service }) => {
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

test('a new end changes the length of every occurrence', async ({ service, makeSeries }) => {
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
  assert.deepEqual((await series.timers()).slice(-1), ['event_end 0 02T11:15'])
})
