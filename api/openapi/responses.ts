// The responses of an operation in the document: each success, and for each error status its types and codes.
import { z } from 'zod'
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi'
import { guardrailNames } from '../../src/actors/guardrails.ts'
import { reauthenticationMethods } from '../../src/actors/reauthentication.ts'
import { roles } from '../../src/actors/roles.ts'
import { askedRecord } from '../../src/approvals/schema.ts'
import { causeRecord, conflictRecord } from '../../src/availability/causes.ts'
import { stretchRecord } from '../../src/availability/explainSchema.ts'
import { type ErrorCode, type ErrorType, errorCodes, errorTypes } from '../../src/shapes/errorTypes.ts'
import { exampleId } from '../../src/shapes/fields.ts'
import { dryRunRecord } from '../http/dryRun.ts'
import { everyAnswer, headersOf, ofKeyed, ofTheOrganization } from '../http/responseHeaders.ts'
import { type Access, isMutation, type Route, type Success } from '../http/route.ts'
import { type Refusal, refusalsOf } from './refusals.ts'

export const errorBody = z
  .object({
    error: z.object({
      type: z.enum(errorTypes).meta({ description: 'The kind of error, for programs to decide by.' }),
      message: z.string().meta({ description: 'The problem and the next step, for people. The wording may change.' }),
      param: z.string().nullable().meta({
        description:
          'The first wrong field or parameter, as a dotted path: `slots.0.end_time`. Null if it concerns none.',
      }),
      request_id: z.string().meta({ description: 'The same id as in the header `X-Request-Id`.' }),
      code: z.enum(errorCodes).optional().meta({ description: 'A more specific name than the type, if there is one.' }),
      suggestions: z.array(z.string()).optional().meta({
        description:
          'Values that may be sent instead, the likeliest first. Present if a local time or a weekday is refused.',
      }),
      feature: z.string().optional().meta({ description: 'With `plan_required`: the feature that the plan lacks.' }),
      guardrail: z
        .enum(guardrailNames)
        .optional()
        .meta({ description: 'With the code `guardrail`: the one that refuses it.' }),
      methods: z
        .array(z.enum(reauthenticationMethods))
        .optional()
        .meta({ description: 'With `reauthentication_required`: the ways in which this account may show it.' }),
      challenge: z.string().optional().meta({
        description: 'With `second_factor_required` of a sign-in: goes with the code. It is good for 5 minutes.',
      }),
      organizations: z.array(z.string()).optional().meta({
        description:
          'With `required_by_organization`: those whose policy it is. With `last_owner`, of several: those that would have no owner.',
      }),
      required_role: z.enum(roles).optional().meta({ description: 'With the code `role`: the least that is enough.' }),
      current_version: z
        .string()
        .optional()
        .meta({ description: 'With `tos_version_stale`: the version of the terms of service to accept.' }),
      original_request_id: z
        .string()
        .optional()
        .meta({ description: 'With `idempotency_key_reused`: the request that the key was used for.' }),
      reason: z
        .enum(['too_old', 'restored'])
        .optional()
        .meta({ description: 'With `cursor_gone`: why the cursor is no longer valid.' }),
      resync: z
        .object({ cursor: z.string(), lists: z.array(z.string()) })
        .optional()
        .meta({
          description:
            'With `cursor_gone`: take this cursor, read the lists, then follow the cursor. Nothing is missed.',
        }),
      current_etag: z
        .string()
        .optional()
        .meta({ description: 'With `precondition_failed`: the current tag of the record.' }),
      conflict: conflictRecord.optional().meta({
        description: 'With `explain`: the first thing in the way, its times, and the owner of its calendar.',
      }),
      conflicts: z.int().optional().meta({ description: 'With `explain`: how many things are in the way.' }),
      alternatives: z.array(stretchRecord).optional().meta({
        description:
          'With `explain`: the next times of the same length that would be accepted, at most 5, within 14 days. They are not reserved.',
      }),
      blocked: z
        .array(z.object({ requirement: z.int(), calendar_id: z.string(), by: z.array(causeRecord) }))
        .optional()
        .meta({ description: 'With `explain`, of a hold group: what is in the way on each calendar.' }),
      retry_at: z.iso.datetime().optional().meta({
        description: 'With `explain`, if only holds are in the way: when the last of them runs out.',
      }),
      errors: z
        .array(z.object({ param: z.string().nullable(), message: z.string() }))
        .optional()
        .meta({ description: 'Every wrong field, if there are several.' }),
    }),
  })
  .meta({
    id: 'Error',
    example: {
      error: {
        type: 'validation_error',
        message: 'end_time: must be after start_time',
        param: 'end_time',
        request_id: exampleId('req'),
        code: 'end_before_start',
      },
    },
  })

