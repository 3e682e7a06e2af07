// The errors: the service refuses, it cannot be reached, or another server answers.
import type { Error as ErrorBody, ErrorCode, ErrorType } from './generated/schemas.ts'

type Details = ErrorBody['error']

/** The parent of every error of this client. */
export class CalendarError extends Error {
  override name = 'CalendarError'
}

/** The service refused. Decide by the class, or by `type` and `code`; `message` is for people. */
export class ApiError extends CalendarError {
  override name = 'ApiError'
  readonly status: number
  /** May be one that this version of the client does not know. */
  readonly type: ErrorType | (string & {})
  /** A more specific name than the type. */
  readonly code: ErrorCode | undefined
  /** The first wrong field, as a dotted path. */
  readonly param: string | null
  /** Tell it to the people who run the service. */
  readonly requestId: string | null
  /** Values to send instead, the likeliest first. */
  readonly suggestions: readonly string[]
  readonly retryAfterSeconds: number | undefined
  /** The whole error as it was answered, with the fields that only some types have: `conflict`, `alternatives`, `feature`. */
  readonly details: Details

  constructor(status: number, details: Details, headers: Headers) {
    super(details.message)
    this.status = status
    this.type = details.type
    this.code = details.code
    this.param = details.param ?? null
    this.requestId = details.request_id ?? headers.get('x-request-id')
    this.suggestions = details.suggestions ?? []
    this.retryAfterSeconds = retryAfter(headers)
    this.details = details
  }
}

export type ApiErrorClass = new (status: number, details: Details, headers: Headers) => ApiError

/** The service was not reached, or the connection broke. `cause` is the error of `fetch`. */
export class ConnectionError extends CalendarError {
  override name = 'ConnectionError'
}

/** No answer within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError'
}

/** Something answered that is not the service: a proxy, a redirect, another server. */
export class UnexpectedAnswerError extends CalendarError {
  override name = 'UnexpectedAnswerError'
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}

/** `Retry-After` in seconds; it may also be a date. */
function retryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after')?.trim()
  if (!text) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}
