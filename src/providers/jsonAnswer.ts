// Answers in JSON, of which only the wanted fields are kept. `readJson` runs in the thread that reads bytes from outside. Pure.
import type { z } from 'zod'
import type { Reading } from '../foreign/reading.ts'

/** The kept part of a value: itself if it is no object and no list; the named fields; every item of a list; every field. */
export type Fields = 'plain' | { fields: Record<string, Fields> } | { items: Fields } | { each: Fields }

type JsonAnswer = { kind: 'json'; value: unknown } | { kind: 'malformed' } | { kind: 'too_large' }

/** The process takes over the kept fields. */
const maxValues = 100_000
const maxTextLength = 64 * 1024

/** So few bytes take a few milliseconds at most, whatever they say. */
export const jsonReading: Reading<Fields, JsonAnswer> = {
  module: import.meta.url,
  name: 'readJson',
  atOnceBelow: 16 * 1024,
}

class TooLarge extends Error {}

export function readJson(bytes: Uint8Array, fields: Fields): JsonAnswer {
  let left = maxValues
  const keep = (value: unknown, fields: Fields): unknown => {
    if (--left < 0 || (typeof value === 'string' && value.length > maxTextLength)) throw new TooLarge()
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) {
      return isObject(fields) && 'items' in fields ? value.map((item) => keep(item, fields.items)) : []
    }
    if (!isObject(fields) || 'items' in fields) return {}
    const entries = Object.entries(value)
    const kept = 'each' in fields ? entries : entries.filter(([name]) => Object.hasOwn(fields.fields, name))
    return Object.fromEntries(
      kept.map(([name, child]) => [name, keep(child, 'each' in fields ? fields.each : fields.fields[name]!)]),
    )
  }
  try {
    return { kind: 'json', value: keep(JSON.parse(Buffer.from(bytes).toString('utf8')), fields) }
  } catch (error) {
    return { kind: error instanceof TooLarge ? 'too_large' : 'malformed' }
  }
}

const isObject = (fields: Fields): fields is Exclude<Fields, string> => typeof fields === 'object'

/** Those that a schema names. */
export function fieldsOf(schema: z.core.$ZodType): Fields {
  const { def } = schema._zod as { def: Partial<Wrapped> }
  if (def.innerType) return fieldsOf(def.innerType)
  if (def.element) return { items: fieldsOf(def.element) }
  if (!def.shape) return 'plain'
  return { fields: Object.fromEntries(Object.entries(def.shape).map(([name, field]) => [name, fieldsOf(field)])) }
}

/** The inner schemas of a zod schema: of optionals, lists and objects. */
type Wrapped = {
  innerType: z.core.$ZodType
  element: z.core.$ZodType
  shape: Record<string, z.core.$ZodType>
}
