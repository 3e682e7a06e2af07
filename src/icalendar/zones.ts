// The zones of a feed. A name that the machine knows is read from there, because zones in feeds are often out of date; then
// names of Windows; then the definitions of the feed; any other name means the calendar's own zone.
import { type Component, windowsZone } from './components.ts'
import { definedZone } from './definedZone.ts'
import type { WallWindow } from './rule.ts'
import type { Work } from './unreadable.ts'
import { parseOffset } from './values.ts'
import { fixedZone, namedZone, type Zone } from './zone.ts'

const longestName = 200

/** The zones that the events of one feed name, each looked up once. */
export class Zones {
  readonly calendar: Zone
  #definitions = new Map<string, Component>()
  #known = new Map<string, Zone>()
  #window: WallWindow
  #work: Work

  constructor(calendar: Zone, definitions: readonly Component[], window: WallWindow, work: Work) {
    this.calendar = calendar
    this.#window = window
    this.#work = work
    for (const definition of definitions) {
      const name = definition.properties.get('TZID')?.[0]?.value
      if (name !== undefined) this.#definitions.set(unquoted(name), definition)
    }
  }

  find(name: string | undefined): Zone {
    if (name === undefined) return this.calendar
    const known = this.#known.get(name)
    if (known) return known
    const zone = this.#lookUp(unquoted(name)) ?? this.calendar
    this.#known.set(name, zone)
    return zone
  }

  #lookUp(name: string): Zone | undefined {
    this.#work.spend(10_000)
    const isName = name.length <= longestName
    const definition = this.#definitions.get(name)
    return (
      (isName ? (zoneInPath(name) ?? zoneOfWindows(name)) : undefined) ??
      (definition && definedZone(definition, this.#window, this.#work)) ??
      (isName ? (zoneOfOffset(name) ?? namedZone(name)) : undefined)
    )
  }
}

const unquoted = (name: string): string => name.replaceAll('"', '').trim()

/** "Europe/Berlin", also at the end of "/freeassociation.sourceforge.net/Tzfile/Europe/Berlin". */
function zoneInPath(name: string): Zone | undefined {
  if (/^(Etc\/)?(UTC|GMT|Z|Zulu|UCT)$/i.test(name)) return fixedZone(0)
  const segments = name.split('/').filter((segment) => segment !== '')
  for (const length of [3, 2]) {
    const zone = segments.length >= length ? namedZone(segments.slice(-length).join('/')) : undefined
    if (zone) return zone
  }
  return undefined
}

function zoneOfWindows(name: string): Zone | undefined {
  if (/^tzone:\/\/Microsoft\/Utc$/i.test(name)) return fixedZone(0)
  const known = windowsZone(name)
  return known === undefined ? undefined : namedZone(known)
}

/** "GMT+1", "UTC-0330", "+02:00", "(UTC+01:00) some place". */
function zoneOfOffset(name: string): Zone | undefined {
  const match = /^\(?(?:UTC|GMT)?\s*([+-])(\d{1,2})(?::?(\d{2}))?(?:\)|$)/i.exec(name)
  const offset = match ? parseOffset(`${match[1]}${match[2]!.padStart(2, '0')}${match[3] ?? '00'}`) : undefined
  return offset === undefined ? undefined : fixedZone(offset)
}
