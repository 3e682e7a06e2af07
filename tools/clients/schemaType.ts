// A JSON schema as a type of TypeScript.
import type { Schema } from '../../api/openapi/clientOperations.ts'

/** Times that are sent may be written as text, or be a `Date` or a value of Temporal. */
type Direction = 'sent' | 'answered'

/** `names`: gets the name of each component that is used. */
export function typeOf(schema: Schema, direction: Direction, names: Set<string>, indent = ''): string {
  const inner = (one: Schema) => typeOf(one, direction, names, indent)
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1)!
    names.add(name)
    return name
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return isBoolean(schema) ? 'boolean' : schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(inner))].join(' | ')
  if (schema.allOf) return schema.allOf.map((one) => `(${inner(one)})`).join(' & ')
  const types = [schema.type ?? 'unknown'].flat()
  return types.map((type) => plain(type, schema, direction, names, indent)).join(' | ')
}

/** As a query has it: `true` or `false`. */
export const isBoolean = ({ enum: values }: Schema): boolean =>
  values?.length === 2 && values.includes('true') && values.includes('false')

/** A text with commas may be sent as a list. */
export const isList = ({ type, pattern }: Schema): boolean => type === 'string' && pattern?.includes(',') === true

function plain(type: string, schema: Schema, direction: Direction, names: Set<string>, indent: string): string {
  if (type === 'array') {
    const item = typeOf(schema.items ?? {}, direction, names, indent)
    return /^[\w.]+$/.test(item) ? `${item}[]` : `(${item})[]`
  }
  if (type === 'object') return objectOf(schema, direction, names, indent)
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string') {
    if (direction === 'sent' && schema.format === 'date-time') return 'Moment'
    return isList(schema) ? 'string | readonly string[]' : 'string'
  }
  return type === 'boolean' || type === 'null' ? type : 'unknown'
}

function objectOf(schema: Schema, direction: Direction, names: Set<string>, indent: string): string {
  const { properties = {}, required = [], additionalProperties: more } = schema
  if (Object.keys(properties).length === 0) {
    const value = typeof more === 'object' ? typeOf(more, direction, names, indent) : 'unknown'
    return `Record<string, ${value}>`
  }
  const deeper = `${indent}  `
  const lines = Object.entries(properties).map(([name, property]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${comment(property, deeper)}${deeper}${keyOf(name)}${mark}: ${typeOf(property, direction, names, deeper)}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

export const keyOf = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))

/** The comment above a property or a method; empty if there is nothing to say. */
export function comment(
  { description, deprecated }: Pick<Schema, 'description' | 'deprecated'>,
  indent: string,
): string {
  const lines = (description ?? '').replaceAll('*/', '* /').split('\n')
  if (deprecated) lines.push('@deprecated')
  const said = lines.join('\n').trim().split('\n')
  if (said.join('') === '') return ''
  if (said.length === 1) return `${indent}/** ${said[0]} */\n`
  return `${indent}/**\n${said.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}
