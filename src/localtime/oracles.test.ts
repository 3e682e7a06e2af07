// Local time against two oracles, in every zone that both know, on both sides of every change of offset from 1970 to 2037:
// Python's `zoneinfo` says when clocks change, Temporal what they show and what a written time means.
//
// The two sides may have different releases of the tz database. Where they differ, `explained` says why; what is not
// explained fails.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Temporal } from 'temporal-polyfill'
import { beforeAll, test } from 'vitest'
import { isZone, offsetStretches } from '../shapes/zones.ts'
import { localOf } from './present.ts'
import { readTime } from './readTime.ts'
import type { LocalRecord } from './schema.ts'

type Change = [second: number, before: string, at: string]
type Known = { version: string; zones: Record<string, Change[]> }

const firstMs = Date.UTC(1970, 0, 1)
const endMs = Date.UTC(2038, 0, 1)
const halfHourMs = 1_800_000

/** Undefined where there is no Python, or none with a tz database. */
async function askPython(): Promise<Known | undefined> {
  const script = join(import.meta.dirname, 'offsetChanges.py')
  try {
    const { stdout } = await promisify(execFile)('python3', [script], { maxBuffer: 64 * 2 ** 20 })
    const answer: Known = JSON.parse(stdout)
    assert.ok(Object.keys(answer.zones).length > 0, 'zoneinfo knows no zone: install the package tzdata')
    return answer
  } catch (error) {
    if (process.env.CI) throw error
    return undefined
  }
}

const known = await askPython()
const names = known ? Object.keys(known.zones) : Intl.supportedValuesOf('timeZone')
const zones = names.filter(isZone)

/** Between these two releases of the tz database, as it was seen: only where one side is older than `by`. */
const changedBetween = { since: '2025b', by: '2026c' }
const explained: { cause: string; zones: string[]; holds(icu: string, python: string): boolean }[] = [
  ...Object.entries({
    'Morocco stays on UTC+00:00 from September 2026 on': ['Africa/Casablanca', 'Africa/El_Aaiun'],
    'British Columbia keeps summer time from 2026 on': ['America/Vancouver', 'Canada/Pacific'],
    'Alberta keeps summer time from 2026 on': ['America/Edmonton', 'America/Yellowknife', 'Canada/Mountain'],
    'Baja California had summer time from 1970 to 1975': [
      ...['America/Ensenada', 'America/Santa_Isabel', 'America/Tijuana', 'Mexico/BajaNorte'],
    ],
    'Moldova changes clocks an hour later since 2022': ['Europe/Chisinau', 'Europe/Tiraspol'],
  }).map(([cause, names]) => ({
    cause: `${cause} (in ${changedBetween.by}, not in ${changedBetween.since})`,
    zones: names,
    holds: (...versions: [string, string]) =>
      versions.some((version) => version < changedBetween.by) &&
      versions.some((version) => version > changedBetween.since),
  })),
  {
    cause: 'EET and WET are links to Athens and Lisbon, but zones of their own where tzdata is built with `backzone`',
    zones: ['EET', 'WET'],
    holds: () => true,
  },
]

type Findings = { changes: number; data: Map<string, string>; shown: string[]; read: string[]; roundTrip: string[] }
const found: Findings = { changes: 0, data: new Map(), shown: [], read: [], roundTrip: [] }

type OffsetChange = { atMs: number; beforeMs: number; afterMs: number }

/** A link and its zone are the same to `Intl`: the changes of both are looked up once. */
const changesOf = new Map<string, OffsetChange[]>()

/** The last change from one offset to another: the same two come each year. */
const eachKind = (changes: OffsetChange[]): OffsetChange[] => [
  ...new Map(changes.map((change) => [`${change.beforeMs} ${change.afterMs}`, change])).values(),
]

beforeAll(() => {
  for (const zone of zones) {
    const home = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
    const isFirst = !changesOf.has(home)
    if (isFirst) changesOf.set(home, lookUpChanges(zone))
    const changes = changesOf.get(home)!
    compareData(zone, changes)
    for (const { atMs } of isFirst ? changes : changes.slice(-3)) {
      found.changes++
      compareShown(zone, atMs - 1000, atMs)
    }
    for (const { atMs, beforeMs, afterMs } of eachKind(isFirst ? changes : changes.slice(-1))) {
      compareShown(zone, atMs - halfHourMs, atMs + halfHourMs)
      compareWholeDay(zone, atMs)
      compareRead(zone, atMs + Math.min(beforeMs, afterMs), atMs + Math.max(beforeMs, afterMs))
    }
  }
})

