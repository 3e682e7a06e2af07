import assert from 'node:assert/strict'
import { decodeId } from '../shapes/ids.ts'
import { makeEvent, makeWebhook } from '../testing/factories.ts'
import { vcalendar, vevent } from '../testing/feedServer.ts'
import { at, importTest, minute } from '../testing/imports.ts'

const test = importTest()

test('a new subscription is read at once; its events have every field, are external and cannot be changed', async ({
  service,
  desk,
  feeds,
}) => {
  feeds.body = vcalendar(
    vevent('one', at(9, 'Stand-up', { DESCRIPTION: 'Daily\\, short' })),
    vevent('two', at(11, 'Maybe', { STATUS: 'TENTATIVE' })),
    vevent('three', { 'DTSTART;VALUE=DATE': '20260305', SUMMARY: 'Holiday' }),
  )
  const id = await desk.subscribed()
  const subscription = await desk.read(id)
  assert.equal(subscription.status, 'active')
  assert.equal(subscription.last_synced_at, service.clock.now().toISOString())
  assert.equal(subscription.last_error, null)
  const [first, second, third] = await desk.events()
  assert.deepEqual(first, {
    id: first.id,
    calendarId: desk.calendar.id,
    orgId: first.orgId,
    title: 'Stand-up',
    description: 'Daily, short',
    startTime: '2026-03-03T09:00:00.000Z',
    endTime: '2026-03-03T09:30:00.000Z',
    allDay: false,
    status: 'confirmed',
    source: 'external_ical',
    metadata: {},
    reminders: null,
    holdExpiresAt: null,
    holdPriority: 0,
    recurrenceRule: null,
    recurrenceExdates: [],
    deletedAt: null,
    createdAt: service.clock.now().toISOString(),
    updatedAt: service.clock.now().toISOString(),
  })
  assert.deepEqual([second.title, second.status], ['Maybe', 'tentative'])
  assert.deepEqual(
    [third.allDay, third.startTime, third.endTime],
    [true, '2026-03-05T00:00:00.000Z', '2026-03-06T00:00:00.000Z'],
  )
  const answer = await service.call('PATCH', `/v1/calendars/${desk.calendar.id}/events/${first.id}`, {
    key: desk.key,
    body: { title: 'Mine' },
  })
  assert.deepEqual([answer.status, answer.body.error.code], [403, 'external_event_readonly'])
})

test('what cannot be read is told and counted, and removes nothing of what was read before', async ({
  service,
  desk,
  feeds,
}) => {
  const series = at(10, 'Series', { RRULE: 'FREQ=DAILY;COUNT=2' })
  feeds.body = vcalendar(vevent('one', at(9, 'One')), vevent('series', series), vevent('gone', at(12, 'Gone')))
  const id = await desk.subscribed()
  const counted = async (reason: string) =>
    (await service.app.metrics.unreadComponents.get()).values.find(({ labels }) => labels.reason === reason)?.value ?? 0
  const before = await counted('start')
  feeds.body = vcalendar(
    vevent('one', { DTSTART: '۲۰۲۶۰۳۰۳T۰۹۰۰۰۰Z', SUMMARY: 'One' }),
    vevent('series', { ...series, DTSTART: 'soon' }),
    vevent('new', at(13, 'New', { DTEND: 'later' })),
  )
  const told = await desk.syncedAgain(id)
  assert.deepEqual([told.status, told.last_error], ['active', '3 parts of the feed could not be read.'])
  assert.deepEqual(await desk.titles(), ['One', 'Series', 'New', 'Series'])
  assert.equal((await counted('start')) - before, 2)
  // The same body again says the same.
  assert.equal((await desk.syncedAgain(id)).last_error, '3 parts of the feed could not be read.')
  feeds.body = vcalendar(vevent('new', at(13, 'New')), 'BEGIN:VEVENT\r\nDTSTART:20260304T090000Z')
  assert.equal((await desk.syncedAgain(id)).last_error, 'One part of the feed could not be read.')
  assert.deepEqual(await desk.titles(), ['One', 'Series', 'New', 'Series'])
  feeds.body = vcalendar(vevent('new', at(13, 'New')))
  assert.equal((await desk.syncedAgain(id)).last_error, null)
  assert.deepEqual(await desk.titles(), ['New'])
})

test('an event whose end cannot be read any more stays as it was', async ({ desk, feeds }) => {
  feeds.body = vcalendar(vevent('one', at(9, 'One')))
  const id = await desk.subscribed()
  feeds.body = vcalendar(vevent('one', at(9, 'One', { DTEND: 'later' })))
  await desk.syncedAgain(id)
  assert.deepEqual(
    (await desk.events()).map(({ endTime }) => endTime),
    ['2026-03-03T09:30:00.000Z'],
  )
})

test('imported events are busy', async ({ service, desk, feeds }) => {
  feeds.body = vcalendar(vevent('one', at(9, 'Busy')))
  await desk.subscribed()
  const path = `/v1/calendars/${desk.calendar.id}/availability?start=2026-03-03T08:00:00Z&end=2026-03-03T10:00:00Z&include_busy=true`
  const { body } = await service.call('GET', path, { key: desk.key })
  assert.deepEqual(body.busy, [{ start: '2026-03-03T09:00:00.000Z', end: '2026-03-03T09:30:00.000Z' }])
})

