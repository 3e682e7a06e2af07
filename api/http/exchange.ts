// One request and its answer: its names in answers, logs, metrics and spans, and the headers of its answer,
// no matter which code writes it.
import type { Request, RequestHandler, Response } from 'express'
import type { OpenSpan } from '../../src/observability/tracing.ts'
import type { KnownRequest } from '../../src/refusedRequests/record.ts'
import { newPublicId } from '../../src/shapes/ids.ts'
import { type HeaderList, setHeader } from './headerList.ts'

export type Exchange = {
  readonly requestId: string
  /** `_OTHER`, as in OpenTelemetry, for the thirty or so methods that no route has. */
  readonly method: string
  readonly startedMs: number
  /** Time in a long poll; it does not count as response time. */
  waitedMs: number
  /**
   * The path as the table of routes writes it, never as the client did: the client's path may hold the token of a feed,
   * and each of its spellings would be another series of the metrics.
   */
  route: string
  /** Undefined while tracing is off. */
  span: OpenSpan | undefined
  /** The request with its caller, once the gate knows them: a refusal of it is recorded. */
  known: KnownRequest | undefined
  /** `endpoint.ts` writes them with its answer; for every other answer `applyHeaders` has set them. */
  readonly headers: HeaderList
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export const newRequestId = (): string => newPublicId('req')

/** Browsers must not guess another content type (`nosniff`). */
export function openExchange({ method }: Request, res: Response): Exchange {
  const requestId = newRequestId()
  const exchange: Exchange = {
    requestId,
    method: methods.has(method) ? method : '_OTHER',
    startedMs: performance.now(),
    waitedMs: 0,
    route: 'unknown',
    span: undefined,
    known: undefined,
    headers: ['X-Request-Id', requestId, 'X-Content-Type-Options', 'nosniff'],
  }
  res.locals.exchange = exchange
  return exchange
}

export const exchangeOf = (res: Response): Exchange => res.locals.exchange as Exchange

/** Names the route of every request below a path, for metrics, spans and logs. */
export const nameRoute =
  (pattern: string): RequestHandler =>
  (_req, res, next) => {
    exchangeOf(res).route = pattern
    next()
  }

/** Sets the headers of the exchange, for an answer that Express writes. */
export function applyHeaders(res: Response): void {
  const { headers } = exchangeOf(res)
  for (let at = 0; at < headers.length; at += 2) res.setHeader(headers[at]!, headers[at + 1]!)
}

/** A list of the headers of the exchange and of the answer itself, which replace others of the same name. */
export function headersWith(res: Response, own: Record<string, string | readonly string[]> = {}): HeaderList {
  const headers = exchangeOf(res).headers.slice()
  for (const name in own) setHeader(headers, name, own[name]!)
  return headers
}
