// One route is one value: its path, who may call it, its input and its answers. Registration, validation, the OpenAPI
// document and the tests of access are made from the same table.
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Actor, Member, RequestContext } from '../../src/actors/actor.ts'
import type { Role } from '../../src/actors/roles.ts'
import type { App } from '../../src/app.ts'
import type { Reader } from '../../src/changeFeed/reader.ts'
import type { ServiceError } from '../../src/errors.ts'
import type { Feature } from '../../src/plans/plans.ts'
import type { Budget } from '../../src/quotas/budget.ts'
import type { HeavyReadKind } from '../../src/quotas/heavyReads.ts'
import type { Throttle } from '../../src/quotas/throttle.ts'
import type { ErrorCode, ErrorType } from '../../src/shapes/errorTypes.ts'
import type { HeaderName } from './responseHeaders.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/**
 * `public`: anybody. `key`: any API key or a console session. `organization`: the organization's key or a console session,
 * but no agent key. `session`: a console session, but no API key. `admin`: the administrator's token.
 */
export type Access = 'public' | 'key' | 'organization' | 'session' | 'admin'

/** The callers of `public` routes are unknown, and `admin` routes act for no organization. */
type ActorBy = { public: undefined; key: Actor; organization: Actor; session: Actor; admin: undefined }

type Call<A extends Access, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = {
  app: App
  actor: ActorBy[A]
  request: RequestContext
  headers: IncomingHttpHeaders
  params: z.infer<P>
  query: z.infer<Q>
  body: z.infer<B>
  /** For a route that `waits`. */
  reader?: Reader
}

/** A call that was refused, by the route or before it: its input is unchecked. */
export type RefusedCall = { app: App; headers: IncomingHttpHeaders; params: unknown; query: unknown; body: unknown }

/**
 * A success of a route; without a schema it has no body. `contentType`: JSON by default. `headers`: those that it always
 * has, besides the headers of every answer.
 */
export type Success = {
  status: number
  schema?: z.ZodType
  description?: string
  contentType?: string
  headers?: readonly HeaderName[]
}

/** A type with its usual status, a code (which implies its type), or a type with another status. */
export type RouteError = ErrorType | ErrorCode | { type: ErrorType; status: number; code?: ErrorCode }

