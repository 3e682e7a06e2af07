// Refuses values that cannot be stored unchanged (NUL, lone surrogates, numbers that a double changes), and excessive nesting.
import { invalid } from '../../src/errors.ts'
import { InexactNumber } from '../../src/shapes/exactNumbers.ts'

const maxDepth = 64

/** The path of a value. It becomes a text only for a refusal. */
type Path = (string | number)[]

export const requireStorable = (body: unknown): void => walk(body, [])

/** The limit of depth keeps the recursion short. */
function walk(value: unknown, path: Path): void {
  if (typeof value === 'string') requireText(value, path)
  else if (value instanceof InexactNumber || value === Infinity || value === -Infinity) {
    throw inexact(path.join('.') || null)
  } else if (typeof value === 'object' && value !== null) {
    if (path.length >= maxDepth) {
      throw invalid(`The body is nested deeper than ${maxDepth} levels.`, String(path[0]).split('.')[0] || null)
    }
    if (Array.isArray(value)) for (let at = 0; at < value.length; at++) step(value[at], at, path)
    else
      for (const [key, child] of Object.entries(value)) {
        requireText(key, path)
        step(child, key, path)
      }
  }
}

function step(child: unknown, key: string | number, path: Path): void {
  path.push(key)
  walk(child, path)
  path.pop()
}

function requireText(text: string, path: Path): void {
  if (!isStorable(text)) requireStorableText(text, path.join('.') || null)
}

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

const inexact = (param: string | null) =>
  invalid(
    `${param ?? 'The body'}: this number cannot be kept exactly. Send it with fewer digits, or as a string.`,
    param,
  )

export function requireStorableText(text: string, param: string | null): void {
  if (!isStorable(text)) {
    throw invalid(`${param ?? 'The body'}: text must not hold NUL characters or lone surrogates`, param)
  }
}
