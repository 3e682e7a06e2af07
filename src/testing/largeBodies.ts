// Bodies of the largest size, in each shape that a route could be sent.
import { z } from 'zod'
import type { Route } from '../../api/http/route.ts'

const size = 256 * 1024 - 200

/** `reader`: the part of the service that has the work with it. Where that is the same, one route stands for all. */
type LargeBody = { shape: string; contentType: string; text: string; reader: unknown }

/** `piece` of 0, 1, 2 …, as many as there is room for. */
function fill(piece: (nth: number) => string, between: string): string {
  const pieces: string[] = []
  for (let nth = 0, left = size; ; nth++) {
    const next = piece(nth)
    left -= next.length + between.length
    if (left < 0) return pieces.join(between)
    pieces.push(next)
  }
}

const named = (nth: number) => `a${nth.toString(36)}`
const longName = 'n'.repeat(4_000)
const repeated = (text: string) => text.repeat(Math.floor(size / text.length))
const nested = (open: string, core: string, close: string, levels = Math.floor(size / (open + close).length)) =>
  open.repeat(levels) + core + close.repeat(levels)

type Shapes = Record<string, string>

const texts: Shapes = {
  'a long text': `"${repeated('x')}"`,
  'spaces and digits': `"${repeated(' 1')}"`,
}
const numbers: Shapes = { 'a long number': repeated('1') }
const wholes: Shapes = {
  'deep lists': nested('[', '', ']'),
  'numbers in a list': `[${fill(() => '1', ',')}]`,
}
const lists: Shapes = {
  'texts in a list': `[${fill((nth) => `"${named(nth)}"`, ',')}]`,
  'objects in a list': `[${fill(() => '{}', ',')}]`,
}
const objects: Shapes = {
  'long names in each other': nested(`{"${longName}":`, '1', '}', 60),
  'many objects': `{${fill((nth) => `"${named(nth)}":{}`, ',')}}`,
  'one field many times': `{${fill(() => '"a":1', ',')}}`,
  'long names': `{${fill((nth) => `"${longName}${named(nth)}":1`, ',')}}`,
}
const forms: Shapes = {
  'many fields': fill((nth) => `${named(nth)}=`, '&'),
  'many nested fields': fill((nth) => `a.${named(nth)}=`, '&'),
  'many objects': fill((nth) => `${named(nth).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!)}.a=`, '&'),
  'one field many times': fill(() => 'a=', '&'),
  'one nested field many times': fill(() => 'a.b=', '&'),
  'long names': fill((nth) => `${longName}${named(nth)}=`, '&'),
  'escapes alone': `a=${repeated('%41')}`,
}

/** JSON as the whole body, and in each field that the route takes, what its type leads one to send; forms where it takes them. */
export function largeBodies(route: Route): LargeBody[] {
  const { body, form } = route
  const schema = body && (z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Schema)
  const fields = schema ? Object.entries(propertiesOf(schema)) : []
  const contentType = 'application/json'
  const json = [
    // No object: refused as soon as it is parsed.
    ...Object.entries({ ...wholes, ...texts, ...numbers, ...lists }).map(([shape, text]) => ({
      ...{ shape, contentType, text },
      reader: `the parser, ${shape}, ${form}`,
    })),
    ...Object.entries(objects).map(([shape, text]) => ({ shape, contentType, text, reader: route })),
    ...fields.flatMap(([name, field]) =>
      Object.entries(shapesOf(field)).map(([shape, text]) => ({
        ...{ shape: `${name}: ${shape}`, contentType, text: `{"${name}":${text}}` },
        reader: fieldOf(body, name),
      })),
    ),
  ]
  if (!form) return json
  const ofForms = Object.entries(forms).map(([shape, text]) => ({ shape: `a form, ${shape}`, text, reader: route }))
  return [...json, ...ofForms.map((one) => ({ ...one, contentType: 'application/x-www-form-urlencoded' }))]
}

/** The schema of a field, which is the same one wherever it is used; of a body of several forms, the body. */
function fieldOf(body: unknown, name: string): unknown {
  let field = body instanceof z.ZodObject ? body.shape[name] : body
  while (field instanceof z.ZodOptional || field instanceof z.ZodNullable || field instanceof z.ZodDefault)
    field = field.unwrap()
  return field
}

type Schema = { [key in 'anyOf' | 'oneOf' | 'allOf']?: Schema[] } & {
  type?: string
  example?: unknown
  properties?: Record<string, Schema>
  items?: Schema
  enum?: unknown[]
}

const partsOf = (schema: Schema): Schema[] => [
  schema,
  ...[schema.anyOf, schema.oneOf, schema.allOf].flatMap((parts) => parts?.flatMap(partsOf) ?? []),
]

const propertiesOf = (schema: Schema): Record<string, Schema> =>
  Object.assign({}, ...partsOf(schema).map(({ properties }) => properties))

const byType: Record<string, Shapes> = {
  string: texts,
  number: numbers,
  integer: numbers,
  array: lists,
  object: objects,
}

function shapesOf(schema: Schema): Shapes {
  const types = partsOf(schema).flatMap(({ type }) => type ?? [])
  const items = partsOf(schema).find((part) => part.items)?.items
  const valid = items && JSON.stringify(exampleOf(items))
  return {
    ...(types.length === 0
      ? { ...texts, ...lists, ...objects }
      : Object.assign({}, ...types.map((one) => byType[one]))),
    ...(valid && { 'valid items in a list': `[${fill(() => valid, ',')}]` }),
  }
}

function exampleOf(schema: Schema): unknown {
  if (schema.example !== undefined) return schema.example
  if (schema.enum) return schema.enum[0]
  const properties = Object.entries(propertiesOf(schema))
  return properties.length === 0 ? 'x' : Object.fromEntries(properties.map(([name, one]) => [name, exampleOf(one)]))
}
