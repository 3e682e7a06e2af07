// The document that the reference shows.
import assert from 'node:assert/strict'
import { parse } from 'yaml'
import { serviceTest } from '../../src/testing/test.ts'
import { type ApiDocument, operationsOf } from './operations.ts'

const test = serviceTest()

test('/openapi.yaml is /openapi.json', async ({ call }) => {
  const [yaml, json] = [await call('GET', '/openapi.yaml'), await call('GET', '/openapi.json')]
  assert.equal(yaml.headers.get('content-type'), 'application/yaml; charset=utf-8')
  assert.deepEqual(parse(yaml.body, { maxAliasCount: -1 }), json.body)
})

test('the reference shows every operation and webhook, each with three samples and one box for a key', async ({
  call,
}) => {
  const api: ApiDocument = (await call('GET', '/openapi.json')).body
  const shown: ApiDocument & { 'x-tagGroups': { tags: string[] }[] } = (await call('GET', '/docs/reference.json')).body
  assert.deepEqual(operationsOf(shown), operationsOf(api))
  assert.deepEqual(Object.keys(shown.webhooks), Object.keys(api.webhooks))
  const grouped = shown['x-tagGroups'].flatMap(({ tags }) => tags)
  assert.deepEqual(new Set(grouped), new Set(shown.tags.map(({ name }) => name)))
  for (const item of Object.values(shown.paths)) {
    for (const operation of Object.values(item)) {
      assert.deepEqual(
        operation['x-codeSamples']!.map(({ label }) => label),
        ['curl', 'TypeScript', 'Python'],
      )
      assert.ok(operation.security!.length <= 1)
      for (const { source } of operation['x-codeSamples']!) {
        assert.doesNotMatch(source, /undefined|\[object|<\w+>/, `${operation.operationId}: ${source}`)
      }
    }
  }
})