function lookUpChanges(zone: string) {
  const stretches = offsetStretches(zone, firstMs, endMs)
  return stretches.slice(1).map(({ fromMs, offsetMs }, nth) => ({
    atMs: fromMs,
    beforeMs: stretches[nth]!.offsetMs,
    afterMs: offsetMs,
  }))
}

const bare = (local: string) => local.replace('T', ' ').replace(/\.000/, '')

/** The answers of `zoneinfo`, in its own notation. */
function compareData(zone: string, changes: { atMs: number; beforeMs: number }[]): void {
  if (!known) return
  const ours = [{ atMs: firstMs, beforeMs: undefined }, ...changes].map(({ atMs, beforeMs }) => {
    const before = beforeMs === undefined ? '' : isoLocal(zone, atMs - 1000)
    return `${atMs / 1000} ${before} ${isoLocal(zone, atMs)}`
  })
  const theirs = known.zones[zone]!.map((change) => change.join(' '))
  const differing = [...new Set([...ours, ...theirs])].filter((line) => !ours.includes(line) || !theirs.includes(line))
  if (differing.length > 0) found.data.set(zone, `${differing.length} lines, first ${bare(differing[0]!)}`)
}

/** `2026-12-01T10:00:00+01:00`, from what callers see. */
function isoLocal(zone: string, ms: number): string {
  const { date, start, utc_offset } = localOf({ start: new Date(ms), end: new Date(ms) }, zone)
  return `${date}T${start.length === 5 ? `${start}:00` : start}${utc_offset}`
}

const zonedAt = (zone: string, ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)

function compareShown(zone: string, startMs: number, stopMs: number): void {
  const shown = localOf({ start: new Date(startMs), end: new Date(stopMs) }, zone)
  const expected = temporalTimes(zone, startMs, stopMs)
  if (JSON.stringify(shown) !== JSON.stringify(expected)) found.shown.push(JSON.stringify({ shown, expected }))
  const read = momentsOf(shown.text)
  if (read.zone !== zone || read.startMs !== startMs || read.endMs !== stopMs) found.roundTrip.push(shown.text)
}

