// Whether a failed attempt is repeated, and when.
import { ApiError, ConnectionError, UnexpectedAnswerError } from './apiError.ts'

const firstDelayMs = 500
const maxBackoffMs = 8_000

export type RetryLimits = {
  maxRetries: number
  /** A `Retry-After` beyond this is not waited for: the error is thrown. */
  maxRetryDelayMs: number
}

type Attempt = {
  /** How many were made, this one included. */
  attempts: number
  /** Repeating the request does nothing twice: it reads, or has an idempotency key. */
  isRepeatable: boolean
  /** From 0 to 1. */
  random: number
}

/** The delay before the next attempt; undefined if there is none. */
export function retryDelayMs(error: unknown, attempt: Attempt, limits: RetryLimits): number | undefined {
  if (attempt.attempts > limits.maxRetries || !isPassing(error, attempt.isRepeatable)) return undefined
  const asked = error instanceof ApiError ? error.retryAfterSeconds : undefined
  const backoff = backoffMs(attempt.attempts, attempt.random)
  if (asked === undefined) return backoff
  return asked * 1000 <= limits.maxRetryDelayMs ? Math.max(asked * 1000, backoff) : undefined
}

/** Grows with each attempt; half of it is left to chance, so that clients that failed together do not return together. */
const backoffMs = (attempts: number, random: number): number =>
  Math.min(maxBackoffMs, firstDelayMs * 2 ** (attempts - 1)) * (0.5 + random / 2)

/** Whether it may end by itself. A refusal for the rate did nothing; after anything else the outcome is unknown. */
function isPassing(error: unknown, isRepeatable: boolean): boolean {
  if (error instanceof ApiError && error.status === 429) return error.type !== 'quota_exceeded'
  if (!isRepeatable) return false
  if (error instanceof ConnectionError) return true
  const isAnswer = error instanceof ApiError || error instanceof UnexpectedAnswerError
  return isAnswer && [408, 500, 502, 503, 504].includes(error.status ?? 0)
}
