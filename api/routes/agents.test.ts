import assert from 'node:assert/strict'
import {
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeOrganization,
  makeWebhook,
} from '../../src/testing/factories.ts'
import { testStart } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { serviceTest } from '../../src/testing/test.ts'

const unknownId = 'agt_01k9xr8m3fe8tbc4x9m2v7h5qd'
const periodSeconds = 30 * 24 * 60 * 60

const idsOf = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id)

const test = serviceTest()

test('creating an agent answers 201 with the record, and exactly its fields', async ({ service, call }) => {
  const { id: orgId, key } = await makeOrganization(service)
  const body = {
    name: 'Scheduler',
    type: 'ai',
    description: 'Books rooms',
    metadata: { team: 'ops', nested: { a: [1] } },
  }
  const { status, body: agent } = await call('POST', '/v1/agents', { key, body })
  assert.equal(status, 201)
  assert.match(agent.id, /^agt_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  assert.deepEqual(agent, {
    id: agent.id,
    orgId,
    name: 'Scheduler',
    type: 'ai',
    description: 'Books rooms',
    status: 'active',
    metadata: { team: 'ops', nested: { a: [1] } },
    createdAt: testStart.toISOString(),
    updatedAt: testStart.toISOString(),
  })
  assert.deepEqual((await call('GET', `/v1/agents/${agent.id}`, { key })).body, agent)
})

test('an agent without description and metadata has null and an empty object', async ({ service }) => {
  const { key } = await makeOrganization(service)
  for (const type of ['ai', 'human', 'resource']) {
    const agent = await makeAgent(service, key, { type })
    assert.equal(agent.type, type)
    assert.equal(agent.description, null)
    assert.deepEqual(agent.metadata, {})
  }
})

test('names take 1 to 255 characters and all of Unicode', async ({ service }) => {
  const { key } = await makeOrganization(service)
  for (const name of ['a', 'n'.repeat(255), 'Zoë 漢字 🗓️', "'; drop table agents; --"]) {
    assert.equal((await makeAgent(service, key, { name })).name, name)
  }
})

const refusedBodies: [param: string, body: object][] = [
  ['name', { type: 'ai' }],
  ['name', { name: '', type: 'ai' }],
  ['name', { name: 'n'.repeat(256), type: 'ai' }],
  ['name', { name: 5, type: 'ai' }],
  ['name', { name: null, type: 'ai' }],
  ['type', { name: 'A' }],
  ['type', { name: 'A', type: 'robot' }],
  ['type', { name: 'A', type: 'AI' }],
  ['description', { name: 'A', type: 'ai', description: null }],
  ['description', { name: 'A', type: 'ai', description: {} }],
  ['metadata', { name: 'A', type: 'ai', metadata: [] }],
  ['metadata', { name: 'A', type: 'ai', metadata: '{}' }],
  ['metadata', { name: 'A', type: 'ai', metadata: null }],
  ['status', { name: 'A', type: 'ai', status: 'paused' }],
  ['nickname', { name: 'A', type: 'ai', nickname: 'B' }],
  ['orgId', { name: 'A', type: 'ai', orgId: 'org_x' }],
]

test('a body that breaks a rule is refused with the name of the field, and nothing is created', async ({
  service,
  call,
}) => {
  const { key } = await makeOrganization(service)
  for (const [param, body] of refusedBodies) {
    assertRefused(await call('POST', '/v1/agents', { key, body }), 400, 'validation_error', { param })
  }
  assert.equal((await call('GET', '/v1/agents', { key })).body.total, 0)
})

test('the list shows the newest first, in the envelope, and pages through limit and offset', async ({
  service,
  call,
}) => {
  const { key } = await makeOrganization(service)
  const made = []
  for (let n = 0; n < 5; n++) made.unshift((await makeAgent(service, key, { name: `Agent ${n}` })).id)
  const all = await call('GET', '/v1/agents', { key })
  assert.deepEqual(Object.keys(all.body), ['data', 'total', 'limit', 'offset'])
  assert.deepEqual([all.body.total, all.body.limit, all.body.offset], [5, 50, 0])
  assert.deepEqual(idsOf(all), made)
  const second = await call('GET', '/v1/agents?limit=2&offset=2', { key })
  assert.deepEqual(idsOf(second), made.slice(2, 4))
  assert.deepEqual([second.body.total, second.body.limit, second.body.offset], [5, 2, 2])
  const beyond = await call('GET', '/v1/agents?limit=200&offset=5', { key })
  assert.deepEqual([beyond.body.data, beyond.body.total, beyond.body.limit], [[], 5, 200])
})

test('the list filters by type and by status, alone and together', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const active = await makeAgent(service, key)
  const paused = await makeAgent(service, key)
  const room = await makeAgent(service, key, { type: 'resource' })
  const gone = await makeAgent(service, key, { type: 'human' })
  await call('PATCH', `/v1/agents/${paused.id}`, { key, body: { status: 'paused' } })
  await call('DELETE', `/v1/agents/${gone.id}`, { key })
  const list = async (query: string) => {
    const answer = await call('GET', `/v1/agents?${query}`, { key })
    assert.equal(answer.body.total, answer.body.data.length)
    return idsOf(answer)
  }
  assert.deepEqual(await list('type=ai'), [paused.id, active.id])
  assert.deepEqual(await list('type=resource'), [room.id])
  assert.deepEqual(await list('status=active'), [room.id, active.id])
  assert.deepEqual(await list('status=paused'), [paused.id])
  assert.deepEqual(await list('status=decommissioned'), [gone.id])
  assert.deepEqual(await list('type=ai&status=paused'), [paused.id])
  assert.deepEqual(await list('type=resource&status=paused'), [])
  assert.deepEqual(await list(''), [gone.id, room.id, paused.id, active.id])
})

