import assert from 'node:assert/strict'
import { decodeId } from '../../src/shapes/ids.ts'
import { contextTest, type Item } from '../../src/testing/contexts.ts'
import {
  ahead,
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeHold,
  makeOrganization,
} from '../../src/testing/factories.ts'
import { testStart } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = contextTest()
test.beforeEach(({ service }) => service.clock.set(testStart))
const hour = 60
const day = 24 * hour

test('a calendar without events has an empty context, of the set time, with its agent_status', async ({
  desk: { makeCalendarOf },
}) => {
  const { calendar, context } = await makeCalendarOf({}, { agent_status: 'working' })
  assert.deepEqual(await context(), {
    calendar_id: calendar.id,
    now: testStart.toISOString(),
    agent_status: 'working',
    current_event: null,
    next_event: null,
    recent_events: [],
    upcoming: [],
  })
})

test('every event is shown by its whole record', async ({ desk: { makeCalendarOf } }) => {
  const { add, context } = await makeCalendarOf()
  const past = await add('past', -30, -10)
  const current = await add('current', -5, 5)
  const next = await add('next', 30, 40)
  const body = await context()
  assert.deepEqual(body.current_event, current)
  assert.deepEqual(body.next_event, next)
  assert.deepEqual(body.recent_events, [past])
  assert.deepEqual(body.upcoming, [next])
})

test('an event that starts now is current, one that ends now has ended', async ({ desk: { makeCalendarOf } }) => {
  const { add, titles } = await makeCalendarOf()
  await add('ends now', -30, 0)
  assert.deepEqual(await titles(), { current: null, next: null, recent: ['ends now'], upcoming: [] })
  await add('starts now', 0, 30)
  assert.deepEqual(await titles(), { current: 'starts now', next: null, recent: ['ends now'], upcoming: [] })
})

test('of several events that are on, the latest started is the current one', async ({ desk: { makeCalendarOf } }) => {
  const { add, titles } = await makeCalendarOf()
  await add('early', -60, 60)
  await add('late', -5, 10)
  await add('long', -30 * day, 30 * day)
  assert.equal((await titles()).current, 'late')
})

test('upcoming are the first five within the next 24 hours, both ends included but for now', async ({
  desk: { makeCalendarOf },
}) => {
  const { add, titles } = await makeCalendarOf()
  await add('just after', day + 1 / 60_000, day + 30)
  assert.deepEqual(await titles(), { current: null, next: 'just after', recent: [], upcoming: [] })
  await add('exactly 24 hours', day, day + 30)
  await add('one', 1, 2)
  assert.deepEqual(await titles(), {
    current: null,
    next: 'one',
    recent: [],
    upcoming: ['one', 'exactly 24 hours'],
  })
  for (const nth of [4, 2, 6, 3, 5]) await add(`at ${nth}`, nth, nth + 1)
  assert.deepEqual((await titles()).upcoming, ['one', 'at 2', 'at 3', 'at 4', 'at 5'])
})

test('the next event may be further away than a day', async ({ desk: { makeCalendarOf } }) => {
  const { add, titles } = await makeCalendarOf()
  await add('in a year', 365 * day, 365 * day + 10)
  assert.deepEqual(await titles(), { current: null, next: 'in a year', recent: [], upcoming: [] })
})

test('recent are the three that ended last, newest first, whenever they began', async ({
  desk: { makeCalendarOf },
}) => {
  const { add, titles } = await makeCalendarOf()
  await add('long ago', -400 * day, -399 * day)
  assert.deepEqual((await titles()).recent, ['long ago'])
  await add('d', -40, -30)
  await add('c', -50, -20)
  await add('b', -30, -10)
  assert.deepEqual((await titles()).recent, ['b', 'c', 'd'])
  // Began long before the others, and ended after most of them.
  await add('six days', -6 * day, -5)
  await add('weeks', -100 * day, -15)
  assert.deepEqual((await titles()).recent, ['six days', 'b', 'weeks'])
})

test('events of weeks are found while they are on and after they ended, a week to the millisecond too', async ({
  service,
  desk: { makeCalendarOf },
}) => {
  const { add, titles } = await makeCalendarOf()
  await add('a week', -7 * day, 0)
  await add('a year', -365 * day, 1)
  assert.deepEqual(await titles(), { current: 'a year', next: null, recent: ['a week'], upcoming: [] })
  await service.clock.advance(60_000)
  assert.deepEqual(await titles(), { current: null, next: null, recent: ['a year', 'a week'], upcoming: [] })
  await service.clock.set(testStart)
  await add('a week and a bit', -7 * day, 1)
  assert.equal((await titles()).current, 'a week and a bit')
})

