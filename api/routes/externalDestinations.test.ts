// Publishing the events of a calendar into a calendar of a human.
import assert from 'node:assert/strict'
import { makeOwner } from '../../src/testing/accounts.ts'
import { makeAgent, makeCalendar } from '../../src/testing/factories.ts'
import { at, publishingTest, titlesOf as titles } from '../../src/testing/publishing.ts'

const test = publishingTest()

test('events follow their calendar into the one that the human chose', async ({ service, caldav, desk, events }) => {
  const { create, change, ask } = events
  assert.deepEqual((await create({ title: 'Before' })).external_sync, { status: 'not_configured' })
  const { destination, path, external_calendar_id } = await desk.published()
  assert.match(destination.id, /^xds_/)
  assert.deepEqual(destination, {
    id: destination.id,
    calendar_id: desk.calendar.id,
    external_calendar_id,
    policy: 'confirmed',
    active: true,
    health: { queued: 0, failed: 0, last_error_category: null },
  })
  const made = await create()
  assert.deepEqual(made.external_sync, { status: 'queued' })
  assert.equal((await create({ title: 'Maybe', status: 'tentative' })).external_sync.status, 'skipped')
  await desk.drain()
  assert.deepEqual(titles(caldav.objects('personal')), ['Before', 'Planning'])
  for (const [name, text] of caldav.objects('personal')) {
    assert.match(name, /^[0-9a-v]{26}\.ics$/)
    assert.ok(text.includes(`UID:${name.slice(0, 26)}@agent-calendar`))
    assert.ok(!text.includes('VALARM') && !text.includes('METHOD'))
  }
  assert.equal(await change(made.id, { metadata: { a: 1 } }), 'published')
  assert.equal(await change(made.id, { metadata: { a: 2 } }), 'published')
  assert.equal((await desk.ok('GET', path)).data.health.queued, 0)
  assert.equal(await change(made.id, { title: 'Moved', start_time: at(11), end_time: at(12) }), 'queued')
  await desk.drain()
  assert.deepEqual(titles(caldav.objects('personal')), ['Before', 'Moved'])
  assert.ok([...caldav.objects('personal').values()].some((text) => text.includes('DTSTART:20260303T110000Z')))
  assert.equal(await change(made.id, { status: 'cancelled' }), 'queued')
  await desk.drain()
  assert.deepEqual(titles(caldav.objects('personal')), ['Before'])
  assert.equal((await ask('GET', `/v1/events/${made.id}`)).body.external_sync, undefined)
  assert.deepEqual((await desk.ok('GET', path)).data.health, { queued: 0, failed: 0, last_error_category: null })
  await desk.session('DELETE', path)
  await desk.drain()
  assert.deepEqual(titles(caldav.objects('personal')), [])
  assert.deepEqual(await desk.ok('GET', path), { data: null })
  const [left] = await service.app.sql`
    select (select count(*) from publications)::integer + (select count(*) from external_destinations)::integer as rows`
  assert.equal(left!.rows, 0)
})