test('a filter that names no type or status is refused', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  for (const [query, param] of [
    ['type=robot', 'type'],
    ['type=', 'type'],
    ['status=deleted', 'status'],
    ['status=Active', 'status'],
  ]) {
    assertRefused(await call('GET', `/v1/agents?${query}`, { key }), 400, 'validation_error', { param })
  }
})

test('PATCH changes what it names and leaves the rest; null clears, metadata replaces', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const before = await makeAgent(service, key, { description: 'Books rooms', metadata: { a: 1, b: 2 } })
  await service.clock.advance(60_000)
  const path = `/v1/agents/${before.id}`
  const renamed = await call('PATCH', path, { key, body: { name: 'Renamed' } })
  assert.equal(renamed.status, 200)
  const updatedAt = service.clock.now().toISOString()
  assert.deepEqual(renamed.body, { ...before, name: 'Renamed', updatedAt })
  const described = await call('PATCH', path, { key, body: { description: 'Other' } })
  assert.equal(described.body.description, 'Other')
  const cleared = await call('PATCH', path, { key, body: { description: null } })
  assert.equal(cleared.body.description, null)
  const replaced = await call('PATCH', path, { key, body: { metadata: { c: 3 } } })
  assert.deepEqual(replaced.body.metadata, { c: 3 })
  const emptied = await call('PATCH', path, { key, body: { metadata: {} } })
  assert.deepEqual(emptied.body.metadata, {})
  assert.equal(emptied.body.name, 'Renamed')
  assert.deepEqual((await call('GET', path, { key })).body, emptied.body)
})

test('PATCH pauses and activates', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const { id } = await makeAgent(service, key)
  for (const status of ['paused', 'paused', 'active']) {
    const answer = await call('PATCH', `/v1/agents/${id}`, { key, body: { status } })
    assert.deepEqual([answer.status, answer.body.status], [200, status])
  }
})

test('PATCH refuses an empty body, other statuses, nulls and what cannot change', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const path = `/v1/agents/${agent.id}`
  const cases: [body: object, param: string | null][] = [
    [{}, null],
    [{ status: 'decommissioned' }, 'status'],
    [{ status: null }, 'status'],
    [{ name: null }, 'name'],
    [{ name: '' }, 'name'],
    [{ metadata: null }, 'metadata'],
    [{ type: 'human' }, 'type'],
    [{ id: agent.id }, 'id'],
  ]
  for (const [body, param] of cases) {
    assertRefused(await call('PATCH', path, { key, body }), 400, 'validation_error', { param })
  }
  assert.deepEqual((await call('GET', path, { key })).body, agent)
})

test('of many concurrent changes to one agent none is lost', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const { id } = await makeAgent(service, key)
  const path = `/v1/agents/${id}`
  const bodies = [{ name: 'Named' }, { description: 'Described' }, { metadata: { kept: true } }, { status: 'paused' }]
  const answers = await Promise.all(bodies.map((body) => call('PATCH', path, { key, body })))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  const { name, description, metadata, status } = (await call('GET', path, { key })).body
  assert.deepEqual(
    { name, description, metadata, status },
    { name: 'Named', description: 'Described', metadata: { kept: true }, status: 'paused' },
  )
})

test('a stream of changes to one agent is served one after the other, and none is refused', async ({
  service,
  call,
}) => {
  const { key } = await makeOrganization(service)
  const { id } = await makeAgent(service, key)
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => call('PATCH', `/v1/agents/${id}`, { key, body: { metadata: { n } } })),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
})

