import assert from 'node:assert/strict'
import { test } from 'vitest'
import { maxRuleLength, parseRule } from './grammar.ts'
import { printRule } from './print.ts'
import { checkStart } from './start.ts'

/** Text → canonical text. */
const accepted: readonly [string, string][] = [
  ['FREQ=DAILY', 'FREQ=DAILY'],
  ['FREQ=DAILY;INTERVAL=1', 'FREQ=DAILY'],
  ['COUNT=1;FREQ=DAILY', 'FREQ=DAILY;COUNT=1'],
  ['FREQ=DAILY;COUNT=730', 'FREQ=DAILY;COUNT=730'],
  ['INTERVAL=99;FREQ=YEARLY', 'FREQ=YEARLY;INTERVAL=99'],
  ['FREQ=WEEKLY', 'FREQ=WEEKLY'],
  ['FREQ=WEEKLY;BYDAY=SU', 'FREQ=WEEKLY;BYDAY=SU'],
  ['BYDAY=FR,MO,WE;FREQ=WEEKLY;INTERVAL=2', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,FR'],
  ['FREQ=WEEKLY;BYDAY=SU,SA,FR,TH,WE,TU,MO', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU'],
  ['FREQ=MONTHLY;BYMONTHDAY=1', 'FREQ=MONTHLY;BYMONTHDAY=1'],
  ['FREQ=MONTHLY;BYMONTHDAY=28', 'FREQ=MONTHLY;BYMONTHDAY=28'],
  ['FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3', 'FREQ=MONTHLY;COUNT=3;BYMONTHDAY=-1'],
  ['FREQ=MONTHLY;BYDAY=2TU', 'FREQ=MONTHLY;BYDAY=2TU'],
  ['FREQ=MONTHLY;BYDAY=5SU', 'FREQ=MONTHLY;BYDAY=5SU'],
  ['FREQ=MONTHLY;BYDAY=-5MO', 'FREQ=MONTHLY;BYDAY=-5MO'],
  ['UNTIL=20261231;FREQ=DAILY', 'FREQ=DAILY;UNTIL=20261231'],
  ['FREQ=DAILY;UNTIL=20240229T235959Z', 'FREQ=DAILY;UNTIL=20240229T235959Z'],
  ['FREQ=DAILY;UNTIL=20000229T000000Z', 'FREQ=DAILY;UNTIL=20000229T000000Z'],
  ['FREQ=DAILY;UNTIL=99991231', 'FREQ=DAILY;UNTIL=99991231'],
  ['FREQ=DAILY;UNTIL=00010101', 'FREQ=DAILY;UNTIL=00010101'],
  ['FREQ=WEEKLY;INTERVAL=99;UNTIL=20301231T235959Z;BYDAY=MO,TU,WE,TH,FR,SA,SU', ''],
]

/** Text → what the reason must say. */
const refused: readonly [string, RegExp][] = [
  ['', /empty/],
  [' ', /KEY=VALUE/],
  ['x'.repeat(maxRuleLength + 1), /at most 256 characters, got 257/],
  ['RRULE:FREQ=DAILY', /without the RRULE: prefix/],
  ['rrule:freq=daily', /without the RRULE: prefix/],
  ['FREQ=DAILY;', /empty part/],
  [';FREQ=DAILY', /empty part/],
  ['FREQ=DAILY;;COUNT=2', /empty part/],
  ['FREQ', /FREQ must be written as KEY=VALUE/],
  ['=DAILY', /KEY=VALUE/],
  ['FREQ=', /FREQ has no value/],
  ['COUNT=3', /FREQ is missing/],
  ['freq=DAILY', /freq must be written in upper case: FREQ/],
  ['FREQ=daily', /FREQ must be one of DAILY, WEEKLY, MONTHLY, YEARLY, got daily/],
  ['FREQ=HOURLY', /FREQ must be one of .*, got HOURLY/],
  ['FREQ=DAILY=DAILY', /FREQ must be one of/],
  ['FREQ=DAILY;FREQ=DAILY', /FREQ is repeated/],
  ['FREQ=DAILY;COUNT=2;COUNT=2', /COUNT is repeated/],
  ['FREQ=DAILY;BYHOUR=9', /BYHOUR is not supported/],
  ['FREQ=MONTHLY;BYSETPOS=1', /BYSETPOS is not supported/],
  ['FREQ=WEEKLY;WKST=SU', /WKST is not supported/],
  ['FREQ=DAILY;__proto__=1', /__proto__ is not supported/],
  ['FREQ=DAILY;constructor=1', /constructor is not supported/],
  ['FREQ=DAILY ', /got DAILY /],
  ['FREQ=DAILY; COUNT=2', / COUNT is not supported/],
  ['FREQ=DAILY\r\nEXDATE=1', /FREQ must be one of .*got DAILY\?\?EXDATE=1/],
  ['FREQ=DAILY;INTERVAL=0', /INTERVAL must be a whole number from 1 to 99, got 0/],
  ['FREQ=DAILY;INTERVAL=100', /from 1 to 99, got 100/],
  ['FREQ=DAILY;INTERVAL=-1', /from 1 to 99, got -1/],
  ['FREQ=DAILY;INTERVAL=1.5', /from 1 to 99, got 1.5/],
  ['FREQ=DAILY;INTERVAL=1e1', /from 1 to 99, got 1e1/],
  ['FREQ=DAILY;INTERVAL=+2', /from 1 to 99/],
  ['FREQ=DAILY;INTERVAL=02', /from 1 to 99/],
  ['FREQ=DAILY;INTERVAL= 2', /from 1 to 99/],
  ['FREQ=DAILY;INTERVAL=٢', /from 1 to 99, got \?/],
  ['FREQ=DAILY;COUNT=0', /COUNT must be a whole number from 1 to 730, got 0/],
  ['FREQ=DAILY;COUNT=731', /from 1 to 730, got 731/],
  ['FREQ=DAILY;COUNT=01', /from 1 to 730/],
  ['FREQ=DAILY;COUNT=99999999999999999999999999', /from 1 to 730, got 9{24}…/],
  ['FREQ=DAILY;COUNT=2;UNTIL=20270101', /COUNT and UNTIL exclude each other/],
  ['FREQ=DAILY;UNTIL=2027-01-01', /UNTIL must be a UTC time/],
  ['FREQ=DAILY;UNTIL=20270101T000000', /UNTIL must be a UTC time/],
  ['FREQ=DAILY;UNTIL=20270101T0000Z', /UNTIL must be a UTC time/],
  ['FREQ=DAILY;UNTIL=20270101Z', /UNTIL must be a UTC time/],
  ['FREQ=DAILY;UNTIL=20270101t000000z', /UNTIL must be a UTC time/],
  ['FREQ=DAILY;UNTIL=20270229', /exists in the calendar/],
  ['FREQ=DAILY;UNTIL=21000229', /exists in the calendar/],
  ['FREQ=DAILY;UNTIL=20270431', /exists in the calendar/],
  ['FREQ=DAILY;UNTIL=20271301', /exists in the calendar/],
  ['FREQ=DAILY;UNTIL=20270001', /exists in the calendar/],
  ['FREQ=DAILY;UNTIL=20270100', /exists in the calendar/],
  ['FREQ=DAILY;UNTIL=20270101T240000Z', /from 000000 to 235959/],
  ['FREQ=DAILY;UNTIL=20270101T236000Z', /from 000000 to 235959/],
  ['FREQ=DAILY;UNTIL=20161231T235960Z', /from 000000 to 235959/],
  ['FREQ=DAILY;BYDAY=MO', /BYDAY is only for FREQ=WEEKLY and FREQ=MONTHLY: .* DAILY rule/],
  ['FREQ=YEARLY;BYDAY=MO', /BYDAY is only for/],
  ['FREQ=DAILY;BYMONTHDAY=1', /BYMONTHDAY is only for FREQ=MONTHLY/],
  ['FREQ=WEEKLY;BYMONTHDAY=1', /BYMONTHDAY is only for FREQ=MONTHLY/],
  ['FREQ=YEARLY;BYMONTHDAY=1', /BYMONTHDAY is only for FREQ=MONTHLY/],
  ['FREQ=WEEKLY;BYDAY=MO,MO', /BYDAY repeats MO/],
  ['FREQ=WEEKLY;BYDAY=MO,', /BYDAY of a WEEKLY rule/],
  ['FREQ=WEEKLY;BYDAY=,MO', /BYDAY of a WEEKLY rule/],
  ['FREQ=WEEKLY;BYDAY=MO,,TU', /BYDAY of a WEEKLY rule/],
  ['FREQ=WEEKLY;BYDAY=MO TU', /BYDAY of a WEEKLY rule/],
  ['FREQ=WEEKLY;BYDAY=MOTU', /BYDAY of a WEEKLY rule/],
  ['FREQ=WEEKLY;BYDAY=mo', /got mo/],
  ['FREQ=WEEKLY;BYDAY=M', /BYDAY of a WEEKLY rule/],
  ['FREQ=WEEKLY;BYDAY=1MO', /BYDAY of a WEEKLY rule .* got 1MO/],
  ['FREQ=WEEKLY;BYDAY=XX', /BYDAY of a WEEKLY rule/],
  ['FREQ=MONTHLY;BYDAY=MO', /BYDAY of a MONTHLY rule .* got MO/],
  ['FREQ=MONTHLY;BYDAY=1MO,3MO', /BYDAY of a MONTHLY rule/],
  ['FREQ=MONTHLY;BYDAY=0MO', /BYDAY of a MONTHLY rule/],
  ['FREQ=MONTHLY;BYDAY=6MO', /BYDAY of a MONTHLY rule/],
  ['FREQ=MONTHLY;BYDAY=-6MO', /BYDAY of a MONTHLY rule/],
  ['FREQ=MONTHLY;BYDAY=+1MO', /BYDAY of a MONTHLY rule/],
  ['FREQ=MONTHLY;BYDAY=01MO', /BYDAY of a MONTHLY rule/],
  ['FREQ=MONTHLY;BYDAY=1mo', /BYDAY of a MONTHLY rule/],
  ['FREQ=MONTHLY;BYDAY=1', /BYDAY of a MONTHLY rule/],
  ['FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=1', /BYDAY and BYMONTHDAY exclude each other/],
  ['FREQ=MONTHLY;BYMONTHDAY=0', /BYMONTHDAY must be one whole number from 1 to 28, or -1/],
  ['FREQ=MONTHLY;BYMONTHDAY=29', /got 29/],
  ['FREQ=MONTHLY;BYMONTHDAY=31', /got 31/],
  ['FREQ=MONTHLY;BYMONTHDAY=-2', /got -2/],
  ['FREQ=MONTHLY;BYMONTHDAY=1,15', /got 1,15/],
  ['FREQ=MONTHLY;BYMONTHDAY=+1', /got \+1/],
  ['FREQ=MONTHLY;BYMONTHDAY=01', /got 01/],
]

/** Rule, start, what the refusal must say; without it the start fits. */
const starts: readonly [string, string, RegExp?][] = [
  ['FREQ=DAILY', '2026-01-01T00:00:00Z'],
  ['FREQ=DAILY', '2026-01-01T00:00:00.123Z'],
  ['FREQ=DAILY', '0000-12-31T23:59:59Z', /years 0001 to 9999/],
  ['FREQ=DAILY', '0001-01-01T00:00:00Z'],
  ['FREQ=DAILY', '9999-12-31T23:59:59Z'],
  ['FREQ=DAILY', '+010000-01-01T00:00:00Z', /years 0001 to 9999/],
  ['FREQ=DAILY', 'no date', /years 0001 to 9999/],
  ['FREQ=DAILY;UNTIL=20260101', '2026-01-01T23:59:59.999Z'],
  ['FREQ=DAILY;UNTIL=20260101', '2026-01-02T00:00:00Z', /UNTIL lies before the start/],
  ['FREQ=DAILY;UNTIL=20260101T090000Z', '2026-01-01T09:00:00Z'],
  ['FREQ=DAILY;UNTIL=20260101T090000Z', '2026-01-01T09:00:00.500Z'],
  ['FREQ=DAILY;UNTIL=20260101T090000Z', '2026-01-01T09:00:01Z', /UNTIL lies before the start/],
  ['FREQ=WEEKLY', '2026-01-01T09:00:00Z'],
  ['FREQ=WEEKLY;BYDAY=TH', '2026-01-01T09:00:00Z'],
  ['FREQ=WEEKLY;BYDAY=MO,WE', '2026-01-01T09:00:00Z', /BYDAY=MO,WE in UTC, but is on TH/],
  ['FREQ=WEEKLY;BYDAY=TH', '2026-01-01T23:30:00-02:00', /but is on FR/],
  ['FREQ=MONTHLY', '2026-01-31T09:00:00Z'],
  ['FREQ=MONTHLY;BYMONTHDAY=15', '2026-01-15T09:00:00Z'],
  ['FREQ=MONTHLY;BYMONTHDAY=15', '2026-01-16T09:00:00Z', /BYMONTHDAY=15 in UTC, but is on day 16 of 31/],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', '2028-02-29T09:00:00Z'],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', '2028-02-28T09:00:00Z', /BYMONTHDAY=-1 in UTC, but is on day 28 of 29/],
  ['FREQ=MONTHLY;BYDAY=2TU', '2026-01-13T09:00:00Z'],
  ['FREQ=MONTHLY;BYDAY=2TU', '2026-01-06T09:00:00Z', /BYDAY=2TU in UTC, but is on a TU, day 6 of 31/],
  ['FREQ=MONTHLY;BYDAY=-1FR', '2026-01-30T09:00:00Z'],
  ['FREQ=MONTHLY;BYDAY=-1FR', '2026-01-23T09:00:00Z', /BYDAY=-1FR/],
  ['FREQ=MONTHLY;BYDAY=5TH', '2026-01-29T09:00:00Z'],
  ['FREQ=MONTHLY;BYDAY=-5TH', '2026-01-01T09:00:00Z'],
  ['FREQ=MONTHLY;BYDAY=5WE', '2026-01-28T09:00:00Z', /BYDAY=5WE/],
  ['FREQ=YEARLY', '2028-02-29T09:00:00Z'],
]

test('accepts every form of the grammar and prints it canonically', () => {
  for (const [text, canonical] of accepted) {
    const parsed = parseRule(text)
    assert.ok(parsed.ok, `${text}: ${JSON.stringify(parsed)}`)
    const printed = printRule(parsed.rule)
    assert.equal(printed, canonical || text)
    assert.deepEqual(parseRule(printed), parsed)
  }
})

test('refuses everything else with a reason that names the part', () => {
  for (const [text, reason] of refused) {
    const parsed = parseRule(text)
    assert.ok(!parsed.ok, `${text} was accepted`)
    assert.match(parsed.reason, reason)
    assert.match(parsed.reason, /^[\x20-\x7e…]{10,200}$/)
  }
})

test('the start must be the first occurrence', () => {
  for (const [text, start, reason] of starts) {
    const parsed = parseRule(text)
    assert.ok(parsed.ok, text)
    const misfit = checkStart(parsed.rule, new Date(start))
    if (reason) assert.match(misfit ?? 'accepted', reason, `${text} from ${start}`)
    else assert.equal(misfit, undefined, `${text} from ${start}`)
  }
})

test('hostile texts are refused in linear time', () => {
  const million = 1_000_000
  const texts = [
    'FREQ=DAILY;'.repeat(million / 10),
    'A'.repeat(million),
    ';'.repeat(million),
    `BYDAY=${'MO,'.repeat(million / 3)}`,
  ]
  const short = [
    ';'.repeat(256),
    '='.repeat(256),
    `FREQ=WEEKLY;BYDAY=${'MO,TU,'.repeat(39)}`,
    `FREQ=DAILY;COUNT=${'1'.repeat(239)}`,
  ]
  const startedMs = performance.now()
  for (let round = 0; round < 200; round++)
    for (const text of [...texts, ...short]) assert.equal(parseRule(text).ok, false)
  assert.ok(performance.now() - startedMs < 10_000, '1600 refusals take a few milliseconds')
})
