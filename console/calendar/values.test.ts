import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { EventInstance } from '../../clients/typescript/src/entry.ts'
import { createBody, exactOf, stretchBody, updateBody } from './bodies.ts'
import { ruleOf } from './recurrence.ts'
import { adjusted, newValues, valuesOf, withOtherTime } from './values.ts'

const berlin = 'Europe/Berlin'
const at = (minute: number, date = '2026-12-01') => ({ date, minute })
const values = { ...newValues({ start: at(600), end: at(630) }, 'cal_1', berlin), title: 'Planning' }
const event = {
  ...{ id: 'evt_1', calendarId: 'cal_1', title: 'Planning', description: null, allDay: false, status: 'confirmed' },
  ...{ startTime: '2026-12-01T09:00:00.000Z', endTime: '2026-12-01T09:30:00.000Z', reminders: null },
  ...{ recurrenceRule: null, metadata: {} },
} as EventInstance

test('times go to the service on the wall clock, with their zone', () => {
  assert.deepEqual(createBody(values, berlin, berlin, 0), {
    ...{ title: 'Planning', all_day: false, status: 'confirmed' },
    ...{ start_time: '2026-12-01T10:00[Europe/Berlin]', end_time: '2026-12-01T10:30[Europe/Berlin]' },
  })
  // Not a time yet: the service says so.
  assert.equal(createBody({ ...values, start_time: '' }, berlin, berlin, 0).start_time, '2026-12-01T')
})

test('whole days are days of the calendar, the last one included', () => {
  const { start_time, end_time } = createBody({ ...values, all_day: true }, berlin, 'Asia/Tokyo', 0)
  assert.deepEqual([start_time, end_time], ['2026-11-30T15:00:00.000Z', '2026-12-01T15:00:00.000Z'])
})

test('further dates of a series go with its zone, and unchanged ones exactly as they were', () => {
  const rdates = ['2026-12-05T09:00:00.000Z', '2026-12-06T11:00:00.000Z']
  const series = valuesOf({ ...event, recurrenceRule: 'FREQ=WEEKLY', recurrenceRdates: rdates }, berlin, berlin)
  assert.deepEqual(series.recurrence_rdates, [{ at: '2026-12-05T10:00' }, { at: '2026-12-06T12:00' }])
  const recurrence_rdates = [series.recurrence_rdates[1]!, { at: '2026-12-08T10:00' }]
  const edited = { ...series, recurrence_rdates }
  const update = updateBody({
    ...{ changed: { recurrence_rdates }, values: edited, before: series },
    ...{ whole: undefined, zone: berlin, home: berlin },
  })
  assert.deepEqual(update, { recurrence_rdates: [rdates[1], '2026-12-08T10:00[Europe/Berlin]'] })
  const made = createBody({ ...values, repeat: 'daily', recurrence_rdates }, berlin, berlin, 0)
  assert.equal(made.recurrence_rdates?.length, 2)
  assert.equal(createBody({ ...values, recurrence_rdates }, berlin, berlin, 0).recurrence_rdates, undefined)
})

test('metadata is an object, and a text that is no JSON goes as it is', () => {
  const before = valuesOf({ ...event, metadata: { team: 'research' } }, berlin, berlin)
  assert.equal(before.metadata, '{\n  "team": "research"\n}')
  const sent = (metadata: string) => {
    const fixed = { whole: undefined, zone: berlin, home: berlin }
    return updateBody({ changed: { metadata }, values: { ...before, metadata }, before, ...fixed }).metadata
  }
  assert.deepEqual([sent('{"a":[1]}'), sent(' '), sent('team')], [{ a: [1] }, {}, 'team'])
})

test('a hold lasts so many minutes', () => {
  const body = createBody({ ...values, status: 'hold', hold_minutes: '10' }, berlin, berlin, 0)
  assert.deepEqual([body.hold_expires_at, body.hold_priority], ['1970-01-01T00:10:00.000Z', 0])
})

test('a rule is a choice and a number, or as it is typed', () => {
  const rule = (repeat: 'never' | 'weekly' | 'custom', occurrences = '') =>
    ruleOf({ repeat, occurrences, recurrence_rule: 'FREQ=YEARLY' })
  assert.deepEqual(
    [rule('never'), rule('weekly'), rule('weekly', '4'), rule('custom', '4')],
    [undefined, 'FREQ=WEEKLY', 'FREQ=WEEKLY;COUNT=4', 'FREQ=YEARLY'],
  )
})

