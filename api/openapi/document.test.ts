import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, test } from 'vitest'
import { z } from 'zod'
import { openTestService, type TestService } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { eventTypes } from '../../src/webhooks/catalog.ts'
import type { Route } from '../http/route.ts'
import { routes } from '../routes.ts'

let service: TestService
let call: TestService['call']

beforeAll(async () => {
  service = await openTestService()
  call = service.call
})
afterAll(() => service.close())
// Holding the whole document against a schema may take longer than an idle connection is kept: client and server, both in
// this process, first notice that it is closed.
beforeEach(() => pause(20))

// OpenAPI 3.1 and JSON Schema 2020-12, as far as the document uses them: what is not named here is not in the document.
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
const openapi = z.strictObject({
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
function resolved(document: Document, found: Operation['responses'][string] | undefined): z.infer<typeof response> {
  assert.ok(found)
  return '$ref' in found ? document.components.responses[found.$ref.split('/').at(-1)!]! : found
}

const documentPath = (route: Route) => route.path.replace(/:(\w+)/g, '{$1}')
const readDocument = async (): Promise<Document> => (await call('GET', '/openapi.json')).body
const everyOperation = (document: Document): Operation[] =>
  Object.values(document.paths).flatMap((item) => Object.values(item).filter((one) => one !== undefined))

test('/openapi.json is a valid OpenAPI 3.1 document', async () => {
  const { status, headers, body } = await call('GET', '/openapi.json')
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  const parsed = openapi.safeParse(body)
  assert.ok(parsed.success, parsed.error && z.prettifyError(parsed.error))
  assert.deepEqual(body.servers, [{ url: service.baseUrl }])
})

test('every reference, tag and security scheme of the document exists, and every operation has its own name', async () => {
  const document = await readDocument()
  for (const [, kind, name] of JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)) {
    assert.ok(document.components[kind as 'schemas'][name!], name)
  }
  const operations = everyOperation(document)
  const tags = document.tags.map(({ name }) => name)
  assert.equal(new Set(tags).size, tags.length)
  for (const { tags: used, security } of operations) {
    for (const tag of used) assert.ok(tags.includes(tag), tag)
    for (const scheme of security.flatMap((one) => Object.keys(one))) {
      assert.ok(document.components.securitySchemes[scheme], scheme)
    }
  }
  const sent = Object.values(document.webhooks).map(({ post }) => post)
  const names = [...operations, ...sent].map(({ operationId }) => operationId)
  assert.equal(new Set(names).size, names.length)
})

test('every route is in the document with its parameters, its body and its answer, and nothing else is', async () => {
  const document = await readDocument()
  const shape = (one: z.ZodType | undefined) => Object.keys((one as z.ZodObject | undefined)?.shape ?? {}).sort()
  for (const route of routes) {
    const name = `${route.method} ${route.path}`
    const found = document.paths[documentPath(route)]?.[route.method]
    assert.ok(found, name)
    const named = (place: string) =>
      (found.parameters ?? [])
        .filter((one) => one.in === place)
        .map((one) => one.name)
        .sort()
    const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, param]) => param).sort()
    assert.deepEqual(named('path'), inPath, name)
    assert.ok((found.parameters ?? []).every((one) => one.in !== 'path' || one.required === true))
    assert.deepEqual(named('query'), shape(route.query), name)
    assert.equal(found.requestBody !== undefined, route.body !== undefined, name)
    for (const { status, schema, contentType = 'application/json' } of [route.success, ...(route.also ?? [])]) {
      const success = resolved(document, found.responses[status])
      assert.equal(success.content?.[contentType] !== undefined, schema !== undefined, name)
    }
    assert.equal(found.security.length === 0, route.access === 'public', name)
  }
  assert.equal(everyOperation(document).length, routes.length)
})

test('the document says of a body what the service holds it to', async () => {
  const document = await readDocument()
  const body = document.paths['/v1/calendars']?.post?.requestBody?.content['application/json']?.schema
  // biome-ignore lint/suspicious/noExplicitAny: a JSON schema is looked into key by key
  const { properties, required, additionalProperties } = body as any
  assert.deepEqual(required, ['name', 'timezone'])
  assert.equal(additionalProperties, false)
  assert.deepEqual(Object.keys(properties), ['name', 'timezone', 'agent_status', 'default_reminders', 'metadata'])
  assert.deepEqual([properties.name.minLength, properties.name.maxLength], [1, 255])
  assert.equal(properties.metadata.type, 'object')
  const parameters = document.paths['/v1/agents']?.get?.parameters ?? []
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const limit = parameters.find(({ name }) => name === 'limit')?.schema as any
  assert.deepEqual([limit.type, limit.minimum, limit.maximum, limit.default], ['integer', 1, 200, 50])
})

/** The types and codes that the document has for this status of an operation. */
async function errorsAt(
  method: Route['method'],
  path: string,
  status: number,
): Promise<[types: string[], codes: string[]]> {
  const document = await readDocument()
  const response = resolved(document, document.paths[path]?.[method]?.responses[status])
  // biome-ignore lint/suspicious/noExplicitAny: a JSON schema is looked into key by key
  const { allOf } = response.content!['application/json']!.schema as any
  const { type, code } = allOf[1].properties.error.properties
  return [type.enum, code?.enum ?? []]
}

