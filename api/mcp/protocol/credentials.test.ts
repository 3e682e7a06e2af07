import assert from 'node:assert/strict'
import { makeAccount } from '../../../src/testing/accounts.ts'
import { makeAgent, makeCalendar } from '../../../src/testing/factories.ts'
import { askMcp, callMcp, type McpAnswer } from '../../../src/testing/mcp/mcp.ts'
import { serviceTest } from '../../../src/testing/test.ts'

const test = serviceTest()

function assertChallenged({ status, headers, body }: McpAnswer, hint: RegExp | undefined) {
  assert.equal(status, 401)
  const challenge = headers.get('www-authenticate')!
  if (hint)
    assert.match(challenge, /^Bearer realm="agent-calendar", error="invalid_token", error_description="[ -~]+"$/)
  else assert.equal(challenge, 'Bearer realm="agent-calendar"')
  assert.doesNotMatch(challenge, /resource_metadata/)
  assert.deepEqual([body.jsonrpc, body.id, body.error.code], ['2.0', undefined, 401])
  assert.equal(body.error.data.type, 'authentication_error')
  assert.equal(body.error.data.message, body.error.message)
  assert.equal(body.error.data.request_id, headers.get('x-request-id'))
  if (hint) assert.match(body.error.message, hint)
}

test('every POST needs a key', async ({ service, key }) => {
  for (const method of ['initialize', 'tools/list', 'tools/call', 'ping']) {
    assertChallenged(await askMcp(service, method, {}), undefined)
    for (const bad of ['x', 'svc_sk_', 'svc_xx_abcdefghijk']) {
      assertChallenged(await askMcp(service, method, {}, { key: bad }), /malformed/)
    }
    assertChallenged(await askMcp(service, method, {}, { key: `${key}x` }), /does not exist/)
  }
  const discover = { revision: '2026-07-28' } as const
  assertChallenged(await askMcp(service, 'server/discover', {}, discover), undefined)
  assertChallenged(await askMcp(service, 'tools/call', { name: 'no_tool' }, discover), undefined)
})

test('a key in the address is refused, and not repeated', async ({ service, key }) => {
  for (const query of [`?key=${key}`, `?api_key=${key}`, `?profile=${key}`, `?tools=${key}`]) {
    const answer = await askMcp(service, 'tools/list', {}, { key, query })
    assert.deepEqual([answer.status, answer.body.error.code], [400, -32600])
    assert.doesNotMatch(answer.text, /svc_sk/)
    assertChallenged(await askMcp(service, 'tools/list', {}, { query }), undefined)
  }
})

test('a session of the console is no key', async ({ service }) => {
  const { token, cookie } = await makeAccount(service)
  assertChallenged(await askMcp(service, 'tools/list', {}, { key: token }), /malformed/)
  assertChallenged(await askMcp(service, 'tools/list', {}, { headers: { cookie } }), undefined)
  const headers = { 'x-api-key': 'svc_sk_abcdefghijklmnop' }
  assertChallenged(await askMcp(service, 'tools/list', {}, { headers }), undefined)
})

test('an agent key sees its agent only, and is refused at once when it is revoked', async ({ service, key, call }) => {
  const agent = await makeAgent(service, key)
  await makeCalendar(service, key)
  const own = await makeCalendar(service, key, agent.id)
  const made = await call('POST', '/v1/keys', { key, body: { agent_id: agent.id } })
  const agentKey = made.body.key
  const list = () => callMcp(service, 'list_calendars', {}, { key: agentKey })
  assert.deepEqual(
    (await list()).structuredContent.calendars.map(({ id }: { id: string }) => id),
    [own.id],
  )
  assert.equal((await call('DELETE', `/v1/keys/${made.body.id}`, { key })).status, 204)
  assertChallenged(
    await askMcp(service, 'tools/call', { name: 'list_calendars', arguments: {} }, { key: agentKey }),
    /revoked/,
  )
})

test('a refused key is recorded in the audit log of its organization', async ({ service, key, call }) => {
  await askMcp(service, 'tools/call', { name: 'list_calendars', arguments: {} }, { key: `${key.slice(0, -4)}none` })
  await service.gate.flush()
  const { body } = await call('GET', '/v1/audit-log?action=auth.failure', { key })
  const { status, method, path } = body.data[0]
  assert.deepEqual([status, method, path], [401, 'POST', '/mcp/list_calendars'])
})

test('there are no documents of OAuth', async ({ service }) => {
  for (const path of [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/mcp',
  ]) {
    const response = await fetch(service.baseUrl + path)
    assert.equal(response.status, 404)
    assert.equal(((await response.json()) as { error: { type: string } }).error.type, 'not_found')
  }
})
