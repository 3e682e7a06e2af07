// Times as callers send them: with an offset, or with their zone in brackets (RFC 9557), as Temporal writes them. A local
// time that is skipped or doubled, and an offset that the zone does not have, are refused, never guessed.
import { earliestMs, latestMs } from '../recurrence/civil.ts'
import { parseDatetime } from '../shapes/datetimes.ts'
import { hourMs, minuteMs } from '../shapes/durations.ts'
import { isZone } from '../shapes/zones.ts'
import { datetimeHint, zonedHint } from './hints.ts'
import { instantsAroundGap, instantsOf } from './offsets.ts'
import { type Refusal, refused } from './refusal.ts'
import { isoOffset, isoWallTime, zonedTime } from './spelling.ts'

const malformed = (why: string): Refusal => refused('invalid_time_format', why)

/** `zone` in its spelling, where the text has one. */
export type ReadTime = { readonly kind: 'time'; readonly at: Date; readonly zone: string | undefined }

const maxLength = 200
const timePattern = /^([^[\]Z+]{16,29}?)(Z|[+-]\d\d(?::?\d\d(?::?\d\d)?)?)?(\[.*\])?$/
const suffixPattern = /^(?:\[!?([^[\]=]+)\])?((?:\[!?[a-z_][a-z0-9_-]*=[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*\])*)$/

export function readTime(text: string): ReadTime | Refusal {
  return text.includes('[') ? readBracketed(text) : readPlain(text, text)
}

/** Without brackets. `sent` is the whole text, for the hint. */
function readPlain(text: string, sent: string): ReadTime | Refusal {
  const at = parseDatetime(text)
  return at ? { kind: 'time', at, zone: undefined } : malformed(datetimeHint(sent))
}

function readBracketed(text: string): ReadTime | Refusal {
  const [, wall = '', offset = '', suffix = ''] = (text.length <= maxLength && timePattern.exec(text)) || []
  const [isSuffix, zone, annotations = ''] = suffixPattern.exec(suffix) ?? []
  if (wall === '' || isSuffix === undefined) return malformed(zonedHint(text))
  const unknown = unknownDemand(annotations)
  if (unknown !== undefined) return malformed(`${unknown} cannot be honoured: leave it out`)
  if (zone === undefined) return readPlain(wall + offset, text)
  if (!isZone(zone)) return malformed(`${zone} is not an IANA time zone, for example Europe/Berlin`)
  const wallTime = parseDatetime(`${wall}Z`)
  const offsetMs = parseOffset(offset)
  if (!wallTime || Number.isNaN(offsetMs)) return malformed(zonedHint(text))
  const found = offset === 'Z' ? wallTime.getTime() : resolve(wallTime.getTime(), offset, zone)
  if (typeof found !== 'number') return found
  return isInRange(found) ? { kind: 'time', at: new Date(found), zone } : malformed('expected the years 0001 to 9999')
}

const isInRange = (ms: number): boolean => ms >= earliestMs && ms <= latestMs

/** The moment, or the reason for its absence. */
function resolve(wallMs: number, offset: string, zone: string): number | Refusal {
  const instants = instantsOf(zone, wallMs)
  if (offset !== '') return resolveOffset(wallMs, offset, zone, instants)
  const [only, second] = instants
  if (only === undefined) {
    return refused(
      'nonexistent_local_time',
      skippedMessage(wallMs, zone),
      spellings(zone, instantsAroundGap(zone, wallMs)),
    )
  }
  if (second === undefined) return only
  const message = `${isoWallTime(wallMs)} comes twice in ${zone}: give its offset`
  return refused('ambiguous_local_time', message, spellings(zone, instants))
}

function resolveOffset(wallMs: number, offset: string, zone: string, instants: number[]): number | Refusal {
  const offsetMs = parseOffset(offset)
  const found = instants.find((ms) => isOffsetAt(wallMs - ms, offset, offsetMs))
  if (found !== undefined) return found
  const message =
    instants.length === 0
      ? skippedMessage(wallMs, zone)
      : `${isoWallTime(wallMs)} in ${zone} has the offset ${offsetsOf(wallMs, instants)}, not ${offset}`
  const sameWall = instants.length > 0 ? instants : instantsAroundGap(zone, wallMs)
  return refused('offset_mismatch', message, spellings(zone, [...sameWall, wallMs - offsetMs]))
}

const skippedMessage = (wallMs: number, zone: string): string =>
  `${isoWallTime(wallMs)} does not exist in ${zone}: clocks skip it`

const offsetsOf = (wallMs: number, instants: readonly number[]): string =>
  instants.map((ms) => isoOffset(wallMs - ms)).join(' or ')

/** Without seconds an offset stands for the one it is rounded from, as Temporal writes those that have seconds. */
function isOffsetAt(actualMs: number, offset: string, offsetMs: number): boolean {
  if (actualMs === offsetMs) return true
  const hasSeconds = offset.replaceAll(':', '').length > '+hhmm'.length
  return !hasSeconds && Math.sign(actualMs) * Math.round(Math.abs(actualMs) / minuteMs) * minuteMs === offsetMs
}

/** In milliseconds; NaN for other text. */
function parseOffset(offset: string): number {
  if (offset === '' || offset === 'Z') return 0
  const [hours = 0, minutes = 0, seconds = 0] = offset.match(/\d\d/g)!.map(Number)
  if (hours > 23 || minutes > 59 || seconds > 59) return Number.NaN
  return (offset.startsWith('-') ? -1 : 1) * (hours * hourMs + minutes * minuteMs + seconds * 1000)
}

export const spellings = (zone: string, instants: readonly number[]): string[] => [
  ...new Set(instants.filter(isInRange).map((ms) => zonedTime(ms, zone))),
]

/**
 * The first annotation that must not be passed over: one that is critical (`!`) unless it asks for the calendar that is used
 * anyway, a second calendar beside a critical one, and experiments (RFC 9557, 3.2 and 3.3).
 */
function unknownDemand(annotations: string): string | undefined {
  const each = annotations.match(/\[[^\]]*\]/g) ?? []
  const calendars = each.filter((annotation) => /^\[!?u-ca=/.test(annotation))
  return each.find(
    (annotation) =>
      /^\[!?_/.test(annotation) ||
      (annotation.startsWith('[!') && (!usualCalendar.test(annotation) || calendars.length > 1)),
  )
}

const usualCalendar = /^\[!u-ca=(?:gregory|iso8601)\]$/i
