// The fields of a twin's body as arguments of a tool: its own schemas, except that times are texts, which the tool reads.
import { z } from 'zod'
import type { Route } from '../../http/route.ts'

const isTime = (schema: z.ZodType): boolean => schema.meta()?.format === 'date-time'

/** The body of a route, field by field. */
const bodyOf = ({ body }: Route): z.ZodObject => (body instanceof z.ZodPipe ? body.in : body) as z.ZodObject

/** Whether the first name of a path is a field of the route's body. */
export const isInBody = (route: Route, path: string): boolean =>
  route.body !== undefined && Object.hasOwn(bodyOf(route).shape, path.split('.')[0]!)

/** `isBrief`: without the descriptions, which cost tokens. */
export function fieldsOf(route: Route, isBrief = false): z.ZodRawShape {
  const { metadata, ...shape } = shapeOf(bodyOf(route).shape) as Record<string, z.ZodType>
  const fields = isBrief ? Object.entries(shape).map(([name, field]) => [name, withoutWords(field)]) : []
  return {
    ...shape,
    ...Object.fromEntries(fields),
    ...(metadata && { metadata: withoutWords(metadata) }),
  }
}

/** Those that a list of tools shows, and those that a tool takes beside them: the list must be small. */
export function splitFields(
  fields: z.ZodRawShape,
  unlisted: readonly string[],
): [listed: z.ZodRawShape, further: z.ZodRawShape] {
  const only = (isFurther: boolean): z.ZodRawShape =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => unlisted.includes(name) === isFurther))
  return [only(false), only(true)]
}

export const withoutWords = <T extends z.ZodType>(schema: T): T => schema.meta({ description: '' })

const shapeOf = (shape: Readonly<Record<string, unknown>>): z.ZodRawShape =>
  Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, withTextTimes(field as z.ZodType)]))

function withTextTimes(schema: z.ZodType): z.ZodType {
  if (isTime(schema)) return schema instanceof z.ZodOptional ? z.string().optional() : z.string()
  if (schema instanceof z.ZodOptional) return withForm(withTextTimes(schema.unwrap() as z.ZodType).optional(), schema)
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodObject) {
    return schema.clone({ ...schema.def, element: withTextTimes(schema.element) } as never)
  }
  return schema instanceof z.ZodObject && hasTimes(schema) ? z.strictObject(shapeOf(schema.shape)) : schema
}

/** The described form of an optional field, without its description. Its check is code. */
function withForm(field: z.ZodType, optional: z.ZodType): z.ZodType {
  const { override } = optional.meta() ?? {}
  return override === undefined ? field : field.meta({ override })
}

const hasTimes = ({ shape }: z.ZodObject): boolean =>
  Object.values(shape).some((field) => isTime(field as z.ZodType) || isTime(unwrapped(field as z.ZodType)))

const unwrapped = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema

/** Reads the text of a time; `path` is its place: `slots.0.start_time`. */
type Read = (text: string, path: string) => string

/** The body with its times read. */
export const withTimesRead = (route: Route, body: Record<string, unknown>, read: Read): Record<string, unknown> =>
  inFields(bodyOf(route), body, '', read)

function inFields(schema: z.ZodObject, value: Record<string, unknown>, path: string, read: Read) {
  const fields = Object.entries(value).map(([name, one]) => {
    const field = schema.shape[name] as z.ZodType | undefined
    return [name, field ? inField(field, one, path + name, read) : one]
  })
  return Object.fromEntries(fields) as Record<string, unknown>
}

function inField(schema: z.ZodType, value: unknown, path: string, read: Read): unknown {
  if (typeof value === 'string') return isTime(schema) || isTime(unwrapped(schema)) ? read(value, path) : value
  const inner = unwrapped(schema)
  if (Array.isArray(value) && inner instanceof z.ZodArray) {
    return value.map((one, nth) => inField(inner.element as z.ZodType, one, `${path}.${nth}`, read))
  }
  if (typeof value !== 'object' || value === null || !(inner instanceof z.ZodObject)) return value
  return inFields(inner, value as Record<string, unknown>, `${path}.`, read)
}
