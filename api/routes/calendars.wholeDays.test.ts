// A calendar that gets another zone: its whole days stay on their dates, and everything that shows them follows.
import assert from 'node:assert/strict'
import { maxWholeDays } from '../../src/events/moveWholeDays.ts'
import { decodeId } from '../../src/shapes/ids.ts'
import { changesOf } from '../../src/testing/changes.ts'
import { makeCalendar, makeEvent, makeHold } from '../../src/testing/factories.ts'
import { bookSlot, makePage, startsOf } from '../../src/testing/guests.ts'
import { testStart } from '../../src/testing/harness.ts'
import { callMcp } from '../../src/testing/mcp/mcp.ts'
import { momentsTest } from '../../src/testing/moments.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = momentsTest().extend('days', async ({ service, key, organization, receiver, desk }) => {
  const { id } = desk.calendar
  const path = `/v1/calendars/${id}`
  const events = `${path}/events`
  const toZone = (timezone: string, more: object = {}) => desk.patchCalendar({ timezone, ...more })
  await toZone('Europe/Berlin')
  const day = (start: string, end: string, more: object = {}) =>
    desk.event({
      ...{ all_day: true, reminders: [60] },
      ...{ start_time: `${start}T00:00[Europe/Berlin]`, end_time: `${end}T00:00[Europe/Berlin]` },
      ...more,
    })
  // biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
  const get = async (url: string): Promise<any> => {
    const answer = await service.call('GET', url, { key })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }
  /** All that is stored of the events but their versions. */
  const stored = async () =>
    (await get(`${events}?limit=200`)).data.map(({ updatedAt: _, ...event }: { updatedAt: string }) => event)
  const window = 'start_after=2026-03-01T00:00:00Z&start_before=2026-04-01T10:00:00Z&expand=true&limit=200'
  /** `Title date last_date` of everything in March 2026. */
  const dates = async (): Promise<string[]> =>
    (await get(`${events}?${window}&view=local`)).data
      .map(({ title, local }: { title: string; local: { date: string; last_date: string } }) =>
        [title, local.date, local.last_date].join(' '),
      )
      .sort()
  const feed = async () => {
    const { ical_url } = await get(path)
    const { body } = await service.call('GET', new URL(ical_url).pathname)
    return body.match(/^(?:DTSTART|DTEND|RRULE|EXDATE).*(?=\r)/gm)
  }
  const timers = () =>
    service.app.sql`
      select subject_id, kind, offset_minutes, due_at, occurrence_start from timers
      where calendar_id = ${decodeId('cal', id)!} order by subject_id, kind, offset_minutes`
  const told = async () => (await changesOf(service, organization.id)).map(({ type }) => type)
  return { path, events, toZone, day, get, stored, dates, feed, timers, told, receiver }
})

const zones = ['America/New_York', 'Pacific/Auckland', 'UTC', 'Asia/Kathmandu']

