// A feed from its bytes to its instances; runs in the parser's thread.
import { type Component, readComponents } from './components.ts'
import { contentLines, type Keepable, personalProperties, propertiesFor } from './contentLines.ts'
import { decodeFeed } from './decode.ts'
import type { ImportedEvent, ParsedFeed, ParseOptions } from './feedParser.ts'
import { isFreeFor } from './free.ts'
import { instancesOf } from './instances.ts'
import { keptDetails } from './keptDetails.ts'
import { type SourceEvent, sourceEvent, uidOf } from './sourceEvent.ts'
import { Tally } from './unread.ts'
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
  const { owner, from, until } = options
  const content = contentLines(
    decodeFeed(feed, options.charset),
    owner ? personalProperties : propertiesFor(options.keep ?? []),
  )
  const components = readComponents(content.lines)
  const left = new Tally()
  for (const { reason, uid } of content.unread) left.lose(reason, uid, Number.NEGATIVE_INFINITY)
  const cut = owner && { maxInstances: owner.maxInstances, at: (ms: number) => left.endAt(ms) }
  const window = { fromMs: from.getTime(), untilMs: until.getTime(), cut }
  const work = new Work()
  const definitions = components.filter(({ name }) => name === 'VTIMEZONE')
  const zones = new Zones(zoneOf(options.zone), definitions, { fromMs: window.fromMs, toMs: window.untilMs }, work)
  const isFree = owner && isFreeFor(owner.addresses)
  const events: ImportedEvent[] = []
  for (const [uid, { master, overrides }] of byUid(components, zones, { isFree, keep: options.keep ?? [] }, left)) {
    for (const source of master ? [master, ...overrides] : overrides) noteLosses(source, left)
    const found = instancesOf(master, overrides, window, work)
    if (!found && owner) throw new Unreadable('A series takes too long to expand.')
    if (!found) left.lose('size', uid, Number.NEGATIVE_INFINITY)
    else for (const event of found) events.push(event)
    if (events.length > maxEvents) {
      throw new Unreadable(`The feed has more than ${maxEvents} events.`)
    }
  }
  const knownUntil = owner && left.knownUntil(window)
  return { kind: 'parsed', events, unread: left.counts, lost: [...left.lost], ...(knownUntil && { knownUntil }) }
}

function noteLosses({ uid, unread, unknownFromMs, isFree }: SourceEvent, left: Tally): void {
  for (const reason of unread) left.count(reason)
  if (unknownFromMs !== undefined && !isFree) left.lose(undefined, uid, unknownFromMs)
}

type Series = { master: SourceEvent | undefined; overrides: SourceEvent[] }

function keptOf(component: Component, keep: readonly Keepable[]): Pick<SourceEvent, 'details' | 'transparent'> {
  const details = keep.includes('details') ? keptDetails(component) : {}
  const transparency = component.properties.get('TRANSP')?.[0]?.value.trim().toUpperCase()
  return {
    ...(Object.keys(details).length > 0 && { details }),
    ...(keep.includes('transparency') && transparency === 'TRANSPARENT' && { transparent: true }),
  }
}

/** If masters share a UID, the one with the highest SEQUENCE counts, then the last. */
function byUid(
  components: readonly Component[],
  zones: Zones,
  { isFree, keep }: { isFree: ((component: Component) => boolean) | undefined; keep: readonly Keepable[] },
  left: Tally,
): Map<string, Series> {
  const series = new Map<string, Series>()
  for (const component of components) {
    if (component.name !== 'VEVENT') continue
    const source = sourceEvent(component, zones)
    if (!source) {
      if (isFree?.(component)) left.count('start')
      else left.lose('start', uidOf(component), Number.NEGATIVE_INFINITY)
      continue
    }
    if (isFree?.(component)) source.isFree = true
    if (keep.length > 0) Object.assign(source, keptOf(component, keep))
    const known = series.get(source.uid) ?? { master: undefined, overrides: [] }
    series.set(source.uid, known)
    if (source.replaces) known.overrides.push(source)
    else if (!known.master || source.sequence >= known.master.sequence) known.master = source
  }
  return series
}