test('agent.created and agent.updated carry the whole record', async ({ service, call, receiver }) => {
  const { key } = await makeOrganization(service)
  await makeWebhook(service, key, receiver.url, ['agent.created', 'agent.updated'])
  receiver.received.length = 0
  const agent = await makeAgent(service, key, { metadata: { a: 1 } })
  const { body: updated } = await call('PATCH', `/v1/agents/${agent.id}`, { key, body: { status: 'paused' } })
  // Neither a refused change nor the end of the agent is an event of the catalog.
  await call('PATCH', `/v1/agents/${agent.id}`, { key, body: { status: 'gone' } })
  await call('DELETE', `/v1/agents/${agent.id}`, { key })
  await service.drain()
  assert.deepEqual(
    receiver.received.map(({ type, payload }) => [type, payload]),
    [
      ['agent.created', { agent }],
      ['agent.updated', { agent: updated }],
    ],
  )
})

test('deleting an agent decommissions it: 204 without a body, and the record stays', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key, { metadata: { a: 1 } })
  await service.clock.advance(60_000)
  const path = `/v1/agents/${agent.id}`
  const { status, body } = await call('DELETE', path, { key })
  assert.deepEqual([status, body], [204, ''])
  const kept = { ...agent, status: 'decommissioned', updatedAt: service.clock.now().toISOString() }
  assert.deepEqual((await call('GET', path, { key })).body, kept)
  await service.clock.advance(60_000)
  assert.equal((await call('DELETE', path, { key })).status, 204)
  assert.deepEqual((await call('GET', path, { key })).body, kept)
})

test('nothing can be written under a decommissioned agent, and everything can still be read', async ({
  service,
  call,
}) => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const event = await makeEvent(service, key, calendar.id)
  const hold = await makeEvent(service, key, calendar.id, {
    status: 'hold',
    hold_expires_at: new Date(service.clock.now().getTime() + 300_000).toISOString(),
  })
  await call('DELETE', `/v1/agents/${agent.id}`, { key })
  const window = { start_time: '2026-04-01T09:00:00Z', end_time: '2026-04-01T10:00:00Z' }
  const writes: [method: string, path: string, body?: object][] = [
    ['PATCH', `/v1/agents/${agent.id}`, { status: 'active' }],
    ['PATCH', `/v1/agents/${agent.id}`, { status: 'paused' }],
    ['PATCH', `/v1/agents/${agent.id}`, { name: 'Lazarus' }],
    ['POST', `/v1/agents/${agent.id}/calendars`, { name: 'New', timezone: 'UTC' }],
    ['PATCH', `/v1/calendars/${calendar.id}`, { name: 'Renamed' }],
    ['DELETE', `/v1/calendars/${calendar.id}`],
    ['POST', `/v1/calendars/${calendar.id}/events`, { title: 'New', ...window }],
    ['PATCH', `/v1/calendars/${calendar.id}/events/${event.id}`, { title: 'Renamed' }],
    ['DELETE', `/v1/calendars/${calendar.id}/events/${event.id}`],
    ['PUT', `/v1/events/${hold.id}/confirm`],
    ['PUT', `/v1/events/${hold.id}/release`],
    ['POST', '/v1/keys', { agent_id: agent.id }],
  ]
  for (const [method, path, body] of writes) {
    assertRefused(await call(method, path, { key, body }), 409, 'conflict', { code: 'agent_decommissioned' })
  }
  assert.deepEqual((await call('GET', `/v1/calendars/${calendar.id}`, { key })).body, calendar)
  assert.deepEqual((await call('GET', `/v1/calendars/${calendar.id}/events/${event.id}`, { key })).body, event)
  assert.deepEqual(idsOf(await call('GET', `/v1/agents/${agent.id}/calendars`, { key })), [calendar.id])
  assert.deepEqual(idsOf(await call('GET', `/v1/agents/${agent.id}/events`, { key })), [event.id, hold.id])
})

test('the cap of the plan is 429 with the seconds to the end of the period, and a decommissioned agent frees its place', async ({
  service,
  call,
}) => {
  const { key } = await makeOrganization(service, { plan: 'free' })
  await service.clock.advance(3_600_000)
  const agents = [await makeAgent(service, key), await makeAgent(service, key), await makeAgent(service, key)]
  const body = { name: 'One too many', type: 'ai' }
  const refused = await call('POST', '/v1/agents', { key, body })
  assertRefused(refused, 429, 'quota_exceeded')
  assert.equal(refused.headers.get('retry-after'), String(periodSeconds - 3600))
  // A paused agent still counts.
  await call('PATCH', `/v1/agents/${agents[0].id}`, { key, body: { status: 'paused' } })
  assertRefused(await call('POST', '/v1/agents', { key, body }), 429, 'quota_exceeded')
  await call('DELETE', `/v1/agents/${agents[0].id}`, { key })
  assert.equal((await call('POST', '/v1/agents', { key, body })).status, 201)
  assertRefused(await call('POST', '/v1/agents', { key, body }), 429, 'quota_exceeded')
  assert.equal((await call('GET', '/v1/agents?status=active', { key })).body.total, 3)
})

