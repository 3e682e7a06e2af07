import assert from 'node:assert/strict'
import {
  askMcp,
  legacyRevisions,
  mcpMessage,
  modernRevision,
  postMcp,
  revisions,
} from '../../../src/testing/mcp/mcp.ts'
import { serviceTest } from '../../../src/testing/test.ts'
import { instructions } from './instructions.ts'

const test = serviceTest()

const version = 'io.modelcontextprotocol/protocolVersion'
const clientCapabilities = 'io.modelcontextprotocol/clientCapabilities'

const initialize = (protocolVersion: string) => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
})

test('a handshake is answered with the version that is asked for, or the newest one that has handshakes', async ({
  service,
  key,
}) => {
  const versions = [...legacyRevisions, '2024-11-05'].map((asked) => [asked, asked])
  for (const [asked, expected] of [...versions, ['2030-01-01', '2025-11-25'], ['2026-07-28', '2025-11-25']]) {
    const { body } = await askMcp(service, 'initialize', initialize(asked!), { key })
    assert.equal(body.result.protocolVersion, expected, asked)
    assert.deepEqual(body.result.capabilities, { tools: {}, resources: {}, prompts: {}, completions: {} })
    assert.deepEqual(body.result.serverInfo, {
      name: 'agent-calendar',
      title: 'Agent Calendar',
      version: '0.1.0',
      websiteUrl: `${service.baseUrl}/docs`,
    })
    assert.equal(body.result.instructions, instructions)
  }
})

test('a handshake is answered whatever version its header names', async ({ service, key }) => {
  for (const named of ['2020-01-01', '2030-01-01', 'latest', '', '2026-07-28', '2024-11-05', '2025-06-18']) {
    for (const [asked, expected] of [
      ['2025-06-18', '2025-06-18'],
      ['2030-01-01', '2025-11-25'],
    ] as const) {
      const headers = { 'mcp-protocol-version': named }
      const { status, body } = await askMcp(service, 'initialize', initialize(asked), { key, headers })
      assert.deepEqual([status, body.result?.protocolVersion], [200, expected], named)
    }
  }
})

test('the instructions are short', () => {
  assert.ok(Buffer.byteLength(instructions) <= 1_200, String(Buffer.byteLength(instructions)))
})

test('without a handshake everything is answered all the same', async ({ service, key }) => {
  for (const revision of legacyRevisions) {
    assert.deepEqual((await askMcp(service, 'ping', {}, { key, revision })).body.result, {})
    assert.equal((await askMcp(service, 'tools/list', {}, { key, revision })).body.result.resultType, undefined)
  }
  const { body } = mcpMessage('tools/list')
  assert.equal((await postMcp(service, JSON.stringify(body), { key })).status, 200)
})

test('a header that names an unknown version is refused', async ({ service, key }) => {
  const { body } = mcpMessage('tools/list')
  const headers = { 'mcp-protocol-version': '2020-01-01' }
  const refused = await postMcp(service, JSON.stringify(body), { key, headers })
  assert.deepEqual([refused.status, refused.body.error.code, refused.body.id ?? null], [400, 400, null])
})

test('a handshake without a version is refused for its params', async ({ service, key }) => {
  const { status, body } = await askMcp(service, 'initialize', {}, { key })
  assert.deepEqual([status, body.id, body.error.code], [200, 1, -32602])
  assert.match(body.error.message, /protocolVersion/)
})

test('an unknown method is unknown, also what is declined', async ({ service, key }) => {
  for (const method of ['nonsense', 'logging/setLevel', 'resources/subscribe', 'tasks/list', 'server/discover']) {
    const legacy = await askMcp(service, method, { level: 'info', uri: 'agent-calendar://about' }, { key })
    assert.deepEqual([legacy.status, legacy.body.error.code, legacy.body.id], [200, -32601, 1], method)
  }
  for (const method of ['nonsense', 'initialize', 'ping', 'logging/setLevel', 'resources/subscribe']) {
    const modern = await askMcp(service, method, {}, { key, revision: modernRevision })
    assert.deepEqual([modern.status, modern.body.error.code], [404, -32601], method)
  }
})

test('the newest revision is discovered', async ({ service, key }) => {
  const { status, body } = await askMcp(service, 'server/discover', {}, { key, revision: modernRevision })
  assert.equal(status, 200)
  const { supportedVersions, capabilities, resultType, ttlMs, cacheScope, _meta } = body.result
  assert.deepEqual(supportedVersions, [modernRevision])
  assert.deepEqual(capabilities, { tools: {}, resources: {}, prompts: {}, completions: {} })
  assert.deepEqual([resultType, ttlMs, cacheScope], ['complete', 300_000, 'private'])
  assert.equal(body.result.instructions, instructions)
  assert.equal(_meta['io.modelcontextprotocol/serverInfo'].title, 'Agent Calendar')
})

test('results of the newest revision say how long they may be kept', async ({ service, key }) => {
  const ask = async (method: string, params = {}) =>
    (await askMcp(service, method, params, { key, revision: modernRevision })).body.result
  for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
    const { resultType, ttlMs, cacheScope } = await ask(method)
    assert.deepEqual([resultType, ttlMs, cacheScope], ['complete', 300_000, 'private'], method)
  }
  const about = await ask('resources/read', { uri: 'agent-calendar://about' })
  assert.deepEqual([about.ttlMs, about.cacheScope], [300_000, 'private'])
  const resolved = await ask('tools/call', { name: 'list_calendars', arguments: {} })
  assert.deepEqual([resolved.resultType, resolved.ttlMs], ['complete', undefined])
})

