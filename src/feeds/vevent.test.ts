// Our lines of an event against those of `ical-generator`, byte by byte. SEED=n repeats a run.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  escape as escapeText,
  foldLines,
  formatDate,
  ICalCalendar,
  type ICalEventData,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator'
import { test } from 'vitest'
import { dayMs } from '../shapes/durations.ts'
import { newId } from '../shapes/ids.ts'
import { datesOf } from './allDay.ts'
import { oneLine, plainText } from './contentLine.ts'
import { uidOf } from './uid.ts'
import { type FeedEvent, veventOf } from './vevent.ts'

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
console.log(`lines of events: SEED=${seed}`)

const statuses = {
  confirmed: ICalEventStatus.CONFIRMED,
  tentative: ICalEventStatus.TENTATIVE,
  hold: ICalEventStatus.TENTATIVE,
  cancelled: ICalEventStatus.CANCELLED,
}
const end = 'END:VEVENT\r\n'
const alarm = (title: string, minutes: number) =>
  `BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT${minutes}M\r\n` +
  `DESCRIPTION:${escapeText(oneLine(title), false)}\r\nEND:VALARM\r\n`

/** `ical-generator` puts alarms before the last properties, so they are added here. */
function generated(event: FeedEvent, zone: string): string {
  const written = new ICalCalendar()
    .createEvent({
      id: uidOf(event),
      sequence: event.sequence,
      stamp: event.updatedAt,
      created: event.createdAt,
      lastModified: event.updatedAt,
      summary: oneLine(event.title),
      description: event.description === null ? null : plainText(event.description),
      status: statuses[event.status],
      transparency: event.status === 'cancelled' ? ICalEventTransparency.TRANSPARENT : ICalEventTransparency.OPAQUE,
      ...timesOf(event, zone),
    })
    .toString()
  assert.ok(written.endsWith(end))
  return foldLines(
    written.slice(0, -end.length) + event.reminders.map((minutes) => alarm(event.title, minutes)).join('') + end,
  )
}

const dateOf = (day: number) => new Date(day * dayMs)

function timesOf(event: FeedEvent, zone: string): Pick<ICalEventData, 'start' | 'end' | 'allDay' | 'repeating'> {
  const dates = event.allDay ? datesOf(event, zone) : undefined
  if (!dates) {
    const excluded = event.recurrenceExdates.map((at) => formatDate(null, at))
    const repeating = event.recurrenceRule && repeatingOf(event.recurrenceRule, 'EXDATE', excluded)
    return { start: event.startTime, end: event.endTime, repeating }
  }
  const excluded = dates.cancelledDays.map((day) => formatDate(null, dateOf(day), true))
  const repeating = dates.rule === undefined ? null : repeatingOf(dates.rule, 'EXDATE;VALUE=DATE', excluded)
  return { start: dateOf(dates.firstDay), end: dateOf(dates.endDay), allDay: true, repeating }
}

const repeatingOf = (rule: string, exdate: string, excluded: readonly string[]) =>
  [`RRULE:${rule}`, ...(excluded.length > 0 ? [`${exdate}:${excluded.join(',')}`] : [])].join('\r\n')

const unit = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...'abc XYZ.09') },
  { weight: 2, arbitrary: fc.constantFrom('\\', ';', ',', '\n', '\r', '\r\n', '"', ':', '\t', '\u0007', '\u007f') },
  { weight: 2, arbitrary: fc.constantFrom('é', 'ß', '日', '\u2028', '😀', '👩‍👧', '\ufeff') },
)
const text = fc.string({ unit, maxLength: 400 })
const moment = fc.integer({ min: Date.parse('0001-01-02'), max: Date.parse('9999-12-30') }).map((ms) => new Date(ms))

const events = fc
  .record({
    title: text,
    description: fc.option(text),
    startTime: moment,
    lengthMs: fc.integer({ min: 1_000, max: 40 * dayMs }),
    allDay: fc.boolean(),
    status: fc.constantFrom('confirmed', 'tentative', 'hold', 'cancelled' as const),
    source: fc.constantFrom('internal', 'external_ical' as const),
    rule: fc.option(fc.constantFrom('FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=MO,WE', 'FREQ=DAILY;COUNT=9', 'FREQ=MONTHLY')),
    excluded: fc.array(moment, { maxLength: 12 }),
    reminders: fc.array(fc.integer({ min: 0, max: 40_320 }), { maxLength: 3 }),
    sequence: fc.nat(),
    createdAt: moment,
    updatedAt: moment,
  })
  .map(({ lengthMs, rule, excluded, ...event }): FeedEvent => {
    const endTime = new Date(Math.min(event.startTime.getTime() + lengthMs, Date.parse('9999-12-31T23:59:59Z')))
    const beside = { recurrenceTimezone: null, recurrenceRdates: [], recurrenceSkippedMs: 0 }
    const series = { recurrenceRule: rule, recurrenceExdates: rule === null ? [] : excluded, ...beside }
    return { ...event, id: newId(), endTime, ...series }
  })

const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Kiritimati', 'America/New_York')

test('an event is written as ical-generator writes it, whatever its texts, times and rule', () => {
  fc.assert(
    fc.property(events, zones, (event, zone) => {
      assert.equal(veventOf(event, zone), generated(event, zone))
    }),
    { seed, numRuns: 2_000 },
  )
})

test('an all-day event on the last day there is ends in the year 10000', () => {
  const at = new Date('9999-12-31T00:00:00Z')
  const event: FeedEvent = {
    ...fc.sample(events, { seed, numRuns: 1 })[0]!,
    ...{ startTime: at, endTime: new Date('9999-12-31T23:59:59Z'), allDay: true, recurrenceRule: null },
  }
  assert.equal(veventOf(event, 'UTC'), generated(event, 'UTC'))
})
