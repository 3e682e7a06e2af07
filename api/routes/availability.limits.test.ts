// The access to questions about free time, and their limits.
import assert from 'node:assert/strict'
import { availabilityTest, event, morning, type Query, short } from '../../src/testing/availability.ts'
import { makeAgent, makeAgentKey, makeCalendar, makeEvent, makeOrganization } from '../../src/testing/factories.ts'

const test = availabilityTest()

test('an agent key sees its own availability; that across agents is the organization key’s', async ({
  service,
  key,
  desk: { askCalendar, askAgent, askAgents },
}) => {
  const [agent, other] = await Promise.all([makeAgent(service, key), makeAgent(service, key)])
  const agentKey = await makeAgentKey(service, key, agent.id)
  const own = await makeCalendar(service, key, agent.id)
  const foreign = await makeCalendar(service, key, other.id)
  await askCalendar(foreign.id, morning)
  await askAgent(other.id, morning)
  assert.equal((await askCalendar(own.id, morning, agentKey)).status, 200)
  assert.equal((await askAgent(agent.id, morning, agentKey)).status, 200)
  for (const answer of [
    await askCalendar(foreign.id, morning, agentKey),
    await askAgent(other.id, morning, agentKey),
    await askAgents([agent.id], morning, agentKey),
  ]) {
    assert.equal(answer.status, 403)
    assert.equal(answer.body.error.type, 'forbidden')
  }
})

test('on the free plan one agent or calendar can be asked about, several agents cannot', async ({
  service,
  desk: { askCalendar, askAgent, askAgents },
}) => {
  const free = await makeOrganization(service, { plan: 'free' })
  const agent = await makeAgent(service, free.key)
  const calendar = await makeCalendar(service, free.key, agent.id)
  const quarter = { start: '2026-03-01T00:00:00Z', end: '2026-06-01T00:00:00Z' }
  assert.equal((await askCalendar(calendar.id, quarter, free.key)).status, 200)
  assert.equal((await askAgent(agent.id, quarter, free.key)).status, 200)
  const answer = await askAgents([agent.id], { start: 'no' }, free.key)
  assert.equal(answer.status, 403)
  assert.equal(answer.body.error.type, 'plan_required')
  assert.equal(answer.body.error.feature, 'cross_agent_availability')
})

test('each answered query takes one of the budget, a refused one none', async ({
  service,
  desk: { askCalendar, askAgent, askAgents },
}) => {
  const limited = await makeOrganization(service, { plan: 'custom', limits: { availability_queries: 3 } })
  const agent = await makeAgent(service, limited.key)
  const calendar = await makeCalendar(service, limited.key, agent.id)
  for (const query of [
    { ...morning, end: morning.start },
    { ...morning, duration: '20m' },
  ]) {
    assert.equal((await askCalendar(calendar.id, query, limited.key)).status, 400)
  }
  assert.equal((await askAgent('agt_x', morning, limited.key)).status, 404)
  assert.equal((await askCalendar(calendar.id, morning, limited.key)).status, 200)
  assert.equal((await askAgent(agent.id, morning, limited.key)).status, 200)
  assert.equal((await askAgents([agent.id], morning, limited.key)).status, 200)
  const answer = await askCalendar(calendar.id, morning, limited.key)
  assert.equal(answer.status, 429)
  assert.equal(answer.body.error.type, 'quota_exceeded')
  assert.equal(
    (await service.call('GET', `/v1/calendars/${calendar.id}/availability-rules`, { key: limited.key })).status,
    404,
  )
})