test('older results say nothing of that', async ({ service, key }) => {
  for (const revision of legacyRevisions) {
    for (const [method, params] of [
      ['tools/list', {}],
      ['resources/read', { uri: 'agent-calendar://about' }],
    ] as const) {
      const { result } = (await askMcp(service, method, params, { key, revision })).body
      assert.deepEqual(
        Object.keys(result).filter((name) => ['ttlMs', 'cacheScope', 'resultType'].includes(name)),
        [],
      )
    }
  }
})

const wrongParams: [method: string, params: Record<string, unknown>, expected: RegExp][] = [
  ['tools/call', {}, /the name of a tool/],
  ['tools/call', { name: 5 }, /the name of a tool/],
  ['tools/call', { name: 'list_calendars', arguments: [] }, /arguments as an object/],
  ['tools/call', { name: 'list_calendars', arguments: '{}' }, /arguments as an object/],
  ['tools/call', { name: 'list_calendars', arguments: null }, /arguments as an object/],
  ['tools/call', { name: 'list_calendars', task: 7 }, /a task/],
  ['tools/list', { cursor: 5 }, /no cursor/],
  ['prompts/list', { cursor: 'next' }, /no cursor/],
  ['resources/read', {}, /the uri of a resource/],
  ['resources/read', { uri: 5 }, /the uri of a resource/],
  ['prompts/get', {}, /the name of a prompt/],
  ['prompts/get', { name: 'daily_agenda', arguments: { date: 5 } }, /an object of texts/],
  ['completion/complete', {}, /ref, a prompt or a resource/],
  ['completion/complete', { ref: { type: 'x' }, argument: { name: 'date', value: '' } }, /ref, a prompt/],
]
for (const revision of revisions) {
  for (const [method, params, expected] of wrongParams) {
    test(`${method} of ${revision} refuses ${JSON.stringify(params)} in a sentence`, async ({ service, key }) => {
      const { status, body } = await askMcp(service, method, params, { key, revision })
      assert.deepEqual([status, body.id, body.error.code], [200, 1, -32602])
      assert.match(body.error.message, /^Send [^{[]*\.$|^Lists [^{[]*\.$/)
      assert.match(body.error.message, expected)
    })
  }
}

test('what a request of the newest revision must say, and say alike, is checked', async ({ service, key }) => {
  const { body, headers } = mcpMessage('tools/list', {}, modernRevision)
  const _meta = (body.params as { _meta: Record<string, unknown> })._meta
  const send = (meta: Record<string, unknown>, changed: Record<string, string | undefined> = {}) => {
    const sent = Object.entries({ ...headers, ...changed }).filter(([, value]) => value !== undefined)
    const raw = JSON.stringify({ ...body, params: { _meta: meta } })
    return postMcp(service, raw, { key, headers: Object.fromEntries(sent) as Record<string, string> })
  }
  const { [version]: _, ...unversioned } = _meta
  const { [clientCapabilities]: __, ...incapable } = _meta
  const { 'io.modelcontextprotocol/clientInfo': ___, ...unnamed } = _meta
  assert.equal((await send(_meta)).status, 200)
  assert.equal((await send(unnamed)).status, 200)
  const other = await send({ ..._meta, [version]: '2027-01-01' }, { 'mcp-protocol-version': '2027-01-01' })
  assert.deepEqual([other.status, other.body.error.code], [400, -32022])
  assert.deepEqual(other.body.error.data, { supported: [modernRevision], requested: '2027-01-01' })
  for (const [meta, changed, code] of [
    [_meta, { 'mcp-protocol-version': '2025-11-25' }, -32020],
    [_meta, { 'mcp-protocol-version': undefined }, -32020],
    [_meta, { 'mcp-method': undefined }, -32020],
    [_meta, { 'mcp-method': 'tools/call' }, -32020],
    [unversioned, {}, -32602],
    [incapable, {}, -32602],
  ] as const) {
    const answer = await send(meta, changed)
    assert.deepEqual([answer.status, answer.body.error.code], [400, code], JSON.stringify([meta, changed]))
  }
})

test('a call must name its tool in the header too', async ({ service, key }) => {
  const { body, headers } = mcpMessage('tools/call', { name: 'list_calendars', arguments: {} }, modernRevision)
  for (const name of ['create_event', '']) {
    const answer = await postMcp(service, JSON.stringify(body), { key, headers: { ...headers, 'mcp-name': name } })
    assert.deepEqual([answer.status, answer.body.error.code], [400, -32020])
  }
})

test('nothing changes that could be listened to: the stream says so, and ends', async ({ service, key }) => {
  const params = { notifications: { toolsListChanged: true, resourceSubscriptions: ['agent-calendar://about'] } }
  const answer = await askMcp(service, 'subscriptions/listen', params, { key, revision: modernRevision })
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-type')!, /^text\/event-stream/)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  const messages = answer.text.split('\n').filter((line) => line.startsWith('data: '))
  const [acknowledged, completed] = messages.map((line) => JSON.parse(line.slice(6)))
  assert.equal(messages.length, 2)
  assert.equal(acknowledged.method, 'notifications/subscriptions/acknowledged')
  assert.deepEqual(acknowledged.params.notifications, {})
  assert.deepEqual([completed.id, completed.result.resultType], [1, 'complete'])
})