/** The day of the change, from its beginning to the next day's: one day, however many hours it has. */
function compareWholeDay(zone: string, atMs: number): void {
  const start = zonedAt(zone, atMs).startOfDay()
  const end = start.toPlainDate().add({ days: 1 }).toZonedDateTime(zone)
  const times = { start: new Date(start.epochMilliseconds), end: new Date(end.epochMilliseconds), allDay: true }
  const shown = localOf(times, zone)
  const expected = {
    ...temporalFields(start, end),
    last_date: start.toPlainDate().toString(),
    text: `${longDate(start)} (all day)`,
  }
  if (JSON.stringify(shown) !== JSON.stringify(expected)) found.shown.push(JSON.stringify({ shown, expected }))
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const longDates = new Map<string, string>()
const british = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' })

function longDate({ year, month, day }: { year: number; month: number; day: number }): string {
  const key = `${year} ${month} ${day}`
  if (!longDates.has(key)) longDates.set(key, british.format(Date.UTC(year, month - 1, day)).replace(',', ''))
  return longDates.get(key)!
}

function temporalFields(start: Temporal.ZonedDateTime, end: Temporal.ZonedDateTime): Omit<LocalRecord, 'text'> {
  const time = (at: Temporal.ZonedDateTime) =>
    at
      .toPlainTime()
      .toString()
      .replace(/(?<=:..):00$/, '')
  return {
    timezone: start.timeZoneId,
    weekday: weekdays[start.dayOfWeek - 1] as LocalRecord['weekday'],
    date: start.toPlainDate().toString(),
    start: time(start),
    end: time(end),
    end_date: end.toPlainDate().toString(),
    utc_offset: start.offset,
    ...(start.offset === end.offset ? {} : { end_utc_offset: end.offset }),
  }
}

function temporalTimes(zone: string, startMs: number, endMs: number): LocalRecord {
  const [from, to] = [zonedAt(zone, startMs), zonedAt(zone, endMs)]
  const fields = temporalFields(from, to)
  const { date, start, end, end_date, utc_offset, end_utc_offset } = fields
  const times = date === end_date ? `${start}–${end}` : `${start} – ${longDate(to)}, ${end}`
  const offsets = end_utc_offset ? `UTC${utc_offset} to UTC${end_utc_offset}` : `UTC${utc_offset}`
  return { ...fields, text: `${longDate(from)}, ${times} (${zone}, ${offsets})` }
}

const textPattern =
  /^\w+ (\d+ \w+ \d+), ([\d:]+)(?: – \w+ (\d+ \w+ \d+), |–)([\d:]+) \(([^,]+), UTC(\S+?)(?: to UTC(\S+))?\)$/

/** The moments that a text names, by its own words alone. */
function momentsOf(text: string): { zone: string; startMs: number; endMs: number } {
  const [, date, start, endDate = date, end, zone, offset, endOffset = offset] = textPattern.exec(text)!
  const moment = (day: string, time: string, ahead: string) => {
    const [hours = 0, minutes = 0, seconds = 0] = ahead.slice(1).split(':').map(Number)
    const aheadMs = (hours * 3600 + minutes * 60 + seconds) * (ahead.startsWith('-') ? -1000 : 1000)
    return Date.parse(`${day} ${time} UTC`) - aheadMs
  }
  return { zone: zone!, startMs: moment(date!, start!, offset!), endMs: moment(endDate!, end!, endOffset!) }
}

/** Around the wall times between `lowMs` and `highMs`, which the change leaves out or repeats. */
function compareRead(zone: string, lowMs: number, highMs: number): void {
  for (const wallMs of [lowMs - 1000, lowMs, highMs - 1000, highMs]) {
    const text = `${new Date(wallMs).toISOString().slice(0, 19)}[${zone}]`
    const plain = Temporal.PlainDateTime.from(text)
    const earlier = plain.toZonedDateTime(zone, { disambiguation: 'earlier' })
    const later = plain.toZonedDateTime(zone, { disambiguation: 'later' })
    const isSkipped = !earlier.toPlainDateTime().equals(plain)
    const expected = earlier.equals(later)
      ? ['time', earlier.epochMilliseconds]
      : isSkipped
        ? ['nonexistent_local_time', later.epochMilliseconds, earlier.epochMilliseconds]
        : ['ambiguous_local_time', earlier.epochMilliseconds, later.epochMilliseconds]
    if (JSON.stringify(summary(text)) !== JSON.stringify(expected)) found.read.push(`${text}: ${summary(text)}`)
    for (const offset of new Set([earlier.offset, later.offset])) {
      const withOffset = text.replace('[', `${offset}[`)
      const wanted = isSkipped
        ? 'offset_mismatch'
        : [earlier, later].find((at) => at.offset === offset)!.epochMilliseconds
      const [code, ms] = summary(withOffset)
      if ((isSkipped ? code : ms) !== wanted) found.read.push(`${withOffset}: ${summary(withOffset)}`)
    }
  }
}

/** The moment, or the code and the moments of the suggestions as Temporal reads them. */
function summary(text: string): (string | number)[] {
  const read = readTime(text)
  if (read.kind === 'time') return ['time', read.at.getTime()]
  return [read.code, ...read.suggestions.map((one) => Temporal.ZonedDateTime.from(one).epochMilliseconds)]
}

const first = (lines: string[]) => lines.slice(0, 10)

test('zoneinfo and we know the same changes, and the same local time on both sides of each', { skip: !known }, () => {
  const versions = [process.versions.tz!, known!.version] as const
  const reasonOf = (zone: string) =>
    explained.find((reason) => reason.zones.includes(zone) && reason.holds(...versions))?.cause
  for (const { cause, zones } of explained) {
    const differing = zones.filter((zone) => found.data.has(zone))
    if (differing.length > 0) console.log(`zones that differ: ${differing.join(', ')}: ${cause}`)
  }
  const unexplained = [...found.data].filter(([zone]) => reasonOf(zone) === undefined)
  assert.deepEqual(unexplained, [], `tz ${versions.join(' and ')}`)
  const refused = names.filter((name) => !isZone(name))
  assert.deepEqual(
    refused.filter((name) => !['Factory', 'localtime', 'posixrules'].includes(name)),
    [],
    'names that we refuse',
  )
})

test('what is shown around every change is what Temporal shows', () => {
  assert.ok(found.changes > 15_000, `only ${found.changes} changes`)
  assert.deepEqual(first(found.shown), [])
})

test('the parts of every text name the very moments', () => {
  assert.deepEqual(first(found.roundTrip), [])
})

test('local times that a change leaves out or repeats are read as Temporal reads them', () => {
  assert.deepEqual(first(found.read), [])
})
