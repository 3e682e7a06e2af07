// One route is one value: how it is reached, who may, what goes in and out. Registration, validation, the OpenAPI page
// and the tests of who may do what are made from the same table.
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Actor, RequestContext } from '../../src/actors/actor.ts'
import type { App } from '../../src/app.ts'
import type { ServiceError } from '../../src/errors.ts'
import type { Feature } from '../../src/plans/plans.ts'
import type { Budget } from '../../src/quotas/budget.ts'
import type { HeavyReadKind } from '../../src/quotas/heavyReads.ts'
import type { Throttle } from '../../src/quotas/throttle.ts'
import type { ErrorCode, ErrorType } from '../../src/shapes/errorTypes.ts'
import type { HeaderName } from './responseHeaders.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/**
 * `public`: anybody. `key`: any API key, or a console session. `organization`: the organization's key or a console session,
 * agent keys are refused. `session`: a console session alone, API keys are refused. `admin`: the administrator's token.
 */
export type Access = 'public' | 'key' | 'organization' | 'session' | 'admin'

type Input<S> = S extends z.ZodType ? z.infer<S> : undefined

export type Call<P, Q, B> = {
  app: App
  /** The acting key or session; not on `public` and `admin` routes. */
  actor: Actor
  request: RequestContext
  headers: IncomingHttpHeaders
  params: Input<P>
  query: Input<Q>
  body: Input<B>
}

/** A call that was refused, by the route or before it was reached: what was sent is unchecked. */
export type RefusedCall = { app: App; headers: IncomingHttpHeaders; params: unknown; query: unknown; body: unknown }

/**
 * A success of a route: without a schema it has no body. `contentType`: where that is not JSON. `headers`: those that it
 * always has, besides the ones that every answer has.
 */
export type Success = {
  status: number
  schema?: z.ZodType
  description?: string
  contentType?: string
  headers?: readonly HeaderName[]
}

/** A type at its usual status, a code (which has a type), or a type at another status. */
export type RouteError = ErrorType | ErrorCode | { type: ErrorType; status: number }

export type Route = {
  method: Method
  /** Express' notation: `/v1/calendars/:id`. */
  path: string
  tag: string
  /** What generated clients call it. */
  operationId?: string
  summary: string
  /** What a caller must know and cannot guess. */
  description?: string
  access: Access
  /** Needs a paid plan. */
  feature?: Feature
  /** For `session` routes: refused to organizations on the waitlist. The routes of keys always are. */
  activated?: true
  /** Its success accepts the current terms, so that it no longer asks for that. */
  acceptsTerms?: true
  /** Answered even when the calls of the month are used up. */
  beyondQuota?: true
  /** At most so many requests of one client address. */
  perAddress?: Throttle
  /** Takes one unit of this monthly budget, given back when the request is refused. */
  spends?: Budget
  params?: z.ZodType
  /** What it does not name is refused, unless it is a loose object. Without one there are no parameters. */
  query?: z.ZodType
  /** Without one a body may only be empty. */
  body?: z.ZodType
  /** Bodies that the document shows by name, where there is more to show than the example of the schema. */
  bodyExamples?: Record<string, { summary: string; value: unknown }>
  /** The body may also come as an HTML form. */
  form?: true
  /** How a body that does not fit is refused, where it is not the usual `validation_error`. */
  invalidBody?: { type: ErrorType; status?: number }
  /** Its cost may grow with what the organization has: it takes one of its places for that. By the query; always without. */
  heavy?: { kind: HeavyReadKind; when?: (query: never) => boolean }
  success: Success
  /** Its further successes: another status, or another content type. */
  also?: readonly Success[]
  /** What does not follow from the rest of the route; what does is in `refusals.ts`. */
  errors: readonly RouteError[]
  run(call: Call<unknown, unknown, unknown>): Promise<unknown>
  /** Answers an error to whoever asks for something else than JSON; undefined: JSON will do. */
  showError?(error: ServiceError, call: RefusedCall): Promise<RawAnswer | undefined>
}

/** Ties the types of the schemas to the handler. */
export const route = <
  P extends z.ZodType | undefined,
  Q extends z.ZodType | undefined,
  B extends z.ZodType | undefined,
>(
  definition: Omit<Route, 'params' | 'query' | 'body' | 'run'> & {
    params?: P
    query?: Q
    body?: B
    run(call: Call<P, Q, B>): Promise<unknown>
  },
): Route => definition as unknown as Route

/** A success other than the route's usual one, or with headers of its own. */
export class Answer {
  readonly status: number
  readonly body: unknown
  readonly headers: Record<string, string | string[]>
  constructor(status: number, body: unknown, headers: Record<string, string | string[]> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** A body that is not JSON, or is written piece by piece; `headers` name its `Content-Type`. */
export class RawAnswer {
  readonly status: number
  readonly body: string | Buffer | Readable | undefined
  readonly headers: Record<string, string>
  constructor(status: number, headers: Record<string, string>, body?: string | Buffer | Readable) {
    this.status = status
    this.headers = headers
    this.body = body
  }
}
