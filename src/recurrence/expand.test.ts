import assert from 'node:assert/strict'
import { test } from 'vitest'
import { hourMs } from '../shapes/durations.ts'
import { exceedsSpan, freeSpanDays } from './bounds.ts'
import {
  countBetween,
  firstOccurrenceFrom,
  isOccurrence,
  nextOccurrence,
  occurrencesBetween,
  previousOccurrence,
} from './expand.ts'
import { parseRule } from './grammar.ts'
import { busyIntervals } from './overlap.ts'
import { compileSeries, lastOccurrence, type Series } from './series.ts'
import { checkStart } from './start.ts'

function seriesOf(text: string, start: string, cancelled: readonly string[] = []): Series {
  const parsed = parseRule(text)
  assert.ok(parsed.ok, `${text}: ${JSON.stringify(parsed)}`)
  assert.equal(checkStart(parsed.rule, at(start)), undefined, `${text} from ${start}`)
  return compileSeries(
    parsed.rule,
    at(start),
    cancelled.map((time) => at(time).getTime()),
  )
}

/** `2026-01-05`, `2026-01-05T10:30` or with seconds and their fraction: UTC, 09:00 when no time is given. */
function at(text: string): Date {
  return new Date(text.includes('T') ? `${text}Z` : `${text}T09:00Z`)
}

const ms = (text: string): number => at(text).getTime()
const days = (starts: readonly number[]): string =>
  starts.map((start) => new Date(start).toISOString().slice(0, 10)).join(' ')

