import assert from 'node:assert/strict'
import { test } from 'vitest'
import { parseCalendar } from './parseCalendar.ts'

/** When an event at nine in the morning of that zone starts in summer. */
function nineIn(zone: string, definition: string[] = [], calendarZone = 'Europe/London'): Date[] {
  const event = ['BEGIN:VEVENT', 'UID:a', `DTSTART;TZID=${zone}:20260706T090000`, 'END:VEVENT']
  const feed = ['BEGIN:VCALENDAR', ...definition, ...event, 'END:VCALENDAR'].join('\r\n')
  const window = { from: new Date('2026-01-01T00:00:00Z'), until: new Date('2027-01-01T00:00:00Z') }
  const reading = parseCalendar(Buffer.from(feed), { zone: calendarZone, ...window })
  return reading.kind === 'parsed' ? reading.events.map(({ start }) => start) : []
}

test('an abbreviation that is no name of IANA means the zone of the calendar', () => {
  for (const name of ['BST', 'bst', 'IST']) assert.deepEqual(nineIn(name), [new Date('2026-07-06T08:00:00Z')], name)
})

test('an abbreviation that the feed defines means what the feed says', () => {
  const standard = ['DTSTART:19700101T000000', 'TZOFFSETFROM:+0530', 'TZOFFSETTO:+0530']
  const definition = ['BEGIN:STANDARD', ...standard, 'END:STANDARD']
  const start = nineIn('IST', ['BEGIN:VTIMEZONE', 'TZID:IST', ...definition, 'END:VTIMEZONE'])
  assert.deepEqual(start, [new Date('2026-07-06T03:30:00Z')])
})

test('a calendar that was given such a name when it still was accepted is read by it', () => {
  assert.deepEqual(nineIn('Nowhere', [], 'PST'), [new Date('2026-07-06T16:00:00Z')])
  assert.deepEqual(nineIn('Europe/Paris', [], 'PST'), [new Date('2026-07-06T07:00:00Z')])
})
