// The client of the fault test: calls the API processes in turn, as a load balancer without health checks would, and
// keeps how each call went and what of its answer was not the asker's.
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, type Asker, type Expectation, foreignIn, type Owners } from './identity.ts'

/** `status` 0: no answer, the outcome is unknown. */
export type CallRecord = {
  at: number
  ms: number
  status: number
  path: string
  note: string
  /** What of the answer was somebody else's. */
  foreign: string[]
}

/** Who asks always the same way. */
export type Caller = {
  /** Never throws. Not repeated: a call whose outcome is unknown stays so. */
  call(method: string, path: string, body?: object, expects?: Expectation): Promise<Pick<Answer, 'status' | 'body'>>
  /** For setting up: repeated until it succeeds. */
  require(method: string, path: string, body?: object, expects?: Expectation): Promise<Answer['body']>
}

export type Client = { calls: CallRecord[]; owners: Owners; as(asker: Asker): Caller }

/** Three times the deadline that the API promises. */
const patienceMs = 15_000
/** The note of a call that ran out of patience. */
export const neverAnswered = 'TimeoutError'
const requireTries = 20

const nameOf = (method: string, path: string) =>
  `${method} ${path.replace(/\?.*/, '').replace(/[a-z]{3}_[0-9a-z]{26}|(?<=\/(?:book|ical)\/)[\w-]+/g, ':id')}`

export function openClient(baseUrls: readonly string[], owners: Owners): Client {
  const calls: CallRecord[] = []
  let turn = 0

  async function ask({ token, address }: Asker, method: string, path: string, body?: object) {
    const response = await fetch(baseUrls[turn++ % baseUrls.length] + path, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        'content-type': 'application/json',
        'x-forwarded-for': address,
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMs),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    const { status, headers } = response
    const answer: Answer = {
      status,
      policy: headers.get('ratelimit-policy'),
      text,
      body: isJson && text ? JSON.parse(text) : text,
    }
    return { answer, isRetryTold: headers.has('retry-after') }
  }

  function noteIdentity(asker: Asker, answer: Answer, expects: Expectation | undefined): string[] {
    const foreign = foreignIn(owners, asker, answer, expects)
    const { status, body } = answer
    if (status === 201 && foreign.length === 0 && asker.orgId && typeof body?.id === 'string') {
      owners.note(asker.orgId, body.id)
    }
    return foreign
  }

  const as = (asker: Asker): Caller => {
    const call: Caller['call'] = async (method, path, body, expects) => {
      const at = Date.now()
      const record: CallRecord = { at, ms: 0, status: 0, path: nameOf(method, path), note: '', foreign: [] }
      calls.push(record)
      try {
        const { answer, isRetryTold } = await ask(asker, method, path, body)
        record.status = answer.status
        if (answer.status === 503 && !isRetryTold) record.note = '503 without Retry-After'
        record.foreign = noteIdentity(asker, answer, expects)
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
    return {
      call,
      async require(method, path, body, expects) {
        for (let tries = 1; ; tries++) {
          const { status, body: answer } = await call(method, path, body, expects)
          if (status >= 200 && status < 300) return answer
          if (tries === requireTries) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
          await pause(250)
        }
      },
    }
  }
  return { calls, owners, as }
}

/** Nobody asks without a good key, for what they may not have, or for what is not there. */
const mistaken = new Set([401, 403, 404])

function reasonOf(error: Error): string {
  const cause = error.cause as (Error & { code?: string }) | undefined
  return cause?.code ?? cause?.message ?? error.name
}

export const isApiError = ({ status }: CallRecord): boolean => status === 0 || status >= 500
