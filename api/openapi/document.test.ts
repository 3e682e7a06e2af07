import assert from 'node:assert/strict'
import { z } from 'zod'
import { documentPath, documentTest, openapi, operationsOf, resolved } from '../../src/testing/openapi.ts'
import { perFile } from '../../src/testing/test.ts'
import type { Route } from '../http/route.ts'
import { isMutation } from '../http/route.ts'
import { routes } from '../routes.ts'

const test = documentTest().extend(
  // The types and codes that the document has for this status of an operation.
  'errorsAt',
  perFile,
  ({ document }) =>
    (method: Route['method'], path: string, status: number): [types: string[], codes: string[]] => {
      const response = resolved(document, document.paths[path]?.[method]?.responses[status])
      // biome-ignore lint/suspicious/noExplicitAny: a JSON schema is looked into key by key
      const { allOf } = response.content!['application/json']!.schema as any
      const { type, code } = allOf[1].properties.error.properties
      return [type.enum, code?.enum ?? []]
    },
)

test('/openapi.json is a valid OpenAPI 3.1 document', async ({ service, call, document }) => {
  const { status, headers, body } = await call('GET', '/openapi.json')
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.deepEqual(body, document)
  const parsed = openapi.safeParse(body)
  assert.ok(parsed.success, parsed.error && z.prettifyError(parsed.error))
  assert.deepEqual(body.servers, [{ url: service.baseUrl }])
})

test('every reference, tag and security scheme exists, and every operation has its own name', async ({ document }) => {
  for (const [, kind, name] of JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)) {
    assert.ok(document.components[kind as 'schemas'][name!], name)
  }
  const operations = operationsOf(document)
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

test('the document has every route with its parameters, body and answer, and nothing else', async ({ document }) => {
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
    const ofMutations = isMutation(route) ? ['dry_run'] : []
    assert.deepEqual(named('query'), [...shape(route.query), ...ofMutations].sort(), name)
    assert.equal(found.requestBody !== undefined, route.body !== undefined, name)
    for (const { status, schema, contentType = 'application/json' } of [route.success, ...(route.also ?? [])]) {
      const success = resolved(document, found.responses[status])
      assert.equal(success.content?.[contentType] !== undefined, schema !== undefined, name)
    }
    assert.equal(found.security.length === 0, route.access === 'public', name)
  }
  assert.equal(operationsOf(document).length, routes.length)
})

test('the document states for a body what the service demands of it', async ({ document }) => {
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

test('the document says what each success is, and gives whole numbers no pattern of text', async ({ document }) => {
  const said = (path: string, method: Route['method'], status: number) =>
    resolved(document, document.paths[path]?.[method]?.responses[status]).description
  assert.equal(said('/v1/agents', 'post', 200), 'With `dry_run=true`: what would happen.')
  assert.equal(said('/v1/agents', 'post', 201), 'Created.')
  assert.equal(said('/v1/agents/{id}', 'patch', 200), 'Success. With `dry_run=true`: what would happen.')
  const limit = document.paths['/v1/agents']?.get?.parameters?.find(({ name }) => name === 'limit')
  assert.ok(limit)
  assert.deepEqual(limit.schema, { type: 'integer', minimum: 1, maximum: 200, default: 50 })
})

test('the document names the errors of each operation by status, with their types and codes', async ({ errorsAt }) => {
  for (const route of routes) {
    const path = documentPath(route)
    assert.deepEqual(errorsAt(route.method, path, 500), [['internal_error'], []])
    if (route.access !== 'key' && route.access !== 'organization') continue
    assert.deepEqual(errorsAt(route.method, path, 401), [['authentication_error'], ['key_expired']])
    const [forbidden] = errorsAt(route.method, path, 403)
    assert.deepEqual(forbidden.slice(0, 2), ['forbidden', 'account_waitlisted'])
    const [tooMany] = errorsAt(route.method, path, 429)
    assert.deepEqual(tooMany, ['rate_limit_error', 'quota_exceeded'])
  }
  const event = '/v1/calendars/{cal_id}/events/{id}'
  assert.deepEqual(errorsAt('get', event, 404), [['not_found'], ['calendar_not_found', 'event_not_found']])
  const created = '/v1/calendars/{cal_id}/events'
  assert.deepEqual(errorsAt('post', created, 409), [
    ['conflict'],
    ['hold_conflict', 'not_free', 'agent_decommissioned'],
  ])
  assert.deepEqual(errorsAt('post', created, 400), [
    ['validation_error', 'bad_request'],
    [
      ...['invalid_time_format', 'offset_mismatch', 'nonexistent_local_time', 'ambiguous_local_time'],
      ...['weekday_mismatch', 'end_before_start'],
    ],
  ])
  const feeds = '/v1/agents/{agent_id}/ical-subscriptions'
  assert.deepEqual(errorsAt('post', feeds, 402), [['quota_exceeded'], []])
  assert.deepEqual(errorsAt('post', feeds, 422), [['validation_error', 'idempotency_key_reused'], []])
  assert.deepEqual(errorsAt('post', '/v1/scheduling/proposals', 400)[0], ['validation_error', 'validation'])
})