const meanings: Record<ErrorType, string> = {
  validation_error: 'A parameter or a field of the body is unknown, missing or invalid.',
  bad_request: 'The values are well-formed, but do not fit together or do not fit here.',
  validation: 'A field of the body is unknown, missing or invalid.',
  invalid_transition: 'The event cannot change to this status.',
  authentication_error: 'The credential is missing, malformed, unknown or revoked.',
  forbidden: 'The credential does not permit this.',
  plan_required: 'This needs a paid plan.',
  account_waitlisted: 'The organization is on the waitlist.',
  not_found: 'It does not exist, or it belongs to another organization.',
  conflict: 'The current state does not allow this.',
  email_taken: 'The address already has an account.',
  tos_version_stale: 'These are not the current terms of service.',
  cursor_gone: 'The cursor is no longer valid.',
  precondition_failed: 'The record does not meet `If-Match` or `If-None-Match`.',
  idempotency_key_reused: 'This Idempotency-Key was used for a different request.',
  rate_limit_error: 'Too many requests in a short time.',
  rate_limited: 'Too many exports in a short time.',
  quota_exceeded: 'A limit of the plan is reached.',
  internal_error: 'Something went wrong on our side.',
}

const byStatus: Record<number, string> = {
  413: 'The body is too large.',
  415: 'The body has a Content-Encoding that is not supported.',
  503: 'The service cannot answer at the moment. After `internal_error` a write may have taken effect: repeat it with the same Idempotency-Key, or read before you repeat it.',
}

const jsonType = 'application/json'

const commonHeaders: Record<Access, typeof everyAnswer> = {
  public: everyAnswer,
  key: [...everyAnswer, ...ofTheOrganization],
  organization: [...everyAnswer, ...ofTheOrganization],
  session: [...everyAnswer, ...ofTheOrganization],
  admin: [...everyAnswer, 'No-Store'],
}

const unchanged = 'Nothing has changed since the answer with the tag that `If-None-Match` names.'

export function responsesOf(route: Route): ZodOpenApiResponsesObject {
  const dryRun: Success[] = isMutation(route)
    ? [{ status: 200, schema: dryRunRecord, description: 'With `dry_run=true`: what would happen.' }]
    : []
  const asked: Success[] =
    isMutation(route) && route.access === 'key'
      ? [
          {
            status: 202,
            schema: askedRecord,
            description: 'A guardrail of the key makes a person approve it first. Nothing has changed.',
          },
        ]
      : []
  const known: Success[] = route.tagged && route.method === 'get' ? [{ status: 304, description: unchanged }] : []
  const successes = Map.groupBy(
    [route.success, ...(route.also ?? []), ...dryRun, ...asked, ...known],
    ({ status }) => status,
  )
  const refusals = Map.groupBy(refusalsOf(route), ({ status }) => status)
  return Object.fromEntries([
    ...[...successes].map(([status, same]) => [`${status}`, successOf(route, same)]),
    ...[...refusals].map(([status, same]) => [`${status}`, refusalOf(route, status, same)]),
  ])
}

const plainly: Record<number, string> = { 201: 'Created.', 202: 'Accepted.', 204: 'Done.' }

function successOf(route: Route, same: Success[]): ZodOpenApiResponseObject {
  const [{ status }] = same as [Success]
  const descriptions = same.map(({ description }) => description ?? plainly[status] ?? 'Success.')
  const byType = Map.groupBy(same, ({ contentType = jsonType }) => contentType)
  const bodies = [...byType].flatMap(([type, group]) => {
    const schemas = group.flatMap((one) => one.schema ?? [])
    return schemas.length > 0 ? [[type, { schema: schemas.length > 1 ? z.union(schemas) : schemas[0]! }]] : []
  })
  return {
    description: [...new Set(descriptions)].join(' '),
    headers: headersOf(
      ...commonHeaders[route.access],
      ...(isMutation(route) ? ofKeyed : []),
      ...(route.tagged ? (['Tag'] as const) : []),
      ...same.flatMap(({ headers = [] }) => headers),
    ),
    ...(bodies.length > 0 && { content: Object.fromEntries(bodies) }),
  }
}

const known = new Map<string, ZodOpenApiResponseObject>()

/** Routes with the same refusal share one component. */
function refusalOf({ access, showError }: Route, status: number, same: Refusal[]): ZodOpenApiResponseObject {
  const types = [...new Set(same.map(({ type }) => type))]
  const codes = [...new Set(same.flatMap(({ code }) => code ?? []))]
  const group = access === 'organization' || access === 'session' ? 'key' : access
  const id = [group, status, ...(showError ? ['page'] : []), ...types, ...codes].join('.')
  const found = known.get(id)
  if (found) return found
  const response: ZodOpenApiResponseObject = {
    id,
    description: byStatus[status] ?? types.map((type) => meanings[type]).join(' '),
    headers: headersOf(...commonHeaders[access], ...waits(status, codes)),
    content: {
      [jsonType]: { schema: { allOf: [{ $ref: '#/components/schemas/Error' }, narrowed(types, codes)] } },
      ...(showError && { 'text/html': { schema: { type: 'string' } } }),
    },
  }
  known.set(id, response)
  return response
}

function waits(status: number, codes: readonly ErrorCode[]) {
  if (status === 429 || status === 503) return ['Retry-After' as const]
  return codes.includes('not_free') ? ['Retry-At' as const] : []
}

const narrowed = (types: string[], codes: string[]) => ({
  type: 'object' as const,
  properties: {
    error: {
      type: 'object' as const,
      properties: { type: { enum: types }, ...(codes.length > 0 && { code: { enum: codes } }) },
    },
  },
})
