import assert from 'node:assert/strict'
import { test } from 'vitest'
import { occurrencesBetween } from '../recurrence/expand.ts'
import {
  momentShiftMs,
  pendingMoments,
  type Recurring,
  seriesOf,
  seriesTimers,
  singleTimers,
  timerAfter,
} from './series.ts'
import type { Timer } from './timers.ts'

const at = (text: string) => new Date(`2026-03-${text}Z`)

/** Daily from the 2nd at 10:00, an hour each, the 4th cancelled. */
const daily = (more: Partial<Recurring> = {}): Recurring => ({
  startTime: at('02T10:00:00'),
  endTime: at('02T11:00:00'),
  recurrenceRule: 'FREQ=DAILY',
  recurrenceExdates: [at('04T10:00:00')],
  ...more,
})

/** `kind offset due occurrence`, the month left out. */
const shown = (timers: readonly (Timer | undefined)[]) =>
  timers.map(
    (timer) =>
      timer &&
      [timer.kind, timer.offsetMinutes, short(timer.dueAt), timer.occurrenceStart && short(timer.occurrenceStart)].join(
        ' ',
      ),
  )
const short = (date: Date) => date.toISOString().slice(8, 16)

test('an occurrence that would end after the year 9999 is none', () => {
  const starts = (endTime: string) => {
    const event = daily({
      startTime: new Date('9999-12-29T23:30:00.000Z'),
      endTime: new Date(endTime),
      recurrenceExdates: [],
    })
    const series = seriesOf(event)!
    const due = seriesTimers(event, series, [], new Date('9999-12-30T23:45:00.000Z'))
    return [occurrencesBetween(series, 0, Number.POSITIVE_INFINITY).length, due.map(({ kind }) => kind)]
  }
  assert.deepEqual(starts('9999-12-29T23:59:59.999Z'), [3, ['event_start', 'event_end']])
  assert.deepEqual(starts('9999-12-30T00:00:00.000Z'), [2, ['event_end']])
  assert.deepEqual(starts('9999-12-31T00:00:00.001Z'), [1, ['event_end']])
  assert.deepEqual(starts('9999-12-31T23:59:59.999Z'), [1, ['event_end']])
})

test('an event without a rule is no series, a stored rule that does not parse is our own fault', () => {
  assert.equal(seriesOf(daily({ recurrenceRule: null })), undefined)
  assert.throws(() => seriesOf(daily({ recurrenceRule: 'FREQ=NEVER' })), /stored recurrence rule does not parse: FREQ/)
})

test('a moment lies at the start, the end, or before the start', () => {
  assert.ok(momentShiftMs({ kind: 'event_start', offsetMinutes: 0 }, daily()) === 0)
  assert.equal(momentShiftMs({ kind: 'event_end', offsetMinutes: 0 }, daily()), 3_600_000)
  assert.equal(momentShiftMs({ kind: 'event_reminder', offsetMinutes: 15 }, daily()), -900_000)
})

test('each kind and offset waits for its own next moment strictly after now, past the cancelled occurrence', () => {
  const event = daily()
  const timers = (now: Date, reminders: number[] = [10, 1440]) =>
    shown(seriesTimers(event, seriesOf(event)!, reminders, now))
  assert.deepEqual(timers(at('01T00:00:00')), [
    'event_start 0 02T10:00 02T10:00',
    'event_end 0 02T11:00 02T10:00',
    'event_reminder 10 02T09:50 02T10:00',
    'event_reminder 1440 01T10:00 02T10:00',
  ])
  assert.deepEqual(timers(at('03T10:30:00')), [
    'event_start 0 05T10:00 05T10:00',
    'event_end 0 03T11:00 03T10:00',
    'event_reminder 10 05T09:50 05T10:00',
    'event_reminder 1440 04T10:00 05T10:00',
  ])
  // A moment at this very instant has passed.
  assert.deepEqual(timers(at('02T10:00:00'), []), ['event_start 0 03T10:00 03T10:00', 'event_end 0 02T11:00 02T10:00'])
})

test('a series that is over waits for nothing, one whose last occurrence is on only for its end', () => {
  const event = daily({ recurrenceRule: 'FREQ=DAILY;COUNT=2' })
  const timers = (now: Date) => shown(seriesTimers(event, seriesOf(event)!, [10], now))
  assert.deepEqual(timers(at('03T10:30:00')), ['event_end 0 03T11:00 03T10:00'])
  assert.deepEqual(timers(at('03T11:00:00')), [])
})

test('of occurrences that are longer than their period the end of each is waited for in its turn', () => {
  const event = daily({ endTime: at('05T09:00:00') })
  assert.deepEqual(shown(seriesTimers(event, seriesOf(event)!, [], at('04T12:00:00'))), [
    'event_start 0 05T10:00 05T10:00',
    'event_end 0 05T09:00 02T10:00',
  ])
})

test('a timer moves to the occurrence after its own, not to one after the present', () => {
  const event = daily()
  const series = seriesOf(event)!
  const moved = (timer: Pick<Timer, 'kind' | 'offsetMinutes'>, from: Date) =>
    shown([timerAfter(timer, event, series, from)])[0]
  assert.equal(moved({ kind: 'event_start', offsetMinutes: 0 }, at('02T10:00:00')), 'event_start 0 03T10:00 03T10:00')
  assert.equal(moved({ kind: 'event_end', offsetMinutes: 0 }, at('03T10:00:00')), 'event_end 0 05T11:00 05T10:00')
  assert.equal(
    moved({ kind: 'event_reminder', offsetMinutes: 10 }, at('04T10:00:00')),
    'event_reminder 10 05T09:50 05T10:00',
  )
  const last = daily({ recurrenceRule: 'FREQ=DAILY;UNTIL=20260303' })
  assert.equal(
    timerAfter({ kind: 'event_start', offsetMinutes: 0 }, last, seriesOf(last)!, at('03T10:00:00')),
    undefined,
  )
})

test('the moments of an event that happens once name no occurrence', () => {
  assert.deepEqual(shown(singleTimers(daily({ recurrenceRule: null, recurrenceExdates: [] }), [5])), [
    'event_start 0 02T10:00 ',
    'event_end 0 02T11:00 ',
    'event_reminder 5 02T09:55 ',
  ])
})

test('what was due and has not fired stays where the edited series has the same moment', () => {
  const event = daily()
  const series = seriesOf(event)!
  const pending = [
    { kind: 'event_start' as const, offsetMinutes: 0, dueAt: at('03T10:00:00') },
    { kind: 'event_end' as const, offsetMinutes: 0, dueAt: at('05T10:30:00') },
    { kind: 'event_reminder' as const, offsetMinutes: 10, dueAt: at('05T09:50:00') },
  ]
  const stays = (reminders: number[]) => shown(pendingMoments(event, series, reminders, pending, at('05T11:00:00')))
  assert.deepEqual(stays([10]), [
    'event_start 0 03T10:00 03T10:00',
    'event_start 0 05T10:00 05T10:00',
    'event_end 0 05T11:00 05T10:00',
    'event_reminder 10 05T09:50 05T10:00',
  ])
  assert.deepEqual(stays([15]).at(-1), 'event_end 0 05T11:00 05T10:00', 'a reminder that was taken away does not')
})
