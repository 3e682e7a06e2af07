import assert from 'node:assert/strict'
import { ahead, makeCalendar, makeEvent, makeHold } from '../../src/testing/factories.ts'
import { feedTest, linesOf, pathOf, propertyIn } from '../../src/testing/feeds.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = feedTest()

test('the feed of an empty calendar has its name and zone, and asks for a refresh every five minutes', async ({
  service,
  desk,
}) => {
  const named = await makeCalendar(service, desk.key, undefined, {
    name: 'A; b, c\\d\nX-EVIL:1',
    timezone: 'Europe/Berlin',
  })
  const answer = await desk.fetchFeed({}, named)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/calendar; charset=utf-8')
  assert.equal(answer.headers.get('cache-control'), 'public, max-age=300')
  assert.deepEqual(linesOf(answer.body), [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//agent-calendar//calendar feed//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'NAME:A\\; b\\, c\\\\d X-EVIL:1',
    'X-WR-CALNAME:A\\; b\\, c\\\\d X-EVIL:1',
    'REFRESH-INTERVAL;VALUE=DURATION:PT5M',
    'X-PUBLISHED-TTL:PT5M',
    'X-WR-TIMEZONE:Europe/Berlin',
    'END:VCALENDAR',
    '',
  ])
})

test('an event has its times in UTC, its texts escaped and its alarm last', async ({ desk }) => {
  const event = await desk.make({ title: 'Plan; review, \\ "quotes"', description: 'first\nsecond\r\nthird\u0007' })
  const all = await desk.lines()
  const stamp = (at: string) => at.replace(/[-:]|\.\d{3}/g, '')
  assert.deepEqual(all.slice(all.indexOf('BEGIN:VEVENT'), all.indexOf('END:VEVENT') + 1), [
    'BEGIN:VEVENT',
    `UID:${event.id}@agent-calendar`,
    'SEQUENCE:0',
    `DTSTAMP:${stamp(event.updatedAt)}`,
    `DTSTART:${stamp(event.startTime)}`,
    `DTEND:${stamp(event.endTime)}`,
    'SUMMARY:Plan\\; review\\, \\\\ "quotes"',
    'TRANSP:OPAQUE',
    'DESCRIPTION:first\\nsecond\\nthird',
    'STATUS:CONFIRMED',
    `CREATED:${stamp(event.createdAt)}`,
    `LAST-MODIFIED:${stamp(event.updatedAt)}`,
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'TRIGGER:-PT10M',
    'DESCRIPTION:Plan\\; review\\, \\\\ "quotes"',
    'END:VALARM',
    'END:VEVENT',
  ])
})

test('a title and a name of a calendar are one line, whatever breaks are in them', async ({ service, desk }) => {
  await desk.make({ title: 'one\r\ntwo\nthree\u2028four' })
  assert.equal(propertyIn(await desk.lines(), 'SUMMARY'), 'SUMMARY:one two three four')
  const named = await makeCalendar(service, desk.key, undefined, { name: 'a\nb' })
  assert.equal(propertyIn(linesOf(await desk.feed(named)), 'NAME'), 'NAME:a b')
})

test('a calendar whose series repeat in UTC names no zone, because readers would apply it to their rules', async ({
  deskIn,
}) => {
  const desk = await deskIn('Asia/Tokyo')
  const hasZone = async () => (await desk.lines()).some((line) => line.startsWith('X-WR-TIMEZONE'))
  const day = { all_day: true, start_time: '2026-03-09T15:00:00Z', end_time: '2026-03-10T15:00:00Z' }
  await desk.make({ ...day, recurrence_rule: 'FREQ=WEEKLY;COUNT=3' })
  assert.equal(await hasZone(), true)
  const { id } = await desk.make({ recurrence_rule: 'FREQ=WEEKLY;COUNT=3' })
  assert.equal(await hasZone(), false)
  await desk.patch(id, { recurrence_rule: null })
  assert.equal(await hasZone(), true)
  await desk.make({ ...day, recurrence_rule: 'FREQ=MONTHLY;COUNT=3' })
  assert.equal(await hasZone(), false)
})

test('lines end with CRLF, have at most 75 octets and are folded between characters', async ({ desk }) => {
  await desk.make({ title: `${'ä€😀x'.repeat(60)}`, description: '日本語'.repeat(200) })
  const text = await desk.feed()
  assert.ok(!/[^\r]\n/.test(text) && !/\r(?!\n)/.test(text))
  for (const line of text.split('\r\n')) {
    assert.ok(Buffer.byteLength(line) <= 75, line)
    assert.ok(line.isWellFormed())
  }
  assert.equal(propertyIn(linesOf(text), 'SUMMARY'), `SUMMARY:${'ä€😀x'.repeat(60)}`)
})

test('an event shorter than a second ends after it starts', async ({ desk }) => {
  await desk.make({ start_time: '2026-03-10T09:00:00.100Z', end_time: '2026-03-10T09:00:00.200Z' })
  const all = await desk.lines()
  assert.equal(propertyIn(all, 'DTSTART'), 'DTSTART:20260310T090000Z')
  assert.equal(propertyIn(all, 'DTEND'), 'DTEND:20260310T090001Z')
})

