import assert from 'node:assert/strict'
import ICAL from 'ical.js'
import { afterAll, beforeAll, beforeEach, test } from 'vitest'
import { ahead, makeAgent, makeCalendar, makeEvent, makeHold, makeOrganization } from '../../src/testing/factories.ts'
import { openTestService, type TestService } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'

let service: TestService
let key: string
let calendar: { id: string; ical_url: string }

beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())
beforeEach(async () => {
  // Beyond the minute in which an address may ask sixty times.
  await service.clock.advance(61_000)
  ;({ key } = await makeOrganization(service))
  calendar = await makeCalendar(service, key)
})

const pathOf = ({ ical_url: url }: { ical_url: string }) => new URL(url).pathname
const fetchFeed = (headers: Record<string, string> = {}, from = calendar) =>
  service.call('GET', pathOf(from), { headers })

async function feed(from = calendar): Promise<string> {
  const answer = await fetchFeed({}, from)
  assert.equal(answer.status, 200)
  return answer.body
}

/** The lines of the feed as they are meant, unfolded. */
const linesOf = (text: string) => text.replaceAll('\r\n ', '').split('\r\n')
const lines = async (from = calendar) => linesOf(await feed(from))
const propertyIn = (all: readonly string[], name: string) => {
  const found = all.filter((line) => line.startsWith(`${name}:`) || line.startsWith(`${name};`))
  assert.equal(found.length, 1, `${name}: ${found}`)
  return found[0]
}
const body = (more: object) => makeEvent(service, key, calendar.id, more)
const patch = (id: string, change: object) =>
  service.call('PATCH', `/v1/calendars/${calendar.id}/events/${id}`, { key, body: change })

test('an empty calendar is a feed with its name and zone, refreshed every five minutes', async () => {
  const named = await makeCalendar(service, key, undefined, { name: 'A; b, c\\d\nX-EVIL:1', timezone: 'Europe/Berlin' })
  const answer = await fetchFeed({}, named)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/calendar; charset=utf-8')
  assert.equal(answer.headers.get('cache-control'), 'public, max-age=300')
  assert.deepEqual(linesOf(answer.body), [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//agent-calendar//calendar feed//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'NAME:A\\; b\\, c\\\\d\\nX-EVIL:1',
    'X-WR-CALNAME:A\\; b\\, c\\\\d\\nX-EVIL:1',
    'REFRESH-INTERVAL;VALUE=DURATION:PT5M',
    'X-PUBLISHED-TTL:PT5M',
    'X-WR-TIMEZONE:Europe/Berlin',
    'END:VCALENDAR',
    '',
  ])
})