test('days, series and holds stay on their dates from zone to zone, and come back as they were', async ({
  service,
  key,
  desk,
  days: { path, events, toZone, day, stored, dates, feed, timers, told },
}) => {
  await day('2026-03-10', '2026-03-11', { title: 'One' })
  await day('2026-03-28', '2026-03-31', { title: 'Over-summer-time' })
  await day('2025-07-01', '2025-07-03', { title: 'Past' })
  await day('2026-03-12', '2026-03-13', { title: 'Maybe', status: 'tentative' })
  const gone = await day('2026-03-13', '2026-03-14', { title: 'Cancelled' })
  await desk.patch(gone.id, { status: 'cancelled' })
  await day('2026-03-05', '2026-03-06', { title: 'Daily', recurrence_rule: 'FREQ=DAILY;INTERVAL=4' })
  const weekly = await day('2026-03-04', '2026-03-05', { title: 'Weekly', recurrence_rule: 'FREQ=WEEKLY;BYDAY=TH,TU' })
  const cancelled = '2026-03-12T23:00:00.000Z'
  const answer = await service.call('DELETE', `${events}/${weekly.id}?occurrence_start=${cancelled}`, { key })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  await makeHold(service, key, desk.calendar.id, {
    ...{ title: 'Held', all_day: true },
    ...{ start_time: '2026-03-20T00:00[Europe/Berlin]', end_time: '2026-03-21T00:00[Europe/Berlin]' },
  })
  const meeting = await desk.event({ title: 'Meeting' })
  const [first, shown, lines, waiting] = [await stored(), await dates(), await feed(), await timers()]
  assert.ok(shown.includes('One 2026-03-10 2026-03-10'))
  assert.ok(shown.includes('Over-summer-time 2026-03-28 2026-03-30'))
  const before = await told()
  for (const zone of zones) {
    await toZone(zone)
    assert.deepEqual(await dates(), shown, zone)
    assert.deepEqual(byDate(await feed()), byDate(lines), zone)
    const { startTime } = (await service.call('GET', `${events}/${meeting.id}`, { key })).body
    assert.equal(startTime, meeting.startTime)
  }
  await toZone('Europe/Berlin')
  assert.deepEqual(await stored(), first)
  assert.deepEqual(await timers(), waiting)
  assert.deepEqual(
    (await told()).slice(before.length),
    [...zones, 'back'].map(() => 'calendar.updated'),
  )
  const dry = await service.call('PATCH', `${path}?dry_run=true`, { key, body: { timezone: 'Asia/Tokyo' } })
  assert.equal(dry.status, 200)
  assert.deepEqual([await stored(), await timers()], [first, waiting])
})

/** Dates of whole days; the times of other events are no dates. */
const byDate = (lines: string[]) => lines.filter((line) => !/T\d{6}Z/.test(line)).sort()

test('a series keeps its dates while its rule has other weekdays, its end and its cancelled days too', async ({
  service,
  key,
  days: { events, toZone, day },
}) => {
  const rule = 'FREQ=WEEKLY;UNTIL=20260401;BYDAY=TU'
  const { id } = await day('2026-03-04', '2026-03-05', { recurrence_rule: rule })
  await service.call('DELETE', `${events}/${id}?occurrence_start=2026-03-10T23:00:00Z`, { key })
  await toZone('America/New_York')
  const { body } = await service.call('GET', `${events}/${id}`, { key })
  assert.deepEqual(
    [body.startTime, body.endTime, body.recurrenceRule, body.recurrenceExdates],
    // At midnight in winter: from 8 March on the clocks are an hour ahead.
    [
      '2026-03-04T05:00:00.000Z',
      '2026-03-05T05:00:00.000Z',
      'FREQ=WEEKLY;UNTIL=20260402;BYDAY=WE',
      ['2026-03-11T05:00:00.000Z'],
    ],
  )
})

test('moments fire at the beginning of the day in the new zone, and not at the old one', async ({
  desk: { firedAt, patchCalendar },
  days: { day, toZone },
}) => {
  await day('2026-03-03', '2026-03-04')
  await day('2026-03-03', '2026-03-04', { reminders: null })
  await day('2026-03-03', '2026-03-04', { recurrence_rule: 'FREQ=DAILY', reminders: [] })
  await toZone('America/New_York', { default_reminders: [30] })
  // From 2 March, 09:00 in UTC, in minutes: midnight of 3 March in Berlin and in New York.
  const [berlin, newYork] = [14 * 60, 20 * 60]
  assert.deepEqual(
    await firedAt(berlin - 60, berlin - 10, berlin, newYork - 60, newYork - 30, newYork - 10, newYork, newYork + 1440),
    {
      [newYork - 60]: ['event.reminder 60'],
      [newYork - 30]: ['event.reminder 30'],
      [newYork]: ['event.started', 'event.started', 'event.started'],
      [newYork + 1440]: ['event.ended', 'event.ended', 'event.ended', 'event.started'],
    },
  )
  await patchCalendar({ default_reminders: [] })
})

