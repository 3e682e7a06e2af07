import { readComponents } from './components.ts'
import { contentLines } from './contentLines.ts'
import { readCalendar } from './readCalendar.ts'

const n = 20000
const d = (i: number) =>
  new Date(Date.UTC(2026, 0, 5, 8) + i * 1500e3)
    .toISOString()
    .replace(/[-:]|\.\d+/g, '')
    .slice(0, 15)
const feed = Buffer.from(
  [
    'BEGIN:VCALENDAR',
    ...Array.from({ length: n }, (_, i) => [
      'BEGIN:VEVENT',
      `DTSTART;TZID=Europe/Berlin:${d(i)}`,
      `DTEND;TZID=Europe/Berlin:${d(i + 1)}`,
      `DTSTAMP:20260101T000000Z`,
      `UID:event-${i}@example.com`,
      'CREATED:20250101T000000Z',
      `DESCRIPTION:Agenda\\n- one\\n- two and some more text that is folded over`,
      '  lines\\, as usual',
      'LAST-MODIFIED:20250101T000000Z',
      'LOCATION:Room 5',
      'SEQUENCE:1',
      'STATUS:CONFIRMED',
      `SUMMARY:Meeting number ${i}`,
      'TRANSP:OPAQUE',
      'END:VEVENT',
    ]).flat(),
    'END:VCALENDAR',
  ].join('\r\n'),
)
console.log(feed.length)
for (let k = 0; k < 4; k++) {
  const s = performance.now()
  const c = contentLines(feed.toString())
  const s1 = performance.now()
  readComponents(c.lines)
  const s2 = performance.now()
  const r = readCalendar(feed, { zone: 'Europe/Berlin', from: new Date('2026-01-01'), until: new Date('2027-01-02') })
  console.log(
    Math.round(s1 - s),
    Math.round(s2 - s1),
    Math.round(performance.now() - s2),
    r.kind,
    r.kind === 'read' && r.events.length,
  )
}