test('a recurring source comes as its occurrences, 366 days ahead', async ({ desk, feeds }) => {
  feeds.body = vcalendar(vevent('daily', at(9, 'Daily', { RRULE: 'FREQ=DAILY' })))
  await desk.subscribed()
  const [first, second] = await desk.events()
  assert.deepEqual([first.startTime, second.startTime], ['2026-03-03T09:00:00.000Z', '2026-03-04T09:00:00.000Z'])
  assert.equal(await desk.lastStart(), '2027-03-02T09:00:00.000Z')
})

test('a single event is imported however far away it is', async ({ desk, feeds }) => {
  feeds.body = vcalendar(
    vevent('past', { DTSTART: '20190303T090000Z', DTEND: '20190303T093000Z', SUMMARY: 'Long ago' }),
    vevent('future', { DTSTART: '20310303T090000Z', DTEND: '20310303T093000Z', SUMMARY: 'Far ahead' }),
  )
  await desk.subscribed()
  assert.deepEqual(await desk.titles(), ['Long ago', 'Far ahead'])
})

test('a second read writes only new, changed and removed events; a changed event keeps its id', async ({
  service,
  desk,
  feeds,
}) => {
  feeds.body = vcalendar(
    vevent('same', at(9, 'Same')),
    vevent('moves', at(10, 'Moves')),
    vevent('goes', at(11, 'Goes')),
  )
  const id = await desk.subscribed()
  const before = new Map((await desk.events()).map((event) => [event.title, event]))
  const versions = await desk.rowVersions()
  feeds.body = vcalendar(
    vevent('moves', at(14, 'Moved')),
    vevent('comes', at(15, 'Comes')),
    vevent('same', at(9, 'Same')),
  )
  await service.clock.advance(minute)
  await desk.syncedAgain(id)
  assert.deepEqual(await desk.titles(), ['Same', 'Moved', 'Comes'])
  const [same, moved] = await desk.events()
  assert.deepEqual(same, before.get('Same'))
  assert.equal(moved.id, before.get('Moves').id)
  assert.equal(moved.createdAt, before.get('Moves').createdAt)
  assert.equal(moved.updatedAt, service.clock.now().toISOString())
  const sameUuid = decodeId('evt', same.id)!
  assert.equal((await desk.rowVersions()).get(sameUuid), versions.get(sameUuid))
})

test('a new LAST-MODIFIED or DTSTAMP alone is no change', async ({ desk, feeds }) => {
  feeds.body = vcalendar(vevent('one', at(9, 'Same', { 'LAST-MODIFIED': '20260301T000000Z' })))
  const id = await desk.subscribed()
  const [versions, seen] = [await desk.rowVersions(), await desk.revision()]
  feeds.body = vcalendar(vevent('one', at(9, 'Same', { 'LAST-MODIFIED': '20260302T000000Z' })))
  await desk.syncedAgain(id)
  assert.deepEqual(await desk.rowVersions(), versions)
  assert.equal(await desk.revision(), seen)
})

test('a new zone of the calendar moves the events that have no zone of their own', async ({ service, desk, feeds }) => {
  feeds.body = vcalendar(vevent('day', { 'DTSTART;VALUE=DATE': '20260305', SUMMARY: 'Day' }))
  const id = await desk.subscribed()
  await service.call('PATCH', `/v1/calendars/${desk.calendar.id}`, {
    key: desk.key,
    body: { timezone: 'Europe/Berlin' },
  })
  // At once, also if the feed cannot be read any more.
  assert.equal((await desk.events())[0].startTime, '2026-03-04T23:00:00.000Z')
  await desk.syncedAgain(id)
  assert.equal((await desk.events())[0].startTime, '2026-03-04T23:00:00.000Z')
})

test('an empty calendar is valid and removes every event', async ({ desk, feeds }) => {
  feeds.body = vcalendar(vevent('one', at(9, 'Goes')))
  const id = await desk.subscribed()
  feeds.body = vcalendar()
  assert.equal((await desk.syncedAgain(id)).status, 'active')
  assert.deepEqual(await desk.events(), [])
})

test('two subscriptions of one calendar do not touch each other', async ({ desk, feeds }) => {
  feeds.body = vcalendar(vevent('one', at(9, 'Both')))
  const first = await desk.subscribed()
  await desk.subscribed(feeds.url('again'))
  assert.deepEqual(await desk.titles(), ['Both', 'Both'])
  feeds.body = vcalendar()
  await desk.syncedAgain(first)
  assert.deepEqual(await desk.titles(), ['Both'])
})

