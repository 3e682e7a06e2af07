// A feed from its bytes to its instances; runs in the parser's thread.
import { type Component, readComponents } from './components.ts'
import { contentLines, personalProperties } from './contentLines.ts'
import { decodeFeed } from './decode.ts'
import type { ImportedEvent, ParsedFeed, ParseOptions } from './feedParser.ts'
import { isFreeFor } from './free.ts'
import { instancesOf } from './instances.ts'
import { type SourceEvent, sourceEvent } from './sourceEvent.ts'
import { Unreadable, Work } from './unreadable.ts'
import { zoneOf } from './zone.ts'
import { Zones } from './zones.ts'

const maxEvents = 50_000

export function parseCalendar(feed: Uint8Array, options: ParseOptions): ParsedFeed {
  try {
    return parseOrThrow(feed, options)
  } catch (error) {
    if (error instanceof Unreadable) return { kind: 'unreadable', reason: error.message }
    throw error
  }
}

function parseOrThrow(feed: Uint8Array, options: ParseOptions): ParsedFeed {
  const content = contentLines(decodeFeed(feed), options.owner && personalProperties)
  const components = readComponents(content.lines)
  const { owner } = options
  let knownUntilMs: number | undefined
  const cut = owner && {
    maxInstances: owner.maxInstances,
    at: (ms: number) => {
      knownUntilMs = Math.min(ms, knownUntilMs ?? ms)
    },
  }
  const window = { fromMs: options.from.getTime(), untilMs: options.until.getTime(), cut }
  const work = new Work()
  const calendarZone = zoneOf(options.zone)
  const definitions = components.filter(({ name }) => name === 'VTIMEZONE')
  const span = { fromMs: window.fromMs, toMs: window.untilMs }
  const isFree = owner && isFreeFor(owner.addresses)
  const groups = byUid(components, new Zones(calendarZone, definitions, span, work), isFree)
  let skipped = content.skipped + groups.skipped
  const events: ImportedEvent[] = []
  for (const { master, overrides } of groups.series.values()) {
    const found = instancesOf(master, overrides, window, work)
    if (!found && owner) throw new Unreadable('A series takes too long to work out.')
    if (!found) skipped++
    else for (const event of found) events.push(event)
    if (events.length > maxEvents) {
      throw new Unreadable(`The feed has more than ${maxEvents} events.`)
    }
  }
  const known = knownUntilMs === undefined ? {} : { knownUntil: new Date(knownUntilMs) }
  return { kind: 'parsed', events, skipped, ...known }
}

type Series = { master: SourceEvent | undefined; overrides: SourceEvent[] }

/** If masters share a UID, the one with the highest SEQUENCE counts, then the last. */
function byUid(
  components: readonly Component[],
  zones: Zones,
  isFree: ((component: Component) => boolean) | undefined,
): { series: Map<string, Series>; skipped: number } {
  const series = new Map<string, Series>()
  let skipped = 0
  for (const component of components) {
    if (component.name !== 'VEVENT') continue
    const source = sourceEvent(component, zones)
    if (!source) {
      skipped++
      continue
    }
    if (isFree?.(component)) source.isFree = true
    const known = series.get(source.uid) ?? { master: undefined, overrides: [] }
    series.set(source.uid, known)
    if (source.replaces) known.overrides.push(source)
    else if (!known.master || source.sequence >= known.master.sequence) known.master = source
  }
  return { series, skipped }
}