test('of twenty concurrent creates at a cap of three exactly three succeed', async ({ service, call }) => {
  const { key } = await makeOrganization(service, { plan: 'free' })
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => call('POST', '/v1/agents', { key, body: { name: 'Racer', type: 'ai' } })),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 3)
  assert.equal(answers.filter(({ status }) => status === 429).length, 17)
  assert.equal((await call('GET', '/v1/agents', { key })).body.total, 3)
})

test('an agent key sees and changes its own agent only: another one is 403', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const own = await makeAgent(service, key, { name: 'Own' })
  const other = await makeAgent(service, key, { name: 'Other', type: 'human' })
  const agentKey = await makeAgentKey(service, key, own.id)
  const list = await call('GET', '/v1/agents', { key: agentKey })
  assert.deepEqual([idsOf(list), list.body.total], [[own.id], 1])
  assert.deepEqual((await call('GET', '/v1/agents?type=human', { key: agentKey })).body.data, [])
  assert.deepEqual((await call('GET', `/v1/agents/${own.id}`, { key: agentKey })).body, own)
  const renamed = await call('PATCH', `/v1/agents/${own.id}`, { key: agentKey, body: { name: 'By itself' } })
  assert.deepEqual([renamed.status, renamed.body.name], [200, 'By itself'])
  const calendar = { name: 'C', timezone: 'UTC' }
  const refusals: [method: string, path: string, body?: object][] = [
    ['GET', `/v1/agents/${other.id}`],
    ['PATCH', `/v1/agents/${other.id}`, { name: 'Taken over' }],
    ['DELETE', `/v1/agents/${other.id}`],
    ['GET', `/v1/agents/${other.id}/calendars`],
    ['POST', `/v1/agents/${other.id}/calendars`, calendar],
    ['GET', `/v1/agents/${other.id}/events`],
    ['POST', '/v1/agents', { name: 'New', type: 'ai' }],
    ['POST', '/v1/calendars', calendar],
  ]
  for (const [method, path, body] of refusals) {
    assertRefused(await call(method, path, { key: agentKey, body }), 403, 'forbidden')
  }
  assert.deepEqual((await call('GET', `/v1/agents/${other.id}`, { key })).body, other)
})

test("another organization's agent is as unknown as one that never was, and so is every malformed id", async ({
  service,
  call,
}) => {
  const { key } = await makeOrganization(service)
  const stranger = await makeOrganization(service)
  const foreign = await makeAgent(service, stranger.key)
  const calendar = await makeCalendar(service, key)
  const own = await makeAgent(service, key)
  const agentKey = await makeAgentKey(service, key, own.id)
  const ids = [
    foreign.id,
    unknownId,
    calendar.id,
    calendar.id.replace('cal_', 'agt_'),
    own.id.toUpperCase(),
    own.id.slice(4),
    own.id.slice(0, -1),
    `${own.id}0`,
    'agt_',
    'agt_8zzzzzzzzzzzzzzzzzzzzzzzzz',
    'agt_01k9xr8m3fe8tbc4x9m2v7h5ql',
    'nonsense',
    '1',
    '%00',
    '..%2f..',
    'a'.repeat(2_000),
  ]
  for (const id of ids) {
    for (const asker of [key, agentKey]) {
      assertRefused(await call('GET', `/v1/agents/${id}`, { key: asker }), 404, 'not_found')
      assertRefused(await call('PATCH', `/v1/agents/${id}`, { key: asker, body: { name: 'X' } }), 404, 'not_found')
      assertRefused(await call('DELETE', `/v1/agents/${id}`, { key: asker }), 404, 'not_found')
      assertRefused(await call('GET', `/v1/agents/${id}/calendars`, { key: asker }), 404, 'not_found')
      assertRefused(await call('GET', `/v1/agents/${id}/events`, { key: asker }), 404, 'not_found')
    }
  }
  assert.deepEqual((await call('GET', `/v1/agents/${foreign.id}`, { key: stranger.key })).body, foreign)
})

test('a body is checked before it is asked whether the agent exists', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  assertRefused(await call('PATCH', `/v1/agents/${unknownId}`, { key, body: { bogus: 1 } }), 400, 'validation_error', {
    param: 'bogus',
  })
})