/** Rule, start, window, the days of the occurrences. Checked against a printed calendar. */
const cases: readonly [string, string, string, [string, string], string][] = [
  [
    'every third day over a leap day',
    'FREQ=DAILY;INTERVAL=3',
    '2028-02-25',
    ['2028-02-01', '2028-03-10'],
    '2028-02-25 2028-02-28 2028-03-02 2028-03-05 2028-03-08',
  ],
  [
    'COUNT counts the start',
    'FREQ=DAILY;COUNT=3',
    '2026-12-30',
    ['2026-01-01', '2028-01-01'],
    '2026-12-30 2026-12-31 2027-01-01',
  ],
  ['COUNT=1 is the start alone', 'FREQ=YEARLY;COUNT=1', '2026-05-05', ['2026-01-01', '2099-01-01'], '2026-05-05'],
  [
    'UNTIL as a date takes that whole day in',
    'FREQ=DAILY;UNTIL=20260107',
    '2026-01-05T23:59',
    ['2026-01-01', '2027-01-01'],
    '2026-01-05 2026-01-06 2026-01-07',
  ],
  [
    'UNTIL as a time is inclusive',
    'FREQ=DAILY;UNTIL=20260107T090000Z',
    '2026-01-05',
    ['2026-01-01', '2027-01-01'],
    '2026-01-05 2026-01-06 2026-01-07',
  ],
  [
    'UNTIL one second earlier is not',
    'FREQ=DAILY;UNTIL=20260107T085959Z',
    '2026-01-05',
    ['2026-01-01', '2027-01-01'],
    '2026-01-05 2026-01-06',
  ],
  [
    'UNTIL means its whole second',
    'FREQ=DAILY;UNTIL=20260107T090000Z',
    '2026-01-05T09:00:00.750',
    ['2026-01-01', '2027-01-01'],
    '2026-01-05 2026-01-06 2026-01-07',
  ],
  [
    'UNTIL on the start day leaves the start',
    'FREQ=WEEKLY;UNTIL=20260105',
    '2026-01-05',
    ['2026-01-01', '2027-01-01'],
    '2026-01-05',
  ],
  [
    'weekly takes the weekday of the start',
    'FREQ=WEEKLY',
    '2026-12-24',
    ['2026-12-01', '2027-01-15'],
    '2026-12-24 2026-12-31 2027-01-07 2027-01-14',
  ],
  [
    'weekly days, start in mid-week',
    'FREQ=WEEKLY;BYDAY=MO,WE,FR',
    '2026-01-07',
    ['2026-01-01', '2026-01-17'],
    '2026-01-07 2026-01-09 2026-01-12 2026-01-14 2026-01-16',
  ],
  [
    'every other week across the year end; weeks begin on Monday',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU',
    '2026-12-20',
    ['2026-12-01', '2027-02-01'],
    '2026-12-20 2026-12-28 2027-01-03 2027-01-11 2027-01-17 2027-01-25 2027-01-31',
  ],
  [
    'every other week, start on the week’s last listed day',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH',
    '2026-12-31',
    ['2026-12-01', '2027-02-01'],
    '2026-12-31 2027-01-12 2027-01-14 2027-01-26 2027-01-28',
  ],
  [
    'COUNT within weeks',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,FR;COUNT=5',
    '2026-01-07',
    ['2026-01-01', '2027-01-01'],
    '2026-01-07 2026-01-09 2026-01-19 2026-01-21 2026-01-23',
  ],
  [
    'monthly on the 31st skips short months',
    'FREQ=MONTHLY',
    '2026-01-31',
    ['2026-01-01', '2027-01-01'],
    '2026-01-31 2026-03-31 2026-05-31 2026-07-31 2026-08-31 2026-10-31 2026-12-31',
  ],
  [
    'COUNT counts only what exists',
    'FREQ=MONTHLY;COUNT=4',
    '2026-01-31',
    ['2026-01-01', '2028-01-01'],
    '2026-01-31 2026-03-31 2026-05-31 2026-07-31',
  ],
  [
    'monthly on the 30th skips February',
    'FREQ=MONTHLY;INTERVAL=3',
    '2027-11-30',
    ['2027-01-01', '2029-01-01'],
    '2027-11-30 2028-05-30 2028-08-30 2028-11-30',
  ],
  [
    'monthly on the 29th meets leap Februaries only',
    'FREQ=MONTHLY',
    '2026-12-29',
    ['2026-12-01', '2027-04-01'],
    '2026-12-29 2027-01-29 2027-03-29',
  ],
  [
    'the same in a leap year',
    'FREQ=MONTHLY',
    '2026-12-29',
    ['2028-01-01', '2028-04-01'],
    '2028-01-29 2028-02-29 2028-03-29',
  ],
  [
    'last days',
    'FREQ=MONTHLY;BYMONTHDAY=-1',
    '2027-12-31',
    ['2027-12-01', '2028-05-01'],
    '2027-12-31 2028-01-31 2028-02-29 2028-03-31 2028-04-30',
  ],
  [
    'day 28 exists always',
    'FREQ=MONTHLY;BYMONTHDAY=28',
    '2027-01-28',
    ['2027-02-01', '2027-04-01'],
    '2027-02-28 2027-03-28',
  ],
  [
    'second Tuesdays',
    'FREQ=MONTHLY;BYDAY=2TU',
    '2026-09-08',
    ['2026-09-01', '2027-02-01'],
    '2026-09-08 2026-10-13 2026-11-10 2026-12-08 2027-01-12',
  ],
  [
    'last Fridays',
    'FREQ=MONTHLY;BYDAY=-1FR',
    '2026-01-30',
    ['2026-01-01', '2026-06-01'],
    '2026-01-30 2026-02-27 2026-03-27 2026-04-24 2026-05-29',
  ],
  [
    'fifth Mondays are rare',
    'FREQ=MONTHLY;BYDAY=5MO',
    '2026-03-30',
    ['2026-01-01', '2027-04-01'],
    '2026-03-30 2026-06-29 2026-08-31 2026-11-30 2027-03-29',
  ],
  [
    'fifth Mondays from the end: the first of five',
    'FREQ=MONTHLY;BYDAY=-5MO',
    '2026-03-02',
    ['2026-01-01', '2027-04-01'],
    '2026-03-02 2026-06-01 2026-08-03 2026-11-02 2027-03-01',
  ],
  [
    'fifth weekdays counted',
    'FREQ=MONTHLY;BYDAY=5MO;COUNT=3',
    '2026-03-30',
    ['2026-01-01', '2030-01-01'],
    '2026-03-30 2026-06-29 2026-08-31',
  ],
  [
    'fifth Thursdays in February: once in 28 years',
    'FREQ=MONTHLY;INTERVAL=12;BYDAY=5TH',
    '2024-02-29',
    ['2024-01-01', '2090-01-01'],
    '2024-02-29 2052-02-29 2080-02-29',
  ],
  [
    '29 February yearly',
    'FREQ=YEARLY',
    '2024-02-29',
    ['2024-01-01', '2037-01-01'],
    '2024-02-29 2028-02-29 2032-02-29 2036-02-29',
  ],
  [
    '29 February over 2100, which is no leap year',
    'FREQ=YEARLY',
    '2024-02-29',
    ['2095-01-01', '2109-01-01'],
    '2096-02-29 2104-02-29 2108-02-29',
  ],
  [
    '29 February every third year: every twelfth',
    'FREQ=YEARLY;INTERVAL=3;COUNT=3',
    '2024-02-29',
    ['2024-01-01', '2200-01-01'],
    '2024-02-29 2036-02-29 2048-02-29',
  ],
  [
    '2000 was a leap year',
    'FREQ=YEARLY;INTERVAL=4',
    '1996-02-29',
    ['1996-01-01', '2005-01-01'],
    '1996-02-29 2000-02-29 2004-02-29',
  ],
  [
    'year end',
    'FREQ=YEARLY;UNTIL=20281231',
    '2026-12-31T23:59:59',
    ['2026-01-01', '2030-01-01'],
    '2026-12-31 2027-12-31 2028-12-31',
  ],
  ['nothing before the start', 'FREQ=DAILY', '2026-01-05', ['2020-01-01', '2026-01-07'], '2026-01-05 2026-01-06'],
  [
    'before 1970',
    'FREQ=WEEKLY;BYDAY=SA,SU',
    '1969-12-20',
    ['1969-12-01', '1970-01-05'],
    '1969-12-20 1969-12-21 1969-12-27 1969-12-28 1970-01-03 1970-01-04',
  ],
  [
    'the year 9999 is the last',
    'FREQ=YEARLY;INTERVAL=2',
    '9995-06-01',
    ['9990-01-01', '+019999-01-01'],
    '9995-06-01 9997-06-01 9999-06-01',
  ],
]

