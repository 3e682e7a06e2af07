// The refusals of a route: those that follow from its definition, and those that it names itself.
import { z } from 'zod'
import {
  type ErrorCode,
  type ErrorType,
  isErrorCode,
  statusOfCode,
  typeOfCode,
  usualStatus,
} from '../../src/shapes/errorTypes.ts'
import { type Access, isMutation, isRead, leastRole, type Route, type RouteError, takesKeys } from '../http/route.ts'

export type Refusal = { status: number; type: ErrorType; code?: ErrorCode }

const byAccess: Record<Access, ErrorType[]> = {
  public: [],
  // `forbidden`: an agent key whose agent is paused, or a resource of another agent. `not_found`: a session names an organization.
  key: ['authentication_error', 'forbidden', 'account_waitlisted', 'not_found', 'rate_limit_error', 'quota_exceeded'],
  organization: [
    ...(['authentication_error', 'forbidden', 'account_waitlisted', 'not_found'] as const),
    ...(['rate_limit_error', 'quota_exceeded'] as const),
  ],
  session: ['authentication_error', 'forbidden', 'not_found'],
  // `forbidden`: the cookie of the console, from another site.
  admin: ['authentication_error', 'forbidden', 'rate_limit_error'],
}

/** A guardrail of an agent key; one that counts refuses changes until the end of its day. */
const byGuardrail = (route: Route): Refusal[] => [
  named('guardrail'),
  ...(isMutation(route) ? [{ ...usual('quota_exceeded'), code: 'guardrail' as const }] : []),
]

/** A member of a lower role than most is refused. */
const takesRole = (route: Route): boolean =>
  ['key', 'organization', 'session'].includes(route.access) && leastRole(route) !== 'viewer'

/** The refusals of a key itself, besides its guardrails. */
const byKey = ({ access, method }: Route): Refusal[] =>
  access === 'key' || access === 'organization'
    ? [named('key_expired'), named('ip_not_allowed'), ...(method === 'get' ? [] : [named('key_scope')])]
    : []

/** The policy of an organization refuses members without a second factor, but for what is about their own account. */
const meetsPolicy = ({ access, role }: Route): boolean =>
  ['key', 'organization', 'session'].includes(access) && role !== 'self'

const usual = (type: ErrorType): Refusal => ({ status: usualStatus(type), type })

const named = (error: RouteError): Refusal => {
  if (typeof error !== 'string') return error
  return isErrorCode(error) ? { status: statusOfCode(error), type: typeOfCode(error), code: error } : usual(error)
}

/** A piece of text in a schema, and the code that it implies. */
const inSchema: [holds: string, code: ErrorCode][] = [
  ['"date-time"', 'invalid_time_format'],
  ['"date-time"', 'offset_mismatch'],
  ['"date-time"', 'nonexistent_local_time'],
  ['"date-time"', 'ambiguous_local_time'],
  ['"weekday"', 'weekday_mismatch'],
  ['"end_time"', 'end_before_start'],
  ['"cal_', 'calendar_not_found'],
  ['"evt_', 'event_not_found'],
]

function codesOf(schema: z.ZodType | undefined): Refusal[] {
  if (!schema) return []
  const text = JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
  return inSchema.flatMap(([holds, code]) => (text.includes(holds) ? [named(code)] : []))
}

function bodyRefusals({ method, body, invalidBody }: Route): Refusal[] {
  if (!body && (method === 'get' || method === 'delete')) return []
  const [malformed, ...tooMuch] = [400, 413, 415].map((status): Refusal => ({ status, type: 'validation_error' }))
  const asAnswered = (refusal: Refusal) => ({ ...refusal, ...(refusal.type === 'validation_error' && invalidBody) })
  return [malformed!, ...codesOf(body), ...tooMuch].map(asAnswered)
}

/** Each refusal once, ordered by status. */
export function refusalsOf(route: Route): Refusal[] {
  const all = [
    // Any parameter may be unknown, or text that cannot be stored.
    usual('validation_error'),
    ...codesOf(route.query),
    ...bodyRefusals(route),
    ...byAccess[route.access].map(usual),
    ...(route.access === 'session' && isRead(route) ? [usual('rate_limit_error')] : []),
    ...byKey(route),
    ...(route.access === 'key' ? byGuardrail(route) : []),
    ...(takesRole(route) ? [named('role')] : []),
    ...(meetsPolicy(route) ? [named('second_factor_required')] : []),
    ...(route.activated ? [usual('account_waitlisted')] : []),
    ...(route.reauthentication ? [named('reauthentication_required')] : []),
    ...(route.feature ? [usual('plan_required')] : []),
    ...(route.params ? [usual('not_found')] : []),
    ...codesOf(route.params),
    ...(route.perAddress ? [usual('rate_limit_error')] : []),
    ...(route.spends ? [usual('quota_exceeded')] : []),
    ...(takesKeys(route) ? [usual('idempotency_key_reused')] : []),
    ...(isMutation(route) && route.tagged ? [usual('precondition_failed')] : []),
    ...route.errors.map(named),
    usual('internal_error'),
    { ...usual('internal_error'), status: 503 },
  ]
  const each = new Map(all.map((refusal) => [[refusal.status, refusal.type, refusal.code].join(), refusal]))
  return [...each.values()].sort((a, b) => a.status - b.status)
}
