// Requests to Google's calendar interface, and their answers as values.
import type { Reader } from '../foreign/foreign.ts'
import type { Http } from '../outbound/http.ts'
import { type Fields, jsonReading } from './jsonAnswer.ts'
import type { Closed, Failed, Refused } from './provider.ts'
import { retryAfterMsOf } from './retryAfter.ts'

const requestMs = 10_000
const maxBytes = 10 * 1024 * 1024

/** `etag` is that of the answer's header. */
type Answered = { kind: 'answered'; body: unknown; etag: string | undefined }
/** An answer that is no success; `reason` is Google's word for it. */
type GoogleTrouble = { kind: 'status'; status: number; reason: string; retryAfterMs?: number }
export type GoogleAnswer = Answered | GoogleTrouble | Failed | Refused | Closed

type GoogleRequest = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below the address of the interface, with its query. */
  path: string
  body?: object
  ifMatch?: string
}

export type GoogleApi = { request(request: GoogleRequest): Promise<GoogleAnswer> }

/** `deadline` is a moment of `performance.now()` by which everything must be over. */
export function openGoogleApi(
  { http, reader }: { http: Http; reader: Reader },
  server: string,
  accessToken: string,
  deadline: number,
): GoogleApi {
  return {
    async request({ method, path, body, ifMatch }) {
      const leftMs = Math.round(deadline - performance.now())
      if (leftMs <= 0) return googleFailure('unreachable')
      const outcome = await http.send({
        method,
        url: `${server}${path}`,
        headers: {
          authorization: `Bearer ${accessToken}`,
          accept: 'application/json',
          'user-agent': 'agent-calendar/1 (gzip)',
          ...(body && { 'content-type': 'application/json; charset=utf-8' }),
          ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        },
        ...(body && { body: JSON.stringify(body) }),
        deadlineMs: Math.min(requestMs, leftMs),
        maxBytes,
        gzip: true,
      })
      if (outcome.kind === 'failed') {
        if (outcome.reason === 'closed') return { kind: 'closed' }
        return googleFailure(outcome.reason === 'protocol' ? 'malformed' : 'unreachable')
      }
      if (outcome.status === 401) return { kind: 'refused' }
      if (outcome.truncated) return googleFailure('too_large')
      const read = await reader.read(jsonReading, outcome.body, answerFields)
      if (read.kind === 'given_up' && read.why === 'closed') return { kind: 'closed' }
      if (read.kind === 'given_up' || read.value.kind === 'too_large') return googleFailure('too_large')
      const parsed = read.value.kind === 'json' ? read.value.value : undefined
      if (outcome.status >= 200 && outcome.status < 300) {
        if (parsed === undefined && outcome.body.length > 0) return googleFailure('malformed')
        const etag = outcome.headers.etag
        return { kind: 'answered', body: parsed, etag: typeof etag === 'string' ? etag : undefined }
      }
      return { kind: 'status', status: outcome.status, reason: reasonOf(parsed), ...retryAfterMsOf(outcome.headers) }
    },
  }
}

const entryFields = ['id', 'summary', 'summaryOverride', 'primary', 'timeZone', 'accessRole', 'deleted']
const plain = (...names: readonly string[]): Record<string, Fields> =>
  Object.fromEntries(names.map((name) => [name, 'plain']))
const reasons: Fields = { items: { fields: plain('reason') } }

/** All that is read of any answer: a calendar or a list of them, an event, a channel, busy times, an error. */
const answerFields: Fields = {
  fields: {
    ...plain(...entryFields, 'etag', 'status', 'resourceId', 'expiration', 'nextPageToken'),
    items: { items: { fields: plain(...entryFields) } },
    calendars: { each: { fields: { errors: reasons, busy: { items: { fields: plain('start', 'end') } } } } },
    error: { fields: { ...plain('status'), errors: reasons } },
  },
}

type ErrorBody = { error?: { errors?: { reason?: unknown }[]; status?: unknown } }

/** Such as `rateLimitExceeded`. */
function reasonOf(body: unknown): string {
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as ErrorBody
  const reason = error?.errors?.[0]?.reason ?? error?.status
  return typeof reason === 'string' ? reason : ''
}

const limits = new Set(['rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded', 'dailyLimitExceeded'])

/** Google limits our requests at the moment. */
export const isLimit = ({ status, reason }: GoogleTrouble): boolean =>
  status === 429 || (status === 403 && limits.has(reason))

/** The interface is not enabled for our project. That is our own fault, and says nothing about the human's calendar. */
const ours = new Set(['accessNotConfigured', 'SERVICE_DISABLED'])

/** The human's account may not do this. */
export const isForbidden = (answer: GoogleTrouble): boolean =>
  answer.status === 403 && !isLimit(answer) && !ours.has(answer.reason)

export const isAbsent = ({ status }: GoogleTrouble): boolean => status === 404 || status === 410

/** The failure that an answer without success means. */
export function googleTrouble(answer: GoogleTrouble): Failed {
  const { retryAfterMs } = answer
  if (isLimit(answer)) {
    return { ...googleFailure('rate_limited'), ...(retryAfterMs !== undefined && { retryAfterMs }) }
  }
  if (isForbidden(answer)) return googleFailure('forbidden')
  if (isAbsent(answer)) return googleFailure('not_found')
  return googleFailure('provider_error')
}

const sentences = {
  unreachable: 'Google did not answer in time.',
  too_large: 'The answer of Google is too large.',
  malformed: 'The answer of Google cannot be understood.',
  provider_error: 'Google failed.',
  forbidden: 'Google denies access to this calendar.',
  not_found: 'Google no longer has this calendar.',
  rate_limited: 'Google limits our requests at the moment.',
}

export const googleFailure = (category: keyof typeof sentences): Failed => ({
  kind: 'failed',
  category,
  message: sentences[category],
})
