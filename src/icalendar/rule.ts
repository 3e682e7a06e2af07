// The grammar of foreign rules: all of RFC 5545, parsed leniently; undefined if it cannot be a rule. Our own rules are a small
// part of it, in `src/recurrence/`.
import { parseStamp, type Stamp } from './values.ts'

/** From coarse to fine; the index is used to compare. */
export const frequencies = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY', 'SECONDLY'] as const
type Frequency = (typeof frequencies)[number]

/** `weekday` is 0 for Monday; `ordinal` is 0 for every one, else the nth of its month or year, from the end when negative. */
export type RuleDay = { ordinal: number; weekday: number }

/** Lists are without repeats and ascending; an empty one restricts nothing. */
export type ForeignRule = {
  frequency: Frequency
  interval: number
  count: number | undefined
  until: Stamp | undefined
  weekStart: number
  months: readonly number[]
  weekNumbers: readonly number[]
  yearDays: readonly number[]
  monthDays: readonly number[]
  days: readonly RuleDay[]
  hours: readonly number[]
  minutes: readonly number[]
  seconds: readonly number[]
  positions: readonly number[]
  /** A day of a month that the month does not have: left out, or the day before or after it (RFC 7529, 4.1). */
  skip: Skip
}

const skips = ['OMIT', 'BACKWARD', 'FORWARD'] as const
type Skip = (typeof skips)[number]

const weekdayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const maxInterval = 1_000_000

/** An empty part is as if it were left out. */
function partsOf(text: string): Map<string, string> {
  const parts = new Map<string, string>()
  for (const part of text.trim().toUpperCase().split(';')) {
    const [name, value] = [part.slice(0, part.indexOf('=')).trim(), part.slice(part.indexOf('=') + 1).trim()]
    if (part.includes('=') && name !== '' && value !== '') parts.set(name, value)
  }
  return parts
}

export function parseForeignRule(text: string): ForeignRule | undefined {
  const parts = partsOf(text)
  const frequency = frequencies.find((name) => name === parts.get('FREQ'))
  const until = parts.has('UNTIL') ? parseStamp(parts.get('UNTIL')!) : undefined
  const interval = wholeNumber(parts.get('INTERVAL') ?? '1')
  const count = parts.has('COUNT') ? wholeNumber(parts.get('COUNT')!) : undefined
  const lists = {
    months: numbers(parts.get('BYMONTH'), 1, 12),
    weekNumbers: numbers(parts.get('BYWEEKNO'), -53, 53),
    yearDays: numbers(parts.get('BYYEARDAY'), -366, 366),
    monthDays: numbers(parts.get('BYMONTHDAY'), -31, 31),
    days: weekdays(parts.get('BYDAY')),
    hours: numbers(parts.get('BYHOUR'), 0, 23),
    minutes: numbers(parts.get('BYMINUTE'), 0, 59),
    seconds: numbers(parts.get('BYSECOND'), 0, 60),
    positions: numbers(parts.get('BYSETPOS'), -366, 366),
  }
  const skip = skips.find((name) => name === (parts.get('SKIP') ?? 'OMIT'))
  const isWrong =
    (parts.get('RSCALE') ?? 'GREGORIAN') !== 'GREGORIAN' ||
    (parts.has('UNTIL') && until === undefined) ||
    interval === undefined ||
    (parts.has('COUNT') && count === undefined) ||
    Object.values(lists).includes(undefined)
  if (frequency === undefined || skip === undefined || isWrong) return undefined
  const weekStart = Math.max(0, weekdayCodes.indexOf(parts.get('WKST') ?? 'MO'))
  // Some write INTERVAL=0 for "no interval".
  const step = Math.min(Math.max(interval!, 1), maxInterval)
  return {
    frequency,
    interval: step,
    count,
    until,
    weekStart,
    skip,
    ...(lists as { [K in keyof typeof lists]: NonNullable<(typeof lists)[K]> }),
  }
}

const wholeNumber = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)

/** Zero is no number where counting begins at one from either end. */
function numbers(text: string | undefined, least: number, max: number): number[] | undefined {
  if (text === undefined) return []
  const found = new Set<number>()
  for (const part of text.split(',')) {
    const number = /^\s*[+-]?\d{1,4}\s*$/.test(part) ? Number(part) : Number.NaN
    if (!(number >= least && number <= max) || (number === 0 && least < 0)) return undefined
    found.add(number)
  }
  return [...found].sort((a, b) => a - b)
}

function weekdays(text: string | undefined): RuleDay[] | undefined {
  if (text === undefined) return []
  const found = new Map<string, RuleDay>()
  for (const part of text.split(',')) {
    const match = /^\s*([+-]?\d{1,2})?\s*([A-Z]{2})\s*$/.exec(part)
    const weekday = weekdayCodes.indexOf(match?.[2] ?? '')
    const ordinal = Number(match?.[1] ?? 0)
    if (weekday === -1 || Math.abs(ordinal) > 53) return undefined
    found.set(`${ordinal} ${weekday}`, { ordinal, weekday })
  }
  return [...found.values()]
}

/** Half-open, by the wall clock. */
export type WallWindow = { fromMs: number; toMs: number }
