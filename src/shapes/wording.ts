// The refusal of a value that breaks a rule of its schema: in words that state the expected form. A schema's own message goes
// first.
import type { z } from 'zod'

type RawIssue<Code extends z.core.$ZodIssue['code']> = Extract<z.core.$ZodRawIssue, { code: Code }>

/** To be passed to `safeParse` as `error`. Reads after the name of the field: `type: must be ai, human or resource`. */
export const inPlainWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'unrecognized_keys':
      return 'is not a known field here'
    case 'invalid_key':
      return issue.issues[0]?.message
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${kinds[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : `must be ${choice(issue.values.map(String))}`
    default:
      return 'is not valid here'
  }
}

/** Where the field is that broke the rule; of one that is not known, its own place. */
export const pathOf = (issue: z.core.$ZodIssue): PropertyKey[] =>
  issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]!] : issue.path

const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const choice = (values: readonly string[]): string =>
  values.length < 2 ? values.join() : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`

function tooSmall({ origin, minimum, inclusive = true }: RawIssue<'too_small'>): string {
  const unit = unitOf(origin, minimum)
  if (!unit) return inclusive ? `must be at least ${minimum}` : `must be more than ${minimum}`
  return minimum === 1 ? 'must not be empty' : `must have at least ${minimum} ${unit}`
}

function tooBig({ origin, maximum, inclusive = true }: RawIssue<'too_big'>): string {
  const unit = unitOf(origin, maximum)
  if (!unit) return inclusive ? `must be at most ${maximum}` : `must be less than ${maximum}`
  return `must have at most ${maximum} ${unit}`
}

/** The unit of the length of a string or list; numbers have none. */
function unitOf(origin: string, length: number | bigint): string | undefined {
  if (origin === 'string') return length === 1 ? 'character' : 'characters'
  if (origin === 'array') return length === 1 ? 'item' : 'items'
  return undefined
}