test('an event comes back as it was, and only what was changed is sent', () => {
  const before = valuesOf(event, berlin, berlin)
  assert.deepEqual([before.start_time, before.end_time, before.repeat], ['10:00', '10:30', 'never'])
  const send = (changed: object, whole?: EventInstance) =>
    updateBody({
      ...{ changed, values: { ...before, ...changed }, before, zone: berlin, home: berlin },
      whole: whole && valuesOf(whole, berlin, berlin),
    })
  assert.deepEqual(send({ title: 'Other' }), { title: 'Other' })
  assert.deepEqual(send({ reminders: '' }), { reminders: null })
  assert.deepEqual(send({ end_time: '11:00' }), {
    ...{ start_time: '2026-12-01T09:00:00.000Z', end_time: '2026-12-01T11:00[Europe/Berlin]' },
  })
  // A series moves as its occurrence does, also over a change of clocks.
  const series = { ...event, startTime: '2026-10-20T08:00:00.000Z', endTime: '2026-10-20T08:30:00.000Z' }
  assert.deepEqual(send({ start_time: '11:00', end_time: '11:30' }, series), {
    ...{ start_time: '2026-10-20T11:00[Europe/Berlin]', end_time: '2026-10-20T11:30[Europe/Berlin]' },
  })
})

test('a drag sends the end alone where only it was pulled', () => {
  const before = { start: at(600), end: at(630) }
  assert.deepEqual(stretchBody({ start: at(600), end: at(1_440) }, before, berlin, false), {
    end_time: '2026-12-02T00:00[Europe/Berlin]',
  })
  assert.deepEqual(Object.keys(stretchBody({ start: at(615), end: at(645) }, before, berlin, false)), [
    'start_time',
    'end_time',
  ])
})

test('an event of one day stays one, a start at its end takes the end along, and an end moves nothing', () => {
  const next = (change: object) => adjusted({ ...values, ...change }, values, change)
  assert.deepEqual([next({ start_time: '14:00' }).end_time, next({ start_time: '10:15' }).end_time], ['14:30', '10:30'])
  assert.equal(next({ end_time: '09:00' }).start_time, '10:00')
  assert.deepEqual(
    [next({ start_date: '2026-12-03' }).end_date, next({ start_date: '2026-11-03' }).end_date],
    ['2026-12-03', '2026-11-03'],
  )
  const long = { ...values, end_date: '2026-12-04' }
  assert.equal(
    adjusted({ ...long, start_date: '2026-12-02' }, long, { start_date: '2026-12-02' }).end_date,
    '2026-12-04',
  )
  assert.equal(next({ start_time: '' }).end_time, '10:30')
})

test('a suggested moment is sent as the service wrote it', () => {
  const twice = '2026-10-25T02:30:00+01:00[Europe/Berlin]'
  const chosen = { ...values, ...withOtherTime(values, { param: 'start_time', at: twice }, berlin) }
  assert.deepEqual([chosen.start_date, chosen.start_time], ['2026-10-25', '02:30'])
  assert.equal(createBody(chosen, berlin, berlin, 0).start_time, twice)
  const free = { start: '2026-12-01T12:00:00.000Z', end: '2026-12-01T12:30:00.000Z' }
  assert.equal(withOtherTime(values, free, berlin).start_time, '13:00')
})

test('a time that is offered for a move keeps the length of the event', () => {
  const night = { start: at(150, '2027-03-28'), end: at(180, '2027-03-28') }
  const offered = { param: 'start_time', at: '2027-03-28T03:30:00+02:00[Europe/Berlin]' }
  assert.deepEqual(exactOf(offered, night), { start_time: offered.at, end_time: '2027-03-28T02:00:00.000Z' })
  assert.deepEqual(exactOf({ ...offered, param: 'end_time' }, night), { end_time: offered.at })
  const stretch = { start: '2027-03-28T04:00:00Z', end: '2027-03-28T04:30:00Z' }
  assert.deepEqual(exactOf(stretch, night), { start_time: stretch.start, end_time: stretch.end })
})