test('free time follows, and no event is told', async ({ desk, days }) => {
  await days.day('2026-03-10', '2026-03-11', { reminders: [] })
  const before = (await days.told()).length
  const busy = async () =>
    (
      await days.get(
        `/v1/calendars/${desk.calendar.id}/availability?start=2026-03-09T00:00:00Z&end=2026-03-12T00:00:00Z&include_busy=true`,
      )
    ).busy
  await days.toZone('Pacific/Auckland')
  assert.deepEqual(await busy(), [{ start: '2026-03-09T11:00:00.000Z', end: '2026-03-10T11:00:00.000Z' }])
  assert.deepEqual((await days.told()).slice(before), ['calendar.updated'])
})

test('a new event at the same moment stays as it was sent or moves with the others', async ({
  service,
  key,
  days: { path, events, dates, day },
}) => {
  await day('2026-03-10', '2026-03-11', { title: 'Old' })
  const body = {
    ...{ title: 'New', all_day: true, reminders: [] },
    ...{ start_time: '2026-03-11T00:00[Europe/Berlin]', end_time: '2026-03-12T00:00[Europe/Berlin]' },
  }
  const answers = await Promise.all([
    service.call('PATCH', path, { key, body: { timezone: 'America/New_York' } }),
    ...Array.from({ length: 5 }, () => service.call('POST', events, { key, body })),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 201, 201, 201, 201, 201],
  )
  assert.ok((await dates()).includes('Old 2026-03-10 2026-03-10'))
})

test('over MCP the zone changes in the same way', async ({ service, key, desk, days: { day, dates } }) => {
  await day('2026-03-10', '2026-03-11', { title: 'One' })
  await day('2026-03-05', '2026-03-06', { title: 'Daily', recurrence_rule: 'FREQ=DAILY;INTERVAL=4' })
  const shown = await dates()
  assert.ok(shown.includes('One 2026-03-10 2026-03-10'))
  const change = { calendar_id: desk.calendar.id, timezone: 'America/New_York' }
  const changed = await callMcp(service, 'update_calendar', change, { key, query: '?profile=full' })
  assert.equal(changed.structuredContent?.calendar.timezone, 'America/New_York', JSON.stringify(changed))
  assert.deepEqual(await dates(), shown)
})

test('a booking that its owner made all-day stays at the time that its guest was told', async ({ service, call }) => {
  const { key, calendar, page } = await makePage(service, { duration_minutes: 60 })
  const [start] = await startsOf(service, page.slug)
  const booked = (await bookSlot(service, page.slug, start!)).body
  const path = `/v1/calendars/${calendar.id}`
  const whole = { all_day: true, start_time: '2026-03-10T00:00:00Z', end_time: '2026-03-11T00:00:00Z' }
  const patched = await call('PATCH', `/v1/events/${booked.event.id}`, { key, body: whole })
  assert.equal(patched.status, 200, JSON.stringify(patched.body))
  const own = await makeEvent(service, key, calendar.id, whole)
  assert.equal((await call('PATCH', path, { key, body: { timezone: 'America/New_York' } })).status, 200)
  const timesOf = async (id: string) => (await call('GET', `/v1/events/${id}`, { key })).body.startTime
  assert.equal(await timesOf(booked.event.id), '2026-03-10T00:00:00.000Z')
  assert.equal(await timesOf(own.id), '2026-03-10T04:00:00.000Z')
})

