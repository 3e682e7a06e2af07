import assert from 'node:assert/strict'
import { endWaits } from '../../src/changeFeed/waits.ts'
import { makeAgent, makeAgentKey, makeCalendar, makeEvent, makeOrganization } from '../../src/testing/factories.ts'
import type { TestService } from '../../src/testing/harness.ts'
import { openProcess } from '../../src/testing/process.ts'
import { serviceTest } from '../../src/testing/test.ts'
import { untilWaiting } from '../../src/testing/waits.ts'

const test = serviceTest({ plan: 'pro' })

const cursorOf = async ({ call }: Pick<TestService, 'call'>, key: string): Promise<string> =>
  (await call('GET', '/v1/changes', { key })).body.cursor

/** The calls of the month that are left, as the answer says. */
const leftOf = ({ headers }: { headers: Headers }) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])

// biome-ignore lint/suspicious/noExplicitAny: entries are looked into field by field
const typesOf = (body: any): string[] => body.data.map(({ type }: { type: string }) => type)

test('a wait ends with the first change that matches, made in another process', async ({ service, key, second }) => {
  const calendar = await makeCalendar(service, key)
  const cursor = await cursorOf(service, key)
  const waiting = service.call('GET', `/v1/changes?wait=55&types=event.created&cursor=${cursor}`, { key })
  await untilWaiting(service.app, 1)
  await second.call('POST', '/v1/agents', { key, body: { name: 'Agent', type: 'ai' } })
  const event = await makeEvent({ ...service, call: second.call }, key, calendar.id)
  const { status, body } = await waiting
  assert.equal(status, 200)
  assert.deepEqual(
    body.data.map((entry: { resource: { id: string } }) => entry.resource.id),
    [event.id],
  )
  assert.deepEqual((await service.call('GET', `/v1/changes?cursor=${body.cursor}`, { key })).body.data, [])
})

test('a wait without a cursor waits for what comes from now on', async ({ service, key }) => {
  await makeCalendar(service, key)
  const waiting = service.call('GET', '/v1/changes?wait=55', { key })
  await untilWaiting(service.app, 1)
  await makeAgent(service, key)
  assert.deepEqual(typesOf((await waiting).body), ['agent.created'])
})

test('what is there already is answered at once', async ({ service, key }) => {
  const cursor = await cursorOf(service, key)
  await makeAgent(service, key)
  const { body } = await service.call('GET', `/v1/changes?wait=55&cursor=${cursor}`, { key })
  assert.deepEqual(typesOf(body), ['agent.created'])
})

test('a wait that ends empty is 200 with a cursor behind what it did not match', async ({ service, key }) => {
  const cursor = await cursorOf(service, key)
  const waiting = service.call('GET', `/v1/changes?wait=30&types=event.deleted&cursor=${cursor}`, { key })
  await untilWaiting(service.app, 1)
  await makeAgent(service, key)
  await service.clock.advance(30_000)
  const { status, body } = await waiting
  assert.deepEqual([status, body.data, body.has_more], [200, [], false])
  assert.deepEqual((await service.call('GET', `/v1/changes?cursor=${body.cursor}`, { key })).body.data, [])
})

test('an empty wait of 20 seconds or more gives its call back', async ({ service }) => {
  const { key } = await makeOrganization(service)
  const before = leftOf(await service.call('GET', '/v1/agents', { key }))
  for (const [seconds, left] of [
    [19, before - 1],
    [20, before - 1],
  ] as const) {
    const waiting = service.call('GET', `/v1/changes?wait=${seconds}`, { key })
    await untilWaiting(service.app, 1)
    await service.clock.advance(seconds * 1_000)
    assert.equal(leftOf(await waiting), left)
  }
  // One of them was a call, and this is one.
  assert.equal(leftOf(await service.call('GET', '/v1/agents', { key })), before - 2)
})

test('at most five readers of a key wait, over all processes', async ({ service, second }) => {
  const { key } = await makeOrganization(service)
  const before = leftOf(await service.call('GET', '/v1/agents', { key }))
  const waiting = [0, 1, 2, 3, 4].map((nth) => (nth % 2 ? second : service).call('GET', '/v1/changes?wait=55', { key }))
  await Promise.all([untilWaiting(service.app, 3), untilWaiting(second.app, 2)])
  for (const path of ['/v1/changes?wait=1', '/v1/changes/stream']) {
    const refused = await second.call('GET', path, { key })
    assert.deepEqual([refused.status, refused.body.error.type], [429, 'rate_limit_error'])
    assert.equal(refused.headers.get('retry-after'), '1')
  }
  assert.equal((await second.call('GET', '/v1/changes', { key })).status, 200)
  await makeAgent(service, key)
  for (const { body } of await Promise.all(waiting)) assert.deepEqual(typesOf(body), ['agent.created'])
  // Five waits, one poll, one agent and this; the refused ones were no calls.
  assert.equal(leftOf(await service.call('GET', '/v1/agents', { key })), before - 8)
})

