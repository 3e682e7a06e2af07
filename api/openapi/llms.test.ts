import assert from 'node:assert/strict'
import { serviceTest } from '../../src/testing/test.ts'
import { allTools } from '../mcp/tools/toolTable.ts'
import { routes } from '../routes.ts'

const test = serviceTest()

test('models find the service described, in short and as a whole', async ({ service }) => {
  const read = async (path: string) => {
    const response = await fetch(service.baseUrl + path)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
    return response.text()
  }
  const [short, full] = [await read('/llms.txt'), await read('/llms-full.txt')]
  assert.match(short, /^# Agent Calendar\n\n> /)
  for (const path of ['/mcp', '/v1/agent/sign-up', '/docs/mcp']) assert.ok(short.includes(service.baseUrl + path), path)
  assert.ok(full.includes('`*` marks required ones'))
  assert.ok(full.includes('\nBody: `name`* string; `type`* ai | human | resource; '))
  assert.ok(full.includes('\nQuery: `limit`; `offset`; `type` ai | human | resource; '))
  assert.ok(full.includes('`slots`* [{start_time*, end_time*'))
  for (const { method, path } of routes) assert.ok(full.includes(`### ${method.toUpperCase()} ${path}\n`), path)
  for (const { name } of allTools) assert.ok(full.includes(`### ${name}\n`), name)
})
