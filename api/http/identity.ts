// What names a request in answers, logs, metrics and the audit log: its id, route, method and client address.
import type { Request, RequestHandler, Response } from 'express'
import type { RequestContext } from '../../src/actors/actor.ts'
import { encodeId, newId } from '../../src/shapes/ids.ts'

export const newRequestId = (): string => encodeId('req', newId())

export const requestIdOf = (res: Response): string => String(res.getHeader('X-Request-Id') ?? '')

export const contextOf = (req: Request, res: Response, successStatus: number, startedAt: Date): RequestContext => ({
  id: requestIdOf(res),
  method: req.method,
  path: req.path === '/' ? req.baseUrl : req.baseUrl + req.path,
  ip: addressOf(req),
  userAgent: req.headers['user-agent'] ?? null,
  startedAt,
  successStatus,
})

/** Names the route of every request below a path, for metrics, spans and logs. */
export const nameRoute =
  (pattern: string): RequestHandler =>
  (_req, res, next) => {
    res.locals.route = pattern
    next()
  }

/**
 * The path as the table of routes writes it, never as the client did: the client's path may hold the token of a feed, and
 * each of its spellings would be another series of the metrics.
 */
export const routeOf = (res: Response): string => (res.locals.route as string | undefined) ?? 'unknown'

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** `_OTHER`, as in OpenTelemetry, for the thirty or so methods that no route has. */
export const methodOf = ({ method }: Request): string => (methods.has(method) ? method : '_OTHER')

/** A socket for both families shows an IPv4 client as `::ffff:203.0.113.7`. */
export const addressOf = (req: Request): string | null => req.ip?.replace(/^::ffff:(?=\d+\.)/i, '') ?? null
