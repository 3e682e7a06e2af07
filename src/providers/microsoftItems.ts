// The busy time of a delta of Microsoft's calendar view. Masters give properties, occurrences give times. Pure; titles are not
// even parsed.
import { z } from 'zod'
import { windowsZone } from '../icalendar/components.ts'
import { instantsAroundGap, instantsOf, windowStart } from '../localtime/offsets.ts'
import { dayMs } from '../shapes/durations.ts'
import { isZone } from '../shapes/zones.ts'
import type { ReadObject, ReadTask } from './provider.ts'
import type { Interval } from './rules.ts'

const moment = z.object({ dateTime: z.string(), timeZone: z.string() })

const properties = {
  isAllDay: z.boolean().nullish(),
  isCancelled: z.boolean().nullish(),
  showAs: z.string().nullish(),
  responseStatus: z.object({ response: z.string().nullish() }).nullish(),
  originalStartTimeZone: z.string().nullish(),
}

/** The field names of an event that decide whether it is busy. */
export const propertyNames = Object.keys(properties)

/** An event, or its removal. Fields without a name here are dropped. */
export const deltaItem = z.object({
  id: z.string().min(1),
  '@removed': z.object({}).nullish(),
  type: z.string().nullish(),
  seriesMasterId: z.string().nullish(),
  start: moment.nullish(),
  end: moment.nullish(),
  ...properties,
})
export type DeltaItem = z.infer<typeof deltaItem>

/** The last word about each event: a round may name one twice. */
export const latest = (items: readonly DeltaItem[]): Map<string, DeltaItem> =>
  new Map(items.map((item) => [item.id, item]))

const isRemoved = (item: DeltaItem): boolean => (item['@removed'] ?? null) !== null
const isMaster = (item: DeltaItem): boolean => item.type === 'seriesMaster'
/** Occurrences come with nothing but their times. */
const isBare = ({ showAs, isAllDay }: DeltaItem): boolean => typeof showAs !== 'string' && typeof isAllDay !== 'boolean'

/** The masters whose properties are needed and not among the items. */
export function missingMasters(items: ReadonlyMap<string, DeltaItem>): string[] {
  const needed = [...items.values()].flatMap((item) =>
    item.seriesMasterId && !isRemoved(item) && isBare(item) && !isPresent(items.get(item.seriesMasterId))
      ? [item.seriesMasterId]
      : [],
  )
  return [...new Set(needed)]
}

const isPresent = (item: DeltaItem | undefined): boolean => item !== undefined && !isRemoved(item)

/** `isTorn`: a series came without all its known occurrences. Nothing says whether these still exist. */
type Reduced = { kind: 'reduced'; objects: ReadObject[]; removed: string[]; isTorn: boolean } | { kind: 'malformed' }

type Reading = Pick<ReadTask, 'zone' | 'horizon' | 'digest'> & { versions: ReadonlyMap<string, string> }

type Items = ReadonlyMap<string, DeltaItem>

/** `masters` were fetched, the items do not name them. `versions` are the known objects: the series that each belongs to. */
export function reduceItems({ items, masters }: { items: Items; masters: Items }, reading: Reading): Reduced {
  const { digest, versions } = reading
  const members = membersOf(versions)
  const objects: ReadObject[] = []
  const named = new Set<string>()
  const removed = new Set<string>()
  const series: string[] = []
  const masterOf = ({ seriesMasterId }: DeltaItem) => {
    const item = items.get(seriesMasterId ?? '')
    return isPresent(item) ? item : masters.get(seriesMasterId ?? '')
  }
  for (const item of items.values()) {
    const object = digest(item.id)
    named.add(object)
    if (isRemoved(item)) {
      // Also objects that were never known here: a delta names events outside its window.
      for (const gone of [object, ...(members.get(seriesVersion(digest, item.id)) ?? [])]) removed.add(gone)
    } else if (isMaster(item)) {
      removed.add(object)
      series.push(item.id)
    } else {
      const busy = busyOf(item, masterOf(item), reading)
      if (!busy) return { kind: 'malformed' }
      const version = item.seriesMasterId ? seriesVersion(digest, item.seriesMasterId) : digest('single')
      objects.push({ digest: object, version, busy })
    }
  }
  for (const { digest } of objects) removed.delete(digest)
  const isTorn = series.some((id) => members.get(seriesVersion(digest, id))?.some((one) => !named.has(one)))
  return { kind: 'reduced', objects, removed: [...removed], isTorn }
}

