import assert from 'node:assert/strict'
import { makeAgent, makeAgentKey, makeCalendar, makeOrganization } from '../../../src/testing/factories.ts'
import { openFeedServer } from '../../../src/testing/feedServer.ts'
import { callMcp, mcpError } from '../../../src/testing/mcp/mcp.ts'
import { serviceTest } from '../../../src/testing/test.ts'

const test = serviceTest({ plan: 'custom', receives: ['agent.created'] })

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into key by key
type Any = any

test('an agent is made as by REST: read, told and recorded', async ({ service, key, receiver }) => {
  const args = { name: 'Planner', type: 'ai', description: 'Plans.', metadata: '{"team":"research"}' }
  const { structuredContent } = await callMcp(service, 'create_agent', args, { key })
  const { agent } = structuredContent
  const { name, type, status, description, metadata } = agent
  assert.deepEqual(
    [name, type, status, description, metadata],
    ['Planner', 'ai', 'active', 'Plans.', { team: 'research' }],
  )
  const rest = (await service.call('GET', `/v1/agents/${agent.id}`, { key })).body
  assert.deepEqual([rest.name, rest.description, rest.metadata], ['Planner', 'Plans.', { team: 'research' }])
  await service.drain()
  assert.deepEqual(
    receiver.received.map(({ payload }) => payload.agent.id),
    [agent.id],
  )
  const { entries, data } = (await service.call('GET', '/v1/audit-log?action=agent.create', { key })).body as Any
  const [entry] = entries ?? data
  assert.deepEqual([entry.method, entry.path], ['POST', '/mcp/create_agent'])
})

test('a repeated call with a key makes one agent', async ({ service, key }) => {
  const args = { name: 'Once', type: 'human', idempotency_key: 'k-1' }
  const first = await callMcp(service, 'create_agent', args, { key })
  const again = await callMcp(service, 'create_agent', args, { key })
  assert.deepEqual(again.structuredContent, { ...first.structuredContent, replayed: true })
  const other = mcpError(await callMcp(service, 'create_agent', { ...args, name: 'Other' }, { key }))
  assert.equal(other.type, 'idempotency_key_reused')
  assert.match(other.next_step, /idempotency_key/)
})

test('agents are listed in pages, by type and status', async ({ service }) => {
  const { key } = await makeOrganization(service)
  const ids: string[] = []
  for (const type of ['ai', 'human', 'resource']) ids.unshift((await makeAgent(service, key, { name: type, type })).id)
  const list = async (args: object) => (await callMcp(service, 'list_agents', args as Any, { key })).structuredContent
  const all = await list({})
  assert.deepEqual(
    all.agents.map(({ id }: Any) => id),
    ids,
  )
  assert.deepEqual([all.total, all.next_offset], [3, undefined])
  assert.deepEqual(all.agents[2], { id: ids[2], name: 'ai', type: 'ai', status: 'active' })
  const first = await list({ limit: 1, offset: 1 })
  assert.deepEqual([first.agents[0].id, first.next_offset], [ids[1], 2])
  assert.deepEqual((await list({ type: 'human' })).total, 1)
  await service.call('DELETE', `/v1/agents/${ids[0]}`, { key })
  assert.deepEqual(
    (await list({ status: 'decommissioned' })).agents.map(({ id }: Any) => id),
    [ids[0]],
  )
  const scoped = await makeAgentKey(service, key, ids[2]!)
  const own = (await callMcp(service, 'list_agents', {}, { key: scoped })).structuredContent
  assert.deepEqual(
    own.agents.map(({ id }: Any) => id),
    [ids[2]],
  )
})

test('long descriptions end a list of agents earlier', async ({ service }) => {
  const { key } = await makeOrganization(service)
  for (let nth = 0; nth < 4; nth++) await makeAgent(service, key, { description: 'x'.repeat(9_000) })
  const result = await callMcp(service, 'list_agents', {}, { key })
  assert.ok(Buffer.byteLength(result.content[0].text) <= 24_000)
  const { agents, total, next_offset } = result.structuredContent
  assert.deepEqual([agents.length, total, next_offset], [2, 4, 2])
  assert.deepEqual([agents[0].description.length, agents[0].description_truncated], [8_000, true])
})

test('a calendar is made for an agent, for the agent of the key, or for the organization', async ({ service, key }) => {
  const agent = await makeAgent(service, key, { name: 'Owner' })
  const scoped = await makeAgentKey(service, key, agent.id)
  const make = async (args: object, asking = key) =>
    (await callMcp(service, 'create_calendar', { name: 'Work', timezone: 'Europe/Berlin', ...args }, { key: asking }))
      .structuredContent.calendar
  const ofAgent = await make({ agent_id: agent.id, default_reminders: '10,5' })
  assert.deepEqual([ofAgent.agentId, ofAgent.default_reminders], [agent.id, [5, 10]])
  assert.equal((await make({})).agentId, undefined)
  const byKey = await make({ default_reminders: [] }, scoped)
  assert.equal(byKey.agentId, agent.id)
  const rest = (await service.call('GET', `/v1/calendars/${byKey.id}`, { key })).body
  assert.deepEqual([rest.agentId, rest.timezone, rest.name], [agent.id, 'Europe/Berlin', 'Work'])
  const named = mcpError(
    await callMcp(service, 'create_calendar', { name: 'Work', timezone: 'UTC', agent_id: 'owner' }, { key }),
  )
  assert.deepEqual(named.suggestions[0].arguments, { agent_id: agent.id })
  const repeat = { name: 'Once', timezone: 'UTC', idempotency_key: 'c-1' }
  const first = (await callMcp(service, 'create_calendar', repeat, { key })).structuredContent
  const again = (await callMcp(service, 'create_calendar', repeat, { key })).structuredContent
  assert.deepEqual([again.calendar.id, again.replayed], [first.calendar.id, true])
})

