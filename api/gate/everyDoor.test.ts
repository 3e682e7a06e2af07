// Every request with a key takes a token of the rate, or of a rate of its own: no door is free.
import assert from 'node:assert/strict'
import { makeAgent, makeAgentKey, makeOrganization } from '../../src/testing/factories.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const perSecond = 10
/** Of messages at `/mcp` that have no answer. */
const unanswered = 100

const mcp = (body: object) => ['POST', '/mcp', { jsonrpc: '2.0', ...body }] as const
const request = (method: string, params: object = {}) => mcp({ id: 1, method, params })
const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }

const doors: Record<string, readonly [method: string, path: string, body?: object]> = {
  read: ['GET', '/v1/agents'],
  'read of the head': ['HEAD', '/v1/agents'],
  'record that is not there': ['GET', '/v1/agents/agt_0197f3a06c1e7c3a9d0b6f6a3c1b7e92'],
  'invalid body': ['POST', '/v1/agents', { name: 1 }],
  'dry run': ['POST', '/v1/agents?dry_run=true', { name: 'A', type: 'ai' }],
  'use of the month': ['GET', '/v1/usage'],
  changes: ['GET', '/v1/changes?limit=1'],
  'tool list': request('tools/list'),
  'tool call': request('tools/call', { name: 'list_agents', arguments: {} }),
  'unknown tool': request('tools/call', { name: 'nothing', arguments: {} }),
  'unknown method': request('nothing'),
  resource: request('resources/read', { uri: 'calendar://none' }),
  initialize: request('initialize', initialize),
  ping: request('ping'),
  notification: mcp({ method: 'notifications/initialized' }),
  'notification of a cancelled request': mcp({ method: 'notifications/cancelled', params: { requestId: 1 } }),
  response: mcp({ id: 1, result: {} }),
  'response with an error': mcp({ id: 1, error: { code: 1, message: 'x' } }),
}

const test = serviceTest().extend(
  'flood',
  perFile,
  ({ service }) =>
    /** Sends 200 requests at once: all but `max` a second are refused for their rate. */
    async (key: string, [method, path, body]: readonly [string, string, object?], max = perSecond) => {
      const startedAt = performance.now()
      const headers = {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        ...(body && { 'content-type': 'application/json' }),
      }
      const sent = Array.from({ length: 200 }, async () => {
        const answer = await fetch(service.baseUrl + path, { method, headers, body: body && JSON.stringify(body) })
        await answer.text()
        // A tool's refusal has status 200, and the header as well.
        return answer.status === 429 || answer.headers.has('retry-after')
      })
      const taken = (await Promise.all(sent)).filter((isRefused) => !isRefused).length
      const seconds = (performance.now() - startedAt) / 1000
      assert.ok(taken > 0 && taken <= max * (1 + seconds), `${taken} in ${seconds} s`)
      await service.clock.advance(1_000)
    },
)

for (const [name, door] of Object.entries(doors)) {
  const max = /^(notification|response)/.test(name) ? unanswered : perSecond
  test(`of 200 requests at once at ${name} a key gets no more than its rate`, async ({ service, flood }) => {
    const { key } = await makeOrganization(service, { rate: perSecond })
    await flood(key, door, max)
  })
}

test('a request that is refused later takes a token, too', async ({ service, call, flood }) => {
  const { id, key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const agentKey = await makeAgentKey(service, key, agent.id)
  const give = async (body: object) =>
    assert.equal((await call('PATCH', `/v1/admin/orgs/${id}`, { key: adminToken, body })).status, 200)
  await give({ rate_limit_per_second: perSecond })
  await flood(agentKey, ['POST', '/v1/agents', { name: 'A', type: 'ai' }])
  assert.equal((await call('PATCH', `/v1/agents/${agent.id}`, { key, body: { status: 'paused' } })).status, 200)
  await flood(agentKey, ['POST', '/v1/calendars', { name: 'C', timezone: 'UTC' }])
  await give({ is_waitlisted: true })
  await flood(key, ['GET', '/v1/agents'])
  await flood(key, request('tools/list'))
  await flood(key, mcp({ method: 'notifications/initialized' }), unanswered)
})

test('messages without an answer take nothing of the rate of the key', async ({ service, call }) => {
  const { key } = await makeOrganization(service, { rate: 1 })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
  for (let nth = 0; nth < 20; nth++) {
    assert.equal((await fetch(`${service.baseUrl}/mcp`, { method: 'POST', headers, body })).status, 202)
  }
  assert.equal((await call('GET', '/v1/agents', { key })).status, 200)
})
