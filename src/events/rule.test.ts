import assert from 'node:assert/strict'
import { test } from 'vitest'
import { decideRule, isActiveSeries } from './rule.ts'

// A Monday.
const start = new Date('2026-03-02T10:00:00.000Z')

/** A refused rule, and a part of its message. */
const refusals: [rule: string, reason: RegExp][] = [
  ['', /empty/],
  [' ', /KEY=VALUE/],
  [`FREQ=DAILY;${'X'.repeat(300)}`, /at most 256 characters/],
  ['RRULE:FREQ=DAILY', /without the RRULE: prefix/],
  ['INTERVAL=2', /FREQ is missing/],
  ['FREQ=HOURLY', /FREQ must be one of DAILY, WEEKLY, MONTHLY, YEARLY/],
  ['FREQ=daily', /FREQ must be one of/],
  ['freq=DAILY', /upper case/],
  ['FREQ=DAILY;', /empty part/],
  [';FREQ=DAILY', /empty part/],
  ['FREQ=DAILY;FREQ=DAILY', /repeated/],
  ['FREQ=DAILY;COUNT', /KEY=VALUE/],
  ['FREQ=DAILY;COUNT=', /no value/],
  ['FREQ=DAILY;COUNT=2;UNTIL=20260401', /COUNT and UNTIL exclude each other/],
  ['FREQ=DAILY;COUNT=0', /COUNT must be a whole number from 1 to 730/],
  ['FREQ=DAILY;COUNT=731', /COUNT/],
  ['FREQ=DAILY;COUNT=-1', /COUNT/],
  ['FREQ=DAILY;COUNT=1.5', /COUNT/],
  ['FREQ=DAILY;COUNT=05', /COUNT/],
  ['FREQ=DAILY;INTERVAL=0', /INTERVAL must be a whole number from 1 to 99/],
  ['FREQ=DAILY;INTERVAL=100', /INTERVAL/],
  ['FREQ=DAILY;UNTIL=2026-04-01', /UNTIL must be a UTC time/],
  ['FREQ=DAILY;UNTIL=20260401T100000', /UNTIL/],
  ['FREQ=DAILY;UNTIL=20260230', /exists in the calendar/],
  ['FREQ=DAILY;UNTIL=20260401T240000Z', /from 000000 to 235959/],
  ['FREQ=DAILY;UNTIL=20260301', /UNTIL lies before the start/],
  ['FREQ=DAILY;UNTIL=20260302T095959Z', /UNTIL lies before the start/],
  ['FREQ=DAILY;BYDAY=MO', /BYDAY is only for FREQ=WEEKLY and FREQ=MONTHLY/],
  ['FREQ=YEARLY;BYDAY=MO', /BYDAY is only for/],
  ['FREQ=WEEKLY;BYDAY=1MO', /BYDAY of a WEEKLY rule/],
  ['FREQ=WEEKLY;BYDAY=MO,MO', /repeats MO/],
  ['FREQ=WEEKLY;BYDAY=XX', /BYDAY/],
  ['FREQ=WEEKLY;BYDAY=MO,', /BYDAY/],
  ['FREQ=WEEKLY;BYMONTHDAY=2', /BYMONTHDAY is only for FREQ=MONTHLY/],
  ['FREQ=DAILY;BYMONTHDAY=2', /BYMONTHDAY is only for/],
  ['FREQ=YEARLY;BYMONTHDAY=2', /BYMONTHDAY is only for/],
  ['FREQ=MONTHLY;BYDAY=MO', /one day with an ordinal/],
  ['FREQ=MONTHLY;BYDAY=1MO,2TU', /one day with an ordinal/],
  ['FREQ=MONTHLY;BYDAY=6MO', /one day with an ordinal/],
  ['FREQ=MONTHLY;BYDAY=0MO', /one day with an ordinal/],
  ['FREQ=MONTHLY;BYMONTHDAY=29', /from 1 to 28, or -1/],
  ['FREQ=MONTHLY;BYMONTHDAY=0', /from 1 to 28, or -1/],
  ['FREQ=MONTHLY;BYMONTHDAY=-2', /from 1 to 28, or -1/],
  ['FREQ=MONTHLY;BYMONTHDAY=2,3', /one whole number/],
  ['FREQ=MONTHLY;BYMONTHDAY=2;BYDAY=1MO', /BYDAY and BYMONTHDAY exclude each other/],
  ['FREQ=DAILY;BYHOUR=10', /BYHOUR is not supported/],
  ['FREQ=YEARLY;BYMONTH=3', /BYMONTH is not supported/],
  ['FREQ=DAILY;BYSETPOS=1', /BYSETPOS is not supported/],
  ['FREQ=WEEKLY;WKST=SU', /WKST is not supported/],
  ['FREQ=WEEKLY;BYDAY=TU', /must be on a day of BYDAY=TU in UTC, but is on MO/],
  ['FREQ=MONTHLY;BYDAY=2MO', /must fit BYDAY=2MO/],
  ['FREQ=MONTHLY;BYMONTHDAY=3', /must fit BYMONTHDAY=3/],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', /must fit BYMONTHDAY=-1/],
]

