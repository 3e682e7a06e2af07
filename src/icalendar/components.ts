// The tree of components. node-ical splits lines with quotes into names, parameters and values. Its handlers of values are
// replaced, because they read times in the zone of the machine, refuse a whole feed for one property that
// stands twice, know no RDATE, and build rules that never end (docs/decisions/reading-feeds.md).
import nodeIcal from 'node-ical'
import { keepable, personalProperties, propertiesFor } from './contentLines.ts'

/** `parameters` as they stand, like `TZID=Europe/Berlin`. */
export type Property = { value: string; parameters: readonly string[] }
export type Component = { name: string; properties: Map<string, Property[]>; parts: Component[] }

type Handler = (value: string, parameters: string[], current: Component, stack: Component[]) => Component
type Handlers = Record<string, Handler>

const handlers = nodeIcal.objectHandlers as Handlers
const parseLines = nodeIcal.parseLines as (lines: string[], batch: 0, current: Component, stack: Component[]) => unknown
const originalStart = handlers.DTSTART as unknown as (
  value: string,
  parameters: string[],
  current: { start?: Date & { tz?: string } },
  stack: unknown[],
) => void

const component = (name: string): Component => ({ name, properties: new Map(), parts: [] })

function keep(name: string): Handler {
  return (value, parameters, current) => {
    const known = current.properties.get(name)
    if (known) known.push({ value, parameters })
    else current.properties.set(name, [{ value, parameters }])
    return current
  }
}

for (const name of Object.keys(handlers)) delete handlers[name]
for (const read of [personalProperties, propertiesFor(keepable)])
  for (const properties of read.values()) for (const name of properties) handlers[name] = keep(name)
handlers.BEGIN = (name, _parameters, current, stack) => {
  stack.push(current)
  return component(name)
}
handlers.END = (_name, _parameters, current, stack) => {
  const parent = stack.pop()!
  parent.parts.push(current)
  return parent
}

/** The events and zones of the lines, which `contentLines` has made well-formed. */
export function readComponents(lines: readonly string[]): Component[] {
  const root = component('')
  const stack: Component[] = []
  let current = root
  for (const line of lines) {
    const plain = splitPlain(line)
    if (plain) current = handlers[plain.name]!(plain.value, plain.parameters, current, stack)
    else parseLines([acceptable(line)], 0, current, stack)
  }
  return root.parts
}

const noParameters: string[] = []

/** A line without quotes, which most are, split as node-ical does it; undefined for any other. */
function splitPlain(line: string): { name: string; value: string; parameters: string[] } | undefined {
  const colon = line.indexOf(':')
  const quote = line.indexOf('"')
  if (colon === -1 || (quote !== -1 && quote < colon)) return undefined
  const value = line.slice(colon + 1)
  const semicolon = line.indexOf(';')
  if (semicolon === -1 || semicolon > colon) return { name: line.slice(0, colon), value, parameters: noParameters }
  const parameters = line.slice(semicolon + 1, colon).split(';')
  if (!parameters.every(isParameter)) return undefined
  return { name: line.slice(0, semicolon), value, parameters }
}

const isParameter = (text: string): boolean => /^[\w-]+=./.test(text)

/** node-ical drops lines with an empty parameter. */
function acceptable(line: string): string {
  const colon = line.indexOf(':')
  if (!/=[;:]/.test(line)) return line
  return line.slice(0, colon).replace(/;[\w-]+=(?=;|$)/g, '') + line.slice(colon)
}

/** The zone that node-ical knows by a name of Windows, "W. Europe Standard Time" or "(UTC+01:00) Amsterdam, Berlin, …". */
export function windowsZone(name: string): string | undefined {
  // For these it would answer with the zone of the machine. Those of Windows are of several words; of others it is not asked,
  // because it throws at the abbreviations of ICU, like BST.
  if (/^(tzone:|Customized Time Zone)/i.test(name) || !/[ ,]/.test(name)) return undefined
  const holder: { start?: Date & { tz?: string } } = {}
  originalStart('20260101T000000', [`TZID=${name}`], holder, [])
  return holder.start?.tz === name ? undefined : holder.start?.tz
}