test('an import emits nothing, sets no timer and costs no event of the quota', async ({
  service,
  desk,
  feeds,
  receiver,
}) => {
  await makeWebhook(service, desk.key, receiver.url, [
    'event.created',
    'event.updated',
    'event.deleted',
    'event.reminder',
    'event.started',
  ])
  feeds.body = vcalendar(vevent('one', at(9, 'Silent')))
  const id = await desk.subscribed()
  feeds.body = vcalendar(vevent('one', at(10, 'Still silent')))
  await desk.syncedAgain(id)
  feeds.body = vcalendar()
  await desk.syncedAgain(id)
  assert.deepEqual(receiver.received, [])
  const [timers] = await service.app.sql<{ count: number }[]>`
    select count(*) as count from timers where calendar_id = ${decodeId('cal', desk.calendar.id)!}`
  assert.equal(timers!.count, 0)
  assert.equal((await service.call('GET', '/v1/usage', { key: desk.key })).body.events.used, 0)
})

test('2,000 new events are one write of the calendar, and one removed event is another one', async ({
  service,
  desk,
  feeds,
}) => {
  const many = Array.from({ length: 2_000 }, (_, nth) => vevent(`n${nth}`, at(nth % 24, `Event ${nth}`)))
  feeds.body = vcalendar(...many)
  const before = await desk.revision()
  const id = await desk.subscribed()
  assert.equal((await desk.revision()) - before, 1)
  const path = `/v1/calendars/${desk.calendar.id}/events?limit=1`
  assert.equal((await service.call('GET', path, { key: desk.key })).body.total, 2_000)
  feeds.body = vcalendar(...many.slice(1).reverse())
  await desk.syncedAgain(id)
  assert.equal((await desk.revision()) - before, 2)
  assert.equal((await service.call('GET', path, { key: desk.key })).body.total, 1_999)
})

test('a feed of several blocks is written whole, and what changed in it, came and went is one write', async ({
  service,
  desk,
  feeds,
}) => {
  const event = (nth: number, title = `Event ${nth}`) => vevent(`n${nth}`, at(nth % 24, title))
  const many = Array.from({ length: 4_500 }, (_, nth) => event(nth))
  feeds.body = vcalendar(...many)
  const before = await desk.revision()
  const id = await desk.subscribed()
  assert.equal((await desk.revision()) - before, 3)
  const changed = Array.from({ length: 45 }, (_, nth) => event(nth * 100, `Changed ${nth * 100}`))
  const next = many.map((text, nth) => (nth % 100 === 0 ? changed[nth / 100]! : text)).slice(0, -10)
  feeds.body = vcalendar(...next, event(9_999))
  await desk.syncedAgain(id)
  assert.equal((await desk.revision()) - before, 4)
  const { body } = await service.call('GET', new URL(desk.calendar.ical_url).pathname)
  const titles = [...body.matchAll(/SUMMARY:(.*)\r/g)].map(([, title]) => title).sort()
  const expected = Array.from({ length: 4_490 }, (_, nth) => `${nth % 100 === 0 ? 'Changed' : 'Event'} ${nth}`)
  assert.deepEqual(titles, [...expected, 'Event 9999'].sort())
  assert.equal(body.match(/SEQUENCE:1\r/g).length, 45)
})

test('imported events are in the feed of their calendar without alarms, and are not imported from it', async ({
  service,
  desk,
  feeds,
}) => {
  feeds.body = vcalendar(vevent('one', at(9, 'From afar')))
  await desk.subscribed()
  await makeEvent(service, desk.key, desk.calendar.id, { title: 'Own' })
  const text = (await service.call('GET', new URL(desk.calendar.ical_url).pathname)).body
  assert.equal(text.match(/BEGIN:VEVENT/g).length, 2)
  assert.equal(text.match(/BEGIN:VALARM/g).length, 1)
  await desk.subscribed(desk.calendar.ical_url)
  for (let round = 0; round < 3; round++) {
    await service.clock.advance(17 * minute)
    await service.drain()
  }
  assert.deepEqual((await desk.titles()).sort(), ['From afar', 'Own', 'Own'])
})

test('a sync has one entry in the change feed, with what it added, changed and removed; without a change it has none', async ({
  desk,
  feeds,
}) => {
  const event = (nth: number, title = `Event ${nth}`) => vevent(`n${nth}`, at(nth % 24, title))
  const many = Array.from({ length: 2_500 }, (_, nth) => event(nth))
  feeds.body = vcalendar(...many)
  const id = await desk.subscribed()
  feeds.body = vcalendar(...many, '')
  await desk.syncedAgain(id)
  feeds.body = vcalendar(event(0, 'Changed'), ...many.slice(3), event(9_999))
  await desk.syncedAgain(id)
  const entries = await desk.imports()
  const ids = { calendar_id: desk.calendar.id, ical_subscription_id: id }
  assert.deepEqual(
    entries.map(({ payload }) => payload),
    [
      { ...ids, added: 2_500, changed: 0, removed: 0 },
      { ...ids, added: 1, changed: 1, removed: 2 },
    ],
  )
  const [first, second] = entries
  assert.deepEqual([first!.cause, first!.actor, first!.revision, second!.revision], ['import', null, 2, 3])
  assert.equal(first!.resourceId, decodeId('cal', desk.calendar.id))
  assert.equal(first!.agentId, decodeId('agt', desk.calendar.agentId))
})
