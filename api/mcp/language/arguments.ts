// The arguments of a call as the tool takes them.
import { ServiceError } from '../../../src/errors.ts'
import { nearestName } from '../../http/nearest.ts'
import { requireStorable } from '../../http/storable.ts'
import { validate } from '../../http/validation.ts'
import { inType, type Properties, typesOf, underKnownNames } from './aliases.ts'
import { coerceItems } from './coerceItems.ts'
import { jsonSchemaOf } from './jsonSchema.ts'
import { nearestZone } from './nearestZone.ts'
import type { Tool } from './tool.ts'
import { type Suggestion, ToolRefusal } from './toolRefusal.ts'

type Sent = Record<string, unknown>

/** The arguments as models see them, including those that are accepted but not listed. */
type Known = { properties: Properties; required: readonly string[] }

const knownOf = new WeakMap<Tool, Known>()

function known(tool: Tool): Known {
  const found = knownOf.get(tool)
  if (found) return found
  const { properties = {}, required = [] } = jsonSchemaOf(tool.schema) as Partial<Known>
  knownOf.set(tool, { properties, required })
  return { properties, required }
}

/** Throws `validation_error`. `sent`: as the model wrote them. */
export function readArguments(tool: Tool, sent: Sent): Sent {
  requireStorable(sent)
  const { properties, required } = known(tool)
  const named = underKnownNames(sent, Object.keys(properties))
  refuseUnknown(named, Object.keys(properties))
  const read: Sent = {}
  for (const [name, value] of Object.entries(named)) {
    const property = properties[name]!
    const isLeftOut = value === null && !required.includes(name) && !typesOf(property).includes('null')
    if (!isLeftOut) read[name] = withoutPrefix(name, inType(value, property))
  }
  // Again: texts that are read as JSON may hold what cannot be stored.
  requireStorable(read)
  return checked(tool, properties, read)
}

/** Models send a rule as in a calendar file. */
const withoutPrefix = (name: string, value: unknown): unknown =>
  name === 'recurrence_rule' && typeof value === 'string' ? value.replace(/^RRULE:/i, '') : value

function refuseUnknown(named: Sent, names: readonly string[]): void {
  const unknown = Object.keys(named).filter((name) => !names.includes(name))
  const [first] = unknown
  if (first === undefined) return
  const nearest = nearestName(first, names)
  const meant = nearest === undefined ? '' : ` Did you mean \`${nearest}\`?`
  throw new ToolRefusal(`Unknown argument \`${first.slice(0, 100)}\`.${meant}`, {
    param: first,
    suggestions: nearest === undefined ? [] : [renamed(named, unknown, names)],
    nextStep:
      nearest === undefined ? `Call again without ${first.slice(0, 100)}. Known: ${names.join(', ')}.` : undefined,
  })
}

/** The call with the names that were probably meant, and without unknown ones. */
function renamed(named: Sent, unknown: readonly string[], names: readonly string[]): Suggestion {
  const meant: Sent = {}
  for (const name of unknown) {
    const nearest = nearestName(name, names)
    if (nearest !== undefined && !Object.hasOwn(named, nearest)) meant[nearest] = named[name]
    meant[name] = null
  }
  return { arguments: meant, note: 'With the known name.' }
}

function checked(tool: Tool, properties: Properties, read: Sent): Sent {
  try {
    return validate(tool.schema, read, 'body') as Sent
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { param, errors } = error.detail
    const [name = '', nth] = param?.split('.') ?? []
    const value = nth === undefined ? allowedIn(properties, name, read) : allowedInside(properties[name], read[name])
    if (value === undefined) throw error
    throw new ToolRefusal(error.message, {
      param: param!,
      suggestions: [{ arguments: { [name]: value }, note: 'The nearest value that is allowed.' }],
      ...(errors && { further: { errors } }),
    })
  }
}

const allowedIn = (properties: Properties, name: string, read: Sent): unknown =>
  name.endsWith('timezone') && typeof read[name] === 'string'
    ? nearestZone(read[name])
    : allowedValue(properties[name], read[name])

/** The probable meaning of a list or an object with a fault inside. */
function allowedInside(property: Properties[string] | undefined, value: unknown): unknown {
  const { items } = (property ?? {}) as { items?: { enum?: string[] } }
  const words = items?.enum
  if (!words || !Array.isArray(value)) return coerceItems(property, value)
  const meant = value.map((item) => (words.includes(item) ? item : allowedValue(items, item)))
  return meant.includes(undefined) ? undefined : [...new Set(meant)]
}

/** The nearest value within the bounds of a number, or the nearest known word. */
function allowedValue(property: Sent | undefined, value: unknown): unknown {
  const { minimum, maximum, enum: words } = (property ?? {}) as { minimum?: number; maximum?: number; enum?: string[] }
  if (typeof value === 'string' && words) return nearestName(value, words)
  if (typeof value !== 'number' || !Number.isInteger(value)) return undefined
  if (maximum !== undefined && value > maximum) return maximum
  return minimum !== undefined && value < minimum ? minimum : undefined
}
