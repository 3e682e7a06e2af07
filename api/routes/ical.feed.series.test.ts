import assert from 'node:assert/strict'
import ICAL from 'ical.js'
import { feedTest, linesOf, propertyIn } from '../../src/testing/feeds.ts'

const test = feedTest()

test('a series is one entry with its rule and its cancelled occurrences', async ({ desk }) => {
  const series = await desk.make({
    start_time: '2026-03-09T09:00:00Z',
    end_time: '2026-03-09T09:30:00Z',
    recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20260401',
  })
  for (const start of ['2026-03-11T09:00:00Z', '2026-03-16T09:00:00Z']) {
    await desk.cancelOccurrence(series.id, start)
  }
  const text = await desk.feed()
  const all = linesOf(text)
  assert.equal(propertyIn(all, 'RRULE'), 'RRULE:FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20260401T235959Z')
  assert.equal(propertyIn(all, 'EXDATE'), 'EXDATE:20260311T090000Z,20260316T090000Z')
  assert.equal(propertyIn(all, 'SEQUENCE'), 'SEQUENCE:2')
  assert.deepEqual(occurrencesIn(text), await desk.listed('2026-03-01T00:00:00Z', '2026-05-01T00:00:00Z'))
})

/** The starts that an independent reader finds in the feed. */
function occurrencesIn(text: string): string[] {
  const component = new ICAL.Component(ICAL.parse(text) as never).getFirstSubcomponent('vevent')!
  const steps = new ICAL.Event(component, { exceptions: [], strictExceptions: true }).iterator()
  const starts: string[] = []
  for (let next = steps.next(); next && starts.length < 50; next = steps.next())
    starts.push(next.toJSDate().toISOString())
  return starts
}

for (const [rule, start] of [
  ['FREQ=DAILY;COUNT=5', '2026-03-09T09:00:00Z'],
  ['FREQ=MONTHLY;BYDAY=-1FR;COUNT=6', '2026-03-27T09:00:00Z'],
  ['FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=6', '2026-03-31T23:30:00Z'],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;COUNT=6', '2026-03-09T09:00:00Z'],
  ['FREQ=DAILY;UNTIL=20260312T090000Z', '2026-03-09T09:00:00Z'],
] as const) {
  test(`another reader finds the occurrences of ${rule} that the API lists`, async ({ desk }) => {
    await desk.make({ start_time: start, end_time: start.replace(':00Z', ':30Z'), recurrence_rule: rule })
    assert.deepEqual(
      occurrencesIn(await desk.feed()),
      await desk.listed('2026-03-01T00:00:00Z', '2027-03-01T00:00:00Z'),
    )
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
  test(`an all-day event from ${start} to ${end} in ${zone} has dates`, async ({ deskIn }) => {
    const desk = await deskIn(zone)
    await desk.make({ start_time: start, end_time: end, all_day: true })
    const all = await desk.lines()
    assert.equal(propertyIn(all, 'DTSTART'), `DTSTART;VALUE=DATE:${from}`)
    assert.equal(propertyIn(all, 'DTEND'), `DTEND;VALUE=DATE:${to}`)
  })
}

test('an all-day series has dates of its zone: in its weekdays, its end and its exceptions', async ({ deskIn }) => {
  const desk = await deskIn('Europe/Berlin')
  const series = await desk.make({
    start_time: '2026-03-08T23:00:00Z',
    end_time: '2026-03-09T23:00:00Z',
    all_day: true,
    recurrence_rule: 'FREQ=WEEKLY;BYDAY=SU;UNTIL=20260322T230000Z',
  })
  await desk.cancelOccurrence(series.id, '2026-03-15T23:00:00Z')
  const all = await desk.lines()
  assert.equal(propertyIn(all, 'DTSTART'), 'DTSTART;VALUE=DATE:20260309')
  assert.equal(propertyIn(all, 'RRULE'), 'RRULE:FREQ=WEEKLY;UNTIL=20260323;BYDAY=MO')
  assert.equal(propertyIn(all, 'EXDATE'), 'EXDATE;VALUE=DATE:20260316')
})

test('an all-day series has times if its rule cannot say its dates', async ({ deskIn }) => {
  const desk = await deskIn('Europe/Berlin')
  await desk.make({
    start_time: '2026-03-31T22:00:00Z',
    end_time: '2026-04-01T22:00:00Z',
    all_day: true,
    recurrence_rule: 'FREQ=MONTHLY;BYMONTHDAY=-1',
  })
  const all = await desk.lines()
  assert.equal(propertyIn(all, 'DTSTART'), 'DTSTART:20260331T220000Z')
  assert.equal(propertyIn(all, 'RRULE'), 'RRULE:FREQ=MONTHLY;BYMONTHDAY=-1')
})

test('an all-day series every other week has times if its days lie in other weeks in the zone', async ({ deskIn }) => {
  const desk = await deskIn('Europe/Berlin')
  // Sundays and Tuesdays of one week are Mondays and Wednesdays of two.
  await desk.make({
    start_time: '2026-03-31T22:00:00Z',
    end_time: '2026-04-01T22:00:00Z',
    all_day: true,
    recurrence_rule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU',
  })
  const all = await desk.lines()
  assert.equal(propertyIn(all, 'DTSTART'), 'DTSTART:20260331T220000Z')
  assert.equal(propertyIn(all, 'RRULE'), 'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU')
})
