import assert from 'node:assert/strict'
import { makeAgent, makeAgentKey, makeCalendar, makeOrganization } from '../../../src/testing/factories.ts'
import { adminToken } from '../../../src/testing/harness.ts'
import {
  askMcp,
  callMcp,
  type McpAnswer,
  mcpError,
  modernRevision,
  postMcp,
  revisions,
} from '../../../src/testing/mcp/mcp.ts'
import { serviceTest } from '../../../src/testing/test.ts'

const test = serviceTest()

const quotaOf = ({ headers }: McpAnswer) => Number(/^"quota";r=(\d+);t=\d+$/.exec(headers.get('ratelimit')!)![1])
const listing = { name: 'list_calendars', arguments: {} }
const about = { uri: 'agent-calendar://about' }

test('calls and reads take a call of the month; everything else takes none', async ({ service }) => {
  const { key } = await makeOrganization(service)
  const left = async (method: string, params = {}) => quotaOf(await askMcp(service, method, params, { key }))
  const before = await left('tools/list')
  for (const method of ['initialize', 'ping', 'tools/list', 'resources/list', 'prompts/list', 'nonsense']) {
    assert.equal(await left(method), before, method)
  }
  assert.equal(await left('tools/call', listing), before - 1)
  assert.equal(await left('resources/read', about), before - 2)
  assert.equal(await left('tools/call', { name: 'no_such_tool' }), before - 3)
  const notified = await postMcp(service, '{"jsonrpc":"2.0","method":"notifications/initialized"}', { key })
  assert.equal(quotaOf(notified), before - 3)
})

test('when the month is used up, calls are refused as results and the protocol goes on', async ({ service }) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { api_calls: 1 } })
  assert.equal((await callMcp(service, 'list_calendars', {}, { key })).isError, undefined)
  for (const revision of ['2025-11-25', modernRevision] as const) {
    const call = await askMcp(service, 'tools/call', listing, { key, revision })
    assert.equal(call.status, 200)
    const { error } = JSON.parse(call.body.result.content[0].text)
    assert.deepEqual([call.body.result.isError, error.type], [true, 'quota_exceeded'])
    assert.ok(Number(call.headers.get('retry-after')) > 0)
    assert.equal(call.body.result.structuredContent, undefined)
    assert.equal(call.body.result._meta['agent-calendar/request_id'], call.headers.get('x-request-id'))
    const read = await askMcp(service, 'resources/read', about, { key, revision })
    assert.deepEqual([read.status, read.body.id, read.body.error.code], [429, 1, 429])
    assert.equal(read.body.error.data.type, 'quota_exceeded')
    assert.ok(Number(read.headers.get('retry-after')) > 0)
    for (const method of ['tools/list', 'resources/list', 'prompts/list']) {
      assert.equal((await askMcp(service, method, {}, { key, revision })).status, 200)
    }
  }
})

test('every request takes a token of the rate; without one a call is a result and the rest is HTTP 429', async ({
  service,
}) => {
  const { key } = await makeOrganization(service, { rate: 3 })
  for (const _ of [1, 2, 3]) assert.equal((await askMcp(service, 'ping', {}, { key })).status, 200)
  const refused = await askMcp(service, 'ping', {}, { key })
  assert.deepEqual([refused.status, refused.body.id, refused.body.error.code], [429, 1, 429])
  assert.equal(refused.body.error.data.type, 'rate_limit_error')
  assert.equal(refused.headers.get('retry-after'), '1')
  const call = await askMcp(service, 'tools/call', listing, { key })
  assert.equal(call.status, 200)
  assert.equal(JSON.parse(call.body.result.content[0].text).error.retry_after_seconds, 1)
  assert.equal(call.headers.get('retry-after'), '1')
  // A notification takes no token, so it is taken.
  const notification = '{"jsonrpc":"2.0","method":"notifications/initialized"}'
  assert.equal((await postMcp(service, notification, { key })).status, 202)
})

test('who is on the waitlist is refused: calls as results, the rest by status', async ({ service, call }) => {
  const { id, key } = await makeOrganization(service)
  const changed = await call('PATCH', `/v1/admin/orgs/${id}`, { key: adminToken, body: { is_waitlisted: true } })
  assert.equal(changed.status, 200, JSON.stringify(changed.body))
  const list = await askMcp(service, 'tools/list', {}, { key })
  assert.deepEqual([list.status, list.body.error.code], [403, 403])
  assert.equal(list.body.error.data.type, 'account_waitlisted')
  const result = await callMcp(service, 'list_calendars', {}, { key })
  assert.equal(JSON.parse(result.content[0].text).error.type, 'account_waitlisted')
})