test('the document names by status the errors of an operation, with their types and codes', async () => {
  for (const route of routes) {
    const path = documentPath(route)
    assert.deepEqual(await errorsAt(route.method, path, 500), [['internal_error'], []])
    if (route.access !== 'key' && route.access !== 'organization') continue
    assert.deepEqual(await errorsAt(route.method, path, 401), [['authentication_error'], []])
    const [forbidden] = await errorsAt(route.method, path, 403)
    assert.deepEqual(forbidden.slice(0, 2), ['forbidden', 'account_waitlisted'])
    const [tooMany] = await errorsAt(route.method, path, 429)
    assert.deepEqual(tooMany, ['rate_limit_error', 'quota_exceeded'])
  }
  const event = '/v1/calendars/{cal_id}/events/{id}'
  assert.deepEqual(await errorsAt('get', event, 404), [['not_found'], ['calendar_not_found', 'event_not_found']])
  const created = '/v1/calendars/{cal_id}/events'
  assert.deepEqual(await errorsAt('post', created, 409), [['conflict'], ['hold_conflict', 'agent_decommissioned']])
  assert.deepEqual(await errorsAt('post', created, 400), [
    ['validation_error', 'bad_request'],
    ['invalid_time_format', 'end_before_start'],
  ])
  const feeds = '/v1/agents/{agent_id}/ical-subscriptions'
  assert.deepEqual(await errorsAt('post', feeds, 402), [['quota_exceeded'], []])
  assert.deepEqual(await errorsAt('post', feeds, 422), [['validation_error'], []])
  assert.deepEqual((await errorsAt('post', '/v1/scheduling/proposals', 400))[0], ['validation_error', 'validation'])
})

test('/docs is a page that fetches everything from the service itself', async () => {
  const page = await call('GET', '/docs')
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'/)
  assert.doesNotMatch(policy, /https?:|\*/)
  const addresses = [...page.body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address)
  assert.ok(addresses.length >= 5)
  for (const address of addresses) assert.match(address, /^\/[^/]/)
  assert.doesNotMatch(page.body, /https?:\/\/|url\(|@import|<script>/)
  for (const address of addresses) {
    const asset = await call('GET', address)
    assert.equal(asset.status, 200, address)
  }
  const script = await call('GET', '/docs/page.js')
  assert.match(script.headers.get('content-type') ?? '', /javascript/)
  assert.match(script.body, /url: '\/openapi\.json'/)
  assert.match(script.body, /validatorUrl: null/)
  assert.doesNotMatch(script.body, /https?:\/\//)
  const style = await call('GET', '/docs/assets/swagger-ui.css')
  assert.match(style.headers.get('content-type') ?? '', /^text\/css/)
  assert.doesNotMatch(style.body, /url\(\s*["']?https?:|@import/)
})

test('the assets end at their folder', async () => {
  for (const path of [
    '/docs/assets/nothing.js',
    '/docs/assets/..%2fpackage.json',
    '/docs/assets/..%2f..%2f..%2fpackage.json',
    '/docs/assets/%2e%2e/%2e%2e/express/package.json',
    '/docs/assets/%E0%A4%A',
    '/docs/assets/',
    '/docs/nothing',
  ]) {
    assertRefused(await call('GET', path), 404, 'not_found')
  }
})

test('the documents are read only: another method is 405 with what is allowed', async () => {
  for (const path of ['/openapi.json', '/docs', '/docs/page.js', '/healthz', '/readyz']) {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await call(method, path)
      assertRefused(answer, 405, 'bad_request')
      assert.equal(answer.headers.get('allow'), 'GET')
    }
  }
})

test('/healthz says that the process is up, /readyz what it reaches', async () => {
  const health = await call('GET', '/healthz')
  assert.deepEqual([health.status, health.body], [200, { status: 'ok' }])
  const ready = await call('GET', '/readyz')
  assert.deepEqual([ready.status, ready.body], [200, { status: 'ready', postgres: 'up', redis: 'up' }])
})

test('without Redis the service is ready, but degraded', async () => {
  const { redis } = service.app
  const ended = once(redis, 'end')
  redis.disconnect()
  await ended
  const ready = await call('GET', '/readyz')
  assert.deepEqual([ready.status, ready.body], [200, { status: 'degraded', postgres: 'up', redis: 'down' }])
  assert.equal((await call('GET', '/healthz')).status, 200)
  await redis.connect()
  assert.equal((await call('GET', '/readyz')).body.status, 'ready')
})

test('without Postgres the service is not ready, the process is up, and requests are told to come again', async () => {
  const other = await openTestService()
  await other.app.sql.end({ timeout: 1 })
  const ready = await other.call('GET', '/readyz')
  assert.deepEqual([ready.status, ready.body], [503, { status: 'unavailable', postgres: 'down', redis: 'up' }])
  assert.deepEqual((await other.call('GET', '/healthz')).body, { status: 'ok' })
  const answer = await other.call('GET', '/v1/agents', { key: 'svc_sk_whoever-this-may-be' })
  assertRefused(answer, 503, 'internal_error')
  assert.equal(answer.headers.get('retry-after'), '1')
  await other.close()
})

test('metrics are not on the public port', async () => {
  assertRefused(await call('GET', '/metrics'), 404, 'not_found')
})