test('hand-checked expansions', () => {
  for (const [name, rule, start, [from, to], expected] of cases) {
    const series = seriesOf(rule, start)
    const starts = occurrencesBetween(series, ms(from), ms(to))
    assert.equal(days(starts), expected, name)
    assert.equal(countBetween(series, ms(from), ms(to)), starts.length, name)
    assert.equal(firstOccurrenceFrom(series, ms(from)), starts[0], name)
    assert.equal(previousOccurrence(series, ms(to)), starts.at(-1), name)
  }
})

test('windows are half-open on the start', () => {
  const series = seriesOf('FREQ=DAILY', '2026-01-05')
  assert.equal(days(occurrencesBetween(series, ms('2026-01-06'), ms('2026-01-08'))), '2026-01-06 2026-01-07')
  assert.deepEqual(occurrencesBetween(series, ms('2026-01-06') + 1, ms('2026-01-07')), [])
  assert.deepEqual(occurrencesBetween(series, ms('2026-01-08'), ms('2026-01-06')), [])
  assert.deepEqual(occurrencesBetween(series, Number.NaN, ms('2026-01-06')), [])
  assert.equal(days(occurrencesBetween(series, ms('2026-02-01'), Number.POSITIVE_INFINITY, 2)), '2026-02-01 2026-02-02')
  assert.equal(nextOccurrence(series, ms('2026-01-06')), ms('2026-01-07'))
  assert.equal(firstOccurrenceFrom(series, ms('2026-01-06')), ms('2026-01-06'))
  assert.equal(previousOccurrence(series, ms('2026-01-06')), ms('2026-01-05'))
  assert.equal(previousOccurrence(series, ms('2026-01-05')), undefined)
})

test('cancelled occurrences are left out, in any order and however often named', () => {
  const cancelled = ['2026-01-09', '2026-01-06', '2026-01-06', '2026-01-07T10:00', '2026-01-08']
  const series = seriesOf('FREQ=DAILY;COUNT=5', '2026-01-05', cancelled)
  assert.equal(days(occurrencesBetween(series, ms('2026-01-01'), ms('2027-01-01'))), '2026-01-05 2026-01-07')
  assert.equal(countBetween(series, ms('2026-01-01'), ms('2027-01-01')), 2)
  assert.equal(days(occurrencesBetween(series, ms('2026-01-06'), ms('2027-01-01'), 1)), '2026-01-07')
  assert.equal(nextOccurrence(series, ms('2026-01-05')), ms('2026-01-07'))
  assert.equal(nextOccurrence(series, ms('2026-01-07')), undefined)
  assert.equal(previousOccurrence(series, ms('2027-01-01')), ms('2026-01-07'))
  assert.equal(isOccurrence(series, ms('2026-01-05')), true)
  assert.equal(isOccurrence(series, ms('2026-01-06')), false)
  assert.equal(isOccurrence(series, ms('2026-01-07') + 1), false)
  assert.equal(isOccurrence(series, ms('2026-01-10')), false)
  assert.equal(isOccurrence(series, ms('2026-01-04')), false)
  assert.equal(lastOccurrence(series), ms('2026-01-09'), 'the rule’s own last, cancelled or not')
})

