// Schemas of arguments as models see them: JSON Schema 2020-12 without references, because model APIs refuse those, and
// without the lengths of texts, which cost tokens and do not help.
import { z } from 'zod'

type Schema = { [key: string]: unknown }

const dropped = new Set([
  '$schema',
  '$defs',
  'id',
  'example',
  'examples',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'title',
])

export function jsonSchemaOf(schema: z.ZodObject): Schema {
  const full = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema
  return stripped(full, (full.$defs ?? {}) as Record<string, Schema>) as Schema
}

function stripped(value: unknown, definitions: Record<string, Schema>): unknown {
  if (Array.isArray(value)) return value.map((item) => stripped(item, definitions))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, properties, override, ...rest } = value as Schema
  // Our own schemas describe themselves, because their checks are code.
  if (override !== undefined) return stripped({ ...rest, ...(override as Schema) }, definitions)
  if (typeof $ref === 'string') return stripped({ ...definitions[$ref.split('/').at(-1)!], ...rest }, definitions)
  const own = Object.entries(rest).filter(([key, item]) => !dropped.has(key) && !saysNothing(key, item))
  const result = withoutUnion(Object.fromEntries(own.map(([key, item]) => [key, stripped(item, definitions)])))
  if (properties === undefined) return result
  // The names of properties are not keywords.
  const fields = Object.entries(properties as Schema).map(([name, field]) => [name, stripped(field, definitions)])
  return { ...result, ...fieldsAs(fields as [string, unknown][]) }
}

/** Further fields: unknown ones are refused by name, and old names are accepted. */
const saysNothing = (key: string, item: unknown): boolean =>
  item === Number.MAX_SAFE_INTEGER || item === '' || (key === 'additionalProperties' && typeof item === 'boolean')

/** Something or null, in one schema. */
function withoutUnion(schema: Schema): Schema {
  const { anyOf, ...rest } = schema
  const [some, none] = Array.isArray(anyOf) ? (anyOf as Schema[]) : []
  if (!some || none?.type !== 'null' || typeof some.type !== 'string') return schema
  return { ...rest, ...some, type: [some.type, 'null'] }
}

/** Fields that are all alike, as the days of a week, are written once. */
function fieldsAs(fields: readonly [string, unknown][]): Schema {
  const [first, ...others] = fields.map(([, field]) => JSON.stringify(field))
  const areAlike = others.length > 4 && others.every((other) => other === first)
  if (!areAlike) return { properties: Object.fromEntries(fields) }
  return { propertyNames: { type: 'string', enum: fields.map(([name]) => name) }, additionalProperties: fields[0]![1] }
}

export const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
