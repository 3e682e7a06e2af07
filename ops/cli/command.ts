// What a command is, and what it gets: the service's own doors, and words that were checked.
import type { RequestContext } from '../../src/actors/actor.ts'
import type { App } from '../../src/app.ts'
import { encodeId, newId } from '../../src/shapes/ids.ts'

/** Names of options as they are typed, and what stands in the help; `true`: a switch without a value. */
type Options = Record<string, { what: string; takes?: string; many?: true }>

export type Given = {
  words: string[]
  options: Record<string, string | boolean | string[] | undefined>
}

type Answer = {
  /** What `--json` prints. */
  json: unknown
  text: string
  /** The command ran, and found that something is wrong. */
  isWrong?: boolean
}

export type Tools = {
  app: App
  /** Told while it goes on; not on the standard output, which is the answer's. */
  progress(line: string): void
  /** Aborted by Ctrl-C: a long command ends after the step it is at. */
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
  /** Without Redis it can do nothing. */
  needsRedis?: true
  run(tools: Tools, given: Given): Promise<Answer>
}

/** What was typed makes no sense; the help of the command says what would. */
export class UsageError extends Error {}

export function requireWord({ words }: Given, nth: number, what: string): string {
  const word = words[nth]
  if (!word) throw new UsageError(`${what} is missing`)
  return word
}

/** A whole number within bounds, or `usual` when it was not given. */
export function numberOption({ options }: Given, name: string, usual: number, most: number): number {
  const text = options[name]
  if (text === undefined) return usual
  const number = Number(text)
  if (!/^\d{1,9}$/.test(String(text)) || number > most) {
    throw new UsageError(`--${name}: expected a whole number up to ${most}`)
  }
  return number
}

/** In the audit log an operator's command stands where a request would. */
export const requestOf = ({ app }: Tools, command: string): RequestContext => ({
  id: encodeId('req', newId()),
  method: 'OPS',
  path: command,
  ip: null,
  userAgent: null,
  startedAt: app.clock.now(),
  successStatus: 200,
})
