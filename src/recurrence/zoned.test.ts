import assert from 'node:assert/strict'
import { test } from 'vitest'
import { occurrencesBetween } from './expand.ts'
import { parseRule } from './grammar.ts'
import { type Beside, compileSeries, lastOccurrence } from './series.ts'
import { splitRule } from './split.ts'
import { checkStart } from './start.ts'

function startsOf(rule: string, start: string, beside: Beside, max = 10): string[] {
  const parsed = parseRule(rule)
  assert.ok(parsed.ok)
  const series = compileSeries(parsed.rule, new Date(start), [], 0, beside)
  return occurrencesBetween(series, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, max).map((ms) =>
    new Date(ms).toISOString().replace(':00.000', ''),
  )
}

const berlin = { zone: 'Europe/Berlin' }

test('a series by a clock keeps its local hour when clocks change', () => {
  assert.deepEqual(startsOf('FREQ=WEEKLY;COUNT=3', '2026-03-20T08:00:00Z', berlin), [
    '2026-03-20T08:00Z',
    '2026-03-27T08:00Z',
    '2026-04-03T07:00Z',
  ])
})

test('a time that clocks skip counts by the offset before the gap, and the next day is as ever', () => {
  assert.deepEqual(startsOf('FREQ=DAILY;COUNT=3', '2026-03-28T01:30:00Z', berlin), [
    '2026-03-28T01:30Z',
    '2026-03-29T01:30Z',
    '2026-03-30T00:30Z',
  ])
})

test('a time that clocks show twice is the first; a start in the second keeps its moment', () => {
  assert.deepEqual(startsOf('FREQ=DAILY;COUNT=3', '2026-10-24T00:30:00Z', berlin), [
    '2026-10-24T00:30Z',
    '2026-10-25T00:30Z',
    '2026-10-26T01:30Z',
  ])
  assert.deepEqual(startsOf('FREQ=DAILY;COUNT=2', '2026-10-25T01:30:00Z', berlin), [
    '2026-10-25T01:30Z',
    '2026-10-26T01:30Z',
  ])
})

test('a series may begin at a time that clocks skip', () => {
  const beside = { ...berlin, skippedMs: 3_600_000 }
  assert.deepEqual(startsOf('FREQ=DAILY;COUNT=2', '2026-03-29T01:30:00Z', beside), [
    '2026-03-29T01:30Z',
    '2026-03-30T00:30Z',
  ])
})

test('two occurrences that are one moment, because clocks skip a whole day, count once', () => {
  assert.deepEqual(startsOf('FREQ=DAILY;COUNT=4', '2011-12-29T20:00:00Z', { zone: 'Pacific/Apia' }), [
    '2011-12-29T20:00Z',
    '2011-12-30T20:00Z',
    '2011-12-31T20:00Z',
  ])
})

test('a split keeps every occurrence, also where COUNT counts two of one moment', () => {
  const cases: [rule: string, start: string, zone: string][] = [
    ['FREQ=DAILY;COUNT=6', '2011-12-28T20:00:00Z', 'Pacific/Apia'],
    ['FREQ=DAILY;COUNT=3', '2011-12-28T20:00:00Z', 'Pacific/Apia'],
    ['FREQ=MONTHLY;COUNT=4', '2011-11-30T20:00:00Z', 'Pacific/Apia'],
    ['FREQ=WEEKLY;BYDAY=FR,SA;COUNT=5', '2011-12-23T20:00:00Z', 'Pacific/Apia'],
    ['FREQ=DAILY;COUNT=4', '2026-03-28T01:30:00Z', 'Europe/Berlin'],
    ['FREQ=DAILY;COUNT=4', '2026-10-24T00:30:00Z', 'Europe/Berlin'],
  ]
  for (const [rule, start, zone] of cases) {
    const whole = startsOf(rule, start, { zone })
    for (const at of whole.slice(1)) {
      const cut = splitRule(rule, new Date(start), new Date(at), { zone })
      assert.ok(cut, `${rule} at ${at}`)
      const { before, after, skippedMs } = cut
      const parts = [startsOf(before, start, { zone }), startsOf(after, at, { zone, skippedMs })]
      assert.deepEqual(parts.flat(), whole, `${before} and ${after} at ${at}`)
    }
  }
})

test('UNTIL is a local day, or a moment of UTC', () => {
  const start = '2026-03-20T23:30:00Z'
  assert.deepEqual(startsOf('FREQ=DAILY;UNTIL=20260322', start, berlin).length, 2)
  assert.deepEqual(startsOf('FREQ=DAILY;UNTIL=20260322T233000Z', start, berlin).length, 3)
  assert.deepEqual(startsOf('FREQ=DAILY;UNTIL=20260322T232959Z', start, berlin).length, 2)
})

test('dates beside the rule are free of COUNT, one that equals an occurrence counts once, and the last may be one of them', () => {
  const rdates = ['2026-06-01T10:00:00Z', '2026-03-03T10:00:00Z', '2026-03-03T15:00:00Z'].map((at) => Date.parse(at))
  const starts = ['2026-03-02T10:00Z', '2026-03-03T10:00Z', '2026-03-03T15:00Z', '2026-06-01T10:00Z']
  assert.deepEqual(startsOf('FREQ=DAILY;COUNT=2', '2026-03-02T10:00:00Z', { rdates }), starts)
  const parsed = parseRule('FREQ=DAILY;COUNT=2')
  assert.ok(parsed.ok)
  const series = compileSeries(parsed.rule, new Date('2026-03-02T10:00:00Z'), [], 0, { rdates })
  assert.equal(lastOccurrence(series), rdates[0])
})

test('the start must fit the rule on its local day, and the refusal names the zone', () => {
  const parsed = parseRule('FREQ=WEEKLY;BYDAY=TU')
  assert.ok(parsed.ok)
  const tuesdayInAuckland = new Date('2026-03-02T20:00:00Z')
  assert.equal(checkStart(parsed.rule, tuesdayInAuckland, 'Pacific/Auckland'), undefined)
  assert.match(checkStart(parsed.rule, tuesdayInAuckland, 'Europe/Berlin')!, /BYDAY=TU in Europe\/Berlin, but is on MO/)
})