test('a series by a clock is one copy, each edited occurrence another, and a split series two', async ({
  caldav,
  desk,
  events,
}) => {
  await desk.published()
  const weekly = { recurrence_rule: 'FREQ=WEEKLY;COUNT=5', recurrence_timezone: 'Europe/Berlin' }
  const { id, external_sync } = await events.create({ ...weekly, recurrence_rdates: [at(12, 5)] })
  assert.equal(external_sync.status, 'queued')
  const copies = async (): Promise<Record<string, string>> => {
    await desk.drain()
    const texts = [...caldav.objects('personal').values()].map((text) => text.replaceAll('\r\n ', ''))
    return Object.fromEntries(texts.map((text) => [/SUMMARY:(.*?)\r\n/.exec(text)![1], text]))
  }
  const [only] = Object.values(await copies())
  assert.match(only!, /BEGIN:VTIMEZONE\r\nTZID:Europe\/Berlin\r\n/)
  assert.match(only!, /DTSTART;TZID=Europe\/Berlin:20260303T100000\r\n/)
  assert.match(only!, /RDATE;TZID=Europe\/Berlin:20260305T130000\r\n/)
  const one = (nth: number, more = '') => `/v1/events/${id}?occurrence_start=${at(9, nth)}${more}`
  const edited = await events.ask('PATCH', one(10), { title: 'Own', start_time: at(14, 10), end_time: at(15, 10) })
  assert.deepEqual([edited.status, edited.body.external_sync.status], [200, 'queued'])
  const two = await copies()
  assert.deepEqual(Object.keys(two).sort(), ['Own', 'Planning'])
  assert.match(two.Planning!, /EXDATE;TZID=Europe\/Berlin:20260310T100000\r\n/)
  assert.match(two.Own!, /DTSTART:20260310T140000Z\r\n/)
  assert.ok(!two.Own!.includes('RECURRENCE-ID') && !two.Own!.includes('RRULE'))
  assert.equal((await events.ask('PATCH', one(10), { metadata: { a: 1 } })).body.external_sync.status, 'published')
  await events.change(id, { description: 'For all' })
  assert.match((await copies()).Own!, /DESCRIPTION:For all/)
  const back = await events.ask('DELETE', one(10, '&revert=true'))
  assert.deepEqual([back.status, back.body.external_sync.status], [200, 'queued'])
  const reverted = await copies()
  assert.deepEqual(Object.keys(reverted), ['Planning'])
  assert.ok(!reverted.Planning!.includes('EXDATE'))
  const split = await events.ask('PATCH', one(17, '&scope=following'), { title: 'Later' })
  const { previous, series } = split.body
  assert.deepEqual([previous.external_sync.status, series.external_sync.status], ['queued', 'queued'])
  const halves = await copies()
  assert.deepEqual(Object.keys(halves).sort(), ['Later', 'Planning'])
  assert.match(halves.Planning!, /RRULE:FREQ=WEEKLY;COUNT=2\r\n/)
  assert.match(halves.Later!, /DTSTART;TZID=Europe\/Berlin:20260317T100000\r\n/)
  assert.match(halves.Later!, /RRULE:FREQ=WEEKLY;COUNT=3\r\n/)
  const own = { title: 'Own', start_time: at(14, 24), end_time: at(15, 24) }
  await events.ask('PATCH', `/v1/events/${series.id}?occurrence_start=${at(9, 24)}`, own)
  assert.deepEqual(Object.keys(await copies()).sort(), ['Later', 'Own', 'Planning'])
  assert.equal((await events.ask('DELETE', `/v1/events/${series.id}`)).status, 204)
  assert.deepEqual(Object.keys(await copies()), ['Planning'])
  const restored = await events.ask('POST', `/v1/events/${series.id}/restore`, {})
  assert.deepEqual([restored.status, restored.body.external_sync.status], [200, 'queued'])
  assert.deepEqual(Object.keys(await copies()).sort(), ['Later', 'Own', 'Planning'])
})

test('copies of whole days stay on their dates when their calendar gets another zone', async ({
  caldav,
  desk,
  events,
}) => {
  await desk.published()
  await events.create({ all_day: true, start_time: at(23), end_time: at(23, 4) })
  await events.create({ title: 'Hour' })
  await desk.drain()
  const days = () =>
    [...caldav.objects('personal').values()].map((text) => /DTSTART(;VALUE=DATE)?:\w+/.exec(text)?.[0]).sort()
  assert.deepEqual(days(), ['DTSTART:20260303T090000Z', 'DTSTART;VALUE=DATE:20260304'])
  caldav.asked.length = 0
  const path = `/v1/calendars/${desk.calendar.id}`
  assert.equal((await events.ask('PATCH', path, { timezone: 'Europe/London' })).status, 200)
  await desk.drain()
  assert.deepEqual(days(), ['DTSTART:20260303T090000Z', 'DTSTART;VALUE=DATE:20260304'])
  assert.equal(caldav.asked.filter(({ method }) => method === 'PUT').length, 0)
})

test('who may set a destination, and where', async ({ service, desk }) => {
  const { path, external_calendar_id, other, id } = await desk.published()
  const put = (body: object) => desk.session('PUT', path, body)
  assert.equal((await service.call('GET', path, { key: desk.key })).status, 401)
  const stranger = await makeOwner(service)
  assert.equal((await service.call('GET', path, { key: stranger.token })).status, 404)
  assert.equal((await put({ external_calendar_id: 'xcl_nothing' })).status, 404)
  assert.equal((await put({ external_calendar_id, policy: 'none' })).status, 400)
  assert.equal((await put({ external_calendar_id, more: 1 })).status, 400)
  const changed = await put({ external_calendar_id, policy: 'confirmed_tentative' })
  assert.equal(changed.body.policy, 'confirmed_tentative')
  const moved = await put({ external_calendar_id: other })
  assert.equal(moved.status, 200)
  assert.notEqual(moved.body.id, changed.body.id)
  const refused = await desk.session('PATCH', `/v1/calendar-connections/${id}`, { capabilities: ['availability'] })
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'in_use'])
  await desk.session('POST', `/v1/calendar-connections/${id}/pause`)
  const paused = await put({ external_calendar_id })
  assert.equal(paused.status, 409)
  assert.equal((await desk.session('DELETE', path)).status, 204)
  assert.equal((await desk.session('DELETE', path)).status, 204)
})

