import assert from 'node:assert/strict'
import { makeAgent, makeAgentKey, makeCalendar, makeOrganization } from '../../src/testing/factories.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

type Named = { name: string }

const test = serviceTest().extend('named', perFile, ({ call, key }) => async (path: string, as = key) => {
  const { status, body } = await call('GET', path, { key: as })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.total, body.data.length)
  return body.data.map(({ name }: Named) => name)
})

const queryOf = (text: string) => `query=${encodeURIComponent(text)}`

test('query finds agents by a part of their name, in upper or lower case, beside the other filters', async ({
  service,
  key,
  named,
}) => {
  for (const name of ['Planner', 'plan B', 'Größe 100%', 'Cafe\u0301']) await makeAgent(service, key, { name })
  const human = await makeAgent(service, key, { name: 'Planning human', type: 'human' })
  assert.deepEqual(await named(`/v1/agents?${queryOf('PLAN')}`), ['Planning human', 'plan B', 'Planner'])
  assert.deepEqual(await named(`/v1/agents?${queryOf('plan')}&type=human`), ['Planning human'])
  assert.deepEqual(await named(`/v1/agents?${queryOf('0%')}`), ['Größe 100%'])
  assert.deepEqual(await named(`/v1/agents?${queryOf('_')}`), [])
  assert.deepEqual(await named(`/v1/agents?${queryOf('GRÖSSE')}`), [])
  assert.deepEqual(await named(`/v1/agents?${queryOf('CAFÉ')}`), ['Cafe\u0301'])
  assert.equal((await named('/v1/agents?query=')).length, 5)
  assert.equal((await named(`/v1/agents?${queryOf('  ')}`)).length, 5)
  const page = (await service.call('GET', `/v1/agents?${queryOf('plan')}&limit=1&offset=1`, { key })).body
  assert.deepEqual([page.data.map(({ name }: Named) => name), page.total], [['plan B'], 3])
  // The key of an agent finds nobody else.
  const agentKey = await makeAgentKey(service, key, human.id)
  assert.deepEqual(await named(`/v1/agents?${queryOf('plan')}`, agentKey), ['Planning human'])
})

test('ids list only these agents, of the own organization', async ({ service, key, call, named }) => {
  const agents = []
  for (const name of ['Ada', 'Grace', 'Edsger']) agents.push(await makeAgent(service, key, { name }))
  const [ada, grace, edsger] = agents.map(({ id }) => id as string)
  const stranger = await makeOrganization(service)
  const foreign = await makeAgent(service, stranger.key, { name: 'Foreign' })
  const list = (ids: readonly string[], more = '') => `/v1/agents?ids=${encodeURIComponent(ids.join(', '))}${more}`
  assert.deepEqual(await named(list([ada!, edsger!, ada!])), ['Edsger', 'Ada'])
  assert.deepEqual(await named(list([grace!, foreign.id, 'agt_nonsense'])), ['Grace'])
  assert.deepEqual(await named(list([foreign.id])), [])
  assert.deepEqual(await named(list([ada!, grace!], '&query=gra')), ['Grace'])
  assert.deepEqual(await named(list([ada!, grace!]), await makeAgentKey(service, key, ada!)), ['Ada'])
  for (const ids of ['', 'a,,b', Array.from({ length: 101 }, (_, nth) => `agt_${nth}`).join()])
    assertRefused(await call('GET', `/v1/agents?ids=${ids}`, { key }), 400, 'validation_error', { param: 'ids' })
})

test('query finds calendars by a part of their name, within what the list shows anyway', async ({
  service,
  key,
  named,
}) => {
  const agent = await makeAgent(service, key)
  await makeCalendar(service, key, undefined, { name: 'Meetings' })
  await makeCalendar(service, key, agent.id, { name: 'Team meetings' })
  await makeCalendar(service, key, agent.id, { name: 'Holidays' })
  assert.deepEqual(await named(`/v1/calendars?${queryOf('meet')}`), ['Meetings'])
  assert.deepEqual(await named(`/v1/calendars?include=all&${queryOf('meet')}`), ['Team meetings', 'Meetings'])
  assert.deepEqual(await named(`/v1/calendars?${queryOf('o')}`, await makeAgentKey(service, key, agent.id)), [
    'Holidays',
  ])
  const stranger = await makeOrganization(service)
  assert.deepEqual(await named(`/v1/calendars?include=all&${queryOf('meet')}`, stranger.key), [])
})

test('a text of more than 200 characters is refused', async ({ call, key }) => {
  for (const path of ['/v1/agents', '/v1/calendars']) {
    const answer = await call('GET', `${path}?${queryOf('x'.repeat(201))}`, { key })
    assertRefused(answer, 400, 'validation_error', { param: 'query' })
  }
})

test('the administrator finds organizations by name, address, plan and waitlist', async ({ call, named }) => {
  const make = async (name: string, email: string, plan: string, waits = false) => {
    const { body } = await call('POST', '/v1/admin/orgs', { key: adminToken, body: { name, email, plan } })
    if (waits) await call('PATCH', `/v1/admin/orgs/${body.org.id}`, { key: adminToken, body: { is_waitlisted: true } })
  }
  await make('Quince Robotics', 'ada@quince.example', 'pro')
  await make('Robots & Sons', 'QUINCE@example.com', 'free', true)
  await make('Others', 'others@example.org', 'custom')
  const list = (query: string) => named(`/v1/admin/orgs?${query}`, adminToken)
  assert.deepEqual(await list(queryOf('quince')), ['Robots & Sons', 'Quince Robotics'])
  assert.deepEqual(await list(`${queryOf('quince')}&plan=pro`), ['Quince Robotics'])
  assert.deepEqual(await list(`${queryOf('quince')}&is_waitlisted=true`), ['Robots & Sons'])
  assert.deepEqual(await list(`${queryOf('quince')}&is_waitlisted=false`), ['Quince Robotics'])
  assert.deepEqual(await list('email=ada@quince.example&plan=free'), [])
  for (const [query, param] of [
    ['plan=gold', 'plan'],
    ['is_waitlisted=1', 'is_waitlisted'],
  ]) {
    const answer = await call('GET', `/v1/admin/orgs?${query}`, { key: adminToken })
    assertRefused(answer, 400, 'validation_error', { param })
  }
})

test('an organization is read with the limits that hold, and its usage as it reads it itself', async ({
  service,
  call,
}) => {
  const read = (id: string) => call('GET', `/v1/admin/orgs/${id}`, { key: adminToken })
  const { id, key } = await makeOrganization(service, { plan: 'custom', limits: { agents: 5 }, rate: 77 })
  await makeAgent(service, key)
  const usage = (await call('GET', '/v1/usage', { key })).body
  const { status, body } = await read(id)
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), ['org', 'limits', 'rate_limit_per_second', 'usage'])
  assert.equal(body.org.id, id)
  assert.deepEqual([body.limits.agents, body.limits.calendars, body.rate_limit_per_second], [5, null, 77])
  assert.deepEqual(body.usage, usage)
  const { body: free } = await call('POST', '/v1/admin/orgs', {
    key: adminToken,
    body: { name: 'Free', email: 'free@example.com' },
  })
  const shown = (await read(free.org.id)).body
  assert.deepEqual(shown.org, free.org)
  assert.equal(shown.rate_limit_per_second, 10)
  assert.equal(shown.limits.agents, shown.usage.agents.limit)
  for (const unknown of ['org_01k9xr8m3fe8tbc4x9m2v7h5qd', 'x']) assertRefused(await read(unknown), 404, 'not_found')
})
