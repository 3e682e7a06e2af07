// The first suggestion of a refusal is tried before it is shown. If the call with it would be refused as well, that is corrected in
// the same suggestion: one repair is enough.
import { WouldHappen } from '../../../src/commit/dryRun.ts'
import type { ServiceError } from '../../../src/errors.ts'
import { newDryRun } from '../../http/dryRun.ts'
import { asServiceError } from '../../http/errors.ts'
import { readArguments } from './arguments.ts'
import { type Repair, suggestionsOf } from './errors.ts'
import type { Key } from './names.ts'
import { actBy } from './parts.ts'
import type { Tool } from './tool.ts'
import type { Suggestion } from './toolRefusal.ts'

/** `sent`: the arguments as the model wrote them. */
type Sent = { tool: Tool; sent: Record<string, unknown> }

/** How often one suggestion is corrected, and how many suggestions are tried. */
const maxMended = 4
const maxTried = 3

/** The suggestions of a refusal, the first one tried. Changes nothing, and spends nothing. */
export async function repairOf(key: Key, { tool, sent }: Sent, error: ServiceError): Promise<Repair> {
  const suggestions = suggestionsOf(error, tool, sent)
  // The free times are fresh, so they need no trial.
  if (error.type === 'conflict') return { suggestions, alsoWrong: [] }
  let alsoWrong: readonly string[] = []
  for (const [nth, first] of suggestions.slice(0, maxTried).entries()) {
    const outcome = await carriedOn(key, { tool, sent }, first, error)
    if (nth === 0) alsoWrong = outcome.alsoWrong
    if (outcome.kind === 'accepted') {
      const others = suggestions.filter((_, at) => at !== nth)
      return { suggestions: [outcome.suggestion, ...others], alsoWrong: nth === 0 ? alsoWrong : [] }
    }
    // A suggestion that is refused for another reason is still the likeliest.
    if (!isOfArguments(outcome.by)) break
  }
  return { suggestions, alsoWrong }
}

type Outcome =
  | { kind: 'accepted'; suggestion: Suggestion; alsoWrong: readonly string[] }
  | { kind: 'refused'; by: ServiceError; alsoWrong: readonly string[] }

async function carriedOn(key: Key, { tool, sent }: Sent, first: Suggestion, error: ServiceError): Promise<Outcome> {
  let suggestion = first
  const alsoWrong: string[] = []
  for (let mended = 0; ; mended++) {
    const merged = { ...sent, ...suggestion.arguments }
    const by = await refusalOf(key, { tool, sent: merged })
    if (!by) return { kind: 'accepted', suggestion, alsoWrong }
    const [next] = suggestionsOf(by, tool, merged)
    if (!next || mended === maxMended) {
      return { kind: 'refused', by, alsoWrong: alsoWrong.concat(problemsOf(by, error)) }
    }
    suggestion = together(suggestion, next)
    if (isOfOther(by, error) && !alsoWrong.includes(by.message)) alsoWrong.push(by.message)
  }
}

/** Merges both: `when` of the later one, the notes of both. */
function together(suggestion: Suggestion, next: Suggestion): Suggestion {
  const notes = [...new Set([suggestion.note, next.note])].filter((note) => note !== undefined)
  const note = notes.map((one) => one.replace(/\.$/, '')).join('; ')
  const merged = { ...suggestion.arguments, ...next.arguments }
  return { ...suggestion, ...next, arguments: merged, ...(notes.length > 1 && { note }) }
}

/** The refusal of the suggestion, for a model that corrects the rest by itself. */
const problemsOf = (by: ServiceError, error: ServiceError): string[] =>
  by.message === error.message || by.type === 'internal_error' ? [] : [by.message]

const isOfArguments = ({ type }: ServiceError): boolean =>
  type === 'validation_error' || type === 'validation' || type === 'not_found'

/** A fault of another argument, which the suggestion does not touch. */
const isOfOther = (by: ServiceError, { detail }: ServiceError): boolean =>
  isOfArguments(by) && by.detail.param !== detail.param

/** The refusal that a call would get; undefined if it would succeed. */
async function refusalOf({ app, actor }: Key, { tool, sent }: Sent) {
  const { responseKey: _, toStoredBody: __, ...request } = actor.request
  const dry = { ...actor, request: { ...request, dryRun: newDryRun() } }
  try {
    const { idempotency_key: ___, ...args } = readArguments(tool, sent)
    const call = { app, actor: dry, arguments: args }
    await (tool.kind === 'read' ? tool.run(call) : actBy(tool, call))
  } catch (error) {
    if (!(error instanceof WouldHappen)) return asServiceError(error)
  }
  return undefined
}