test('an event is told with its times in UTC, its texts escaped and its alarm last', async () => {
  const event = await body({ title: 'Plan; review, \\ "quotes"', description: 'first\nsecond\r\nthird\u0007' })
  const all = await lines()
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

test('lines end with CRLF, take 75 octets at most and are folded between characters', async () => {
  await body({ title: `${'ä€😀x'.repeat(60)}`, description: '日本語'.repeat(200) })
  const text = await feed()
  assert.ok(!/[^\r]\n/.test(text) && !/\r(?!\n)/.test(text))
  for (const line of text.split('\r\n')) {
    assert.ok(Buffer.byteLength(line) <= 75, line)
    assert.ok(line.isWellFormed())
  }
  assert.equal(propertyIn(linesOf(text), 'SUMMARY'), `SUMMARY:${'ä€😀x'.repeat(60)}`)
})

test('each resolved reminder is an alarm in minutes: own, then those of the calendar, then ten', async () => {
  const own = await makeCalendar(service, key, undefined, { default_reminders: [30, 1440] })
  const alarms = async () => (await lines(own)).filter((line) => line.startsWith('TRIGGER'))
  const event = await makeEvent(service, key, own.id, {})
  assert.deepEqual(await alarms(), ['TRIGGER:-PT30M', 'TRIGGER:-PT1440M'])
  const change = (reminders: unknown) =>
    service.call('PATCH', `/v1/calendars/${own.id}/events/${event.id}`, { key, body: { reminders } })
  await change([5, 60, 40_320])
  assert.deepEqual(await alarms(), ['TRIGGER:-PT5M', 'TRIGGER:-PT60M', 'TRIGGER:-PT40320M'])
  await change([])
  assert.deepEqual(await alarms(), [])
  await change(null)
  await service.call('PATCH', `/v1/calendars/${own.id}`, { key, body: { default_reminders: [] } })
  assert.deepEqual(await alarms(), [])
  await service.call('PATCH', `/v1/calendars/${own.id}`, { key, body: { default_reminders: null } })
  assert.deepEqual(await alarms(), ['TRIGGER:-PT10M'])
})

test('statuses: tentative and holds are TENTATIVE, cancelled ones CANCELLED, free and without alarm', async () => {
  await body({ title: 'confirmed' })
  await body({ title: 'tentative', status: 'tentative' })
  await body({ title: 'cancelled', status: 'cancelled' })
  await makeHold(service, key, calendar.id, { title: 'hold' })
  const told = async () =>
    Object.fromEntries(
      (await feed())
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

test('a hold that lapses changes the ETag at that instant, and says the same once its timer has run but for the ETag', async () => {
  const hold = await makeHold(service, key, calendar.id)
  const living = await fetchFeed()
  await service.clock.set(new Date(Date.parse(hold.holdExpiresAt) - 1))
  assert.equal((await fetchFeed({ 'if-none-match': living.headers.get('etag')! })).status, 304)
  await service.clock.set(hold.holdExpiresAt)
  const lapsed = await fetchFeed({ 'if-none-match': living.headers.get('etag')! })
  assert.equal(lapsed.status, 200)
  assert.equal(propertyIn(linesOf(lapsed.body), 'SEQUENCE'), 'SEQUENCE:1')
  await service.drain()
  const settled = await fetchFeed({ 'if-none-match': lapsed.headers.get('etag')! })
  assert.equal(settled.status, 200)
  assert.equal(settled.body, lapsed.body)
})

test('a deleted event is gone, and a deleted calendar answers like a token that never was', async () => {
  const event = await body({})
  await service.call('DELETE', `/v1/calendars/${calendar.id}/events/${event.id}`, { key })
  assert.ok(!(await feed()).includes('VEVENT'))
  await service.call('DELETE', `/v1/calendars/${calendar.id}`, { key })
  assertRefused(await fetchFeed(), 404, 'not_found')
  assertRefused(await fetchFeed({ 'if-none-match': '*' }), 404, 'not_found')
  assertRefused(await service.call('GET', '/ical/nonsense.ics'), 404, 'not_found')
  assertRefused(await service.call('GET', `${pathOf(calendar).slice(0, -4)}`), 404, 'not_found')
  assertRefused(await service.call('POST', pathOf(calendar)), 405, 'bad_request')
})

test('UID stays and SEQUENCE rises with every edit', async () => {
  const event = await body({})
  const seen: (string | undefined)[] = []
  const look = async () => {
    const all = await lines()
    assert.equal(propertyIn(all, 'UID'), `UID:${event.id}@agent-calendar`)
    seen.push(propertyIn(all, 'SEQUENCE'))
    return all
  }
  await look()
  await service.clock.advance(1_000)
  const { body: moved } = await patch(event.id, { start_time: ahead(service, 10), end_time: ahead(service, 20) })
  const all = await look()
  assert.equal(propertyIn(all, 'LAST-MODIFIED'), `LAST-MODIFIED:${moved.updatedAt.replace(/[-:]|\.\d{3}/g, '')}`)
  await patch(event.id, { status: 'cancelled' })
  await look()
  assert.deepEqual(seen, ['SEQUENCE:0', 'SEQUENCE:1', 'SEQUENCE:2'])
})

test('a series is one entry with its rule and the occurrences that were cancelled', async () => {
  const series = await body({
    start_time: '2026-03-09T09:00:00Z',
    end_time: '2026-03-09T09:30:00Z',
    recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20260401',
  })
  for (const start of ['2026-03-11T09:00:00Z', '2026-03-16T09:00:00Z']) {
    const path = `/v1/calendars/${calendar.id}/events/${series.id}?occurrence_start=${start}`
    assert.equal((await service.call('DELETE', path, { key })).status, 200)
  }
  const text = await feed()
  const all = linesOf(text)
  assert.equal(propertyIn(all, 'RRULE'), 'RRULE:FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20260401T235959Z')
  assert.equal(propertyIn(all, 'EXDATE'), 'EXDATE:20260311T090000Z,20260316T090000Z')
  assert.equal(propertyIn(all, 'SEQUENCE'), 'SEQUENCE:2')
  assert.deepEqual(occurrencesIn(text), await listed('2026-03-01T00:00:00Z', '2026-05-01T00:00:00Z'))
})

/** What a reader that knows nothing of us makes of the feed. */
function occurrencesIn(text: string): string[] {
  const component = new ICAL.Component(ICAL.parse(text) as never).getFirstSubcomponent('vevent')!
  const steps = new ICAL.Event(component, { exceptions: [], strictExceptions: true }).iterator()
  const starts: string[] = []
  for (let next = steps.next(); next && starts.length < 50; next = steps.next())
    starts.push(next.toJSDate().toISOString())
  return starts
}

async function listed(after: string, before: string): Promise<string[]> {
  const path = `/v1/calendars/${calendar.id}/events?expand=true&start_after=${after}&start_before=${before}`
  return (await service.call('GET', path, { key })).body.data.map((event: { startTime: string }) => event.startTime)
}

for (const [rule, start] of [
  ['FREQ=DAILY;COUNT=5', '2026-03-09T09:00:00Z'],
  ['FREQ=MONTHLY;BYDAY=-1FR;COUNT=6', '2026-03-27T09:00:00Z'],
  ['FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=6', '2026-03-31T23:30:00Z'],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;COUNT=6', '2026-03-09T09:00:00Z'],
  ['FREQ=DAILY;UNTIL=20260312T090000Z', '2026-03-09T09:00:00Z'],
] as const) {
  test(`another reader finds the occurrences of ${rule} that we list`, async () => {
    await body({ start_time: start, end_time: start.replace(':00Z', ':30Z'), recurrence_rule: rule })
    assert.deepEqual(occurrencesIn(await feed()), await listed('2026-03-01T00:00:00Z', '2027-03-01T00:00:00Z'))
  })
}

const zones: [zone: string, start: string, end: string, from: string, to: string][] = [
  ['UTC', '2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z', '20260310', '20260311'],
  ['Europe/Berlin', '2026-03-09T23:00:00Z', '2026-03-11T23:00:00Z', '20260310', '20260312'],
  ['America/New_York', '2026-03-10T04:00:00Z', '2026-03-11T04:00:00Z', '20260310', '20260311'],
  // 23 and 25 hours long.
  ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', '20260329', '20260330'],
  ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', '20261025', '20261026'],
  ['UTC', '2026-03-10T09:00:00Z', '2026-03-10T17:00:00Z', '20260310', '20260311'],
]
for (const [zone, start, end, from, to] of zones) {
  test(`all-day from ${start} to ${end} in ${zone} is told as dates`, async () => {
    calendar = await makeCalendar(service, key, undefined, { timezone: zone })
    await body({ start_time: start, end_time: end, all_day: true })
    const all = await lines()
    assert.equal(propertyIn(all, 'DTSTART'), `DTSTART;VALUE=DATE:${from}`)
    assert.equal(propertyIn(all, 'DTEND'), `DTEND;VALUE=DATE:${to}`)
  })
}

test('an all-day series is told in dates of its zone: weekdays, end and exceptions', async () => {
  calendar = await makeCalendar(service, key, undefined, { timezone: 'Europe/Berlin' })
  const series = await body({
    start_time: '2026-03-08T23:00:00Z',
    end_time: '2026-03-09T23:00:00Z',
    all_day: true,
    recurrence_rule: 'FREQ=WEEKLY;BYDAY=SU;UNTIL=20260322T230000Z',
  })
  const path = `/v1/calendars/${calendar.id}/events/${series.id}?occurrence_start=2026-03-15T23:00:00Z`
  assert.equal((await service.call('DELETE', path, { key })).status, 200)
  const all = await lines()
  assert.equal(propertyIn(all, 'DTSTART'), 'DTSTART;VALUE=DATE:20260309')
  assert.equal(propertyIn(all, 'RRULE'), 'RRULE:FREQ=WEEKLY;UNTIL=20260323;BYDAY=MO')
  assert.equal(propertyIn(all, 'EXDATE'), 'EXDATE;VALUE=DATE:20260316')
})

test('an all-day series whose dates cannot be said by its rule is told in times', async () => {
  calendar = await makeCalendar(service, key, undefined, { timezone: 'Europe/Berlin' })
  await body({
    start_time: '2026-03-31T22:00:00Z',
    end_time: '2026-04-01T22:00:00Z',
    all_day: true,
    recurrence_rule: 'FREQ=MONTHLY;BYMONTHDAY=-1',
  })
  const all = await lines()
  assert.equal(propertyIn(all, 'DTSTART'), 'DTSTART:20260331T220000Z')
  assert.equal(propertyIn(all, 'RRULE'), 'RRULE:FREQ=MONTHLY;BYMONTHDAY=-1')
})

test('an event shorter than a second ends after it starts', async () => {
  await body({ start_time: '2026-03-10T09:00:00.100Z', end_time: '2026-03-10T09:00:00.200Z' })
  const all = await lines()
  assert.equal(propertyIn(all, 'DTSTART'), 'DTSTART:20260310T090000Z')
  assert.equal(propertyIn(all, 'DTEND'), 'DTEND:20260310T090001Z')
})

test('304 for the current ETag: alone, weak, in a list, for any; whatever the cache directives of the request', async () => {
  await body({})
  const etag = (await fetchFeed()).headers.get('etag')!
  assert.match(etag, /^"[^"]+"$/)
  for (const given of [etag, `W/${etag}`, `"other", ${etag}`, `"a",W/${etag}, "b"`, '*', ' * ']) {
    const answer = await fetchFeed({ 'if-none-match': given, 'cache-control': 'no-cache' })
    assert.equal(answer.status, 304, given)
    assert.equal(answer.body, '')
    assert.equal(answer.headers.get('etag'), etag)
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=300')
  }
  for (const given of ['"other"', etag.slice(1, -1), '']) {
    assert.equal((await fetchFeed({ 'if-none-match': given })).status, 200, given)
  }
})

test('a HEAD request gets the headers and no body', async () => {
  await body({})
  const whole = await fetchFeed()
  const head = await service.call('HEAD', pathOf(calendar))
  assert.equal(head.status, 200)
  assert.equal(head.body, '')
  assert.equal(head.headers.get('etag'), whole.headers.get('etag'))
  assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(whole.body)))
})

test('every change of what is told is another ETag, and a calendar that was not changed keeps its own', async () => {
  const agent = await makeAgent(service, key)
  const owned = await makeCalendar(service, key, agent.id)
  const other = await makeCalendar(service, key)
  const otherTag = (await fetchFeed({}, other)).headers.get('etag')
  const seen = new Set<string>()
  const look = async () => seen.add((await fetchFeed({}, owned)).headers.get('etag')!)
  const change = (method: string, path: string, given?: object) => service.call(method, path, { key, body: given })
  await look()
  const event = await makeEvent(service, key, owned.id, {})
  await look()
  await change('PATCH', `/v1/calendars/${owned.id}/events/${event.id}`, { title: 'x' })
  await look()
  const hold = await makeHold(service, key, owned.id)
  await look()
  await change('PUT', `/v1/events/${hold.id}/confirm`)
  await look()
  await change('PATCH', `/v1/calendars/${owned.id}`, { name: 'Other' })
  await look()
  await change('PATCH', `/v1/calendars/${owned.id}`, { default_reminders: [7] })
  await look()
  await change('DELETE', `/v1/calendars/${owned.id}/events/${event.id}`)
  await look()
  assert.equal(seen.size, 8)
  assert.equal((await fetchFeed({}, other)).headers.get('etag'), otherTag)
})

test('while events are written, every answer is whole and belongs to its ETag', async () => {
  const byTag = new Map<string, string>()
  const writing = Promise.all(Array.from({ length: 20 }, (_, nth) => body({ title: `${nth}` })))
  const reading = Promise.all(
    Array.from({ length: 20 }, async (_, nth) => {
      await new Promise((resolve) => setTimeout(resolve, nth * 5))
      const { headers, body: text } = await fetchFeed()
      assert.ok(text.endsWith('END:VCALENDAR\r\n'))
      const etag = headers.get('etag')!
      assert.equal(byTag.get(etag) ?? text, text)
      byTag.set(etag, text)
    }),
  )
  await Promise.all([writing, reading])
})

test('the sixty-first request of an address within a minute is refused and told when to come back', async () => {
  for (let nth = 0; nth < 60; nth++) assert.equal((await fetchFeed()).status, 200)
  const refused = await fetchFeed()
  assertRefused(refused, 429, 'rate_limit_error')
  assert.match(refused.headers.get('retry-after')!, /^([1-9]|[1-5]\d|60)$/)
  await service.clock.advance(61_000)
  assert.equal((await fetchFeed()).status, 200)
})
