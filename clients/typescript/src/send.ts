// Sends a request, and repeats it after a temporary failure.
import { readAnswer } from './answer.ts'
import { CalendarError, ConnectionError, TimeoutError } from './apiError.ts'
import type { Send } from './group.ts'
import type { FullAnswer, OperationSpec } from './operation.ts'
import { addressOf, checkOptions, headersOf } from './request.ts'
import { type RetryLimits, retryDelayMs } from './retry.ts'

export type Connection = RetryLimits & {
  baseUrl: string
  key: string | undefined
  fetch: typeof fetch
  timeoutMs: number
  maxAnswerBytes: number
  userAgent: string | undefined
}

export const openSend =
  (connection: Connection): Send =>
  async (operation, path, body, options = {}) => {
    const given = { operation, path, body, options: options as Record<string, unknown> }
    checkOptions(given)
    const address = addressOf(connection.baseUrl, given)
    const key = idempotencyKey(operation, given.options)
    const headers = headersOf(given, key)
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const signal = given.options.signal as AbortSignal | undefined
    const timeoutMs = timeoutOf(given.options, connection)
    const maxRetries = (given.options.maxRetries as number | undefined) ?? connection.maxRetries
    const isRepeatable = operation.http === 'GET' || operation.http === 'HEAD' || key !== undefined
    for (let attempts = 1; ; attempts++) {
      signal?.throwIfAborted()
      try {
        const request = { method: operation.http, headers: authorized(headers, connection), body: sent ?? null }
        return await attempt(connection, operation, address, request, timeoutMs, signal)
      } catch (error) {
        if (signal?.aborted) throw signal.reason
        const tried = { attempts, isRepeatable, random: Math.random() }
        const delayMs = retryDelayMs(error, tried, { ...connection, maxRetries })
        if (delayMs === undefined) throw error
        await pause(delayMs, signal)
      }
    }
  }

/** A dry run does nothing, so it needs none. */
function idempotencyKey({ keyed }: OperationSpec, options: Record<string, unknown>): string | undefined {
  if (typeof options.idempotencyKey === 'string') return options.idempotencyKey
  return keyed && options.dry_run !== true ? crypto.randomUUID() : undefined
}

/** A request that waits for changes takes as long as its `wait`. */
function timeoutOf(options: Record<string, unknown>, { timeoutMs }: Connection): number {
  if (typeof options.timeoutMs === 'number') return options.timeoutMs
  return typeof options.wait === 'number' ? timeoutMs + options.wait * 1000 : timeoutMs
}

function authorized(headers: Headers, { key, userAgent }: Connection): Headers {
  const all = new Headers(headers)
  if (key !== undefined) all.set('authorization', `Bearer ${key}`)
  if (userAgent !== undefined) all.set('user-agent', userAgent)
  return all
}

async function attempt(
  { fetch, maxAnswerBytes }: Connection,
  operation: OperationSpec,
  address: string,
  request: RequestInit,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<FullAnswer<unknown>> {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  const timer = setTimeout(() => controller.abort(new TimeoutError(`No answer within ${timeoutMs} ms.`)), timeoutMs)
  let isOpen = false
  try {
    // A redirect could lead the key to another host.
    const response = await fetch(address, { ...request, redirect: 'manual', signal: controller.signal })
    const answer = await readAnswer(operation, response, maxAnswerBytes)
    isOpen = operation.answer === 'stream'
    return answer
  } catch (error) {
    if (controller.signal.reason instanceof TimeoutError) throw controller.signal.reason
    if (error instanceof CalendarError || signal?.aborted) throw error
    throw new ConnectionError(`${new URL(address).origin} cannot be reached: ${reasonOf(error)}`, { cause: error })
  } finally {
    clearTimeout(timer)
    // A stream ends with the signal, too.
    if (!isOpen) signal?.removeEventListener('abort', abort)
  }
}

/** `fetch` says only that it failed; its cause says why. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { code?: string; message?: string } }
  return cause?.code ?? (cause?.message || message || 'unknown reason')
}

/** Ends at once, with its reason, when the signal does. */
export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
