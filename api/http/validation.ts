// Checks input against its schema; a refusal names everything that is wrong with it.
import type { z } from 'zod'
import { ServiceError } from '../../src/errors.ts'
import type { ErrorCode } from '../../src/shapes/errorTypes.ts'
import { inPlainWords } from '../../src/shapes/wording.ts'
import { nearestName } from './nearest.ts'

type InputPart = 'body' | 'query' | 'path'
type Hints = { code?: ErrorCode; suggestions?: readonly string[] }
/** `meant`: the field that an unknown one probably stands for. */
type Fault = Hints & { param: string | null; message: string; meant?: string | undefined }

/** A refusal names at most this many faults. */
const maxFaults = 100

/** `message` and `param` of the refusal are those of the first fault; `errors` lists all if there are several. */
export function validate(schema: z.ZodType, input: unknown, part: InputPart): unknown {
  const parsed = schema.safeParse(input, { error: inPlainWords })
  if (parsed.success) return parsed.data
  const all = parsed.error.issues.slice(0, maxFaults).flatMap((issue) => faultsOf(schema, issue, input, part))
  // Only the first fault of each field.
  const isFirst = ({ param }: Fault, at: number) => all.findIndex((other) => other.param === param) === at
  const faults = all.slice(0, maxFaults).filter(isFirst).map(withSent(all))
  const [{ message, meant: _, ...detail }] = faults as [Fault]
  const errors = faults.map((fault) => ({ param: fault.param, message: fault.message }))
  throw new ServiceError('validation_error', message, faults.length < 2 ? detail : { ...detail, errors })
}

function faultsOf(schema: z.ZodType, issue: z.core.$ZodIssue, input: unknown, part: InputPart): Fault[] {
  if (issue.code === 'unrecognized_keys') {
    const known = fieldsAt(schema, issue.path)
    return issue.keys.slice(0, maxFaults).map((key) => unknownField(issue.path, key, known, part))
  }
  const inForm = issue.code === 'invalid_union' ? formSent(issue.errors, valueAt(input, issue.path)) : undefined
  if (inForm) {
    const inside = inForm.map((one) => ({ ...one, path: [...issue.path, ...one.path] }))
    return inside.flatMap((one) => faultsOf(schema, one, input, part))
  }
  const param = issue.path.length > 0 ? issue.path.join('.') : null
  return [{ param, message: messageOf(issue, param, input, part), ...hintsOf(issue) }]
}

/** Of an object, or a list of objects, that may have several forms: the faults of the one that was sent. */
function formSent(forms: readonly z.core.$ZodIssue[][], value: unknown): z.core.$ZodIssue[] | undefined {
  if (![value].flat().every((one) => typeof one === 'object' && one !== null)) return undefined
  // The other forms are wrong as a whole.
  const sent = forms.filter((issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0))
  return sent.length === 1 ? sent[0] : undefined
}

/** A field that is missing because it was misspelt says so: the first message alone shows the cause. */
const withSent =
  (all: readonly Fault[]) =>
  (fault: Fault): Fault => {
    const sent = fault.message === `${fault.param}: is required` && all.find(({ meant }) => meant === fault.param)
    return sent ? { ...fault, message: `${fault.message}; you sent \`${sent.param}\`` } : fault
  }

/** Details that our own schemas add to the message. */
const hintsOf = (issue: z.core.$ZodIssue): Hints => (issue.code === 'custom' && issue.params) || {}

function messageOf(issue: z.core.$ZodIssue, param: string | null, input: unknown, part: InputPart) {
  const { code, path, message } = issue
  if (param === null) return code === 'invalid_type' ? `The ${part} must be a JSON object.` : `The ${part}: ${message}`
  const isRepeated = part === 'query' && Array.isArray((input as Record<string, unknown>)[String(path[0])])
  if (isRepeated) return `${param}: is given more than once`
  return `${param}: ${(code === 'invalid_value' && notOneOf(issue.values.map(String), valueAt(input, path))) || message}`
}

/** More values than this are not listed in a message. */
const maxListed = 10

function notOneOf(values: readonly string[], sent: unknown): string | undefined {
  if (values.length <= maxListed || typeof sent !== 'string') return undefined
  const nearest = nearestName(sent, values)
  const hint = nearest === undefined ? '' : ` Did you mean \`${nearest}\`?`
  return `\`${sent.slice(0, 100)}\` is not known here.${hint} The ${values.length} values are at /docs/reference.`
}

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], input)

function unknownField(path: PropertyKey[], key: string, known: readonly string[], part: InputPart): Fault {
  const param = [...path, key].join('.')
  const nearest = nearestName(key, known)
  const noun = part === 'query' ? 'query parameter' : 'field'
  const hint = nearest === undefined ? '' : ` Did you mean \`${nearest}\`?`
  const meant = nearest === undefined ? undefined : [...path, nearest].join('.')
  return { param, message: `Unknown ${noun} \`${param.slice(0, 100)}\`.${hint}`, meant }
}

/** The field names of the object at `path` inside `schema`. */
function fieldsAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const { def } = schema._zod as { def: { type: string } & Partial<Wrapped> }
  if (def.innerType) return fieldsAt(def.innerType, path)
  if (def.in) return fieldsAt(def.in, path)
  if (def.options) return [...new Set(def.options.flatMap((option) => fieldsAt(option, path)))]
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
  options: z.core.$ZodType[]
  shape: Record<string, z.core.$ZodType>
}
