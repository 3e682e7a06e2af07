// A command of the operator's tools, and its input: the doors of the service, and the words of the command
// line.
import type { z } from 'zod'
import type { RequestContext } from '../../src/actors/actor.ts'
import type { App } from '../../src/app.ts'
import { encodeId, newId } from '../../src/shapes/ids.ts'
import { pathOf } from '../../src/shapes/wording.ts'

/** By the name of each option: its help text, and the name of its value (without one it is a switch). */
type Options = Record<string, { what: string; takes?: string; many?: true }>

export type Given = {
  words: string[]
  options: Record<string, string | boolean | string[] | undefined>
}

type Answer = {
  /** The output of `--json`. */
  json: unknown
  text: string
  /** The command ran and found that something is wrong. */
  isWrong?: boolean
}

export type Tools = {
  app: App
  /** Reports progress, on the standard error output: the standard output is for the answer. */
  progress(line: string): void
  /** Aborted by Ctrl-C: a long command ends after its current step. */
  stopped: AbortSignal
}

export type Command = {
  /** `orgs plan` */
  name: string
  /** `<org_…> <plan>` */
  words?: string
  what: string
  more?: string
  options?: Options
  /** It cannot work without Redis. */
  needsRedis?: true
  run(tools: Tools, given: Given): Promise<Answer>
}

/** A mistake in the command line; the help of the command shows the right form. */
export class UsageError extends Error {}

export function requireWord({ words }: Given, nth: number, what: string): string {
  const word = words[nth]
  if (!word) throw new UsageError(`Which ${what}?`)
  return word
}

/** The fault of a value, by its name. */
export function refusalOf({ issues }: z.ZodError, noun = 'the value'): string {
  const issue = issues[0]!
  return `${pathOf(issue).join(' ') || noun}: ${issue.message}`
}

/** A whole number up to `max`, or `usual` if the option was not given. */
export function numberOption({ options }: Given, name: string, usual: number, max: number): number {
  const text = options[name]
  if (text === undefined) return usual
  const number = Number(text)
  if (!/^\d{1,9}$/.test(String(text)) || number > max) {
    throw new UsageError(`--${name}: expected a whole number up to ${max}`)
  }
  return number
}

/** In the audit log, a command of an operator appears in the place of a request. */
export const requestOf = ({ app }: Tools, command: string): RequestContext => ({
  id: encodeId('req', newId()),
  method: 'OPS',
  path: command,
  ip: null,
  userAgent: null,
  startedAt: app.clock.now(),
  successStatus: 200,
})
