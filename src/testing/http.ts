// Calls the API as a client does. Its answers must match its document.
import type { Answer } from './answer.ts'
import { assertDocumented } from './documented.ts'

export type CallOptions = {
  key?: string
  body?: unknown
  /** Sent as it is, instead of `body`. */
  raw?: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
  /** A redirect is the answer; otherwise it is followed. */
  redirect?: 'manual'
}

export type Caller = (method: string, path: string, options?: CallOptions) => Promise<Answer>

export const callerOf =
  (baseUrl: string): Caller =>
  async (method, path, { key, body, raw, headers, redirect } = {}) => {
    const response = await fetch(baseUrl + path, {
      method,
      redirect,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...((body !== undefined || raw !== undefined) && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
    })
    const answer = await readAnswer(response)
    // Where a redirect was followed, the answer is that of another path.
    if (!response.redirected) assertDocumented(method, path, answer)
    return answer
  }

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, body: isJson && text ? JSON.parse(text) : text }
}