/** The stored version of an occurrence: the name of its series, so that it can be found by that too. */
const seriesVersion = (digest: ReadTask['digest'], master: string): string => digest(master)

function membersOf(versions: ReadonlyMap<string, string>): Map<string, string[]> {
  const members = new Map<string, string[]>()
  for (const [object, version] of versions) members.set(version, [...(members.get(version) ?? []), object])
  return members
}

/** Undefined if its times cannot be read: then it is not known when its owner is busy. */
function busyOf(item: DeltaItem, master: DeltaItem | undefined, { zone, horizon }: Reading): Interval[] | undefined {
  const of = <Name extends keyof typeof properties>(name: Name) => item[name] ?? master?.[name] ?? undefined
  const isFree =
    freeStates.has(of('showAs') ?? 'unknown') ||
    of('isCancelled') === true ||
    of('responseStatus')?.response === 'declined'
  if (isFree) return []
  if (!item.start || !item.end) return undefined
  const interval = of('isAllDay')
    ? daysOf(item.start.dateTime, item.end.dateTime, zoneOf(of('originalStartTimeZone') ?? '') ?? zone)
    : timesOf(item.start, item.end)
  if (!interval) return undefined
  const isWithin = interval.startMs < horizon.until.getTime() && interval.endMs > horizon.from.getTime()
  return isWithin && interval.endMs > interval.startMs ? [interval] : []
}

const freeStates = new Set(['free', 'workingElsewhere'])

/** Microsoft shows whole days as midnights, whatever their zone: only the dates count. */
function daysOf(start: string, end: string, zone: string): Interval | undefined {
  const [first, last] = [wallOf(start), wallOf(end)].map((wallMs) => wallMs && Math.floor(wallMs / dayMs) * dayMs)
  if (first === undefined || last === undefined) return undefined
  return { startMs: windowStart(zone, first), endMs: windowStart(zone, Math.max(last, first + dayMs)) }
}

function timesOf(start: z.infer<typeof moment>, end: z.infer<typeof moment>): Interval | undefined {
  const [startMs, endMs] = [start, end].map(({ dateTime, timeZone }) => instantOf(dateTime, zoneOf(timeZone)))
  return startMs === undefined || endMs === undefined ? undefined : { startMs, endMs }
}

function instantOf(dateTime: string, zone: string | undefined): number | undefined {
  const wallMs = wallOf(dateTime)
  if (wallMs === undefined || zone === undefined) return undefined
  if (zone === 'UTC') return wallMs
  return instantsOf(zone, wallMs)[0] ?? instantsAroundGap(zone, wallMs)[0]
}

/** `2026-03-04T09:30:00.0000000`, counted like UTC. */
function wallOf(dateTime: string): number | undefined {
  const [, minutes, seconds = ':00'] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?(?:\.\d+)?Z?$/.exec(dateTime) ?? []
  const ms = minutes === undefined ? Number.NaN : Date.parse(`${minutes}${seconds}Z`)
  return Number.isNaN(ms) ? undefined : ms
}

const knownZones = new Map<string, string | undefined>()
const maxKnownZones = 1_000

/** The zone of IANA for a name of Microsoft's: `W. Europe Standard Time`, `tzone://Microsoft/Utc`, or one of IANA. */
function zoneOf(name: string): string | undefined {
  if (!knownZones.has(name)) {
    if (knownZones.size >= maxKnownZones) knownZones.clear()
    const isUtc = /^(UTC|tzone:\/\/Microsoft\/Utc)$/i.test(name)
    knownZones.set(name, isUtc ? 'UTC' : (windowsZone(name) ?? (isZone(name) ? name : undefined)))
  }
  return knownZones.get(name)
}
