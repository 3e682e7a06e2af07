// The recurrence grammar of the specification, read strictly: what is not in its table is refused, with one sentence that
// names the part and what to do. Work is linear in the text, and a text over MAX_RULE_LENGTH is not read at all.

import { quote, readEnd, readMonthDay, readOrdinalDay, readWeekdays, readWhole } from './parts.ts'
import { type DayInMonth, FREQUENCIES, MAX_INTERVAL, type Rule, type RuleEnd } from './rule.ts'

/** Characters. The longest rule that means something has 77. */
export const MAX_RULE_LENGTH = 256

export type ParsedRule = { ok: true; rule: Rule } | { ok: false; reason: string }

const KEYS = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'BYMONTHDAY'] as const
type Key = (typeof KEYS)[number]
type Parts = Partial<Record<Key, string>>

/** A refusal is its reason; no value of the grammar is a string, so the two cannot be confused. */
type Refusal = string

/** `text` is the rule without the `RRULE:` prefix. The reason is safe to show: it quotes at most 24 printable characters. */
export function parseRule(text: string): ParsedRule {
  const parts = splitParts(text)
  const rule = typeof parts === 'string' ? parts : readRule(parts)
  return typeof rule === 'string' ? { ok: false, reason: rule } : { ok: true, rule }
}

function splitParts(text: string): Parts | Refusal {
  if (text === '') return 'The rule is empty: write for example FREQ=WEEKLY;BYDAY=MO'
  if (text.length > MAX_RULE_LENGTH) return `The rule must be at most ${MAX_RULE_LENGTH} characters, got ${text.length}`
  if (/^RRULE:/i.test(text)) return 'The rule must not begin with RRULE: – leave the prefix out'
  const parts: Parts = {}
  for (const part of text.split(';')) {
    if (part === '') return 'The rule has an empty part: write one ; between two parts and none at the ends'
    const equals = part.indexOf('=')
    if (equals < 1) return `${quote(part)} must be written as KEY=VALUE`
    const key = part.slice(0, equals)
    if (!isKey(key)) return refuseKey(key)
    if (parts[key] !== undefined) return `${key} is repeated: write it once`
    if (equals === part.length - 1) return `${key} has no value: write ${key}=VALUE or leave ${key} out`
    parts[key] = part.slice(equals + 1)
  }
  return parts
}

function readRule(parts: Parts): Rule | Refusal {
  const freq = FREQUENCIES.find((name) => name === parts.FREQ)
  if (parts.FREQ === undefined)
    return `FREQ is missing: write one of ${FREQUENCIES.map((name) => `FREQ=${name}`).join(', ')}`
  if (freq === undefined) return `FREQ must be one of ${FREQUENCIES.join(', ')}, got ${quote(parts.FREQ)}`
  const interval = parts.INTERVAL === undefined ? 1 : readWhole('INTERVAL', parts.INTERVAL, MAX_INTERVAL)
  if (typeof interval === 'string') return interval
  const end = readEnd(parts.COUNT, parts.UNTIL)
  if (typeof end === 'string') return end
  if (parts.BYMONTHDAY !== undefined && freq !== 'MONTHLY')
    return `BYMONTHDAY is only for FREQ=MONTHLY: leave it out of a ${freq} rule`
  if (freq === 'WEEKLY') return readWeekly(parts, interval, end)
  if (freq === 'MONTHLY') return readMonthly(parts, interval, end)
  if (parts.BYDAY !== undefined) return `BYDAY is only for FREQ=WEEKLY and FREQ=MONTHLY: leave it out of a ${freq} rule`
  return { freq, interval, end }
}

function readWeekly(parts: Parts, interval: number, end: RuleEnd): Rule | Refusal {
  if (parts.BYDAY === undefined) return { freq: 'WEEKLY', interval, end }
  const weekdays = readWeekdays(parts.BYDAY)
  return typeof weekdays === 'string' ? weekdays : { freq: 'WEEKLY', interval, end, weekdays }
}

function readMonthly(parts: Parts, interval: number, end: RuleEnd): Rule | Refusal {
  if (parts.BYDAY !== undefined && parts.BYMONTHDAY !== undefined)
    return 'BYDAY and BYMONTHDAY exclude each other: keep one'
  let on: DayInMonth | Refusal | undefined
  if (parts.BYDAY !== undefined) on = readOrdinalDay(parts.BYDAY)
  if (parts.BYMONTHDAY !== undefined) on = readMonthDay(parts.BYMONTHDAY)
  if (typeof on === 'string') return on
  return on === undefined ? { freq: 'MONTHLY', interval, end } : { freq: 'MONTHLY', interval, end, on }
}

function refuseKey(key: string): Refusal {
  if (key === 'WKST') return 'WKST is not supported: leave it out, weeks begin on Monday'
  if (isKey(key.toUpperCase())) return `${quote(key)} must be written in upper case: ${key.toUpperCase()}`
  return `${quote(key)} is not supported: use only ${KEYS.join(', ')}`
}

function isKey(text: string): text is Key {
  return (KEYS as readonly string[]).includes(text)
}
