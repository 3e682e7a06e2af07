// A refusal of the tool itself, before or after it asks its twin: an error of the service, and arguments to send instead.
import { ServiceError } from '../../../src/errors.ts'
import type { ErrorCode, ErrorType } from '../../../src/shapes/errorTypes.ts'

/** `arguments` are merged over those of the call; null removes one. `when` or `note` explains them. */
export type Suggestion = { arguments: Record<string, unknown> } & Meaning

type Meaning = { when: string; note?: string } | { when?: string; note: string }

/** The likeliest first. A refusal shows at most this many. */
export const maxSuggestions = 5

type Refused = {
  type?: ErrorType
  param?: string | null
  code?: ErrorCode | undefined
  /** The noun that was not found. */
  noun?: string | undefined
  suggestions?: readonly Suggestion[]
  /** If it is not the usual one of the error. */
  nextStep?: string
  /** Further keys of the error. */
  further?: object
}

export class ToolRefusal extends ServiceError {
  readonly suggestions: readonly Suggestion[]
  readonly nextStep: string | undefined
  readonly further: object
  constructor(message: string, refused: Refused = {}) {
    const { type = 'validation_error', param = null, code, noun, suggestions = [], nextStep, further = {} } = refused
    super(type, message, { param, code, ...(noun !== undefined && { noun }) })
    this.suggestions = suggestions.slice(0, maxSuggestions)
    this.nextStep = nextStep
    this.further = further
  }

  /** The same refusal with other arguments to send instead. `messages`: its further sentences. */
  suggesting(suggestions: readonly Suggestion[], messages: readonly string[] = [this.message]): ToolRefusal {
    const { type, detail, nextStep, further } = this
    const { param, code, noun } = detail
    return new ToolRefusal(messages.join(' '), {
      ...{ type, param: param ?? null, code, noun, suggestions, further },
      ...(nextStep !== undefined && { nextStep }),
    })
  }
}