test('the last occurrence', () => {
  const last = (rule: string, start: string) => {
    const found = lastOccurrence(seriesOf(rule, start))
    return found === undefined ? 'none' : days([found])
  }
  assert.equal(last('FREQ=DAILY', '2026-01-05'), 'none')
  assert.equal(last('FREQ=DAILY;COUNT=730', '2026-01-01'), '2027-12-31')
  assert.equal(last('FREQ=WEEKLY;INTERVAL=2;UNTIL=20260204', '2026-01-05'), '2026-02-02')
  assert.equal(last('FREQ=MONTHLY;UNTIL=20270228', '2026-01-31'), '2027-01-31')
  assert.equal(last('FREQ=MONTHLY;INTERVAL=12;BYDAY=5TH;UNTIL=20790101', '2024-02-29'), '2052-02-29')
  assert.equal(last('FREQ=YEARLY;UNTIL=20271231', '2024-02-29'), '2024-02-29')
  assert.equal(last('FREQ=YEARLY;COUNT=400', '2000-02-29'), '3644-02-29', '97 leap days in 400 years')
  assert.equal(last('FREQ=YEARLY;COUNT=400', '2000-01-31'), '2399-01-31')
  assert.equal(last('FREQ=YEARLY;INTERVAL=99;COUNT=730', '2000-02-29'), '9920-02-29', 'no year has five digits')
  assert.equal(last('FREQ=DAILY;UNTIL=99991231', '9999-12-30'), '9999-12-31')
})

test('the span of a Free rule: exactly 90 days from first to last start is within', () => {
  const exceeds = (rule: string) => exceedsSpan(seriesOf(rule, '2026-01-01'), freeSpanDays)
  assert.equal(exceeds('FREQ=DAILY;COUNT=91'), false)
  assert.equal(exceeds('FREQ=DAILY;COUNT=92'), true)
  assert.equal(exceeds('FREQ=DAILY;UNTIL=20260401'), false)
  assert.equal(exceeds('FREQ=DAILY;UNTIL=20260402T085959Z'), false)
  assert.equal(exceeds('FREQ=DAILY;UNTIL=20260402T090000Z'), true)
  assert.equal(exceeds('FREQ=YEARLY;UNTIL=20261231'), false, 'only the start is ever reached')
  assert.equal(exceeds('FREQ=DAILY'), true)
})

test('the time that occurrences take of a window', () => {
  const series = seriesOf('FREQ=DAILY', '2026-01-05', ['2026-01-07'])
  const busy = (from: string, to: string, hours: number) =>
    busyIntervals(series, hours * hourMs, { fromMs: ms(from), toMs: ms(to) })
      .map((time) => new Date(time).toISOString().slice(8, 16))
      .join(' ')
  assert.equal(busy('2026-01-06T11:00', '2026-01-08T09:00', 2), '', 'touching is not meeting')
  assert.equal(busy('2026-01-06T10:59', '2026-01-08T09:01', 2), '06T10:59 06T11:00 08T09:00 08T09:01')
  assert.equal(busy('2026-01-09T10:00', '2026-01-09T10:30', 2), '09T10:00 09T10:30')
  assert.equal(busy('2026-01-09T12:00', '2026-01-10T12:00', 49), '09T12:00 10T12:00')
  assert.equal(busy('2026-01-06T10:00', '2026-01-08T10:00', 2), '06T10:00 06T11:00 08T09:00 08T10:00')
  assert.equal(busy('2026-01-05T00:00', '2026-01-10T00:00', 24), '05T09:00 07T09:00 08T09:00 10T00:00')
  assert.equal(busy('2026-01-12T00:00', '2026-01-13T00:00', 24 * 365 * 1000), '12T00:00 13T00:00')
})