test('calls are counted by tool and outcome', async ({ service, key }) => {
  const { app } = service
  const count = async (outcome: string) => {
    const { values } = await app.metrics.mcpCalls.get()
    const own = values.find(({ labels }) => labels.tool === 'list_calendars' && labels.outcome === outcome)
    return own?.value ?? 0
  }
  const before = [await count('ok'), await count('refused')]
  await callMcp(service, 'list_calendars', {}, { key })
  await callMcp(service, 'list_calendars', { limit: 0 }, { key })
  assert.deepEqual([await count('ok'), await count('refused')], [before[0]! + 1, before[1]! + 1])
})

test('a call that the protocol refuses gives its budget back', async ({ service }) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { events: 1 } })
  const calendar = await makeCalendar(service, key)
  const times = { start_time: '2026-03-05T09:00', duration_minutes: 30 }
  const params = { name: 'create_event', arguments: { calendar_id: calendar.id, title: 'A', ...times } }
  const headers = { 'mcp-name': 'another' }
  const refused = await askMcp(service, 'tools/call', params, { key, revision: modernRevision, headers })
  assert.equal(refused.status, 400)
  const created = await askMcp(service, 'tools/call', params, { key, revision: modernRevision })
  assert.equal(created.body.result.isError, undefined, created.text)
})

test('what a tool changes is in the audit log as a call of the tool', async ({ service, key, call }) => {
  const calendar = await makeCalendar(service, key)
  const times = { start_time: '2026-03-05T09:00', duration_minutes: 30 }
  await callMcp(service, 'create_event', { calendar_id: calendar.id, title: 'A', ...times }, { key })
  const { body } = await call('GET', '/v1/audit-log?action=event.create', { key })
  const [{ method, path, status }] = body.data
  assert.deepEqual([method, path, status], ['POST', '/mcp/create_event', 201])
})

test('a refused call is a result whatever else is wrong with it', async ({ service }) => {
  const { key } = await makeOrganization(service, { rate: 1 })
  await askMcp(service, 'ping', {}, { key })
  for (const revision of revisions) {
    const unsaid = { key, revision }
    const answers = [
      await askMcp(service, 'tools/call', { name: 'no_such_tool' }, unsaid),
      await askMcp(service, 'tools/call', { name: 'list_calendars', arguments: [] }, unsaid),
      await askMcp(service, 'tools/call', {}, unsaid),
      await askMcp(service, 'tools/call', listing, { ...unsaid, headers: { 'mcp-protocol-version': '2020-01-01' } }),
      await askMcp(service, 'tools/call', listing, { ...unsaid, headers: { 'mcp-name': 'other' } }),
      await postMcp(
        service,
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: listing, more: 1 }),
        {
          key,
          headers: { 'mcp-protocol-version': revision },
        },
      ),
    ]
    for (const { status, headers, body, text } of answers) {
      assert.deepEqual([status, body.id, headers.get('retry-after')], [200, 1, '1'], text)
      assert.equal(mcpError(body.result).type, 'rate_limit_error')
      assert.equal(body.result.resultType, revision === modernRevision ? 'complete' : undefined)
    }
  }
})

test('the key of a paused agent reads, and is refused what changes something', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  await makeCalendar(service, key, agent.id)
  const agentKey = await makeAgentKey(service, key, agent.id)
  await call('PATCH', `/v1/agents/${agent.id}`, { key, body: { status: 'paused' } })
  for (const revision of revisions) {
    const options = { key: agentKey, revision }
    assert.equal((await callMcp(service, 'list_calendars', {}, options)).isError, undefined)
    assert.equal((await askMcp(service, 'tools/list', {}, options)).status, 200)
    const { status, body } = await askMcp(service, 'tools/call', { name: 'create_event', arguments: {} }, options)
    const { type, retryable, next_step } = mcpError(body.result)
    assert.deepEqual([status, type, retryable], [200, 'forbidden', false])
    assert.match(next_step, /paused/)
  }
})

test('terms that are due are in the headers of every answer', async ({ service, key, call }) => {
  const terms = { version: '2099-01-01', effective_at: '2026-01-01', url: 'https://example.com/terms', material: true }
  assert.equal((await call('POST', '/v1/admin/terms', { key: adminToken, body: terms })).status, 201)
  for (const revision of revisions) {
    for (const [method, params] of [
      ['tools/call', listing],
      ['tools/call', { name: 'get_event', arguments: {} }],
      ['tools/call', { name: 'no_such_tool' }],
      ['tools/list', {}],
      ['resources/read', { uri: 'agent-calendar://nowhere' }],
    ] as const) {
      const { headers } = await askMcp(service, method, params, { key, revision })
      assert.equal(headers.get('service-terms-upgrade-required'), terms.version)
    }
  }
})