for (const rival of ['another hold', 'its confirmation'] as const) {
  test(`a hold of a whole day stays on its date, whatever comes first: a new zone or ${rival}`, async ({
    service,
    key,
    desk,
    days: { path, events, dates },
  }) => {
    const zones = ['Europe/Berlin', 'UTC']
    for (let round = 0; round < 6; round++) {
      const [zone, timezone] = round % 2 ? zones.toReversed() : zones
      const [date, next] = [10 + 2 * round, 11 + 2 * round].map((day) => `2026-03-${day}`)
      const held = await makeHold(service, key, desk.calendar.id, {
        ...{ title: 'Held', all_day: true },
        ...{ start_time: `${date}T00:00[${zone}]`, end_time: `${next}T00:00[${zone}]` },
      })
      const noon = { start_time: `${date}T11:00:00Z`, end_time: `${date}T12:00:00Z` }
      const hold = { title: 'Rival', status: 'hold', hold_expires_at: held.holdExpiresAt, ...noon }
      const race = [
        () => service.call('PATCH', path, { key, body: { timezone } }),
        () =>
          rival === 'another hold'
            ? service.call('POST', events, { key, body: hold })
            : service.call('PUT', `/v1/events/${held.id}/confirm`, { key }),
      ]
      const isFirst = round % 3 > 0
      const answers = await Promise.all((isFirst ? race : race.toReversed()).map((run) => run()))
      const [zoned, other] = isFirst ? answers : answers.toReversed()
      assert.equal(zoned!.status, 200)
      if (rival === 'another hold') assertRefused(other!, 409, 'conflict', { code: 'hold_conflict' })
      else assert.equal(other!.status, 200)
      assert.ok((await dates()).includes(`Held ${date} ${date}`), (await dates()).join())
    }
  })
}

test('a zone is refused in which a series could not keep its dates, and where too many days would move', async ({
  service,
  key,
  desk: { calendar, patch },
  days: { path, day, stored, toZone },
}) => {
  // On the day after each first Tuesday, in the eyes of UTC.
  const { id } = await day('2026-04-08', '2026-04-09', { recurrence_rule: 'FREQ=MONTHLY;BYDAY=1TU' })
  const before = await stored()
  const change = () => service.call('PATCH', path, { key, body: { timezone: 'America/New_York', name: 'Moved' } })
  const refused = await change()
  assertRefused(refused, 409, 'conflict', { param: 'timezone' })
  assert.ok(refused.body.error.message.includes(id))
  assert.deepEqual(await stored(), before)
  await toZone('Pacific/Auckland')
  await patch(id, { recurrence_rule: null })
  assert.equal((await change()).status, 200)
  await service.app.sql`
    insert into events (org_id, id, calendar_id, title_sealed, start_time, end_time, all_day, status, metadata, created_at, updated_at)
    select org_id, gen_random_uuid(), id, '\\x00', ${testStart}, ${testStart}::timestamptz + interval '1 day', true, 'cancelled', '{}',
      ${testStart}, ${testStart}
    from calendars, generate_series(1, ${maxWholeDays}) where id = ${decodeId('cal', calendar.id)!}`
  const many = await service.call('PATCH', path, { key, body: { timezone: 'Europe/Berlin' } })
  assertRefused(many, 409, 'conflict', { param: 'timezone' })
  await service.app
    .sql`delete from events where calendar_id = ${decodeId('cal', calendar.id)!} and status = 'cancelled'`
})

test('days at whose date both zones have the same time are not changed', async ({
  service,
  days: { toZone, day, get },
}) => {
  const [winter, summer] = [await day('2026-12-10', '2026-12-11'), await day('2026-07-10', '2026-07-11')]
  await service.clock.set(new Date(testStart.getTime() + 1_000))
  await toZone('Africa/Lagos')
  const after = await get(`/v1/events/${winter.id}`)
  assert.deepEqual([after.startTime, after.updatedAt], [winter.startTime, winter.updatedAt])
  const moved = await get(`/v1/events/${summer.id}`)
  assert.equal(moved.startTime, '2026-07-09T23:00:00.000Z')
  assert.ok(moved.updatedAt > summer.updatedAt)
})

test('whole days of other calendars stay', async ({ service, key, desk: { event }, days: { toZone } }) => {
  const other = await makeCalendar(service, key, undefined, { timezone: 'Europe/Berlin' })
  const kept = await event({ all_day: true }, other.id)
  await toZone('America/New_York')
  const { body } = await service.call('GET', `/v1/events/${kept.id}`, { key })
  assert.deepEqual([body.startTime, body.updatedAt], [kept.startTime, kept.updatedAt])
})
