import assert from 'node:assert/strict'
import { makeAgent, makeAgentKey, makeCalendar, makeOrganization } from '../../../src/testing/factories.ts'
import { callMcp, mcpError } from '../../../src/testing/mcp/mcp.ts'
import { serviceTest } from '../../../src/testing/test.ts'

const test = serviceTest({ plan: 'custom' }).extend('world', { scope: 'file' }, async ({ service, key }) => {
  const own = await makeCalendar(service, key, undefined, { name: 'Rooms', timezone: 'Asia/Kathmandu' })
  const agent = await makeAgent(service, key, { name: 'Planner' })
  const other = await makeAgent(service, key, { name: 'Other' })
  const work = await makeCalendar(service, key, agent.id, {
    name: 'Work',
    timezone: 'Europe/Berlin',
    agent_status: 'working',
  })
  const home = await makeCalendar(service, key, other.id, { name: 'Home', timezone: 'UTC' })
  return { own, agent, other, work, home, agentKey: await makeAgentKey(service, key, agent.id) }
})

test('calendars are those of REST, with the time on their clocks', async ({ service, key, call, world }) => {
  const { structuredContent } = await callMcp(service, 'list_calendars', {}, { key })
  const rest = (await call('GET', '/v1/calendars?include=all', { key })).body
  assert.deepEqual(
    structuredContent.calendars.map(({ id }: { id: string }) => id),
    rest.data.map(({ id }: { id: string }) => id),
  )
  assert.equal(structuredContent.total, rest.total)
  assert.equal(structuredContent.next_offset, undefined)
  const [home, work, own] = structuredContent.calendars
  assert.deepEqual(Object.keys(own), ['id', 'name', 'timezone', 'agent_status', 'local_time'])
  assert.deepEqual(work, {
    id: world.work.id,
    name: 'Work',
    timezone: 'Europe/Berlin',
    agent_id: world.agent.id,
    agent_status: 'working',
    local_time: work.local_time,
  })
  assert.equal(home.name, 'Home')
  const now = service.clock.now()
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Asia/Kathmandu',
    hour: '2-digit',
    minute: '2-digit',
  }).format(now)
  assert.match(own.local_time, new RegExp(` ${time} Asia/Kathmandu$`))
})

test('of one agent, in pages', async ({ service, key, world }) => {
  const ofAgent = await callMcp(service, 'list_calendars', { agent_id: world.agent.id }, { key })
  assert.deepEqual(
    ofAgent.structuredContent.calendars.map(({ id }: { id: string }) => id),
    [world.work.id],
  )
  const first = await callMcp(service, 'list_calendars', { limit: '2' }, { key })
  assert.deepEqual([first.structuredContent.total, first.structuredContent.next_offset], [3, 2])
  const second = await callMcp(service, 'list_calendars', { limit: 2, offset: 2 }, { key })
  assert.deepEqual(
    second.structuredContent.calendars.map(({ id }: { id: string }) => id),
    [world.own.id],
  )
  assert.equal(second.structuredContent.next_offset, undefined)
})

test("an agent's key sees its own", async ({ service, world }) => {
  const { structuredContent } = await callMcp(service, 'list_calendars', {}, { key: world.agentKey })
  assert.deepEqual(
    structuredContent.calendars.map(({ id }: { id: string }) => id),
    [world.work.id],
  )
  const error = mcpError(
    await callMcp(service, 'list_calendars', { agent_id: world.other.id }, { key: world.agentKey }),
  )
  assert.equal(error.type, 'forbidden')
  assert.match(error.next_step, new RegExp(`for agent ${world.agent.id} alone`))
})

test('a name in place of an id is not found, and its id is suggested', async ({ service, key, world }) => {
  for (const agent_id of ['planner', ' Planner ']) {
    const error = mcpError(await callMcp(service, 'list_calendars', { agent_id }, { key }))
    assert.deepEqual([error.type, error.param], ['not_found', 'agent_id'])
    assert.deepEqual(error.suggestions, [{ arguments: { agent_id: world.agent.id }, note: 'Planner' }])
  }
  const unknown = mcpError(await callMcp(service, 'list_calendars', { agent_id: 'nobody' }, { key }))
  assert.deepEqual([unknown.type, unknown.param, unknown.suggestions], ['not_found', 'agent_id', undefined])
  assert.match(unknown.next_step, /list_agents/)
})

test("another organization's agent does not exist", async ({ service, key }) => {
  const stranger = await makeOrganization(service)
  const { id } = await makeAgent(service, stranger.key, { name: 'Planner of others' })
  const error = mcpError(await callMcp(service, 'list_calendars', { agent_id: id }, { key }))
  assert.deepEqual([error.type, error.param], ['not_found', 'agent_id'])
  assert.equal(
    mcpError(await callMcp(service, 'list_calendars', { agent_id: 'of others' }, { key })).suggestions,
    undefined,
  )
})

for (const [args, param] of [
  [{ limit: 0 }, 'limit'],
  [{ limit: 101 }, 'limit'],
  [{ limit: 'ten' }, 'limit'],
  [{ offset: -1 }, 'offset'],
  [{ agent_id: 5 }, 'agent_id'],
  [{ nope: 1 }, 'nope'],
] as const) {
  test(`${JSON.stringify(args)} is refused`, async ({ service, key }) => {
    const error = mcpError(await callMcp(service, 'list_calendars', args, { key }))
    assert.deepEqual([error.type, error.param, error.retryable], ['validation_error', param, false])
    assert.match(error.request_id, /^req_/)
    assert.ok(error.next_step.includes('again'))
  })
}
