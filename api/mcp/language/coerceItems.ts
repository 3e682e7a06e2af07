// Objects within an argument whose fields have other names than here: the slots of an answer have `start` and `when`, those of a
// proposal `start_time`; days of the week are `monday` or `mon`.
import { nearestName } from '../../http/nearest.ts'
import { knownNameOf, type Properties } from './aliases.ts'
import { isObject } from './jsonSchema.ts'

type Inside = {
  items?: { properties?: Record<string, unknown>; required?: string[] }
  propertyNames?: { enum?: string[] }
}

/** The value with the names that were probably meant; undefined if nothing changes, or if a name is unknown. */
export function coerceItems(property: Properties[string] | undefined, value: unknown): unknown {
  const { items, propertyNames } = (property ?? {}) as Inside
  const meant = items?.properties
    ? listRenamed(value, Object.keys(items.properties))
    : propertyNames?.enum && renamed(value, propertyNames.enum)
  return JSON.stringify(meant) === JSON.stringify(value) ? undefined : meant
}

function listRenamed(value: unknown, known: readonly string[]): unknown[] | undefined {
  const meant = Array.isArray(value) ? value.map((item) => renamed(item, known)) : [undefined]
  return meant.includes(undefined) ? undefined : meant
}

/** Fields that answers have next to a pair of times and that no tool accepts. */
const besideTimes = new Set(['when', 'minutes'])

function renamed(item: unknown, known: readonly string[]): object | undefined {
  if (!isObject(item)) return undefined
  const fields: [string, unknown][] = []
  for (const [given, field] of Object.entries(item)) {
    if (!known.includes(given) && besideTimes.has(given)) continue
    const name = known.includes(given) ? given : nameMeant(given, known)
    if (name === undefined || fields.some(([taken]) => taken === name)) return undefined
    fields.push([name, field])
  }
  return Object.fromEntries(fields)
}

const nameMeant = (given: string, known: readonly string[]): string | undefined =>
  knownNameOf(given, known) ?? longerName(given, known) ?? nearestName(given, known)

/** `monday` for `mon`. */
const longerName = (given: string, known: readonly string[]): string | undefined =>
  known.find((name) => name.length >= 3 && given.toLowerCase().startsWith(name))
