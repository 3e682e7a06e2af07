// The client of the fault test: calls the API processes in turn, as a load balancer without health checks would. It
// keeps the outcome of each call, and the parts of its answer that belong to others.
import { setTimeout as pause } from 'node:timers/promises'
import { type ErrorType, usualStatus } from '../../src/shapes/errorTypes.ts'
import { type Answer, type Asker, type Expectation, foreignIn, type Owners } from './identity.ts'

/** `status` 0: no answer, the outcome is unknown. */
export type CallRecord = {
  at: number
  ms: number
  status: number
  path: string
  note: string
  /** The parts of the answer that belong to another organization. */
  foreign: string[]
}

/** Calls on behalf of one asker. */
export type Caller = {
  /** Never throws and never repeats: a call whose outcome is unknown stays unknown. */
  call(
    method: string,
    path: string,
    body?: object,
    expects?: Expectation,
    headers?: Record<string, string>,
  ): Promise<Pick<Answer, 'status' | 'body' | 'etag'>>
  /** For setting up: repeats until it succeeds. */
  require(method: string, path: string, body?: object, expects?: Expectation): Promise<Answer['body']>
}

export type Client = { calls: CallRecord[]; owners: Owners; as(asker: Asker): Caller }

/** Three times the deadline that the API promises. */
const patienceMs = 15_000
/** The note of a call that was not answered within that time. */
export const neverAnswered = 'TimeoutError'
const maxTries = 20

const nameOf = (method: string, path: string) =>
  `${method} ${path.replace(/\?.*/, '').replace(/[a-z]{3}_[0-9a-z]{26}|(?<=\/(?:book|ical)\/)[\w-]+/g, ':id')}`

export function openClient(baseUrls: readonly string[], owners: Owners): Client {
  const calls: CallRecord[] = []
  let turn = 0
  const as = (asker: Asker): Caller => {
    const call: Caller['call'] = async (method, path, body, expects, headers) => {
      const at = Date.now()
      const record: CallRecord = { at, ms: 0, status: 0, path: nameOf(method, path), note: '', foreign: [] }
      calls.push(record)
      try {
        const baseUrl = baseUrls[turn++ % baseUrls.length]!
        const { answer, saysWhen } = await send(asker, method, baseUrl + path, body, headers)
        record.status = answer.status
        if (answer.status === 503 && !saysWhen) record.note = '503 without Retry-After'
        record.foreign = foreignIn(owners, asker, answer, expects)
        if (record.foreign.length === 0) noteNew(owners, asker, answer)
        if (asker.orgId && mistaken.has(answer.status)) record.note = `answered ${answer.status} ${answer.text}`
        return answer
      } catch (error) {
        record.status = 0
        record.note = reasonOf(error as Error)
        return { status: 0, body: undefined }
      } finally {
        record.ms = Date.now() - at
      }
    }
    return { call, require: repeatUntilDone(call) }
  }
  return { calls, owners, as }
}

async function send(
  { token, address }: Asker,
  method: string,
  url: string,
  body?: object,
  more?: Record<string, string>,
) {
  const response = await fetch(url, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
      'x-forwarded-for': address,
      ...more,
    },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(patienceMs),
  })
  const text = await response.text()
  const { headers } = response
  const isJson = headers.get('content-type')?.includes('json')
  const policy = headers.get('ratelimit-policy')
  const etag = headers.get('etag') ?? undefined
  const answered = isJson && text ? JSON.parse(text) : text
  const answer: Answer = { status: statusOf(response, answered), policy, etag, text, body: answered }
  return { answer, saysWhen: headers.has('retry-after') }
}

/** The one of REST: the call of a tool that is refused, or fails, is a result with status 200. */
function statusOf({ status }: Response, { result }: Answer['body']): number {
  if (result?.isError !== true) return status
  const { type, retry_after_seconds } = JSON.parse(result.content[0].text).error as ToolError
  // An answer with Retry-After comes from an unavailable store.
  return type === 'internal_error' && retry_after_seconds !== undefined ? 503 : usualStatus(type)
}

type ToolError = { type: ErrorType; retry_after_seconds?: number }

/** The id of a new record belongs to the organization that created it. */
function noteNew(owners: Owners, { orgId }: Asker, { status, body }: Answer): void {
  if (status === 201 && orgId && typeof body?.id === 'string') owners.note(orgId, body.id)
}

const repeatUntilDone =
  (call: Caller['call']): Caller['require'] =>
  async (method, path, body, expects) => {
    for (let tries = 1; ; tries++) {
      const { status, body: answer } = await call(method, path, body, expects)
      if (status >= 200 && status < 300) return answer
      if (tries === maxTries) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
      await pause(250)
    }
  }

/** Every asker has a valid key, and asks for what it may have and what exists. */
const mistaken = new Set([401, 403, 404])

function reasonOf(error: Error): string {
  const cause = error.cause as (Error & { code?: string }) | undefined
  return cause?.code ?? cause?.message ?? error.name
}

export const isApiError = ({ status }: CallRecord): boolean => status === 0 || status >= 500