test('cancelled and deleted events are in none of the lists', async ({ service, desk: { makeCalendarOf } }) => {
  const { key, calendar, add, titles } = await makeCalendarOf()
  for (const [from, to] of [
    [-30, -10],
    [-5, 5],
    [30, 40],
  ] as const) {
    await add('cancelled', from, to, { status: 'cancelled' })
    const { id } = await add('deleted', from, to)
    await service.call('DELETE', `/v1/calendars/${calendar.id}/events/${id}`, { key })
    const series = { recurrence_rule: 'FREQ=DAILY', status: 'cancelled' }
    await add('cancelled series', from, to, series)
  }
  assert.deepEqual(await titles(), { current: null, next: null, recent: [], upcoming: [] })
})

test('tentative events and holds that live are in the lists, lapsed and released holds are not', async ({
  service,
  desk: { makeCalendarOf },
}) => {
  const { key, calendar, add, titles } = await makeCalendarOf()
  const hold = (title: string, from: number, to: number, expires: number) =>
    makeHold(service, key, calendar.id, {
      title,
      start_time: ahead(service, from),
      end_time: ahead(service, to),
      hold_expires_at: ahead(service, expires),
    })
  await add('tentative', -3, 3, { status: 'tentative' })
  await hold('ended hold', -8, -6, 10)
  await hold('lapsing hold', 30, 40, 5)
  const released = await hold('released hold', 50, 60, 10)
  await service.call('PUT', `/v1/events/${released.id}/release`, { key })
  assert.deepEqual(await titles(), {
    current: 'tentative',
    next: 'lapsing hold',
    recent: ['ended hold'],
    upcoming: ['lapsing hold'],
  })
  await hold('live hold', 0, 25, 10)
  assert.equal((await titles()).current, 'live hold')
  // To the millisecond, whether or not its timer has run.
  await service.clock.advance(5 * 60_000 - 1)
  assert.equal((await titles()).next, 'lapsing hold')
  await service.clock.advance(1)
  assert.deepEqual(await titles(), {
    current: 'live hold',
    next: null,
    recent: ['tentative', 'ended hold'],
    upcoming: [],
  })
})

test('imported events are in the lists', async ({ service, desk: { makeCalendarOf } }) => {
  const { add, titles } = await makeCalendarOf()
  const { id } = await add('imported', -3, 3)
  await service.app.sql`update events set source = 'external_ical' where id = ${decodeId('evt', id)!}`
  assert.equal((await titles()).current, 'imported')
})

test('a series is there by its occurrences, each with its own times', async ({ service, desk: { makeCalendarOf } }) => {
  const { add, context } = await makeCalendarOf()
  const series = await add('daily', -3 * day, -3 * day + 30, { recurrence_rule: 'FREQ=DAILY' })
  const body = await context()
  const occurrence = (from: number) => ({
    ...series,
    startTime: ahead(service, from),
    endTime: ahead(service, from + 30),
    recurringEventId: series.id,
    originalStartTime: ahead(service, from),
  })
  assert.deepEqual(body.current_event, occurrence(0))
  assert.deepEqual(body.next_event, occurrence(day))
  assert.deepEqual(body.recent_events, [-day, -2 * day, -3 * day].map(occurrence))
  assert.deepEqual(body.upcoming, [occurrence(day)])
})

test('cancelled occurrences of a series are in none of the lists', async ({ service, desk: { makeCalendarOf } }) => {
  const { key, calendar, add, context } = await makeCalendarOf()
  const series = await add('daily', -5 * day, -5 * day + 30, { recurrence_rule: 'FREQ=DAILY' })
  for (const from of [0, day, -day, -3 * day]) {
    const path = `/v1/calendars/${calendar.id}/events/${series.id}?occurrence_start=${ahead(service, from)}`
    assert.equal((await service.call('DELETE', path, { key })).status, 200)
  }
  const body = await context()
  assert.equal(body.current_event, null)
  assert.equal(body.next_event.startTime, ahead(service, 2 * day))
  assert.deepEqual(body.upcoming, [])
  assert.deepEqual(
    body.recent_events.map(({ startTime }: Item) => startTime),
    [-2 * day, -4 * day, -5 * day].map((from) => ahead(service, from)),
  )
})

test('occurrences and events are ordered among each other', async ({ desk: { makeCalendarOf } }) => {
  const { add, titles } = await makeCalendarOf()
  await add('series', -2 * day + 60, -2 * day + 90, { recurrence_rule: 'FREQ=DAILY' })
  await add('once before', -day + 30, -day + 80)
  await add('once after', -day + 85, -day + 95)
  await add('soon', 30, 40)
  await add('later', 70, 80)
  assert.deepEqual(await titles(), {
    current: null,
    next: 'soon',
    recent: ['once after', 'series', 'once before'],
    upcoming: ['soon', 'series', 'later'],
  })
})

