import assert from 'node:assert/strict'
import ICAL from 'ical.js'
import { parseCalendar } from '../../src/icalendar/parseCalendar.ts'
import { feedTest, linesOf, propertyIn } from '../../src/testing/feeds.ts'

const test = feedTest()
const window = { after: '2026-03-01T00:00:00Z', before: '2027-03-01T00:00:00Z' }

/** The starts that our own reader finds in a feed. */
function readBack(text: string): string[] {
  const options = { zone: 'UTC', from: new Date(window.after), until: new Date(window.before) }
  const parsed = parseCalendar(Buffer.from(text), options as Parameters<typeof parseCalendar>[1])
  assert.equal(parsed.kind, 'parsed')
  const events = parsed.kind === 'parsed' ? parsed.events : []
  return events.map(({ start }) => start.toISOString()).sort()
}

/** The starts that ical.js finds, by the VTIMEZONE of the feed alone. */
function foundByIcal(text: string): string[] {
  const calendar = new ICAL.Component(ICAL.parse(text) as never)
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone as never)
  const vevents = calendar.getAllSubcomponents('vevent')
  const masters = vevents.filter((one) => !one.hasProperty('recurrence-id'))
  return masters
    .flatMap((vevent) => {
      const exceptions = vevents.filter((one) => one.hasProperty('recurrence-id'))
      const event = new ICAL.Event(vevent, { exceptions, strictExceptions: true })
      const steps = event.iterator()
      const starts: string[] = []
      for (let next = steps.next(); next && starts.length < 60; next = steps.next()) {
        const { startDate } = event.getOccurrenceDetails(next)
        starts.push(new Date(startDate.toUnixTime() * 1000).toISOString())
      }
      return starts
    })
    .sort()
}

test('a series with a zone has local times, the definition of its zone, dates and exceptions there', async ({
  desk,
}) => {
  const series = await desk.make({
    start_time: '2026-03-20T08:00:00Z',
    end_time: '2026-03-20T09:00:00Z',
    recurrence_rule: 'FREQ=WEEKLY;BYDAY=FR;UNTIL=20260424',
    recurrence_timezone: 'Europe/Berlin',
    recurrence_rdates: ['2026-04-01T12:00:00Z'],
  })
  await desk.cancelOccurrence(series.id, '2026-04-03T07:00:00Z')
  const text = await desk.feed()
  const all = linesOf(text)
  const ofEvent = all.slice(all.indexOf('BEGIN:VEVENT'))
  assert.equal(propertyIn(ofEvent, 'UID'), `UID:${series.id}@agent-calendar`)
  assert.equal(propertyIn(ofEvent, 'DTSTART'), 'DTSTART;TZID=Europe/Berlin:20260320T090000')
  assert.equal(propertyIn(ofEvent, 'DTEND'), 'DTEND;TZID=Europe/Berlin:20260320T100000')
  assert.equal(propertyIn(ofEvent, 'RRULE'), 'RRULE:FREQ=WEEKLY;BYDAY=FR;UNTIL=20260424T215959Z')
  assert.equal(propertyIn(ofEvent, 'RDATE'), 'RDATE;TZID=Europe/Berlin:20260401T140000')
  assert.equal(propertyIn(ofEvent, 'EXDATE'), 'EXDATE;TZID=Europe/Berlin:20260403T090000')
  assert.deepEqual(
    all.filter((line) => line === 'BEGIN:VTIMEZONE' || line === 'TZID:Europe/Berlin'),
    ['BEGIN:VTIMEZONE', 'TZID:Europe/Berlin'],
  )
  assert.ok(all.includes('X-WR-TIMEZONE:UTC'))
  const listed = await desk.listed(window.after, window.before)
  assert.deepEqual(readBack(text), listed)
  assert.deepEqual(foundByIcal(text), listed)
})

/** `isPlain`: without times that clocks skip or show twice, which ical.js takes for others than RFC 5545 does. */
for (const [zone, rule, start, isPlain = true] of [
  ['America/New_York', 'FREQ=DAILY;COUNT=40', '2026-10-20T05:30:00Z', false],
  ['Europe/Berlin', 'FREQ=DAILY;COUNT=40', '2026-03-10T01:30:00Z', false],
  ['Europe/Berlin', 'FREQ=DAILY;COUNT=10', '2026-10-25T01:30:00Z', false],
  ['Africa/Casablanca', 'FREQ=WEEKLY;COUNT=30', '2026-03-10T09:00:00Z'],
  ['America/Santiago', 'FREQ=WEEKLY;COUNT=40', '2026-03-10T12:00:00Z'],
  ['Australia/Lord_Howe', 'FREQ=WEEKLY;COUNT=40', '2026-03-10T12:00:00Z'],
  ['Asia/Kathmandu', 'FREQ=MONTHLY;COUNT=8', '2026-03-10T20:00:00Z'],
] as [string, string, string, boolean?][]) {
  test(`readers find the occurrences of ${rule} in ${zone} that the API lists`, async ({ desk }) => {
    const end_time = start.replace(':00Z', ':30Z')
    await desk.make({ start_time: start, end_time, recurrence_rule: rule, recurrence_timezone: zone })
    const text = await desk.feed()
    const listed = await desk.listed(window.after, window.before)
    assert.deepEqual(readBack(text), listed)
    if (isPlain) assert.deepEqual(foundByIcal(text), listed)
  })
}

test('an all-day series with a zone has its dates there, whatever the zone of the calendar', async ({ deskIn }) => {
  const desk = await deskIn('America/New_York')
  const series = await desk.make({
    start_time: '2026-03-08T23:00:00Z',
    end_time: '2026-03-09T23:00:00Z',
    all_day: true,
    recurrence_rule: 'FREQ=MONTHLY;BYDAY=2MO;UNTIL=20260615T000000Z',
    recurrence_timezone: 'Europe/Berlin',
    recurrence_rdates: ['2026-03-31T22:00:00Z'],
  })
  await desk.cancelOccurrence(series.id, '2026-04-12T22:00:00Z')
  const lines = await desk.lines()
  const all = lines.slice(lines.indexOf('BEGIN:VEVENT'))
  assert.equal(propertyIn(all, 'DTSTART'), 'DTSTART;VALUE=DATE:20260309')
  assert.equal(propertyIn(all, 'RRULE'), 'RRULE:FREQ=MONTHLY;UNTIL=20260608;BYDAY=2MO')
  assert.equal(propertyIn(all, 'RDATE'), 'RDATE;VALUE=DATE:20260401')
  assert.equal(propertyIn(all, 'EXDATE'), 'EXDATE;VALUE=DATE:20260413')
})
