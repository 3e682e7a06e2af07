// A JSON schema as a type of Python. Python has no types in place, so every object becomes a TypedDict with a name.
import type { Schema } from '../../api/openapi/clientOperations.ts'
import { isReserved } from '../../api/openapi/pythonName.ts'
import { isBoolean, isList } from './schemaType.ts'

/** Times that are sent may be written as text, or be a `datetime`. */
type Direction = 'sent' | 'answered'

/** The definitions of one file, in order, and the components that it uses. */
export type Definitions = { texts: string[]; components: Set<string> }

export const openDefinitions = (): Definitions => ({ texts: [], components: new Set() })

export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|[^A-Za-z0-9])([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** `name`: the name of an object, if the schema has one here. */
export function pythonType(schema: Schema, direction: Direction, name: string, made: Definitions): string {
  if (schema.$ref) {
    const component = schema.$ref.split('/').at(-1)!
    made.components.add(component)
    return component
  }
  if (schema.const !== undefined) return literal([schema.const])
  if (schema.enum) return isBoolean(schema) ? 'bool' : literal(schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) {
    const objects = choices.filter(({ properties }) => properties).length
    const types = choices.map((one, nth) => pythonType(one, direction, objects > 1 ? `${name}${nth + 1}` : name, made))
    return [...new Set(types)].join(' | ')
  }
  const types = [schema.type ?? 'unknown'].flat()
  return types.map((type) => plain(type, schema, direction, name, made)).join(' | ')
}

const literal = (values: readonly unknown[]) =>
  `Literal[${values.map((value) => (value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : JSON.stringify(value))).join(', ')}]`

const plainTypes: Record<string, string> = { integer: 'int', number: 'float', boolean: 'bool', null: 'None' }

function plain(type: string, schema: Schema, direction: Direction, name: string, made: Definitions): string {
  const isSent = direction === 'sent'
  if (type === 'array') {
    const item = pythonType(schema.items ?? {}, direction, `${name}Item`, made)
    return `${isSent ? 'Sequence' : 'list'}[${item}]`
  }
  if (type === 'object') return objectOf(schema, direction, name, made)
  if (type === 'string') {
    if (isSent && schema.format === 'date-time') return 'Moment'
    return isList(schema) ? 'str | Sequence[str]' : 'str'
  }
  return plainTypes[type] ?? 'Any'
}

function objectOf(schema: Schema, direction: Direction, name: string, made: Definitions): string {
  const { properties = {}, required = [], additionalProperties: more } = schema
  if (Object.keys(properties).length === 0) {
    const value = typeof more === 'object' ? pythonType(more, direction, `${name}Value`, made) : 'Any'
    return `${direction === 'sent' ? 'Mapping' : 'dict'}[str, ${value}]`
  }
  const fields = Object.entries(properties).map(([field, property]) => ({
    field,
    description: property.description,
    type: pythonType(property, direction, `${name}${pascalCase(field)}`, made),
    isRequired: required.includes(field),
  }))
  made.texts.push(typedDict(name, fields, schema.description))
  return name
}

type Field = { field: string; description?: string | undefined; type: string; isRequired: boolean }

/** A class, or a call where the name of a field is a word of Python. */
function typedDict(name: string, fields: readonly Field[], description?: string): string {
  const typeOf = ({ type, isRequired }: Field) => (isRequired ? type : `NotRequired[${type}]`)
  if (fields.some(({ field }) => isReserved(field))) {
    const rows = fields.map((one) => `${comment(one)}    "${one.field}": "${typeOf(one).replaceAll('"', "'")}",\n`)
    return `${name} = TypedDict("${name}", {\n${rows.join('')}})\n`
  }
  const rows = fields.map((one) => `${comment(one)}    ${one.field}: ${typeOf(one)}\n`)
  return `class ${name}(TypedDict):\n${docstring(description, '    ')}${rows.join('')}`
}

export const comment = ({ description }: Pick<Field, 'description'>): string =>
  (description ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => `    #: ${line}\n`)
    .join('')

export function docstring(text: string | undefined, indent: string): string {
  if (!text) return ''
  const lines = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').trim().split('\n')
  if (lines.length === 1 && !lines[0]!.endsWith('"')) return `${indent}"""${lines[0]}"""\n`
  return `${indent}"""${lines.map((line, nth) => (nth === 0 ? line : `${indent}${line}`.trimEnd())).join('\n')}\n${indent}"""\n`
}
