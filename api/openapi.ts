// The OpenAPI document, made from the same schemas that validate.
import { z } from 'zod'
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
} from 'zod-openapi'
import { errorTypes } from '../src/errors.ts'
import { exampleId } from '../src/wire.ts'
import type { Access, Route } from './route.ts'
import { deliveryHeaders, type WebhookEvent, webhookEvents } from './webhookEvents.ts'

const errorBody = z
  .object({
    error: z.object({
      type: z.enum(errorTypes),
      message: z.string().meta({ description: 'What went wrong and what to do next.' }),
      param: z.string().nullable().meta({ description: 'The offending field, as a dotted path.' }),
      request_id: z.string(),
      errors: z
        .array(z.object({ param: z.string().nullable(), message: z.string() }))
        .optional()
        .meta({
          description: "Every wrong field, where there are several; `param` and `message` are the first one's.",
        }),
      code: z.string().optional().meta({ description: 'A finer name beside the type, for example hold_conflict.' }),
      feature: z.string().optional(),
      current_version: z.string().optional(),
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

const security: Record<Access, Record<string, string[]>[]> = {
  public: [],
  key: [{ organizationKey: [] }, { agentKey: [] }, { session: [] }, { sessionCookie: [] }],
  organization: [{ organizationKey: [] }, { session: [] }, { sessionCookie: [] }],
  session: [{ session: [] }, { sessionCookie: [] }],
  admin: [{ administratorToken: [] }],
}

export function openapiDocument(routes: readonly Route[], baseUrl: string) {
  const paths: ZodOpenApiPathsObject = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method]: operationOf(route) }
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'agent-calendar',
        version: '1',
        description:
          'Calendars for software agents: events, short-lived holds, availability and signed webhooks.\n\nSend your key as `Authorization: Bearer svc_sk_…`.',
      },
      servers: [{ url: baseUrl }],
      tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
      paths,
      webhooks: Object.fromEntries(
        Object.entries(webhookEvents).map(([type, event]) => [type, { post: webhookOf(type, event) }]),
      ),
      components: {
        securitySchemes: {
          organizationKey: { type: 'http', scheme: 'bearer', description: 'svc_sk_…: the whole organization.' },
          agentKey: { type: 'http', scheme: 'bearer', description: 'svc_ak_…: one agent and its calendars.' },
          session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The token of a sign-in.' },
          sessionCookie: { type: 'apiKey', in: 'cookie', name: 'svc_session', description: 'The cookie of a sign-in.' },
          administratorToken: { type: 'http', scheme: 'bearer', description: 'The ADMIN_TOKEN of the installation.' },
        },
      },
    },
    // `metadata` says itself what it is, beside its checks.
    { allowEmptySchema: { custom: true }, override: asPublished },
  )
  for (const item of Object.values(document.paths ?? {})) {
    for (const route of Object.values(item)) for (const one of route.parameters ?? []) leaveOpen(one)
  }
  return document
}

type Parameter = { in: string; required?: boolean; schema?: { example?: unknown; examples?: unknown[] } }

/** `/docs` fills in every `example` and sends it: what need not be sent has `examples` instead. */
function leaveOpen({ in: place, required, schema }: Parameter): void {
  if (place !== 'query' || required || schema?.example === undefined) return
  schema.examples = [schema.example]
  delete schema.example
}

/** Without what zod says of itself: whole numbers are no wider than its own, and an answer has no further fields. */
const asPublished: ZodOpenApiOverride = ({ jsonSchema, zodSchema }) => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  // Records may gain fields. Bodies are strict by themselves, and stay so.
  const { def } = zodSchema._zod
  if (def.type === 'object' && !(def as z.core.$ZodObjectDef).catchall) delete jsonSchema.additionalProperties
}

function operationOf(route: Route): ZodOpenApiOperationObject {
  const { success } = route
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    security: security[route.access],
    requestParams: {
      ...(route.params && { path: route.params as z.ZodObject }),
      ...(route.query && { query: route.query as z.ZodObject }),
    },
    ...(route.body && { requestBody: { required: true, content: bodyContent(route, route.body) } }),
    responses: {
      [success.status]: {
        description: success.description ?? (success.status === 204 ? 'Done.' : 'Success.'),
        ...(success.schema && { content: { [success.contentType ?? 'application/json']: { schema: success.schema } } }),
      },
      default: {
        description: `An error: ${[...new Set([...gateErrors(route), 'validation_error', ...route.errors, 'internal_error'])].join(', ')}.`,
        content: { 'application/json': { schema: errorBody } },
      },
    },
  }
}

const webhookOf = (type: string, { when, more, payload, example }: WebhookEvent): ZodOpenApiOperationObject => ({
  summary: when,
  description: more ?? 'Sent once to each active webhook whose `events` name it.',
  requestParams: { header: deliveryHeaders(type) },
  requestBody: { required: true, content: { 'application/json': { schema: payload, example } } },
  responses: {
    '2XX': { description: 'Received. The body is not looked at.' },
    default: {
      description:
        'A redirect, an error or no answer within 10 seconds: sent again later, in the same bytes and with the same X-Delivery-Id, until the attempts of the plan are used up.',
    },
  },
})

const bodyContent = (route: Route, schema: z.ZodType) => ({
  'application/json': { schema },
  ...(route.form && { 'application/x-www-form-urlencoded': { schema } }),
})

const gateErrors = (route: Route): string[] => {
  const limited = route.perAddress ? ['rate_limit_error'] : []
  if (route.access === 'public') return limited
  if (route.access === 'admin') return ['authentication_error']
  if (route.access === 'session') {
    return ['authentication_error', 'forbidden', ...limited, ...(route.activated ? ['account_waitlisted'] : [])]
  }
  // An agent's key may be too little, or its agent paused.
  return ['authentication_error', 'forbidden', 'account_waitlisted', 'rate_limit_error', 'quota_exceeded', ...limited]
}
