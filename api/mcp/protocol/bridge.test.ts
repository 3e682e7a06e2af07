// The bridge as a process of its own, spoken to line by line.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { ahead, makeCalendar } from '../../../src/testing/factories.ts'
import type { TestService } from '../../../src/testing/harness.ts'
import { bridgeFile } from '../../../src/testing/mcp/mcpClients.ts'
import { serviceTest } from '../../../src/testing/test.ts'
import { openServer } from '../../server.ts'

// biome-ignore lint/suspicious/noExplicitAny: a message is looked into key by key
type Any = any

function start(env: Record<string, string>, args: string[] = []) {
  const child = spawn(process.execPath, [bridgeFile, ...args], { env, stdio: 'pipe' })
  const messages: Any[] = []
  const waiting = new Map<unknown, (message: Any) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line)
    messages.push(message)
    waiting.get(message.id)?.(message)
  })
  const write = (message: unknown) =>
    child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return {
    child,
    messages,
    write,
    ended,
    ask: (id: number, method: string, params: object = {}) =>
      new Promise<Any>((resolve) => {
        waiting.set(id, resolve)
        write({ jsonrpc: '2.0', id, method, params })
      }),
  }
}

async function errorOf(child: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of child.stderr!) text += chunk
  return text
}

/** A server that counts what it is asked, and answers when the test says so. */
async function openRecorder(onCleanup: (end: () => void) => void) {
  const asked: {
    url: string
    headers: Any
    body: Any
    answer(result: unknown, status?: number): void
    hangUp(): void
  }[] = []
  const server = createServer(async (req, res) => {
    let text = ''
    for await (const chunk of req) text += chunk
    const body = JSON.parse(text)
    asked.push({
      url: req.url!,
      headers: req.headers,
      body,
      hangUp: () => res.destroy(),
      answer: (result, status = 200) =>
        res
          .writeHead(status, { 'content-type': 'application/json' })
          .end(
            JSON.stringify(
              result === undefined
                ? { jsonrpc: '2.0', error: { code: status, message: 'no' } }
                : { jsonrpc: '2.0', id: body.id, result },
            ),
          ),
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onCleanup(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/mcp`
  const until = async (count: number) => {
    while (asked.length < count) await new Promise(setImmediate)
    return asked[count - 1]!
  }
  return { url, asked, until }
}

const test = serviceTest().extend('recorder', ({ options: _ }, { onCleanup }) => openRecorder(onCleanup))

test('without a key it says so in one line and stops', async () => {
  const { child, ended } = start({})
  assert.match(await errorOf(child), /^Set AGENT_CALENDAR_KEY [^\n]+\n$/)
  assert.equal(await ended, 2)
})

test('an unknown flag stops it, and a key on the command line is one', async () => {
  for (const flag of ['--key=svc_sk_x', '--profil', 'x']) {
    const { child, ended } = start({ AGENT_CALENDAR_KEY: 'svc_sk_abcdefgh' }, [flag])
    assert.match(await errorOf(child), /^[^\n]*Known: --profile, --tools, --read-only[^\n]*\n$/)
    assert.equal(await ended, 2)
  }
})

test('each line is a request, each answer a line; it ends when its input does', async ({ service, key }) => {
  const env = { AGENT_CALENDAR_KEY: key, AGENT_CALENDAR_URL: `${service.baseUrl}/mcp` }
  const bridge = start(env, ['--profile', 'scheduling', '--read-only'])
  const handshake = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } }
  const { result } = await bridge.ask(1, 'initialize', handshake)
  assert.equal(result.protocolVersion, '2025-06-18')
  bridge.write({ jsonrpc: '2.0', method: 'notifications/initialized' })
  const { result: list } = await bridge.ask(2, 'tools/list')
  assert.ok(list.tools.every(({ annotations }: Any) => annotations.readOnlyHint))
  bridge.write('no json')
  const many = await Promise.all(Array.from({ length: 20 }, (_, nth) => bridge.ask(10 + nth, 'ping')))
  assert.equal(many.length, 20)
  bridge.write({ jsonrpc: '2.0', id: 99, method: 'tools/list', params: {} })
  bridge.child.stdin.end()
  assert.equal(await bridge.ended, 0)
  assert.equal(bridge.messages.at(-1).id, 99)
  assert.deepEqual(bridge.messages.filter(({ id }) => id === null).length, 1)
})

test('a byte order mark before a line is no part of it', async ({ service, key }) => {
  const bridge = start({ AGENT_CALENDAR_KEY: key, AGENT_CALENDAR_URL: `${service.baseUrl}/mcp` })
  const answer = bridge.ask(1, 'ping')
  const marked = new Promise((resolve) => bridge.child.on('close', resolve))
  bridge.write(`\uFEFF${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' })}`)
  bridge.write('\uFEFF')
  await answer
  bridge.child.stdin.end()
  await marked
  const byId = bridge.messages.toSorted((a, b) => a.id - b.id)
  assert.deepEqual(
    byId,
    [1, 2].map((id) => ({ jsonrpc: '2.0', id, result: {} })),
  )
})

test('what the server refuses before it reads the message gets the id of the request', async ({ service }) => {
  const bridge = start({ AGENT_CALENDAR_KEY: 'svc_sk_nobody_has_this', AGENT_CALENDAR_URL: `${service.baseUrl}/mcp` })
  const { id, error } = await bridge.ask(5, 'tools/list')
  assert.deepEqual([id, error.code], [5, 401])
  bridge.child.stdin.end()
  assert.equal(await bridge.ended, 0)
})

test('headers of the newest revision are made from the message', async ({ recorder }) => {
  const bridge = start({ AGENT_CALENDAR_KEY: 'svc_sk_abcdefgh', AGENT_CALENDAR_URL: recorder.url }, ['--tools=a,b'])
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
  bridge.write({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'agent-calendar://about', _meta } })
  const { url, headers } = await recorder.until(1)
  assert.equal(url, '/mcp?tools=a%2Cb')
  assert.equal(headers.authorization, 'Bearer svc_sk_abcdefgh')
  assert.equal(headers['mcp-protocol-version'], '2026-07-28')
  assert.deepEqual([headers['mcp-method'], headers['mcp-name']], ['resources/read', 'agent-calendar://about'])
  bridge.child.kill()
})

test('eight are open at once, and a cancelled one is aborted', async ({ recorder }) => {
  const bridge = start({ AGENT_CALENDAR_KEY: 'svc_sk_abcdefgh', AGENT_CALENDAR_URL: recorder.url })
  const answers = Array.from({ length: 10 }, (_, nth) => bridge.ask(nth, 'ping'))
  await recorder.until(8)
  bridge.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } })
  await recorder.until(9)
  for (const { answer } of recorder.asked) answer({})
  const tenth = await recorder.until(10)
  tenth.answer({})
  await Promise.all(answers.filter((_, nth) => nth !== 3))
  bridge.child.stdin.end()
  await bridge.ended
  assert.deepEqual(
    bridge.messages.map(({ id }) => id).toSorted((a, b) => a - b),
    [0, 1, 2, 4, 5, 6, 7, 8, 9],
  )
})

const keyedTool = { name: 'create_event', inputSchema: { properties: { idempotency_key: {} } } }
const listed = { tools: [keyedTool, { name: 'list_events', inputSchema: { properties: {} } }] }

test('a call that takes a key gets one, and is repeated with it', async ({ recorder }) => {
  const bridge = start({ AGENT_CALENDAR_KEY: 'svc_sk_abcdefgh', AGENT_CALENDAR_URL: recorder.url })
  const answer = bridge.ask(1, 'tools/call', { name: 'create_event', arguments: { title: 'A' } })
  // It has seen no list, so it asks for one.
  ;(await recorder.until(1)).answer(listed)
  const first = await recorder.until(2)
  assert.match(first.body.params.arguments.idempotency_key, /^[0-9a-f-]{36}$/)
  first.hangUp()
  ;(await recorder.until(3)).hangUp()
  const third = await recorder.until(4)
  assert.deepEqual(third.body, first.body)
  third.answer({ content: [] })
  assert.deepEqual((await answer).result, { content: [] })
  const own = bridge.ask(2, 'tools/call', { name: 'create_event', arguments: { idempotency_key: 'mine' } })
  const sent = await recorder.until(5)
  assert.equal(sent.body.params.arguments.idempotency_key, 'mine')
  sent.answer({ content: [] })
  await own
  bridge.child.kill()
})

test('a call without a key is not repeated once the server may have seen it', async ({ recorder }) => {
  const bridge = start({ AGENT_CALENDAR_KEY: 'svc_sk_abcdefgh', AGENT_CALENDAR_URL: recorder.url })
  const list = bridge.ask(1, 'tools/list')
  ;(await recorder.until(1)).answer(listed)
  await list
  const answer = bridge.ask(2, 'tools/call', { name: 'list_events', arguments: {} })
  const only = await recorder.until(2)
  assert.equal(only.body.params.arguments.idempotency_key, undefined)
  only.hangUp()
  const { id, error } = await answer
  assert.deepEqual([id, error.code], [2, -32603])
  assert.match(error.message, /^[^\n.]+\.$/)
  assert.equal(recorder.asked.length, 2)
  bridge.child.kill()
})

test('a wrong address stops it at once, with the name of the variable', async () => {
  for (const AGENT_CALENDAR_URL of [
    'nonsense',
    'http://',
    'ftp://localhost/mcp',
    'http://user:password@localhost/mcp',
  ]) {
    const { child, ended } = start({ AGENT_CALENDAR_KEY: 'svc_sk_abcdefgh', AGENT_CALENDAR_URL })
    const said = (await child.stderr.toArray()).join('')
    assert.equal(await ended, 2, AGENT_CALENDAR_URL)
    assert.match(said, /^AGENT_CALENDAR_URL: expected an address such as [^\n]+\n$/)
    assert.ok(!said.includes('password@'))
  }
})

test('whoever was never reached is asked again, then it is an error', async () => {
  const bridge = start({ AGENT_CALENDAR_KEY: 'svc_sk_abcdefgh', AGENT_CALENDAR_URL: 'http://127.0.0.1:9/mcp' })
  const { id, error } = await bridge.ask('x' as never, 'ping')
  assert.deepEqual([id, error.code], ['x', -32603])
  bridge.child.stdin.end()
  assert.equal(await bridge.ended, 0)
})

test('anybody can download it', async ({ service }) => {
  const response = await fetch(`${service.baseUrl}/mcp/bridge.mjs`)
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type')!, /^text\/javascript/)
  assert.match(await response.text(), /^#!\/usr\/bin\/env node\n/)
})

/** The service at one port, as it goes away in the middle of requests and comes back. */
async function openRestarting({ app, gate }: TestService) {
  const listener = openServer(app, gate)
  const listen = (port: number) =>
    new Promise<Server>((resolve) => {
      const server = createServer(listener).listen(port, '127.0.0.1', () => resolve(server))
    })
  let server = await listen(0)
  const { port } = server.address() as AddressInfo
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close,
    async open() {
      server = await listen(port)
    },
  }
}

test('a server that restarts in the middle of a hundred calls has a hundred events', async ({ service, key, call }) => {
  const calendar = await makeCalendar(service, key)
  const restarting = await openRestarting(service)
  const bridge = start({ AGENT_CALENDAR_KEY: key, AGENT_CALENDAR_URL: restarting.url })
  await bridge.ask(1_000, 'tools/list')
  let answered = 0
  const calls = Array.from({ length: 100 }, async (_, nth) => {
    const start_time = ahead(service, 60 * (nth + 1))
    const args = { calendar_id: calendar.id, title: `Event ${nth}`, start_time, duration_minutes: 30 }
    const { result, error } = await bridge.ask(nth, 'tools/call', { name: 'create_event', arguments: args })
    answered++
    assert.ok(result && !result.isError, JSON.stringify(result ?? error))
    return result.structuredContent.event.id
  })
  for (const done of [10, 40, 70]) {
    while (answered < done) await new Promise(setImmediate)
    await restarting.close()
    await restarting.open()
  }
  const ids = await Promise.all(calls)
  assert.equal(new Set(ids).size, 100)
  const { body } = await call('GET', `/v1/calendars/${calendar.id}/events?limit=200`, { key })
  assert.equal(body.total, 100)
  bridge.child.stdin.end()
  assert.equal(await bridge.ended, 0)
  await restarting.close()
})

test('a server goes away: calls meanwhile are answered or told why not, and later, with their keys, each happens once', async ({
  service,
  key,
  call,
}) => {
  const calendar = await makeCalendar(service, key)
  const restarting = await openRestarting(service)
  const bridge = start({ AGENT_CALENDAR_KEY: key, AGENT_CALENDAR_URL: restarting.url })
  const handshake = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
  await bridge.ask(1_000, 'initialize', handshake)
  await bridge.ask(1_001, 'tools/list')
  let id = 0
  const book = (nth: number) => {
    const start_time = `2031-03-0${nth}T09:00:00Z`
    const args = { calendar_id: calendar.id, title: `Event ${nth}`, start_time, idempotency_key: `book-${nth}` }
    return bridge.ask(++id, 'tools/call', { name: 'create_event', arguments: args })
  }
  const isMade = ({ result }: Any) => result !== undefined && !result.isError
  const isAway = ({ error }: Any) =>
    error?.code === -32603 && /^The calendar server did not answer \(\w+\)\.$/.test(error.message)
  const during = [1, 2, 3, 4, 5, 6].map(book)
  await Promise.race(during)
  await restarting.close()
  for (const answer of await Promise.all(during)) assert.ok(isMade(answer) || isAway(answer), JSON.stringify(answer))
  const away = await book(7)
  assert.ok(isAway(away), JSON.stringify(away))

  await restarting.open()
  for (const answer of await Promise.all([1, 2, 3, 4, 5, 6, 7].map(book))) {
    assert.ok(isMade(answer), JSON.stringify(answer))
  }
  const { body } = await call('GET', `/v1/calendars/${calendar.id}/events`, { key })
  assert.equal(body.total, 7)
  bridge.child.stdin.end()
  assert.equal(await bridge.ended, 0)
  await restarting.close()
})

test('a proxy that Node was told to use is not asked for this machine', async ({ service, key }) => {
  const dead = 'http://127.0.0.1:1'
  const bridge = start({
    ...{ AGENT_CALENDAR_KEY: key, AGENT_CALENDAR_URL: `${service.baseUrl}/mcp` },
    ...{ NODE_USE_ENV_PROXY: '1', HTTP_PROXY: dead, http_proxy: dead },
  })
  const { error, result } = await bridge.ask(1, 'tools/list')
  assert.ok(result?.tools.length > 0, JSON.stringify(error))
  bridge.child.stdin.end()
  assert.equal(await bridge.ended, 0)
})
