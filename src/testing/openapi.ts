// The standards that the API document is compared with, and helpers that look into it.
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Route } from '../../api/http/route.ts'
import { eventTypes } from '../webhooks/catalog.ts'
import { perFile, serviceTest } from './test.ts'

// OpenAPI 3.1 and JSON Schema 2020-12, as far as the document uses them: a field that is missing here may not be in the document.
const types = z.enum(['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'])
const count = z.int().min(0)
const schema: z.ZodType = z.lazy(() =>
  z.union([
    z.boolean(),
    z.strictObject({ $ref: z.string().startsWith('#/components/schemas/') }),
    z.strictObject({
      $ref: z.string().startsWith('#/components/schemas/').optional(),
      type: z.union([types, z.array(types)]).optional(),
      enum: z.array(z.unknown()).min(1).optional(),
      const: z.unknown().optional(),
      format: z.string().optional(),
      pattern: z
        .string()
        .refine((text) => new RegExp(text, 'u'))
        .optional(),
      minLength: count.optional(),
      maxLength: count.optional(),
      minimum: z.number().optional(),
      maximum: z.number().optional(),
      exclusiveMinimum: z.number().optional(),
      minItems: count.optional(),
      maxItems: count.optional(),
      uniqueItems: z.literal(true).optional(),
      minProperties: count.optional(),
      items: schema.optional(),
      properties: z.record(z.string(), schema).optional(),
      propertyNames: schema.optional(),
      required: z.array(z.string()).min(1).optional(),
      additionalProperties: schema.optional(),
      anyOf: z.array(schema).min(1).optional(),
      oneOf: z.array(schema).min(1).optional(),
      allOf: z.array(schema).min(1).optional(),
      default: z.unknown().optional(),
      deprecated: z.boolean().optional(),
      description: z.string().optional(),
      title: z.string().optional(),
      example: z.unknown().optional(),
      examples: z.array(z.unknown()).optional(),
    }),
  ]),
)
const parameter = z.strictObject({
  name: z.string().min(1),
  in: z.enum(['path', 'query', 'header', 'cookie']),
  required: z.boolean().optional(),
  deprecated: z.boolean().optional(),
  description: z.string().optional(),
  schema,
  example: z.unknown().optional(),
  explode: z.boolean().optional(),
  style: z.string().optional(),
})
const namedExample = z.strictObject({ summary: z.string().min(1), value: z.unknown() })
const content = z.record(
  z.string().regex(/^[a-z]+\/[a-z.+-]+(; charset=utf-8)?$/),
  z.strictObject({
    schema,
    example: z.unknown().optional(),
    examples: z.record(z.string(), namedExample).optional(),
  }),
)
const headers = z.record(
  z.string().regex(/^[A-Z][A-Za-z-]+$/),
  z.strictObject({ $ref: z.string().startsWith('#/components/headers/') }),
)
const response = z.strictObject({
  description: z.string().regex(/^[A-Z`][^:]*(: [^ .].*)?\.$/s),
  headers,
  content: content.optional(),
})
const operation = z.strictObject({
  operationId: z.string().regex(/^[a-z]+([A-Z][a-z]+)+$/),
  tags: z.array(z.string()).length(1),
  summary: z.string().min(1),
  description: z.string().min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(parameter).optional(),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: z.record(
    z.string().regex(/^[2-5]\d\d$/),
    z.union([response, z.strictObject({ $ref: z.string().startsWith('#/components/responses/') })]),
  ),
})
const webhook = z.strictObject({
  operationId: z.string().regex(/^[a-z]+([A-Z][a-z]+)+$/),
  security: z.array(z.never()),
  summary: z.string().min(1),
  description: z.string().min(1),
  parameters: z.array(parameter.extend({ in: z.literal('header'), required: z.literal(true) })).length(4),
  requestBody: z.strictObject({ required: z.literal(true), content }),
  responses: z.record(z.enum(['2XX', 'default']), z.strictObject({ description: z.string().min(1) })),
})
export const openapi = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({
    title: z.string().min(1),
    version: z.string().min(1),
    description: z.string(),
    contact: z.strictObject({ name: z.string(), url: z.url() }),
    license: z.strictObject({ name: z.string(), identifier: z.string() }),
  }),
  servers: z.array(z.strictObject({ url: z.url() })),
  tags: z.array(z.strictObject({ name: z.string(), description: z.string() })),
  paths: z.record(
    z.string().startsWith('/'),
    z.partialRecord(z.enum(['get', 'put', 'post', 'patch', 'delete']), operation),
  ),
  webhooks: z.record(z.enum(eventTypes), z.strictObject({ post: webhook })),
  components: z.strictObject({
    securitySchemes: z.record(
      z.string(),
      z.strictObject({
        type: z.enum(['http', 'apiKey']),
        scheme: z.string().optional(),
        in: z.string().optional(),
        name: z.string().optional(),
        bearerFormat: z.string().optional(),
        description: z.string(),
      }),
    ),
    schemas: z.record(z.string().regex(/^[a-zA-Z0-9._-]+$/), schema),
    responses: z.record(z.string().regex(/^[a-zA-Z0-9._-]+$/), response),
    headers: z.record(
      z.string().regex(/^[A-Z][A-Za-z-]+$/),
      z.strictObject({ description: z.string(), required: z.boolean().optional(), schema }),
    ),
  }),
})

type Document = z.infer<typeof openapi>
type Operation = z.infer<typeof operation>

/** Responses of many operations are components. */
export function resolved(
  document: Document,
  found: Operation['responses'][string] | undefined,
): z.infer<typeof response> {
  assert.ok(found)
  return '$ref' in found ? document.components.responses[found.$ref.split('/').at(-1)!]! : found
}

export const documentPath = (route: Route) => route.path.replace(/:(\w+)/g, '{$1}')

export const operationsOf = (document: Document): Operation[] =>
  Object.values(document.paths).flatMap((item) => Object.values(item).filter((one) => one !== undefined))

export const documentTest = () =>
  serviceTest().extend(
    'document',
    perFile,
    async ({ call }): Promise<Document> => (await call('GET', '/openapi.json')).body,
  )