test('of occurrences that overlap each other the latest started is current, those that ended are recent', async ({
  service,
  desk: { makeCalendarOf },
}) => {
  const { add, context } = await makeCalendarOf()
  // Fifty hours each, every day.
  await add('long', -5 * day, -5 * day + 50 * hour, { recurrence_rule: 'FREQ=DAILY' })
  const body = await context()
  assert.equal(body.current_event.startTime, ahead(service, 0))
  assert.deepEqual(
    body.recent_events.map(({ startTime }: Item) => startTime),
    [-3 * day, -4 * day, -5 * day].map((from) => ahead(service, from)),
  )
})

test('a series that is over stays among the recent ones until three events ended after it', async ({
  service,
  desk: { makeCalendarOf },
}) => {
  const { key, calendar, add, titles } = await makeCalendarOf()
  const over = await add('over', -9 * day, -9 * day + 30, { recurrence_rule: 'FREQ=DAILY;COUNT=2' })
  await add('one', -6 * day, -6 * day + 10)
  await add('two', -5 * day, -5 * day + 10)
  assert.deepEqual((await titles()).recent, ['two', 'one', 'over'])
  const path = `/v1/calendars/${calendar.id}/events/${over.id}?occurrence_start=${ahead(service, -8 * day)}`
  await service.call('DELETE', path, { key })
  assert.deepEqual((await titles()).recent, ['two', 'one', 'over'], 'its first occurrence is still there')
  await add('three', -4 * day, -4 * day + 10)
  assert.deepEqual((await titles()).recent, ['three', 'two', 'one'])
  await add('long over', -10 * day, -3 * day, { recurrence_rule: 'FREQ=DAILY;COUNT=1' })
  assert.deepEqual((await titles()).recent, ['long over', 'three', 'two'])
})

test('of many series that are over those are recent whose occurrences took place, however late the others would end', async ({
  service,
  desk: { makeCalendarOf },
}) => {
  const { key, calendar, add, titles } = await makeCalendarOf()
  for (let nth = 0; nth < 3; nth++) {
    await add(`early ${nth}`, (nth - 30) * day, (nth - 30) * day + 30, { recurrence_rule: 'FREQ=DAILY;COUNT=2' })
  }
  for (let nth = 0; nth < 12; nth++) {
    const from = -20 * day + nth
    const late = await add('late', from, from + 30, { recurrence_rule: 'FREQ=DAILY;INTERVAL=15;COUNT=2' })
    for (const cancelled of [from, from + 15 * day]) {
      const path = `/v1/calendars/${calendar.id}/events/${late.id}?occurrence_start=${ahead(service, cancelled)}`
      assert.equal((await service.call('DELETE', path, { key })).status, 200)
    }
  }
  assert.deepEqual((await titles()).recent, ['early 2', 'early 2', 'early 1'])
})

test('a series whose first occurrence was cancelled hides no event that ended before it', async ({
  service,
  desk: { makeCalendarOf },
}) => {
  const { key, calendar, add, titles } = await makeCalendarOf()
  for (const ago of [3, 4, 5]) await add(`${ago} days ago`, -ago * day, -ago * day + 30)
  const series = await add('series', -day, -day + 30, { recurrence_rule: 'FREQ=DAILY;COUNT=1' })
  const path = `/v1/calendars/${calendar.id}/events/${series.id}?occurrence_start=${ahead(service, -day)}`
  assert.equal((await service.call('DELETE', path, { key })).status, 200)
  assert.deepEqual((await titles()).recent, ['3 days ago', '4 days ago', '5 days ago'])
})

test('an unknown calendar, one of another organization or of another agent has no context to show', async ({
  service,
  desk: { makeCalendarOf },
}) => {
  const { calendar } = await makeCalendarOf()
  const { key } = await makeOrganization(service)
  const read = (id: string, by: string) => service.call('GET', `/v1/calendars/${id}/context`, { key: by })
  for (const id of [calendar.id, 'cal_00000000000000000000000000', 'evt_00000000000000000000000000', 'x']) {
    assertRefused(await read(id, key), 404, 'not_found', { code: 'calendar_not_found' })
  }
  const [own, other] = [await makeAgent(service, key), await makeAgent(service, key)]
  const agentKey = await makeAgentKey(service, key, own.id)
  assert.equal((await read((await makeCalendar(service, key, own.id)).id, agentKey)).status, 200)
  assertRefused(await read((await makeCalendar(service, key, other.id)).id, agentKey), 403, 'forbidden')
  const deleted = await makeCalendar(service, key)
  await service.call('DELETE', `/v1/calendars/${deleted.id}`, { key })
  assertRefused(await read(deleted.id, key), 404, 'not_found', { code: 'calendar_not_found' })
})

// Random calendars against a list of everything, sorted.