test('a copy that the human deleted stays deleted until its event moves', async ({ caldav, desk, events }) => {
  const { create, change } = events
  await desk.published()
  const made = await create()
  await desk.drain()
  const [name] = caldav.objects('personal').keys()
  caldav.remove('personal', name!)
  assert.equal(await change(made.id, { title: 'Renamed' }), 'queued')
  await desk.drain()
  assert.equal(caldav.objects('personal').size, 0)
  assert.equal(await change(made.id, { title: 'Again' }), 'skipped')
  await desk.drain()
  assert.equal(caldav.objects('personal').size, 0)
  assert.equal(await change(made.id, { start_time: at(12), end_time: at(13) }), 'queued')
  await desk.drain()
  assert.deepEqual(titles(caldav.objects('personal')), ['Again'])
  assert.notEqual([...caldav.objects('personal').keys()][0], name)
})

test('while a connection is paused changes wait, and are published when it is resumed', async ({
  caldav,
  desk,
  events,
}) => {
  const { create } = events
  const { id, path } = await desk.published()
  await desk.drain()
  await desk.session('POST', `/v1/calendar-connections/${id}/pause`)
  caldav.asked.length = 0
  assert.equal((await create()).external_sync.status, 'queued')
  await desk.drain()
  assert.equal(caldav.asked.length, 0)
  assert.deepEqual((await desk.ok('GET', path)).data.health.queued, 1)
  await desk.session('POST', `/v1/calendar-connections/${id}/resume`)
  await desk.drain()
  assert.deepEqual(titles(caldav.objects('personal')), ['Planning'])
})

test('another destination withdraws the copies from the one before', async ({ caldav, desk, events }) => {
  const { create } = events
  const { path, other } = await desk.published()
  await create()
  await desk.drain()
  await desk.ok('PUT', path, { external_calendar_id: other })
  await desk.drain()
  assert.deepEqual([caldav.objects('personal').size, caldav.objects('work').size], [0, 1])
})

test('a removed connection withdraws its copies, or keeps them if that is asked for', async ({
  service,
  caldav,
  desk,
  events,
}) => {
  const { create } = events
  const first = await desk.published()
  await create()
  await desk.drain()
  assert.equal((await desk.session('DELETE', `/v1/calendar-connections/${first.id}?keep_published=true`)).status, 204)
  assert.equal((await create({ title: 'Later' })).external_sync.status, 'not_configured')
  await desk.drain()
  assert.deepEqual(titles(caldav.objects('personal')), ['Planning'])
  const second = await desk.published()
  await desk.drain()
  assert.equal(caldav.objects('personal').size, 3)
  assert.equal((await desk.session('DELETE', `/v1/calendar-connections/${second.id}`)).status, 204)
  await desk.drain()
  assert.equal(caldav.objects('personal').size, 1)
  const [left] = await service.app.sql`select count(*)::integer as rows from departing_connections`
  assert.equal(left!.rows, 0)
})

test('a copy makes the agents of its own calendar no busier, and others are told of it', async ({
  service,
  desk,
  events,
}) => {
  const { create } = events
  const { id, external_calendar_id } = await desk.published('confirmed', {
    capabilities: ['availability', 'publishing'],
  })
  await desk.ok('PATCH', `/v1/calendar-connections/${id}`, { selected_external_calendar_ids: [external_calendar_id] })
  const grant = { external_calendar_ids: [external_calendar_id], audience: 'all_org_agents' }
  await desk.ok('POST', '/v1/availability-grants', grant, 201)
  const made = await create()
  await desk.drain()
  await service.clock.advance(6 * 60_000)
  await desk.drain()
  assert.equal((await events.ask('DELETE', `/v1/events/${made.id}`)).status, 204)
  const other = await makeAgent(service, desk.key)
  const elsewhere = await makeCalendar(service, desk.key, other.id)
  const busy = async (calendarId: string) => {
    const query = `start=${at(8)}&end=${at(12)}&include_busy=true`
    const { body } = await service.call('GET', `/v1/calendars/${calendarId}/availability?${query}`, { key: desk.key })
    return body.busy.length
  }
  assert.equal(await busy(desk.calendar.id), 0)
  assert.equal(await busy(elsewhere.id), 1)
})
