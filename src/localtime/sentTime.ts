// Times as the callers of tools send them: an instant, a local time whose zone stands elsewhere, or a date. Refused are words,
// offsets that the zone does not have, and for exact times what clocks skip or show twice.
import { parseDatetime } from '../shapes/datetimes.ts'
import { dayMs } from '../shapes/durations.ts'
import { instantsOf, offsetAt, windowEnd, windowStart } from './offsets.ts'
import { readTime } from './readTime.ts'
import { type Refusal, refused } from './refusal.ts'
import { isoOffset } from './spelling.ts'
import { offsetTime } from './words.ts'

export type SentTime =
  /** `zone`: if it stands in brackets. */
  | { readonly kind: 'instant'; readonly text: string; readonly at: Date; readonly zone: string | undefined }
  /** Wall times count like UTC, in milliseconds from 1970. */
  | { readonly kind: 'local'; readonly text: string; readonly wallMs: number }
  /** Counted from 1970-01-01. */
  | { readonly kind: 'date'; readonly text: string; readonly day: number }

const datePattern = /^\d{4}-\d\d-\d\d$/
const localPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d{1,9})?)?$/

/** Reads after `expected `. */
const sentTimeForms =
  'a time with its offset (2026-12-01T09:00:00+01:00), a local time (2026-12-01T09:00) or a date (2026-12-01)'

export function readSentTime(text: string): SentTime | Refusal {
  if (datePattern.test(text)) {
    const midnight = parseDatetime(`${text}T00:00Z`)
    return midnight ? { kind: 'date', text, day: midnight.getTime() / dayMs } : noSuchDate(text)
  }
  if (localPattern.test(text)) {
    const wall = parseDatetime(`${text}Z`)
    return wall ? { kind: 'local', text, wallMs: wall.getTime() } : noSuchDate(text)
  }
  const read = readTime(text)
  if (read.kind === 'time') return { kind: 'instant', text, at: read.at, zone: read.zone }
  return read.code === 'invalid_time_format' && !text.includes('[')
    ? refused('invalid_time_format', `expected ${sentTimeForms}`)
    : unbracketed(read)
}

const noSuchDate = (text: string): Refusal => refused('invalid_time_format', `${text} does not exist`)

/** The moment of a local time that must be exact. */
export function exactTime(sent: SentTime & { kind: 'local' }, zone: string): Date | Refusal {
  const read = readTime(`${sent.text}[${zone}]`)
  return read.kind === 'time' ? read.at : unbracketed(read)
}

/** The moment at which a window begins: for a date its midnight, for a time that clocks skip the moment after the gap. */
export function startOfWindow(sent: SentTime, zone: string): Date {
  if (sent.kind === 'instant') return sent.at
  return new Date(windowStart(zone, sent.kind === 'date' ? sent.day * dayMs : sent.wallMs))
}

/** The moment at which a window ends: after the whole day for a date. */
export function endOfWindow(sent: SentTime, zone: string): Date {
  if (sent.kind === 'instant') return sent.at
  if (sent.kind === 'date') return new Date(windowStart(zone, (sent.day + 1) * dayMs))
  return new Date(windowEnd(zone, sent.wallMs))
}

/** Whether the offset that a time was sent with is the one that this zone has then; undefined if it is. `Z` says nothing of a zone. */
export function offsetRefusal(sent: SentTime, zone: string): Refusal | undefined {
  if (sent.kind !== 'instant') return undefined
  if (sent.zone === undefined) {
    const read = readTime(`${sent.text}[${zone}]`)
    return read.kind === 'time' ? undefined : unbracketed(read)
  }
  const ms = sent.at.getTime()
  const offsetMs = offsetAt(sent.zone, ms)
  const message = `${sent.text} has the offset ${isoOffset(offsetMs)}; in ${zone} it is ${isoOffset(offsetAt(zone, ms))}`
  const sameWall = instantsOf(zone, ms + offsetMs)
  return offsetMs === offsetAt(zone, ms)
    ? undefined
    : refused(
        'offset_mismatch',
        message,
        [...sameWall, ms].map((at) => offsetTime(at, zone)),
      )
}

/** The zone stands elsewhere, so it need not be in each suggestion; without it, UTC is `Z`. */
const unbracketed = (refusal: Refusal): Refusal => ({
  ...refusal,
  suggestions: refusal.suggestions.map((suggestion) => suggestion.replace(/(\+00:00)?\[.*\]$/, unzoned)),
})

const unzoned = (_: string, utc?: string): string => (utc ? 'Z' : '')
