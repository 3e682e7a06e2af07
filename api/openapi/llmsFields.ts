// The input of an endpoint in one line each, for models: names, `*` where one is required, and types.
import { z } from 'zod'
import type { Route } from '../http/route.ts'

type Schema = { [key: string]: unknown }
type Fields = { properties?: Record<string, Schema>; required?: string[] }

/** The lines of a route; none if it takes nothing. The ids of its path stand in its heading. */
export const inputLines = ({ query, body }: Pick<Route, 'query' | 'body'>): string[] =>
  [
    ['Query', query],
    ['Body', body],
  ].flatMap(([place, schema]) => {
    const fields = schema ? fieldsOf(schema as z.ZodType) : []
    // Every value of an address is a text.
    const shown = place === 'Query' ? fields.map((field) => field.replace(/ string$/, '')) : fields
    return shown.length > 0 ? [`${place}: ${shown.join('; ')}.`] : []
  })

function fieldsOf(schema: z.ZodType): string[] {
  const whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema
  const definitions = (whole.$defs ?? {}) as Record<string, Schema>
  const { properties = {}, required = [] } = resolved(whole, definitions) as Fields
  return Object.entries(properties).map(([name, field]) => {
    const type = typeOf(field, definitions)
    return `\`${name}\`${required.includes(name) ? '*' : ''}${type && ` ${type}`}`
  })
}

const resolved = (schema: Schema, definitions: Record<string, Schema>): Schema => {
  const { $ref } = schema
  return typeof $ref === 'string' ? resolved(definitions[$ref.split('/').at(-1)!] ?? {}, definitions) : schema
}

/** `string`, `ai | human | resource`, `[string]`, `{start*, end*}`; empty for any value. */
function typeOf(sent: Schema, definitions: Record<string, Schema>): string {
  const schema = resolved(sent, definitions)
  const { type, enum: words, anyOf, items, properties, required = [] } = schema as Schema & Fields
  if (Array.isArray(words)) return words.join(' | ')
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map((one) => typeOf(one as Schema, definitions)))].join(' | ')
  if (type === 'array') return `[${typeOf((items ?? {}) as Schema, definitions)}]`
  if (type === 'object' && properties) {
    return `{${Object.keys(properties)
      .map((name) => name + (required.includes(name) ? '*' : ''))
      .join(', ')}}`
  }
  return schema.format === 'date-time' ? 'datetime' : [type].flat().join(' | ')
}
