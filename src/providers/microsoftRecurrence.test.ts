// Patterns mean what our rules mean: the emulator's reading of them against our own engine.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { occurrencesBetween } from '../recurrence/expand.ts'
import { parseRule } from '../recurrence/grammar.ts'
import { compileSeries } from '../recurrence/series.ts'
import { startsOf } from '../testing/providers/microsoftCalendarMailbox.ts'
import { graphRecurrence, hasPattern } from './microsoftRecurrence.ts'

const start = new Date('2026-03-02T09:30:00Z')

for (const [rule, pattern] of [
  ['FREQ=DAILY;INTERVAL=3', { type: 'daily', interval: 3 }],
  ['FREQ=WEEKLY', { type: 'weekly', interval: 1, daysOfWeek: ['monday'], firstDayOfWeek: 'monday' }],
  [
    'FREQ=WEEKLY;BYDAY=MO,SU',
    { type: 'weekly', interval: 1, daysOfWeek: ['monday', 'sunday'], firstDayOfWeek: 'monday' },
  ],
  ['FREQ=MONTHLY', { type: 'absoluteMonthly', interval: 1, dayOfMonth: 2 }],
  ['FREQ=MONTHLY;BYMONTHDAY=15', { type: 'absoluteMonthly', interval: 1, dayOfMonth: 15 }],
  ['FREQ=MONTHLY;BYDAY=1MO', { type: 'relativeMonthly', interval: 1, daysOfWeek: ['monday'], index: 'first' }],
  ['FREQ=MONTHLY;BYDAY=-1FR', { type: 'relativeMonthly', interval: 1, daysOfWeek: ['friday'], index: 'last' }],
  ['FREQ=YEARLY', { type: 'absoluteYearly', interval: 1, month: 3, dayOfMonth: 2 }],
] as const) {
  test(`${rule} is a pattern`, () => {
    assert.deepEqual(graphRecurrence(rule, start)?.pattern, pattern)
    assert.ok(hasPattern(rule))
  })
}

for (const rule of ['FREQ=MONTHLY;BYMONTHDAY=-1', 'FREQ=MONTHLY;BYDAY=5MO', 'FREQ=MONTHLY;BYDAY=-2MO']) {
  test(`${rule} has no pattern`, () => {
    assert.equal(graphRecurrence(rule, start), undefined)
    assert.equal(hasPattern(rule), false)
  })
}

test('a start after the 28th has no pattern by month, as Microsoft would move it', () => {
  assert.equal(graphRecurrence('FREQ=MONTHLY', new Date('2026-01-31T09:00:00Z')), undefined)
  assert.equal(graphRecurrence('FREQ=YEARLY', new Date('2028-02-29T09:00:00Z')), undefined)
  assert.ok(graphRecurrence('FREQ=YEARLY', new Date('2028-03-31T09:00:00Z')))
})

test('the end of a rule is a count, or the last day on which an occurrence begins in time', () => {
  const range = (end: string) => graphRecurrence(`FREQ=DAILY;${end}`, start)?.range
  const rest = { startDate: '2026-03-02', recurrenceTimeZone: 'UTC' }
  assert.deepEqual(range('COUNT=5'), { type: 'numbered', numberOfOccurrences: 5, ...rest })
  assert.deepEqual(range('UNTIL=20260310'), { type: 'endDate', endDate: '2026-03-10', ...rest })
  assert.deepEqual(range('UNTIL=20260310T093000Z'), { type: 'endDate', endDate: '2026-03-10', ...rest })
  assert.deepEqual(range('UNTIL=20260310T092959Z'), { type: 'endDate', endDate: '2026-03-09', ...rest })
})

const codes = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** Rules that begin with `from`. */
function rulesAt(from: Date): string[] {
  const day = codes[from.getUTCDay()]!
  const nth = Math.ceil(from.getUTCDate() / 7)
  return [
    ...['FREQ=DAILY', 'FREQ=WEEKLY', `FREQ=WEEKLY;BYDAY=${[...new Set([day, 'WE', 'SU'])].join(',')}`, 'FREQ=YEARLY'],
    ...['FREQ=MONTHLY', `FREQ=MONTHLY;BYDAY=${nth}${day}`],
  ]
}

const ends = ['', ';COUNT=7', ';UNTIL=20280115', ';UNTIL=20271102T120000Z']
const cases = fc
  .tuple(fc.integer({ min: 0, max: 400 * 24 }), fc.nat(5), fc.integer({ min: 1, max: 4 }), fc.constantFrom(...ends))
  .map(([hour, nth, interval, ending]) => {
    const from = new Date(Date.UTC(2026, 0, 1, hour))
    return { from, text: `${rulesAt(from)[nth]};INTERVAL=${interval}${ending}` }
  })

test('every pattern has the occurrences of its rule', () => {
  const until = Date.UTC(2029, 0)
  fc.assert(
    fc.property(cases, ({ from, text }) => {
      const recurrence = graphRecurrence(text, from)
      fc.pre(recurrence !== undefined)
      const parsed = parseRule(text)
      assert.ok(parsed.ok)
      const startMs = from.getTime()
      const wanted = occurrencesBetween(compileSeries(parsed.rule, from), startMs, until)
      const stored = {
        ...{ id: 'a', calendar: 'b', version: 1, master: undefined, gone: new Set<number>() },
        times: { startMs, endMs: startMs + 1, isAllDay: false, zone: 'UTC', zoneName: 'UTC' },
        fields: { recurrence: recurrence! },
      }
      assert.deepEqual(startsOf(stored, startMs, until), wanted)
    }),
  )
})
