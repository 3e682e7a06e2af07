// The one place that turns an error into an answer.
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { App } from '../../src/app.ts'
import { notFound, ServiceError } from '../../src/errors.ts'
import { recordRefused } from '../../src/refusedRequests/record.ts'
import { storeRefusal } from '../../src/stores/failures.ts'
import { applyHeaders, exchangeOf } from './exchange.ts'
import { setHeader } from './headerList.ts'

export const errorAnswer =
  (app: App) =>
  (error: unknown, _req: Request, res: Response, _next: NextFunction): void => {
    const known = asServiceError(error)
    logFailure(app, res, error)
    countRefusal(app, res, known)
    if (res.headersSent) {
      res.destroy()
      return
    }
    sendError(res, known)
  }

export function logFailure(app: App, res: Response, error: unknown): void {
  if (asServiceError(error).type !== 'internal_error') return
  const { requestId, method, route } = exchangeOf(res)
  app.log.error({ err: error, request_id: requestId, method, route }, 'request failed')
}

/** Counts it by its most specific name, and records it for a known caller. Our own failures are not refusals. */
export function countRefusal(app: App, res: Response, error: ServiceError): void {
  const { metrics } = app
  const { type, detail } = error
  if (type !== 'internal_error') metrics.refusals.inc({ reason: detail.code ?? type })
  const { known } = exchangeOf(res)
  if (known) recordRefused(app, known, error)
  const { guardrail } = (detail.help ?? {}) as { guardrail?: string }
  if (guardrail !== undefined) metrics.guardrailRefusals.inc({ guardrail })
}

export function setRetryAfter(res: Response, { detail: { retryAfterSeconds } }: ServiceError): void {
  if (retryAfterSeconds !== undefined) setHeader(exchangeOf(res).headers, 'Retry-After', retryAfterSeconds)
}

function sendError(res: Response, error: ServiceError): void {
  const { status, detail } = error
  setRetryAfter(res, error)
  applyHeaders(res)
  if (detail.allow !== undefined) res.setHeader('Allow', detail.allow)
  if (detail.cookie !== undefined) res.setHeader('Set-Cookie', detail.cookie)
  res.status(status).json({ error: errorRecord(error, exchangeOf(res).requestId) })
}

/** The error as callers see it. */
export const errorRecord = ({ type, message, detail }: ServiceError, requestId: string) => ({
  type,
  message,
  param: detail.param ?? null,
  request_id: requestId,
  ...(detail.code && { code: detail.code }),
  ...(detail.suggestions && { suggestions: detail.suggestions }),
  ...(detail.errors && { errors: detail.errors }),
  ...(detail.feature && { feature: detail.feature }),
  ...(detail.currentVersion && { current_version: detail.currentVersion }),
  ...(detail.originalRequestId && { original_request_id: detail.originalRequestId }),
  ...detail.help,
})

/** The last handler of a path; `allow` lists the methods that have one of their own. */
export const otherMethods =
  (allow: string): RequestHandler =>
  (req) => {
    throw new ServiceError('bad_request', `Method ${req.method} is not allowed here. Allowed: ${allow}.`, {
      status: 405,
      allow,
    })
  }

export function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  const refused = storeRefusal(error)
  if (refused) return refused
  // Express throws it for a path with invalid percent-encoding.
  if (error instanceof URIError) return notFound('resource')
  return new ServiceError('internal_error', 'Something went wrong on our side. Try again with backoff.')
}
