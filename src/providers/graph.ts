// Requests to Microsoft Graph, and their answers as values. An access token goes to the origin of the interface alone: links
// that lead elsewhere are refused.
import type { z } from 'zod'
import type { Reader } from '../foreign/foreign.ts'
import type { Http } from '../outbound/http.ts'
import { fieldsOf, jsonReading } from './jsonAnswer.ts'
import type { Account, Closed, Failed, Refused } from './provider.ts'
import { retryAfterMsOf } from './retryAfter.ts'

const requestMs = 10_000
const maxBytes = 10 * 1024 * 1024

export type GraphTrouble =
  | { kind: 'unauthorized' }
  | { kind: 'status'; status: number; retryAfterMs?: number }
  | { kind: 'unreachable' }
  | { kind: 'too_large' }
  | { kind: 'malformed' }
  | { kind: 'closed' }

/** `path` begins with a slash, or is an address that Graph gave. */
export type Graph = {
  get<Shape extends z.ZodType>(
    path: string,
    shape: Shape,
    prefer?: string,
  ): Promise<{ kind: 'ok'; body: z.infer<Shape> } | GraphTrouble>
  /** `body` is undefined without one. */
  send<Shape extends z.ZodType>(
    write: GraphWrite,
    shape: Shape,
  ): Promise<{ kind: 'ok'; body: z.infer<Shape> } | GraphTrouble>
}

type GraphWrite = {
  method: 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: object
  /** Only while the event has this version. */
  ifMatch?: string
}

/** Identifiers that stay when an event moves, and times in UTC. */
const usualPreferences = 'IdType="ImmutableId", outlook.timezone="UTC"'

/** `deadline` is a moment of `performance.now()` by which everything must be over. */
export function openGraph(
  { http, reader }: { http: Http; reader: Reader },
  { credentials, server }: Account,
  deadline: number,
): Graph {
  const { origin } = new URL(server)

  async function exchange<Shape extends z.ZodType>(
    { method, path, body: sent, ifMatch }: Omit<GraphWrite, 'method'> & { method: GraphWrite['method'] | 'GET' },
    shape: Shape,
    prefer?: string,
  ): Promise<{ kind: 'ok'; body: z.infer<Shape> } | GraphTrouble> {
    const url = URL.parse(path.startsWith('/') ? server + path : path)
    if (url?.origin !== origin || url.username || url.password) return { kind: 'malformed' }
    const left = Math.round(deadline - performance.now())
    if (left <= 0) return { kind: 'unreachable' }
    const outcome = await http.send({
      method,
      url: url.href,
      headers: {
        authorization: `Bearer ${credentials}`,
        accept: 'application/json',
        'user-agent': 'agent-calendar/1',
        prefer: prefer === undefined ? usualPreferences : `${usualPreferences}, ${prefer}`,
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        ...(sent && { 'content-type': 'application/json' }),
      },
      ...(sent && { body: JSON.stringify(sent) }),
      deadlineMs: Math.min(requestMs, left),
      maxBytes,
      gzip: true,
    })
    if (outcome.kind === 'failed') return { kind: outcome.reason === 'closed' ? 'closed' : 'unreachable' }
    const { status, headers, truncated } = outcome
    if (status === 401) return { kind: 'unauthorized' }
    if (status < 200 || status >= 300) return { kind: 'status', status, ...retryAfterMsOf(headers) }
    if (truncated) return { kind: 'too_large' }
    const read = await reader.read(jsonReading, outcome.body, fieldsOf(shape))
    if (read.kind === 'given_up') return { kind: read.why === 'closed' ? 'closed' : 'too_large' }
    // An answer without a body is undefined.
    if (read.value.kind === 'too_large') return { kind: 'too_large' }
    const body = shape.safeParse(read.value.kind === 'json' ? read.value.value : undefined)
    return body.success ? { kind: 'ok', body: body.data } : { kind: 'malformed' }
  }

  return {
    get: (path, shape, prefer) => exchange({ method: 'GET', path }, shape, prefer),
    send: (write, shape) => exchange(write, shape),
  }
}

const troubles = new Set<string>(['unauthorized', 'status', 'unreachable', 'too_large', 'malformed', 'closed'])

export const isTrouble = <Answer extends { kind: string }>(answer: Answer | GraphTrouble): answer is GraphTrouble =>
  troubles.has(answer.kind)

/** The meaning of a trouble for the caller. */
export function outcomeOf(trouble: GraphTrouble): Failed | Refused | Closed {
  if (trouble.kind === 'unauthorized') return { kind: 'refused' }
  if (trouble.kind === 'closed') return { kind: 'closed' }
  if (trouble.kind !== 'status') return { kind: 'failed', category: trouble.kind, message: sentences[trouble.kind] }
  const { status, retryAfterMs } = trouble
  const category = categoryOf(status, retryAfterMs)
  return {
    kind: 'failed',
    category,
    message: sentences[category],
    ...(category === 'rate_limited' && retryAfterMs !== undefined && { retryAfterMs }),
  }
}

function categoryOf(status: number, retryAfterMs: number | undefined): keyof typeof sentences {
  if (status === 429 || (status === 503 && retryAfterMs !== undefined)) return 'rate_limited'
  if (status === 403) return 'forbidden'
  return status === 404 || status === 410 ? 'not_found' : 'provider_error'
}

const sentences = {
  unreachable: 'Microsoft did not answer in time.',
  too_large: 'The answer of Microsoft is too large.',
  malformed: 'The answer of Microsoft cannot be understood.',
  provider_error: 'Microsoft failed.',
  forbidden: 'Microsoft denies access to this calendar.',
  not_found: 'Microsoft no longer has this calendar.',
  rate_limited: 'Microsoft limits our requests at the moment.',
}
