// Where a command writes: results to standard output, everything else to standard error.
import { clean, cleanJson } from './clean.ts'
import { asText } from './show.ts'

export type Global = { json?: boolean; url?: string }

/** Unsafe characters are removed from every text. */
export const print = (text: string): boolean => process.stdout.write(`${clean(text)}\n`)

/** For people; it never mixes with a result that is piped on. */
export const say = (text: string): boolean => process.stderr.write(`${clean(text)}\n`)

/** Overwrites itself, and only on a terminal. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${clean(text)}`)
}

export function printResult(value: unknown, { json }: Global, nothing: string): void {
  if (json) print(cleanJson(value ?? null))
  else print(asText(value) ?? nothing)
}
