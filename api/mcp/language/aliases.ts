// Arguments in the spelling of models: old names, numbers and lists as texts, nulls for absent arguments. Nothing else is
// guessed.
import { parseExactly } from '../../../src/shapes/exactNumbers.ts'
import { isObject } from './jsonSchema.ts'
import { ToolRefusal } from './toolRefusal.ts'

/** A property of the schema that models see. */
type Property = {
  type?: unknown
  items?: unknown
  anyOf?: unknown
  properties?: Properties
  additionalProperties?: Property
}
export type Properties = Readonly<Record<string, Property>>

type Sent = Record<string, unknown>

/** Names for the same argument. A tool has at most one of each group; the others are read as that one. */
const sameNames = [
  ['start', 'start_time', 'start_after'],
  ['end', 'end_time', 'start_before'],
  ['agents', 'agent_ids'],
  ['duration_minutes', 'duration', 'slot_duration'],
]

/** The arguments under the names that the tool has for them. A null under an unknown name is dropped. */
export function underKnownNames(sent: Sent, known: readonly string[]): Sent {
  // Without a prototype, `__proto__` is an ordinary name.
  const named: Sent = Object.create(null)
  const formerOf = new Map<string, string>()
  for (const [given, value] of Object.entries(sent)) {
    const name = known.includes(given) ? given : knownNameOf(given, known)
    if (name === undefined) {
      if (value !== null) named[given] = value
      continue
    }
    const former = formerOf.get(name)
    const read = given === name ? value : inNewForm(name, value)
    if (former !== undefined && !isSame(named[name], read)) throw givenTwice(name, former === name ? given : former)
    if (former !== undefined && read === null) continue
    formerOf.set(name, given)
    named[name] = read
  }
  return named
}

/** Removes the aliases of arguments that are set again: both together would contradict each other. */
export function withoutOtherNames(given: Sent, sent: Sent, known: readonly string[]): Sent {
  const others = Object.keys(sent).filter((name) => {
    const meant = known.includes(name) ? undefined : knownNameOf(name, known)
    return meant !== undefined && given[meant] != null
  })
  return { ...given, ...Object.fromEntries(others.map((name) => [name, null])) }
}

/** The one of the known names that means the same. */
export function knownNameOf(given: string, known: readonly string[]): string | undefined {
  const here = sameNames.find((names) => names.includes(given))?.filter((name) => known.includes(name)) ?? []
  return here.length === 1 ? here[0] : undefined
}

/** A duration was `30m`, `1h` or `1h30m`. */
function inNewForm(name: string, value: unknown): unknown {
  if (name !== 'duration_minutes' || typeof value !== 'string') return value
  const [matched, hours = '0', minutes = '0'] = /^(?:(\d{1,4})h)?(?:(\d{1,6})m)?$/.exec(value) ?? []
  return matched ? Number(hours) * 60 + Number(minutes) : value
}

/** `"10"` and 10 are the same number. */
const isSame = (one: unknown, other: unknown): boolean =>
  one === null || other === null || JSON.stringify(one) === JSON.stringify(other) || String(one) === String(other)

const givenTwice = (name: string, former: string) =>
  new ToolRefusal(`${former}: differs from ${name}, which is the same: give ${name} alone.`, {
    param: former,
    suggestions: [{ arguments: { [former]: null }, note: `With ${name} unchanged.` }],
  })

/** The value as the type of its property, at any depth: texts of other types, and one value where a list belongs. */
export function inType(value: unknown, property: Property): unknown {
  const types = typesOf(property)
  const read = typeof value === 'string' ? textInType(value, types) : value
  if (Array.isArray(read)) return read.map((item) => inItemType(item, property))
  if (read === null) return null
  if (isObject(read) && types.includes('object')) return withFieldsInType(read, property)
  return types.includes('array') ? [inItemType(read, property)] : read
}

function textInType(text: string, types: readonly unknown[]): unknown {
  if (types.includes('string')) return text
  if (types.includes('integer') || types.includes('number'))
    return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text
  if (types.includes('boolean')) return text === 'true' ? true : text === 'false' ? false : text
  if (types.includes('object') || isJsonObject(text)) return parsed(text) ?? text
  return types.includes('array') ? asList(text) : text
}

const isJsonObject = (text: string): boolean => text.trim().startsWith('{')

const inItemType = (item: unknown, property: Property): unknown => {
  const list = variantsOf(property).find(({ type }) => [type].flat().includes('array'))
  return list?.items ? inType(item, list.items as Property) : item
}

function withFieldsInType(fields: Sent, property: Property): Sent {
  const { properties, additionalProperties } = variantsOf(property).find(({ type }) =>
    [type].flat().includes('object'),
  )!
  const ofField = (name: string) =>
    properties && Object.hasOwn(properties, name) ? properties[name] : additionalProperties
  const read = Object.entries(fields).map(([name, value]) => {
    const own = ofField(name)
    return [name, own ? inType(value, own) : value]
  })
  // Entries are own fields, even one called `__proto__`.
  return Object.fromEntries(read)
}

/** As JSON, or separated by commas. */
function asList(text: string): unknown[] {
  const read = text.trim().startsWith('[') ? parsed(text) : undefined
  if (Array.isArray(read)) return read
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function parsed(text: string): unknown {
  try {
    return parseExactly(text)
  } catch {
    return undefined
  }
}

const variantsOf = (property: Property): Property[] =>
  Array.isArray(property.anyOf) ? (property.anyOf as Property[]) : [property]

export const typesOf = (property: Property): unknown[] => variantsOf(property).flatMap(({ type }) => type)
