// Reads the texts of a command line.
import type { OptionSpec } from './commandSpec.ts'
import { UsageError } from './failures.ts'

export function readValue(option: OptionSpec, text: string | boolean): unknown {
  const { kind, flag, isNullable, choices } = option
  if (isNullable && text === 'null') return null
  if (kind === 'boolean') return booleanOf(flag, text)
  const given = String(text)
  if (kind === 'number') return numberOf(flag, given)
  if (kind === 'list') return itemsOf(given).map((item) => chosen(flag, item, choices))
  if (kind === 'numbers') return itemsOf(given).map((item) => numberOf(flag, item))
  if (kind === 'json') return jsonOf(`--${flag}`, given)
  return chosen(flag, given, choices)
}

function booleanOf(flag: string, text: string | boolean): boolean {
  if (text === true || text === 'true') return true
  if (text === 'false') return false
  throw new UsageError(`--${flag} is true or false.`)
}

function numberOf(flag: string, text: string): number {
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new UsageError(`--${flag} takes numbers, not ${JSON.stringify(text)}.`)
  return Number(text)
}

function chosen(flag: string, text: string, choices: readonly string[] | undefined): string {
  if (!choices || choices.includes(text)) return text
  throw new UsageError(`--${flag} is one of ${choices.join(', ')}, not ${JSON.stringify(text)}.`)
}

/** An empty text is an empty list. */
const itemsOf = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

export function jsonOf(what: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${what} is not JSON: ${(error as Error).message}`)
  }
}