test('what the grammar does not have is refused with a sentence that names the part', () => {
  for (const [rule, reason] of refusals) {
    const decision = decideRule(rule, start, true, 'recurrence_rule')
    assert.equal(decision.kind, 'refused', rule)
    assert.ok(decision.kind === 'refused')
    assert.match(decision.reason, reason, rule)
    assert.equal(decision.param, 'recurrence_rule', rule)
  }
})

test('a start that does not fit is blamed on the field that the caller gave; a bad rule always on the rule', () => {
  const misfit = decideRule('FREQ=WEEKLY;BYDAY=TU', start, true, 'start_time')
  assert.equal(misfit.kind === 'refused' && misfit.param, 'start_time')
  const bad = decideRule('FREQ=NEVER', start, true, 'start_time')
  assert.equal(bad.kind === 'refused' && bad.param, 'recurrence_rule')
})

test('what a plan allows is asked only of a rule that is right', () => {
  for (const rule of ['FREQ=NEVER', 'FREQ=WEEKLY;BYDAY=TU']) {
    assert.equal(decideRule(rule, start, false, 'recurrence_rule').kind, 'refused')
  }
})

const lastStarts: [rule: string, last: string | null][] = [
  ['FREQ=DAILY', null],
  ['FREQ=DAILY;COUNT=1', '2026-03-02T10:00:00.000Z'],
  ['FREQ=DAILY;COUNT=3', '2026-03-04T10:00:00.000Z'],
  // The whole UTC day that a date names, and the last start in it: not the bound itself.
  ['FREQ=DAILY;UNTIL=20260304', '2026-03-04T10:00:00.000Z'],
  ['FREQ=DAILY;UNTIL=20260304T095959Z', '2026-03-03T10:00:00.000Z'],
  ['FREQ=DAILY;UNTIL=20260304T100000Z', '2026-03-04T10:00:00.000Z'],
  ['FREQ=WEEKLY;BYDAY=WE,MO,FR;COUNT=5', '2026-03-11T10:00:00.000Z'],
  ['COUNT=2;INTERVAL=2;FREQ=YEARLY', '2028-03-02T10:00:00.000Z'],
  ['FREQ=MONTHLY;BYDAY=1MO;UNTIL=20260601', '2026-06-01T10:00:00.000Z'],
]

test('the last start is the last occurrence that the rule gives, null for a rule without end', () => {
  for (const [rule, last] of lastStarts) {
    const decision = decideRule(rule, start, true, 'recurrence_rule')
    assert.equal(decision.kind, 'accepted', rule)
    assert.equal(decision.kind === 'accepted' && (decision.lastStart?.toISOString() ?? null), last, rule)
  }
})

test('without a paid plan a series may span exactly 90 days from its first start to its last', () => {
  const kindOf = (rule: string) => decideRule(rule, start, false, 'recurrence_rule').kind
  assert.equal(kindOf('FREQ=DAILY;COUNT=91'), 'accepted')
  assert.equal(kindOf('FREQ=DAILY;COUNT=92'), 'needs_paid_plan')
  assert.equal(kindOf('FREQ=DAILY;UNTIL=20260531'), 'accepted')
  assert.equal(kindOf('FREQ=DAILY;UNTIL=20260601'), 'needs_paid_plan')
  // The bound is about occurrences, not about what UNTIL says.
  assert.equal(kindOf('FREQ=WEEKLY;UNTIL=20260601T095959Z'), 'accepted')
  assert.equal(kindOf('FREQ=DAILY'), 'needs_paid_plan')
  assert.equal(kindOf('FREQ=YEARLY;COUNT=2'), 'needs_paid_plan')
  assert.equal(kindOf('FREQ=YEARLY;COUNT=1'), 'accepted')
})

test('a series is active until its last occurrence has started, unless it is cancelled', () => {
  const series = (more: object = {}) => ({
    status: 'confirmed' as const,
    recurrenceRule: 'FREQ=DAILY;COUNT=1',
    seriesLastStart: start as Date | null,
    ...more,
  })
  const justBefore = new Date(start.getTime() - 1)
  assert.equal(isActiveSeries(series(), justBefore), true)
  assert.equal(isActiveSeries(series(), start), false)
  assert.equal(isActiveSeries(series({ seriesLastStart: null }), new Date('2999-01-01T00:00:00Z')), true)
  assert.equal(isActiveSeries(series({ status: 'tentative' }), justBefore), true)
  assert.equal(isActiveSeries(series({ status: 'cancelled' }), justBefore), false)
  assert.equal(isActiveSeries(series({ recurrenceRule: null, seriesLastStart: null }), justBefore), false)
})