test('the plan limits how many readers of an organization wait', async ({ service }) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { change_waits: 2 } })
  const keys = await Promise.all([1, 2].map(async () => makeAgentKey(service, key, (await makeAgent(service, key)).id)))
  const waiting = [key, keys[0]!].map((one) => service.call('GET', '/v1/changes?wait=55', { key: one }))
  await untilWaiting(service.app, 2)
  const refused = await service.call('GET', '/v1/changes?wait=55', { key: keys[1]! })
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1'])
  await service.clock.advance(55_000)
  await Promise.all(waiting)
})

test('a reader that hangs up leaves its place at once', async ({ service, key }) => {
  const hangUp = new AbortController()
  const ask = (signal?: AbortSignal) =>
    fetch(`${service.baseUrl}/v1/changes?wait=55`, {
      headers: { authorization: `Bearer ${key}` },
      signal: signal ?? null,
    })
  const gone = [1, 2, 3, 4, 5].map(() => ask(hangUp.signal).catch(() => 'hung up'))
  await untilWaiting(service.app, 5)
  hangUp.abort()
  assert.deepEqual(await Promise.all(gone), Array(5).fill('hung up'))
  await untilWaiting(service.app, 0)
  const waiting = ask()
  await untilWaiting(service.app, 1)
  await makeAgent(service, key)
  assert.equal((await waiting).status, 200)
})

test('a revoked key ends its waits with 401, and those of others go on', async ({ service, key }) => {
  const agent = await makeAgent(service, key)
  const agentKey = await makeAgentKey(service, key, agent.id)
  const { keys } = (await service.call('GET', '/v1/keys', { key })).body
  const other = service.call('GET', '/v1/changes?wait=55&types=event.deleted', { key })
  const waiting = service.call('GET', '/v1/changes?wait=55', { key: agentKey })
  await untilWaiting(service.app, 2)
  await service.call('DELETE', `/v1/keys/${keys[0].id}`, { key })
  const { status, body } = await waiting
  assert.deepEqual([status, body.error.type], [401, 'authentication_error'])
  await service.clock.advance(55_000)
  assert.equal((await other).status, 200)
})

test('the waits of a process that ends are all answered at once', async ({ service, key }) => {
  const ending = await openProcess(service)
  const waiting = [1, 2, 3].map(() => ending.call('GET', '/v1/changes?wait=55', { key }))
  await untilWaiting(ending.app, 3)
  endWaits(ending.app)
  for (const { status, body } of await Promise.all(waiting)) assert.deepEqual([status, body.data], [200, []])
  const { status } = await ending.call('GET', '/v1/changes?wait=55', { key })
  assert.equal(status, 200)
  await ending.close()
})

test('without Redis a waiting reader still gets its change', async ({ service, key }) => {
  const lonely = await openProcess(service, { config: { redisUrl: 'redis://127.0.0.1:1' } })
  const waiting = [1, 2, 3, 4, 5].map(() => lonely.call('GET', '/v1/changes?wait=55', { key }))
  await untilWaiting(lonely.app, 5)
  assert.equal((await lonely.call('GET', '/v1/changes?wait=55', { key })).status, 429)
  await makeAgent(service, key)
  for (const { body } of await Promise.all(waiting)) assert.deepEqual(typesOf(body), ['agent.created'])
  await lonely.close()
})

test('readers that wait hold no connection to Postgres', async ({ service, key }) => {
  const agents = await Promise.all([1, 2, 3].map(() => makeAgent(service, key)))
  const keys = await Promise.all(agents.map(({ id }) => makeAgentKey(service, key, id)))
  const many = await openProcess(service)
  const waiting = keys.flatMap((one) =>
    Array.from({ length: 5 }, () => many.call('GET', '/v1/changes?wait=55', { key: one })),
  )
  await untilWaiting(many.app, waiting.length)
  // More readers than connections, and everybody else is answered.
  assert.equal((await many.call('GET', '/v1/agents', { key })).status, 200)
  await service.clock.advance(55_000)
  for (const { status } of await Promise.all(waiting)) assert.equal(status, 200)
  await many.close()
})