test('each reminder is an alarm in minutes: those of the event, else of the calendar, else ten minutes', async ({
  service,
  desk,
}) => {
  const own = await makeCalendar(service, desk.key, undefined, { default_reminders: [30, 1440] })
  const alarms = async () => (await desk.lines(own)).filter((line) => line.startsWith('TRIGGER'))
  const event = await makeEvent(service, desk.key, own.id, {})
  assert.deepEqual(await alarms(), ['TRIGGER:-PT30M', 'TRIGGER:-PT1440M'])
  const change = (reminders: unknown) =>
    service.call('PATCH', `/v1/calendars/${own.id}/events/${event.id}`, { key: desk.key, body: { reminders } })
  await change([5, 60, 40_320])
  assert.deepEqual(await alarms(), ['TRIGGER:-PT5M', 'TRIGGER:-PT60M', 'TRIGGER:-PT40320M'])
  await change([])
  assert.deepEqual(await alarms(), [])
  await change(null)
  await service.call('PATCH', `/v1/calendars/${own.id}`, { key: desk.key, body: { default_reminders: [] } })
  assert.deepEqual(await alarms(), [])
  await service.call('PATCH', `/v1/calendars/${own.id}`, { key: desk.key, body: { default_reminders: null } })
  assert.deepEqual(await alarms(), ['TRIGGER:-PT10M'])
})

test('a tentative event and a hold are TENTATIVE; a cancelled event is CANCELLED, free and without alarm', async ({
  service,
  desk,
}) => {
  await desk.make({ title: 'confirmed' })
  await desk.make({ title: 'tentative', status: 'tentative' })
  await desk.make({ title: 'cancelled', status: 'cancelled' })
  await makeHold(service, desk.key, desk.calendar.id, { title: 'hold' })
  const told = async () =>
    Object.fromEntries(
      (await desk.feed())
        .split('BEGIN:VEVENT')
        .slice(1)
        .map((block) => {
          const all = linesOf(block)
          const alarms = all.filter((line) => line === 'BEGIN:VALARM').length
          return [
            propertyIn(all, 'SUMMARY')!.slice(8),
            `${propertyIn(all, 'STATUS')} ${propertyIn(all, 'TRANSP')} ${alarms}`,
          ]
        }),
    )
  const others = {
    confirmed: 'STATUS:CONFIRMED TRANSP:OPAQUE 1',
    tentative: 'STATUS:TENTATIVE TRANSP:OPAQUE 1',
    cancelled: 'STATUS:CANCELLED TRANSP:TRANSPARENT 0',
  }
  assert.deepEqual(await told(), { ...others, hold: 'STATUS:TENTATIVE TRANSP:OPAQUE 1' })
  await service.clock.advance(5 * 60_000)
  assert.deepEqual(await told(), { ...others, hold: 'STATUS:CANCELLED TRANSP:TRANSPARENT 0' })
})

test('every edit keeps the UID and raises the SEQUENCE', async ({ service, desk }) => {
  const event = await desk.make({})
  const seen: (string | undefined)[] = []
  const look = async () => {
    const all = await desk.lines()
    assert.equal(propertyIn(all, 'UID'), `UID:${event.id}@agent-calendar`)
    seen.push(propertyIn(all, 'SEQUENCE'))
    return all
  }
  await look()
  await service.clock.advance(1_000)
  const { body: moved } = await desk.patch(event.id, { start_time: ahead(service, 10), end_time: ahead(service, 20) })
  const all = await look()
  assert.equal(propertyIn(all, 'LAST-MODIFIED'), `LAST-MODIFIED:${moved.updatedAt.replace(/[-:]|\.\d{3}/g, '')}`)
  await desk.patch(event.id, { status: 'cancelled' })
  await look()
  assert.deepEqual(seen, ['SEQUENCE:0', 'SEQUENCE:1', 'SEQUENCE:2'])
})

test('a deleted event is not in the feed, and a deleted calendar answers like an unknown token', async ({
  service,
  desk,
}) => {
  const event = await desk.make({})
  await service.call('DELETE', `/v1/calendars/${desk.calendar.id}/events/${event.id}`, { key: desk.key })
  assert.ok(!(await desk.feed()).includes('VEVENT'))
  await service.call('DELETE', `/v1/calendars/${desk.calendar.id}`, { key: desk.key })
  assertRefused(await desk.fetchFeed(), 404, 'not_found')
  assertRefused(await desk.fetchFeed({ 'if-none-match': '*' }), 404, 'not_found')
  assertRefused(await service.call('GET', '/ical/nonsense.ics'), 404, 'not_found')
  assertRefused(await service.call('GET', `${pathOf(desk.calendar).slice(0, -4)}`), 404, 'not_found')
  assertRefused(await service.call('POST', pathOf(desk.calendar)), 405, 'bad_request')
})

test('the 61st request of an address within a minute is refused and says when to come back', async ({
  service,
  desk,
}) => {
  for (let nth = 0; nth < 60; nth++) assert.equal((await desk.fetchFeed()).status, 200)
  const refused = await desk.fetchFeed()
  assertRefused(refused, 429, 'rate_limit_error')
  assert.match(refused.headers.get('retry-after')!, /^([1-9]|[1-5]\d|60)$/)
  await service.clock.advance(61_000)
  assert.equal((await desk.fetchFeed()).status, 200)
})
