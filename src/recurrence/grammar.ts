// The recurrence grammar of the specification, read strictly: anything outside its table is refused, with one sentence that
// names the part and the remedy. Work is linear in the text, and a text over maxRuleLength is not read at all.
import { charCodeAt, indexOf, slice, startsWith } from '../shapes/strings.ts'
import { quote, readEnd, readMonthDay, readOrdinalDay, readWeekdays, readWhole } from './parts.ts'
import { type DayInMonth, frequencies, maxInterval, type Rule, type RuleEnd } from './rule.ts'

/** Characters. The longest accepted rule has 73. */
export const maxRuleLength = 256

type ParsedRule = { ok: true; rule: Rule } | { ok: false; reason: string }

/** No two of one length begin alike. */
const keys = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'BYMONTHDAY'] as const

/** The values in the order of keys. */
type Parts = (string | undefined)[]

/** A refusal is its reason; no value of the grammar is a string, so the two cannot be confused. */
type Refusal = string

/** `text` is the rule without the `RRULE:` prefix. The reason is safe to show: it quotes at most 24 printable characters. */
export function parseRule(text: string): ParsedRule {
  const parts = splitParts(text)
  const rule = typeof parts === 'string' ? parts : readRule(parts)
  return typeof rule === 'string' ? { ok: false, reason: rule } : { ok: true, rule }
}

/** Reads in place: pieces that are cut out and thrown away would cost more than all the rest. */
function splitParts(text: string): Parts | Refusal {
  if (text === '') return 'The rule is empty: write for example FREQ=WEEKLY;BYDAY=MO'
  if (text.length > maxRuleLength) return `The rule must be at most ${maxRuleLength} characters, got ${text.length}`
  const parts: Parts = [undefined, undefined, undefined, undefined, undefined, undefined]
  for (let at = 0, end = 0; end < text.length; at = end + 1) {
    end = indexOf(text, ';', at)
    if (end < 0) end = text.length
    if (at === end) return 'The rule has an empty part: write one ; between two parts and none at the ends'
    const equals = indexOf(text, '=', at)
    if (equals <= at || equals > end) return `${quote(slice(text, at, end))} must be written as KEY=VALUE`
    const index = indexAt(text, at, equals)
    if (index < 0) return refuseKey(slice(text, at, equals))
    const key = keys[index]!
    if (parts[index] !== undefined) return `${key} is repeated: write it once`
    if (equals === end - 1) return `${key} has no value: write ${key}=VALUE or leave ${key} out`
    parts[index] = slice(text, equals + 1, end)
  }
  return parts
}

function readRule(parts: Parts): Rule | Refusal {
  const freq = parts[0]
  if (freq === undefined) return `FREQ is missing: write one of ${frequencies.map((name) => `FREQ=${name}`).join(', ')}`
  const interval = parts[1] === undefined ? 1 : readWhole('INTERVAL', parts[1], maxInterval)
  if (typeof interval === 'string') return interval
  const end = readEnd(parts[2], parts[3])
  if (typeof end === 'string') return end
  const byDay = parts[4]
  const byMonthDay = parts[5]
  switch (freq) {
    case 'WEEKLY':
      return byMonthDay === undefined ? readWeekly(byDay, interval, end) : refuseFor('BYMONTHDAY', freq)
    case 'MONTHLY':
      if (byDay !== undefined && byMonthDay !== undefined) return 'BYDAY and BYMONTHDAY exclude each other: keep one'
      return readMonthly(byDay, byMonthDay, { interval, end })
    case 'DAILY':
    case 'YEARLY':
      if (byDay !== undefined) return refuseFor('BYDAY', freq)
      return byMonthDay === undefined ? { freq, interval, end } : refuseFor('BYMONTHDAY', freq)
    default:
      return `FREQ must be one of ${frequencies.join(', ')}, got ${quote(freq)}`
  }
}

function readWeekly(byDay: string | undefined, interval: number, end: RuleEnd): Rule | Refusal {
  if (byDay === undefined) return { freq: 'WEEKLY', interval, end }
  const weekdays = readWeekdays(byDay)
  return typeof weekdays === 'string' ? weekdays : { freq: 'WEEKLY', interval, end, weekdays }
}

function readMonthly(
  byDay: string | undefined,
  byMonthDay: string | undefined,
  { interval, end }: { interval: number; end: RuleEnd },
): Rule | Refusal {
  let on: DayInMonth | Refusal | undefined
  if (byDay !== undefined) on = readOrdinalDay(byDay)
  else if (byMonthDay !== undefined) on = readMonthDay(byMonthDay)
  if (typeof on === 'string') return on
  return on === undefined ? { freq: 'MONTHLY', interval, end } : { freq: 'MONTHLY', interval, end, on }
}

function refuseFor(key: 'BYDAY' | 'BYMONTHDAY', freq: string): Refusal {
  const home = key === 'BYDAY' ? 'FREQ=WEEKLY and FREQ=MONTHLY' : 'FREQ=MONTHLY'
  return `${key} is only for ${home}: leave it out of a ${freq} rule`
}

function refuseKey(key: string): Refusal {
  if (/^RRULE:/i.test(key)) return 'The rule must be written without the RRULE: prefix'
  if (key === 'WKST') return 'WKST is not supported: leave it out, weeks begin on Monday'
  if (indexAt(key.toUpperCase(), 0, key.length) >= 0)
    return `${key} must be written in upper case: ${key.toUpperCase()}`
  return `${quote(key)} is not supported: use only ${keys.join(', ')}`
}

/** The place in keys of the key that `text` holds in `[from, to)`, or -1. */
function indexAt(text: string, from: number, to: number): number {
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!
    if (key.length !== to - from || charCodeAt(key, 0) !== charCodeAt(text, from)) continue
    return startsWith(text, key, from) ? index : -1
  }
  return -1
}