const badQueries: [name: string, query: Query, param: string][] = [
  ['no start', { start: undefined }, 'start'],
  ['no end', { end: undefined }, 'end'],
  ['a start without an offset', { start: '2026-03-03T09:00:00' }, 'start'],
  ['a day that is none', { end: '2026-02-30T09:00:00Z' }, 'end'],
  ['an end at the start', { end: morning.start }, 'end'],
  ['an end before the start', { end: '2026-03-03T08:00:00Z' }, 'end'],
  ['a length that is not offered', { duration: '10m' }, 'duration'],
  ['a former name with a length that is not offered', { slot_duration: '30' }, 'slot_duration'],
  ['two names with two lengths', { duration: '30m', slot_duration: '1h' }, 'slot_duration'],
  ['a boolean that is none', { include_busy: '1' }, 'include_busy'],
  ['another boolean that is none', { allow_stale: 'yes' }, 'allow_stale'],
]

for (const [name, query, param] of badQueries) {
  test(`${name} is refused on every endpoint`, async ({ service, key, desk: { askCalendar, askAgent, askAgents } }) => {
    const agent = await makeAgent(service, key)
    const calendar = await makeCalendar(service, key, agent.id)
    const given = { ...morning, ...query }
    for (const answer of [
      await askCalendar(calendar.id, given),
      await askAgent(agent.id, given),
      await askAgents([agent.id], given),
    ]) {
      assert.equal(answer.status, 400, JSON.stringify(answer.body))
      assert.equal(answer.body.error.type, 'validation_error')
      assert.equal(answer.body.error.param, param)
    }
    await service.call('DELETE', `/v1/agents/${agent.id}`, { key })
  })
}

for (const [name, query, param] of [
  ['no agents', { agents: undefined }, 'agents'],
  ['an empty list of agents', { agents: '' }, 'agents'],
  ['a list with a hole', { agents: 'agt_a,,agt_b' }, 'agents'],
  ['an empty list of calendars', { calendars: '' }, 'calendars'],
] as [string, Query, string][]) {
  test(`${name} is refused`, async ({ desk: { ask } }) => {
    const answer = await ask('/v1/availability', { ...morning, agents: 'agt_a', ...query })
    assert.equal(answer.status, 400, JSON.stringify(answer.body))
    assert.equal(answer.body.error.type, 'validation_error')
    assert.equal(answer.body.error.param, param)
  })
}

const unknown = { agt: 'agt_01k9xr8m3fe8tbc4x9m2v7h5qd', cal: 'cal_01k9xr8m3fe8tbc4x9m2v7h5qd' }

test('what does not exist, or belongs to somebody else, is not found', async ({
  service,
  key,
  desk: { ask, askCalendar, askAgent, askAgents },
}) => {
  const other = await makeOrganization(service)
  const foreignAgent = await makeAgent(service, other.key)
  const foreignCalendar = await makeCalendar(service, other.key, foreignAgent.id)
  const agent = await makeAgent(service, key)
  const deleted = await makeCalendar(service, key, agent.id)
  await service.call('DELETE', `/v1/calendars/${deleted.id}`, { key })
  const expectNotFound = async (answer: ReturnType<typeof ask>, param: string | null) => {
    const { status, body } = await answer
    assert.equal(status, 404, JSON.stringify(body))
    assert.equal(body.error.type, 'not_found')
    assert.equal(body.error.param, param)
  }
  for (const id of [unknown.cal, unknown.agt, 'cal_x', foreignCalendar.id, deleted.id]) {
    await expectNotFound(askCalendar(id, morning), null)
    await expectNotFound(askAgents([agent.id], { ...morning, calendars: id }), 'calendars')
  }
  for (const id of [unknown.agt, unknown.cal, 'agt_x', foreignAgent.id]) {
    await expectNotFound(askAgent(id, morning), null)
    await expectNotFound(askAgents([agent.id, id], morning), 'agents')
  }
})

test('a decommissioned agent can still be asked about', async ({ service, key, desk: { askCalendar, askAgent } }) => {
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  await makeEvent(service, key, calendar.id, event('09:00', '11:00'))
  await service.call('DELETE', `/v1/agents/${agent.id}`, { key })
  for (const answer of [await askAgent(agent.id, morning), await askCalendar(calendar.id, morning)]) {
    assert.deepEqual(short(answer.body.slots), ['11:00-11:30', '11:30-12:00'])
  }
})

