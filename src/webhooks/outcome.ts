// How an attempt ends: as a label of metrics, as its delivery stores it, and in words. Only its owner sees how the answer began.
import type { FailureReason } from '../outbound/failures.ts'
import type { Outcome } from '../outbound/http.ts'
import { isSuccess } from './rules.ts'

/** How long an attempt waits for a complete answer: shorter than its lease. */
export const deadlineMs = 10_000

const failures: Record<Exclude<FailureReason, 'closed'>, string> = {
  timeout: `timed out: no complete answer within ${deadlineMs / 1000} s`,
  refused_address:
    'not sent: its host resolves to a private address or is reached over plain http, and is not in OUTBOUND_TRUSTED_HOSTS',
  dns: 'the name of its host could not be resolved',
  connect: 'no connection',
  tls: 'no secure connection (TLS)',
  reset: 'the connection ended before the answer was complete',
  protocol: 'the answer was not valid HTTP',
  invalid_request: 'the request could not be written',
}

/** Every label. An attempt that our own shutdown ended has none. */
export const outcomes = ['delivered', 'refused', ...Object.keys(failures)]

/** `refused`: the receiver answered, but not with a 2xx. */
const outcomeOf = (outcome: Outcome): string =>
  outcome.kind === 'failed' ? outcome.reason : isSuccess(outcome.status) ? 'delivered' : 'refused'

/** So many characters of an answer are shown to the owner of the webhook. */
const bodyStartLength = 500

/** How an attempt ended. Without an `httpStatus` there was no response. */
export type AttemptEnd = {
  outcome: string
  httpStatus: number | undefined
  durationMs: number
  /** How the answer began. */
  bodyStart: string | null
}

/** One that was made; `at`: when its signature was. */
export type Attempt = AttemptEnd & { at: Date }

export const endOf = (outcome: Outcome): AttemptEnd => ({
  outcome: outcomeOf(outcome),
  httpStatus: outcome.kind === 'response' ? outcome.status : undefined,
  durationMs: outcome.durationMs,
  // No character takes more than four bytes.
  bodyStart:
    outcome.kind === 'response'
      ? outcome.body.toString('utf8', 0, 4 * bodyStartLength).slice(0, bodyStartLength)
      : null,
})

/** Of a failed attempt. An unknown outcome was written by a newer version, and is shown unchanged. */
export function failureInWords(outcome: string, httpStatus: number | null): string {
  if (outcome !== 'refused') return failures[outcome as keyof typeof failures] ?? outcome
  const isRedirect = [301, 302, 303, 307, 308].includes(Number(httpStatus))
  return `answered ${httpStatus}${isRedirect ? ', and redirects are not followed' : ''}`
}