test('a feed is subscribed to for the owner of its calendar', async ({ service, key }) => {
  const feed = await openFeedServer()
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const args = { calendar_id: calendar.id, url: feed.url(), label: 'Holidays' }
  const { subscription } = (await callMcp(service, 'subscribe_ical', args, { key })).structuredContent
  const rest = (await service.call('GET', `/v1/ical-subscriptions/${subscription.id}`, { key })).body
  assert.deepEqual(
    [rest.agent_id, rest.calendar_id, rest.url, rest.label],
    [agent.id, calendar.id, feed.url(), 'Holidays'],
  )
  assert.deepEqual(
    [subscription.agent_id, subscription.status, subscription.last_error],
    [agent.id, 'active', undefined],
  )
  const other = await makeAgent(service, key)
  const wrong = mcpError(await callMcp(service, 'subscribe_ical', { ...args, agent_id: other.id }, { key }))
  assert.deepEqual([wrong.type, wrong.param], ['not_found', 'calendar_id'])
  assert.deepEqual(wrong.suggestions[0].arguments, { agent_id: null })
  const own = await makeCalendar(service, key)
  const whose = mcpError(await callMcp(service, 'subscribe_ical', { ...args, calendar_id: own.id }, { key }))
  assert.deepEqual([whose.code, whose.param], ['agent_required', 'agent_id'])
  const told = await callMcp(service, 'subscribe_ical', { ...args, calendar_id: own.id, agent_id: other.id }, { key })
  assert.equal(told.structuredContent.subscription.agent_id, other.id)
  await feed.close()
})

test('a feed by http is refused with its address by https', async ({ service }) => {
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key, (await makeAgent(service, key)).id)
  for (const scheme of ['http', 'webcal']) {
    const args = { url: `${scheme}://example.com/holidays.ics` }
    const error = mcpError(await callMcp(service, 'subscribe_ical', args, { key }))
    assert.deepEqual([error.type, error.param], ['validation_error', 'url'])
    assert.deepEqual(error.suggestions[0].arguments, { url: 'https://example.com/holidays.ics' })
    const merged = { ...args, ...error.suggestions[0].arguments }
    const repaired = await callMcp(service, 'subscribe_ical', merged, { key })
    assert.equal(repaired.structuredContent.subscription.calendar_id, calendar.id)
  }
})

const refused: [tool: string, args: object, param: string][] = [
  ['create_agent', { type: 'ai' }, 'name'],
  ['create_agent', { name: '', type: 'ai' }, 'name'],
  ['create_agent', { name: 'x'.repeat(256), type: 'ai' }, 'name'],
  ['create_agent', { name: 'A' }, 'type'],
  ['create_agent', { name: 'A', type: 'robot' }, 'type'],
  ['create_agent', { name: 'A', type: 'ai', metadata: { a: 'x'.repeat(17_000) } }, 'metadata'],
  ['create_agent', { name: 'A', type: 'ai', idempotency_key: '' }, 'idempotency_key'],
  ['create_agent', { name: 'A', type: 'ai', idempotency_key: 'x'.repeat(256) }, 'idempotency_key'],
  ['create_calendar', { name: 'A' }, 'timezone'],
  ['create_calendar', { name: 'A', timezone: 'Nowhere' }, 'timezone'],
  ['create_calendar', { name: 'A', timezone: 'UTC', default_reminders: [0] }, 'default_reminders.0'],
  ['create_calendar', { name: 'A', timezone: 'UTC', default_reminders: [1, 2, 3, 4, 5, 6] }, 'default_reminders'],
  ['list_agents', { status: 'gone' }, 'status'],
  ['list_agents', { type: 'robot' }, 'type'],
]
for (const [tool, args, param] of refused) {
  test(`${tool} refuses ${JSON.stringify(args).slice(0, 80)}`, async ({ service, key }) => {
    const error = mcpError(await callMcp(service, tool, args as Any, { key }))
    assert.deepEqual([error.type, error.param], ['validation_error', param])
  })
}

test('the limit of the plan is reached as by REST, and only the organization makes agents', async ({ service }) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { agents: 1 } })
  const { id } = await makeAgent(service, key)
  const full = mcpError(await callMcp(service, 'create_agent', { name: 'B', type: 'ai' }, { key }))
  assert.deepEqual([full.type, full.retryable], ['quota_exceeded', false])
  assert.ok(full.retry_after_seconds > 0)
  assert.match(full.next_step, /get_usage/)
  const scoped = await makeAgentKey(service, key, id)
  const agents = mcpError(await callMcp(service, 'create_agent', { name: 'B', type: 'ai' }, { key: scoped }))
  assert.equal(agents.type, 'forbidden')
  await service.call('PATCH', `/v1/agents/${id}`, { key, body: { status: 'paused' } })
  const paused = mcpError(await callMcp(service, 'create_calendar', { name: 'B', timezone: 'UTC' }, { key: scoped }))
  assert.equal(paused.type, 'forbidden')
  assert.match(paused.next_step, /paused/)
})
