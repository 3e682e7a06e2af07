// The OpenAPI document, made from the schemas that validate requests.
import { z } from 'zod'
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
} from 'zod-openapi'
import { queryBoolean } from '../../src/shapes/fields.ts'
import { keyHeader } from '../../src/storedResponses/key.ts'
import { prose } from '../http/prose.ts'
import { headerComponents } from '../http/responseHeaders.ts'
import { type Access, isMutation, type Route, takesKeys } from '../http/route.ts'
import { deliveryHeaders, type WebhookEvent, webhookEvents } from '../routes/webhookEvents.ts'
import { about, tagDescriptions } from './about.ts'
import { errorBody, responsesOf } from './responses.ts'

const security: Record<Access, Record<string, string[]>[]> = {
  public: [],
  key: [{ organizationKey: [] }, { agentKey: [] }, { session: [] }, { sessionCookie: [] }],
  organization: [{ organizationKey: [] }, { session: [] }, { sessionCookie: [] }],
  session: [{ session: [] }, { sessionCookie: [] }],
  admin: [{ administratorToken: [] }],
}

const sessionScheme =
  'The token of a sign-in. The header `X-Organization-Id` names the organization of one request; without it, that is the session’s own.'

export function openapiDocument(routes: readonly Route[], baseUrl: string) {
  const paths: ZodOpenApiPathsObject = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method]: operationOf(route) }
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: about(baseUrl),
      servers: [{ url: baseUrl }],
      tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({
        name,
        description: tagDescriptions[name],
      })),
      paths,
      webhooks: Object.fromEntries(
        Object.entries(webhookEvents).map(([type, event]) => [type, { post: webhookOf(type, event) }]),
      ),
      components: {
        schemas: { Error: errorBody },
        headers: headerComponents,
        securitySchemes: {
          organizationKey: { type: 'http', scheme: 'bearer', description: 'svc_sk_…: the whole organization.' },
          agentKey: { type: 'http', scheme: 'bearer', description: 'svc_ak_…: one agent and its calendars.' },
          session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: sessionScheme },
          sessionCookie: { type: 'apiKey', in: 'cookie', name: 'svc_session', description: 'The cookie of a sign-in.' },
          administratorToken: { type: 'http', scheme: 'bearer', description: 'The ADMIN_TOKEN of the installation.' },
        },
      },
    },
    // `metadata` is a custom check that describes its own shape.
    { allowEmptySchema: { custom: true }, override: asPublished },
  )
  for (const item of Object.values(document.paths ?? {})) {
    for (const route of Object.values(item)) for (const one of route.parameters ?? []) asParameter(one)
  }
  return document
}

type Parameter = { in: string; required?: boolean; schema?: ParameterSchema }
type ParameterSchema = { type?: string; pattern?: string; example?: unknown; examples?: unknown[] }

/**
 * `/docs/reference` fills in every `example` and sends it. Optional parameters have `examples` instead, and so do identifiers, which
 * would not be found. A whole number is read from text; the pattern of the text does not apply to the number.
 */
function asParameter({ in: location, required, schema }: Parameter): void {
  if (schema?.type === 'integer') delete schema.pattern
  const isToBeSent = location === 'header' || (location === 'query' && required)
  if (isToBeSent || schema?.example === undefined) return
  schema.examples = [schema.example]
  delete schema.example
}

/** Drops what zod adds by itself: the bounds of safe integers, and that an answer has no further fields. */
const asPublished: ZodOpenApiOverride = ({ jsonSchema, zodSchema }) => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  // Answers may gain fields. The schemas of bodies are strict and stay so.
  const { def } = zodSchema._zod
  if (def.type === 'object' && !(def as z.core.$ZodObjectDef).catchall) delete jsonSchema.additionalProperties
}

const keyHeaderParameter = z.object({
  [keyHeader]: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/)
    .optional()
    .meta({
      description: prose(
        'Makes a retry safe: for 24 hours, another request with the same key gets the answer of the first one, and nothing is',
        'done again. Use a new key, such as a UUID, for each new request.',
      ),
    }),
})

const tagHeader = (description: string) => z.string().optional().meta({ description })
const ifMatch = tagHeader(
  'The tag of the record that you read, or `*`. If the record has changed, nothing is done (412).',
)
const ifNoneMatch = tagHeader('The tag that you have: the answer is 304 while it is the current one.')
const ifNone = tagHeader('`*`: only if none exists yet (otherwise 412).')

/** POST makes records, which have no tag yet. */
function headersSentTo(route: Route): { header?: z.ZodObject } {
  const { tagged, method } = route
  const ofTags = {
    ...(tagged && method === 'get' && { 'If-None-Match': ifNoneMatch }),
    ...(tagged && ['patch', 'put', 'delete'].includes(method) && { 'If-Match': ifMatch }),
    ...(tagged && method === 'put' && { 'If-None-Match': ifNone }),
  }
  if (takesKeys(route)) return { header: keyHeaderParameter.extend(ofTags) }
  return Object.keys(ofTags).length > 0 ? { header: z.object(ofTags) } : {}
}

const dryRunParameter = queryBoolean.optional().meta({
  description: prose(
    '`true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request',
    'would be refused.',
  ),
})

const withDryRun = ({ query = z.strictObject({}) }: Route): z.ZodObject =>
  (query as z.ZodObject).safeExtend({ dry_run: dryRunParameter })

function operationOf(route: Route): ZodOpenApiOperationObject {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    security: security[route.access],
    requestParams: {
      ...(route.params && { path: route.params as z.ZodObject }),
      ...(isMutation(route) ? { query: withDryRun(route) } : route.query && { query: route.query as z.ZodObject }),
      ...headersSentTo(route),
    },
    ...(route.body && { requestBody: { required: true, content: bodyContent(route, route.body) } }),
    responses: responsesOf(route),
  }
}

const webhookOf = (type: string, { when, more, payload, example }: WebhookEvent): ZodOpenApiOperationObject => ({
  // event.hold_created is eventHoldCreated.
  operationId: type.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
  summary: when,
  description: more ?? 'Sent once to each active webhook whose `events` include it.',
  // Deliveries are signed and carry no credential.
  security: [],
  requestParams: { header: deliveryHeaders(type) },
  requestBody: { required: true, content: { 'application/json': { schema: payload, example } } },
  responses: {
    '2XX': { description: 'Received. The body is ignored.' },
    default: {
      description: prose(
        'A redirect, an error or no answer within 10 seconds: the same bytes are sent again later,',
        'with the same X-Delivery-Id, until the attempts of the plan are used up.',
      ),
    },
  },
})

const bodyContent = (route: Route, schema: z.ZodType) => ({
  'application/json': { schema, ...(route.bodyExamples && { examples: route.bodyExamples }) },
  ...(route.form && { 'application/x-www-form-urlencoded': { schema } }),
})
