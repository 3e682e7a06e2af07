// A refused or failed call, as a result that a model reads and acts on.
import type { Actor } from '../../../src/actors/actor.ts'
import type { ServiceError } from '../../../src/errors.ts'
import type { ErrorType } from '../../../src/shapes/errorTypes.ts'
import { keyHeader } from '../../../src/storedResponses/key.ts'
import { withoutOtherNames } from './aliases.ts'
import { fitting, requestIdMeta, type ToolResult, textOf } from './answer.ts'
import { nextStepOf } from './nextSteps.ts'
import { isInBody } from './operationFields.ts'
import type { Tool } from './tool.ts'
import { maxSuggestions, type Suggestion, ToolRefusal } from './toolRefusal.ts'

/**
 * The call that failed. `sent`: its arguments as the model wrote them. `hasKey`: it came with an idempotency key. `actor`: if the
 * gate admitted it. `repair`: how it can be repaired, if that was tried.
 */
type FailedCall = {
  tool: Tool
  sent: Record<string, unknown>
  requestId: string
  hasKey: boolean
  actor: Actor | undefined
  repair: Repair | undefined
}

/** How a call can be repaired. `alsoWrong`: its other faults as sent, in sentences. */
export type Repair = { suggestions: readonly Suggestion[]; alsoWrong: readonly string[] }

export function errorResult(error: ServiceError, failed: FailedCall): ToolResult {
  const { tool, sent, requestId, hasKey } = failed
  const { detail } = error
  const type = typeAsTwin(error, tool)
  const refusal = error instanceof ToolRefusal ? error : undefined
  const param = paramOf(error, tool)
  const { suggestions: found, alsoWrong } = failed.repair ?? {
    suggestions: suggestionsOf(error, tool, sent),
    alsoWrong: [],
  }
  const suggestions = fitting(found, { ...refusal?.further, errors: detail.errors })
  const message = [error.message, ...alsoWrong].join(' ')
  const isRepeatable = !tool.takesKey || hasKey
  const nextStep =
    refusal?.nextStep ??
    nextStepOf(error, {
      tool,
      isRepeatable,
      actor: failed.actor,
      hasSuggestions: suggestions.length > 0,
      param,
    })
  const shown = {
    type,
    ...(detail.code && { code: detail.code }),
    message: inArguments(message),
    ...(param !== undefined && { param }),
    ...(detail.feature && { feature: detail.feature }),
    ...(detail.code === 'guardrail' && detail.help),
    ...(detail.currentVersion && { current_version: detail.currentVersion }),
    request_id: requestId,
    retryable: isRetryable(error, isRepeatable),
    ...(detail.retryAfterSeconds !== undefined && { retry_after_seconds: detail.retryAfterSeconds }),
    next_step: nextStep,
    ...(detail.errors && { errors: detail.errors }),
    ...refusal?.further,
    ...(suggestions.length > 0 && { suggestions }),
  }
  return {
    content: [{ type: 'text', text: textOf({ error: shown }) }],
    isError: true,
    _meta: requestIdMeta(requestId),
  }
}

/** A tool refuses these itself: it fills in arguments that REST requires. */
const ofTools: readonly unknown[] = ['agent_required', 'calendar_required', 'timezone_required']

/** A wrong field of the body is refused with the type that its REST operation has for it. */
function typeAsTwin({ type, detail: { param, code } }: ServiceError, { twins }: Tool): ErrorType {
  if (type !== 'validation_error' || param == null || ofTools.includes(code)) return type
  return twins.find((twin) => twin.invalidBody && isInBody(twin, param))?.invalidBody?.type ?? type
}

/** Arguments that are headers over HTTP. */
const keyArgument = 'idempotency_key'

/** A message of the endpoint, for a caller that sends arguments and sees no headers. */
const inArguments = (message: string): string =>
  message
    .replaceAll(keyHeader, keyArgument)
    .replaceAll('Retry-After', 'retry_after_seconds')
    .replace(/^The (body|query):/, 'The arguments:')
    .replace(/ The (\d+) values are at \S+\.$/, ' The schema of the tool lists all $1.')

const namesOf = (tool: Tool): string[] => Object.keys(tool.schema.shape)

/** The same call, unchanged, can succeed later. */
const isRetryable = ({ type }: ServiceError, isRepeatable: boolean): boolean =>
  type === 'rate_limit_error' || type === 'rate_limited' || (type === 'internal_error' && isRepeatable)

/** The wrong argument, under the name that the tool has for it. */
function paramOf({ detail }: ServiceError, tool: Tool): string | undefined {
  const { param, noun } = detail
  if (param === keyHeader) return keyArgument
  if (param == null) return namesOf(tool).find((name) => idsOf(noun).includes(name))
  const [first, ...rest] = param.split('.')
  return [tool.renamed?.[first!] ?? first, ...rest].join('.').slice(0, maxParam)
}

/** Callers invent names, and the path to a field may be long. */
const maxParam = 200

/** `booking page` is named by `booking_page_id`, `iCal subscription` by `subscription_id`. */
const idsOf = (noun = ''): string[] => [`${noun.replaceAll(' ', '_')}_id`, `${noun.split(' ').at(-1)}_id`]

/** Values to send instead, the likeliest first. */
export const suggestionsOf = (error: ServiceError, tool: Tool, sent: Record<string, unknown>): Suggestion[] =>
  (error instanceof ToolRefusal ? error.suggestions : twinSuggestions(error, paramOf(error, tool))).map(
    (suggestion) => ({
      ...suggestion,
      arguments: withoutOtherNames(suggestion.arguments, sent, namesOf(tool)),
    }),
  )

/** The suggestions of the REST operation for the field that it refuses. */
function twinSuggestions({ detail }: ServiceError, param: string | undefined): Suggestion[] {
  if (detail.code === 'window_in_past') return [{ arguments: { start: null, end: null }, note: 'The next 7 days.' }]
  if (param === undefined) return []
  return (detail.suggestions ?? [])
    .slice(0, maxSuggestions)
    .map((text) => ({ arguments: { [param]: text }, note: 'A spelling that is accepted.' }))
}
