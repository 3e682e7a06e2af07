// Checks input against its schema; a refusal names everything that is wrong with it.
import type { z } from 'zod'
import { ServiceError } from '../../src/errors.ts'
import type { ErrorCode } from '../../src/shapes/errorTypes.ts'
import { inPlainWords } from '../../src/shapes/wording.ts'
import { nearestName } from './nearest.ts'

type Place = 'body' | 'query' | 'path'
type Hints = { code?: ErrorCode; suggestions?: readonly string[] }
type Fault = Hints & { param: string | null; message: string }

/** A refusal names at most this many faults. */
const maxFaults = 100

/** `message` and `param` of the refusal are those of the first fault; `errors` lists all if there are several. */
export function validate(schema: z.ZodType, input: unknown, place: Place): unknown {
  const parsed = schema.safeParse(input, { error: inPlainWords })
  if (parsed.success) return parsed.data
  const all = parsed.error.issues.slice(0, maxFaults).flatMap((issue) => faultsOf(schema, issue, input, place))
  // Only the first fault of each field.
  const isFirst = ({ param }: Fault, at: number) => all.findIndex((other) => other.param === param) === at
  const faults = all.slice(0, maxFaults).filter(isFirst)
  const [{ message, ...detail }] = faults as [Fault]
  const errors = faults.map((fault) => ({ param: fault.param, message: fault.message }))
  throw new ServiceError('validation_error', message, faults.length < 2 ? detail : { ...detail, errors })
}

function faultsOf(schema: z.ZodType, issue: z.core.$ZodIssue, input: unknown, place: Place): Fault[] {
  if (issue.code === 'unrecognized_keys') {
    const known = fieldsAt(schema, issue.path)
    return issue.keys.slice(0, maxFaults).map((key) => unknownField([...issue.path, key].join('.'), key, known, place))
  }
  const param = issue.path.length > 0 ? issue.path.join('.') : null
  return [{ param, message: messageOf(issue, param, input, place), ...hintsOf(issue) }]
}

/** What a schema of our own says beside the message. */
const hintsOf = (issue: z.core.$ZodIssue): Hints => (issue.code === 'custom' && issue.params) || {}

function messageOf({ code, path, message }: z.core.$ZodIssue, param: string | null, input: unknown, place: Place) {
  if (param === null)
    return code === 'invalid_type' ? `The ${place} must be a JSON object.` : `The ${place}: ${message}`
  const isRepeated = place === 'query' && Array.isArray((input as Record<string, unknown>)[String(path[0])])
  return `${param}: ${isRepeated ? 'is given more than once' : message}`
}

function unknownField(param: string, key: string, known: readonly string[], place: Place): Fault {
  const nearest = nearestName(key, known)
  const noun = place === 'query' ? 'query parameter' : 'field'
  const hint = nearest === undefined ? '' : ` Did you mean \`${nearest}\`?`
  return { param, message: `Unknown ${noun} \`${param.slice(0, 100)}\`.${hint}` }
}

/** The field names of the object at `path` inside `schema`. */
function fieldsAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const { def } = schema._zod as { def: { type: string } & Partial<Wrapped> }
  if (def.innerType) return fieldsAt(def.innerType, path)
  if (def.in) return fieldsAt(def.in, path)
  if (def.element) return fieldsAt(def.element, path.slice(1))
  const { shape } = def
  if (!shape) return []
  const [name, ...rest] = path
  if (name === undefined) return Object.keys(shape)
  const field = shape[String(name)]
  return field ? fieldsAt(field, rest) : []
}

/** The inner schemas of a zod schema: of optionals, pipes, arrays and objects. */
type Wrapped = {
  innerType: z.core.$ZodType
  in: z.core.$ZodType
  element: z.core.$ZodType
  shape: Record<string, z.core.$ZodType>
}