const days = (count: number, more = 0) => ({
  start: '2026-03-01T00:00:00.000Z',
  end: new Date(Date.parse('2026-03-01T00:00:00Z') + count * 86_400_000 + more).toISOString(),
})

test('the plan limits the agents and the range of a query across agents', async ({ service, desk: { askAgents } }) => {
  const pro = await makeOrganization(service)
  const agents = []
  for (let i = 0; i < 21; i++) agents.push((await makeAgent(service, pro.key)).id)
  const within = await askAgents([...agents.slice(0, 20), agents[0]], { ...days(90), duration: '2h' }, pro.key)
  assert.equal(within.status, 200)
  assert.equal(within.body.agents.length, 20)
  for (const [answer, param] of [
    [await askAgents(agents, days(1), pro.key), 'agents'],
    [await askAgents(agents.slice(0, 1), days(90, 1), pro.key), 'end'],
  ] as const) {
    assert.equal(answer.status, 400)
    assert.equal(answer.body.error.type, 'bad_request')
    assert.equal(answer.body.error.param, param)
  }
})

test('a custom plan has the limits that were agreed; without any a year is the end', async ({
  service,
  desk: { ask, askAgent, askAgents },
}) => {
  const agreed = await makeOrganization(service, {
    plan: 'custom',
    limits: { agents_per_query: 1, query_range_days: 2 },
  })
  const open = await makeOrganization(service, { plan: 'custom' })
  const [one, two] = [await makeAgent(service, agreed.key), await makeAgent(service, agreed.key)]
  const free = await makeAgent(service, open.key)
  const range = async (answer: ReturnType<typeof ask>) => {
    const { status, body } = await answer
    return [status, body.error?.type ?? null, body.error?.param ?? null]
  }
  const fine = [200, null, null]
  const tooWide = [400, 'bad_request', 'end']
  assert.deepEqual(await range(askAgents([one.id], days(2), agreed.key)), fine)
  assert.deepEqual(await range(askAgents([one.id], days(2, 1), agreed.key)), tooWide)
  assert.deepEqual(await range(askAgents([one.id, two.id], days(1), agreed.key)), [400, 'bad_request', 'agents'])
  assert.deepEqual(await range(askAgents([free.id], days(366), open.key)), fine)
  assert.deepEqual(await range(askAgents([free.id], days(366, 1), open.key)), tooWide)
  assert.deepEqual(await range(askAgent(free.id, days(366), open.key)), fine)
  assert.deepEqual(await range(askAgent(free.id, days(366, 1), open.key)), tooWide)
})

test('a window from the first year to the last costs next to nothing', async ({
  service,
  key,
  desk: { askCalendar, setRules },
}) => {
  const calendar = await makeCalendar(service, key)
  await setRules(calendar.id, { working_hours: { mon: { start: '09:00', end: '17:00' } }, timezone: 'Pacific/Apia' })
  const ages = { start: '0001-01-01T00:00:00Z', end: '9999-12-31T23:59:59Z', include_busy: 'true' }
  const answer = await askCalendar(calendar.id, ages)
  assert.equal(answer.status, 400)
  assert.equal(answer.body.error.type, 'bad_request')
  for (const start of ['0001-01-01T00:00:00Z', '9999-12-30T00:00:00Z']) {
    const end = start.replace('T00:00:00', 'T23:00:00')
    assert.equal((await askCalendar(calendar.id, { start, end })).status, 200)
  }
})

test('without events a question of the day costs the same whatever the calendar holds elsewhere', async ({
  service,
  key,
  desk: { askCalendar },
}) => {
  const calendar = await makeCalendar(service, key)
  assert.equal((await askCalendar(calendar.id, days(366))).body.slots.length, 366 * 48)
})
