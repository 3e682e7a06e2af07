import assert from 'node:assert/strict'
import { test } from 'vitest'
import { readAddress } from './address.ts'
import { clockAt, dayName, daysShown, headingOf, isDate, stepped, type View } from './dates.ts'
import { suggested } from './suggested.ts'

const heading = (view: View, date: string) => headingOf(view, date, daysShown(view, date, 'monday'))

test('a view shows whole weeks, and says which', () => {
  assert.equal(heading('week', '2026-12-01'), '30 November – 6 December 2026')
  assert.equal(heading('agenda', '2026-12-09'), '7–13 December 2026')
  assert.equal(heading('week', '2026-12-31'), '28 December 2026 – 3 January 2027')
  assert.equal(heading('day', '2026-12-01'), 'Tuesday 1 December 2026')
  assert.equal(heading('month', '2026-12-01'), 'December 2026')
  assert.equal(dayName('2026-12-01'), 'Tuesday 1 December')
  const month = daysShown('month', '2026-12-24', 'monday')
  assert.deepEqual([month[0], month.at(-1), month.length], ['2026-11-30', '2027-01-03', 35])
  assert.equal(daysShown('week', '2026-12-01', 'sunday')[0], '2026-11-29')
})

test('a month later is the last day of a shorter month', () => {
  assert.deepEqual(
    [stepped('month', '2027-01-31', 1), stepped('month', '2027-03-31', -1), stepped('week', '2026-12-01', -1)],
    ['2027-02-28', '2027-02-28', '2026-11-24'],
  )
})

test('the clock of a zone is right on days of 23 and 25 hours', () => {
  const berlin = (at: string) => clockAt(Date.parse(at), 'Europe/Berlin')
  assert.deepEqual(berlin('2027-03-28T01:30:00Z'), { date: '2027-03-28', minute: 210 })
  assert.deepEqual(berlin('2026-10-25T00:30:00Z'), { date: '2026-10-25', minute: 150 })
  assert.deepEqual(berlin('2026-10-25T01:30:00Z'), { date: '2026-10-25', minute: 150 })
  assert.equal(clockAt(Date.parse('2026-12-01T18:20:00Z'), 'Asia/Kathmandu').minute, 5)
})

test('an address is read as far as it makes sense', () => {
  const calendars = ['a', 'b', 'c', 'd', 'e', 'f']
  const usual = { view: 'week', today: '2026-12-01', tz: 'UTC', tz2: 'Asia/Tokyo', calendars } as const
  const read = (values: Record<string, string>) => readAddress(values, usual)
  const { view, date, cal, isSplit, tz, tz2 } = read({ view: 'year', date: '2026-02-30', tz: 'Nowhere' })
  assert.deepEqual([view, date, cal, isSplit], ['week', '2026-12-01', calendars.slice(0, 5), false])
  assert.deepEqual([tz, tz2], ['UTC', 'Asia/Tokyo'])
  assert.deepEqual(
    [read({ cal: 'f,x,b' }).cal, read({ cal: 'f,b' }).isSplit, read({ cal: '-' }).cal],
    [['b', 'f'], true, []],
  )
  assert.equal(read({ cal: 'a', columns: 'together' }).isSplit, false)
  assert.deepEqual([read({ tz2: '-' }).tz2, read({ tz: 'Asia/Tokyo' }).tz2], ['', ''])
  assert.deepEqual(['0002-12-01', '2026-12-01', undefined].map(isDate), [false, true, false])
})

test('a new event is at the next half hour, or in the morning of another week', () => {
  const now = { date: '2026-12-01', minute: 1_425 }
  assert.deepEqual(suggested(now, ['2026-12-01']).start, { date: '2026-12-02', minute: 0 })
  assert.deepEqual(suggested(now, ['2026-12-07']).start, { date: '2026-12-07', minute: 540 })
})
