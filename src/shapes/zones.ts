// Which names are time zones, and a zone as stretches of one offset each. `Intl` is asked once per zone and year, then the
// result is kept: one look-up per day and calendar would cost more than the rest of an answer. `date-fns-tz` does not help:
// its `getTimezoneOffset` reads a moment as wall time, in the zone of the machine.
import { dayMs } from './durations.ts'

const zonePattern = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+){0,2}$/

/**
 * Names that ICU knows and IANA does not: ICU's own list of old names, which is closed (there BST is Dhaka and IST is
 * Calcutta), those of System V, and two that IANA has removed.
 */
const notIana = new Set([
  ...'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST'.split(' '),
  'US/PACIFIC-NEW',
  'CANADA/EAST-SASKATCHEWAN',
])
const isIana = (name: string): boolean => !notIana.has(name) && !name.startsWith('SYSTEMV/')

/** Names that were asked for: `Intl` takes 50 µs for one. Each zone may be spelled in any number of ways. */
const zoneNames = new Set<string>()
const maxZoneNames = 1_000

/** `Intl` also accepts offsets, and ignores case. The name keeps the caller's spelling. */
export function isZone(name: string): boolean {
  if (zoneNames.has(name)) return true
  if (!zonePattern.test(name) || !isIana(name.toUpperCase())) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    if (zoneNames.size >= maxZoneNames) zoneNames.clear()
    zoneNames.add(name)
    return true
  } catch {
    return false
  }
}

/** In `[fromMs, toMs)` local time is ahead of UTC by `offsetMs`. */
export type OffsetStretch = { readonly fromMs: number; readonly toMs: number; readonly offsetMs: number }

type Change = { readonly atMs: number; readonly offsetMs: number }
type ZoneYear = { readonly firstOffsetMs: number; readonly changes: readonly Change[] }

/** Two changes that undo each other are at least a week apart (Recife in 2000, Gaza in 2040). */
const sampleMs = 4 * dayMs
/** Before standard time each place had its own mean time. */
const firstYear = 1800
const maxYears = 4_000

const years = new Map<string, ZoneYear>()

/** Ascending and without gaps, from `fromMs` to `toMs`. */
export function offsetStretches(zone: string, fromMs: number, toMs: number): OffsetStretch[] {
  const stretches: OffsetStretch[] = []
  let start = fromMs
  let offset: number | undefined
  for (let year = yearOf(fromMs); year <= yearOf(toMs); year++) {
    const { firstOffsetMs, changes } = zoneYear(zone, year)
    offset ??= firstOffsetMs
    for (const { atMs, offsetMs } of changes) {
      if (atMs >= toMs) break
      if (atMs > start) {
        stretches.push({ fromMs: start, toMs: atMs, offsetMs: offset })
        start = atMs
      }
      offset = offsetMs
    }
  }
  stretches.push({ fromMs: start, toMs, offsetMs: offset! })
  return stretches
}

const yearOf = (ms: number) => new Date(ms).getUTCFullYear()

function zoneYear(zone: string, year: number): ZoneYear {
  if (year < firstYear) return { firstOffsetMs: zoneYear(zone, firstYear).firstOffsetMs, changes: [] }
  const key = `${zone} ${year}`
  const known = years.get(key)
  if (known) return known
  const found = lookUpYear(zone, year)
  if (years.size >= maxYears) years.clear()
  years.set(key, found)
  return found
}

/** `year` is at least 100: `Date.UTC` adds 1900 to smaller ones. */
function lookUpYear(zone: string, year: number): ZoneYear {
  const offsetAt = offsetReader(zone)
  const endMs = Date.UTC(year + 1, 0, 1)
  let atMs = Date.UTC(year, 0, 1)
  const firstOffsetMs = offsetAt(atMs)
  const changes: Change[] = []
  for (let offsetMs = firstOffsetMs; atMs < endMs; ) {
    const nextMs = Math.min(atMs + sampleMs, endMs)
    const nextOffsetMs = offsetAt(nextMs)
    if (nextOffsetMs !== offsetMs) changes.push({ atMs: changeBetween(offsetAt, atMs, nextMs), offsetMs: nextOffsetMs })
    offsetMs = nextOffsetMs
    atMs = nextMs
  }
  return { firstOffsetMs, changes }
}

type OffsetReader = (ms: number) => number

/** The first moment of the new offset, by bisection; changes fall on whole seconds. */
function changeBetween(offsetAt: OffsetReader, beforeMs: number, afterMs: number): number {
  const oldOffset = offsetAt(beforeMs)
  let [low, high] = [beforeMs / 1000, afterMs / 1000]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle * 1000) === oldOffset) low = middle
    else high = middle
  }
  return high * 1000
}

const offsetPattern = /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/

/** A caller that asks for one year of a zone often asks for the next: a format costs as much as forty answers of it. */
let lastReader: { zone: string; read: OffsetReader } | undefined

function offsetReader(zone: string): OffsetReader {
  if (lastReader?.zone !== zone) lastReader = { zone, read: newOffsetReader(zone) }
  return lastReader.read
}

function newOffsetReader(zone: string): OffsetReader {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  return (ms) => {
    const [, sign, hours = 0, minutes = 0, seconds = 0] = offsetPattern.exec(format.format(ms))!
    const offset = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
    return sign === '-' ? -offset : offset
  }
}