/** The definition of a route; without a schema the input is `unknown`. */
type Definition<A extends Access, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = {
  method: Method
  /** Express' notation: `/v1/calendars/:id`. */
  path: string
  tag: string
  /** The name of its function in generated clients. */
  operationId: string
  summary: string
  /** Facts that a caller must know and cannot guess. */
  description?: string
  access: A
  /**
   * The least role of a member who calls it by session, if it is not that of its method: `viewer` to read, `developer` to change.
   * `self`: it is about the caller's own account, so that every member may.
   */
  role?: Role | 'self'
  /** A member must have shown just now who they are: `always`, or `base`, once there is another member or a second factor. */
  reauthentication?: 'always' | 'base'
  /** The same for a request with a body that has a field. */
  reauthenticationWithBody?: 'always'
  /** Whether a request is about the member who makes it, by its path. Then it is as one of the role `self`, and needs no re-authentication. */
  isSelf?(params: { id: string }, member: Member): boolean
  /** The organization that a session acts in, unless the request names one; undefined: the session's own. */
  organizationOf?(app: App, params: Record<string, string>): Promise<string | undefined>
  /** Needs a paid plan. */
  feature?: Feature
  /** On `session` routes: refused to organizations on the waitlist. The routes of keys always are. */
  activated?: true
  /** Its success accepts the current terms, so the answer no longer asks for that. */
  acceptsTerms?: true
  /** Changes nothing, although its method writes: it costs what a read costs, and takes neither a key nor a dry run. */
  reads?: true
  /** Answered even when the calls of the month are used up. */
  beyondQuota?: true
  /** Ignores `Idempotency-Key`: its request or its answer holds a secret of the account, and nothing of it is stored. */
  ignoresKey?: true
  /** The most requests that one client address may send. */
  perAddress?: Throttle
  /** Takes one unit of this monthly budget; a refused request gives it back. */
  spends?: Budget
  params?: P
  /** Parameters that it does not name are refused, unless it is a loose object. Without it there are no parameters. */
  query?: Q
  /** Query values may contain text that Postgres cannot store. */
  takesAnyQuery?: true
  /** Without it the body must be empty. */
  body?: B
  /** Named bodies in the document, for a schema that one example cannot show. */
  bodyExamples?: Record<string, { summary: string; value: unknown }>
  /** The body is not read. */
  ignoresBody?: true
  /** `body` is the text as sent, unchecked; undefined above 64 KB. Parameters of the path are unchecked, too. */
  takesAnyBody?: true
  /** The body may also come as an HTML form. */
  form?: true
  /** How an invalid body is refused, if not with the usual `validation_error`. */
  invalidBody?: { type: ErrorType; status?: number }
  /**
   * Takes `view=local` (`withLocalView`). `zoneOf`: the zone unless the caller names one; undefined if there is no such
   * calendar. `asked`: the caller must name it, because the answer may be about several calendars.
   */
  local?: { zoneOf(call: Call<A, P, Q, B>): Promise<string | undefined> } | 'asked'
  /**
   * Takes `outside_text`: its answer may have text that somebody outside the organization wrote. Set for a route whose record has
   * `outside` (`withOutsideText`).
   */
  outside?: true
  /** Its answer may wait for something to happen. */
  waits?: true
  /** Its answer waits for somebody else's server, as long as that work allows. */
  asksOthers?: true
  /** Its answer is one record, or it changes one: the record has a tag (`withTag`). */
  tagged?: true
  /** Its cost grows with the organization's data, so it takes one of its places for heavy reads; without `when`: always. */
  heavy?: { kind: HeavyReadKind; when?(query: z.infer<Q>): boolean }
  success: Success
  /** Its further successes: another status, or another content type. */
  also?: readonly Success[]
  /** The errors that do not follow from the rest of the route; `openapi/refusals.ts` has the others. */
  errors: readonly RouteError[]
  run(call: Call<A, P, Q, B>): Promise<unknown>
  /** Shows an error to a client that asks for something other than JSON; undefined: send JSON. */
  showError?(error: ServiceError, call: RefusedCall): Promise<RawAnswer | undefined>
}

export type Route = Definition<Access, z.ZodType, z.ZodType, z.ZodType>

/** The requirements of a route at the gate. `isFree`: it takes a token of the rate, but no call of the month. */
export type Gated = Pick<
  Route,
  | 'method'
  | 'reads'
  | 'access'
  | 'role'
  | 'reauthentication'
  | 'isSelf'
  | 'feature'
  | 'activated'
  | 'beyondQuota'
  | 'spends'
> & {
  isFree?: true
}

export const leastRole = ({ method, role }: Pick<Route, 'method' | 'role'>): Role => {
  if (role === 'self') return 'viewer'
  return role ?? (method === 'get' ? 'viewer' : 'developer')
}

/** The shortest JSON with a field, `{"a":1}`, has seven characters. The length of a body in chunks is not known before it is read. */
const minFieldLength = 7

/** The route as the gate sees it for one request: it decides before the body is read. */
export function gatedBy(route: Route, headers: IncomingHttpHeaders): Route {
  const { reauthenticationWithBody: reauthentication } = route
  if (!reauthentication) return route
  const hasFields =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) >= minFieldLength
  return hasFields ? { ...route, reauthentication } : route
}

export const isRead = ({ method, reads }: Pick<Route, 'method' | 'reads'>): boolean =>
  method === 'get' || reads === true

/** Whether it changes something for a known caller: it then may be a dry run. */
export const isMutation = (route: Route): boolean => !isRead(route) && route.access !== 'public'

/** Whether it takes an `Idempotency-Key`. */
export const takesKeys = (route: Route): boolean => isMutation(route) && !route.ignoresKey

/** Ties the types of the access and the schemas to the handler. */
export const route = <A extends Access, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  definition: Definition<A, P, Q, B>,
): Route => definition

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

/** A body that is not JSON, or that is streamed; `headers` names its `Content-Type`. */
export class RawAnswer {
  readonly status: number
  readonly body: string | Buffer | Readable | undefined
  readonly headers: Record<string, string | string[]>
  constructor(status: number, headers: Record<string, string | string[]>, body?: string | Buffer | Readable) {
    this.status = status
    this.headers = headers
    this.body = body
  }
}
