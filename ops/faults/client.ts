// The client of the fault test: calls the API processes in turn, as a load balancer without health checks would, and
// keeps how each call went.
import { setTimeout as pause } from 'node:timers/promises'

/** `status` 0: no answer, the outcome is unknown. */
export type CallRecord = { at: number; ms: number; status: number; path: string; note: string }

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into field by field
type Answer = { status: number; body: any }

export type Client = {
  calls: CallRecord[]
  /** Never throws. Not repeated: a call whose outcome is unknown stays so. */
  call(method: string, path: string, body?: object): Promise<Answer>
  /** For setting up: repeated until it succeeds. */
  require(method: string, path: string, body?: object): Promise<Answer['body']>
}

/** Three times the deadline that the API promises. */
const patienceMs = 15_000
/** The note of a call that ran out of patience. */
export const neverAnswered = 'TimeoutError'
const requireTries = 20

export function openClient(baseUrls: readonly string[], key: string): Client {
  const calls: CallRecord[] = []
  let turn = 0

  async function call(method: string, path: string, body?: object): Promise<Answer> {
    const at = Date.now()
    const record = {
      at,
      ms: 0,
      status: 0,
      path: `${method} ${path.replace(/[a-z]{3}_[0-9a-z]{26}/g, ':id')}`,
      note: '',
    }
    calls.push(record)
    try {
      const response = await fetch(baseUrls[turn++ % baseUrls.length] + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(patienceMs),
      })
      const text = await response.text()
      record.status = response.status
      if (response.status === 503 && !response.headers.has('retry-after')) record.note = '503 without Retry-After'
      return { status: response.status, body: text ? JSON.parse(text) : undefined }
    } catch (error) {
      record.status = 0
      record.note = reasonOf(error as Error)
      return { status: 0, body: undefined }
    } finally {
      record.ms = Date.now() - at
    }
  }

  return {
    calls,
    call,
    async require(method, path, body) {
      for (let tries = 1; ; tries++) {
        const { status, body: answer } = await call(method, path, body)
        if (status >= 200 && status < 300) return answer
        if (tries === requireTries) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
        await pause(250)
      }
    },
  }
}

function reasonOf(error: Error): string {
  const cause = error.cause as (Error & { code?: string }) | undefined
  return cause?.code ?? cause?.message ?? error.name
}

export const isApiError = ({ status }: CallRecord): boolean => status === 0 || status >= 500
