import assert from 'node:assert/strict'
import { connectionTest } from '../../src/testing/connections.ts'
import { makeAgent } from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const at = '/v1/availability-grants'
const test = connectionTest().extend('chosen', async ({ desk }) => {
  const connection = await desk.connected()
  const [personal, work] = connection.calendars.map((calendar: { id: string }) => calendar.id) as [string, string]
  await desk.ok('PATCH', `/v1/calendar-connections/${connection.id}`, { selected_external_calendar_ids: [personal] })
  const usual = { external_calendar_ids: [personal], audience: 'selected_agents', agent_ids: [desk.agent.id] }
  return { connection, personal, work, usual }
})

test('a grant is made with exactly its fields, can be read, listed and removed', async ({ service, desk, chosen }) => {
  const grant = await desk.ok('POST', at, chosen.usual, 201)
  assert.match(grant.id, /^avg_[0-9a-z]{26}$/)
  assert.deepEqual(Object.entries(grant), [
    ['id', grant.id],
    ['audience', 'selected_agents'],
    ['audience_cutoff_at', null],
    ['active', true],
    ['external_calendar_ids', [chosen.personal]],
    ['agent_ids', [desk.agent.id]],
    ['created_at', service.clock.now().toISOString()],
  ])
  assert.deepEqual(await desk.ok('GET', `${at}/${grant.id}`), grant)
  assert.deepEqual((await desk.ok('GET', at)).data, [grant])
  const { calendars } = await desk.read(chosen.connection.id)
  assert.equal(calendars[0].availability_source_active, true)
  assert.equal((await desk.session('DELETE', `${at}/${grant.id}`)).status, 204)
  assertRefused(await desk.session('GET', `${at}/${grant.id}`), 404, 'not_found')
  assertRefused(await desk.session('DELETE', `${at}/${grant.id}`), 404, 'not_found')
})

test('a new audience sets the cutoff anew', async ({ service, desk, chosen }) => {
  const body = { external_calendar_ids: [chosen.personal], audience: 'all_current_agents' }
  const grant = await desk.ok('POST', at, body, 201)
  assert.equal(grant.audience_cutoff_at, service.clock.now().toISOString())
  await service.clock.advance(1_000)
  const same = await desk.ok('PATCH', `${at}/${grant.id}`, { active: false })
  assert.deepEqual(same, { ...grant, active: false })
  const anew = await desk.ok('PATCH', `${at}/${grant.id}`, { audience: 'all_current_agents' })
  assert.equal(anew.audience_cutoff_at, service.clock.now().toISOString())
  const all = await desk.ok('PATCH', `${at}/${grant.id}`, { audience: 'all_org_agents' })
  assert.equal(all.audience_cutoff_at, null)
})

test('the list of agents is replaced', async ({ service, desk, chosen }) => {
  const grant = await desk.ok('POST', at, chosen.usual, 201)
  const other = await makeAgent(service, desk.key)
  assert.deepEqual((await desk.ok('PATCH', `${at}/${grant.id}`, { agent_ids: [other.id] })).agent_ids, [other.id])
  assert.deepEqual((await desk.ok('PATCH', `${at}/${grant.id}`, { active: false })).agent_ids, [other.id])
  assert.deepEqual((await desk.ok('PATCH', `${at}/${grant.id}`, { audience: 'all_org_agents' })).agent_ids, [])
})

test('who is meant must be said, once', async ({ desk, chosen }) => {
  const calendars = { external_calendar_ids: [chosen.personal] }
  const cases: [object, string][] = [
    [{ ...calendars, audience: 'selected_agents' }, 'agent_ids'],
    [{ ...calendars, audience: 'selected_agents', agent_ids: [] }, 'agent_ids'],
    [{ ...calendars, audience: 'all_org_agents', agent_ids: [desk.agent.id] }, 'agent_ids'],
    [{ ...calendars, audience: 'everybody' }, 'audience'],
    [{ ...chosen.usual, external_calendar_ids: [] }, 'external_calendar_ids'],
    [{ ...chosen.usual, external_calendar_ids: [chosen.work] }, 'external_calendar_ids'],
    [{ ...chosen.usual, active: true }, 'active'],
  ]
  for (const [body, param] of cases) {
    assertRefused(await desk.session('POST', at, body), 400, 'validation_error', { param })
  }
  const unknown = 'agt_01k9xr8m3fe8tbc4x9m2v7h5qd'
  const calendar = 'xcl_01k9xr8m3fe8tbc4x9m2v7h5qd'
  const ofNobody = await desk.session('POST', at, { ...chosen.usual, agent_ids: [unknown] })
  assertRefused(ofNobody, 404, 'not_found', { param: 'agent_ids' })
  const ofNothing = await desk.session('POST', at, { ...chosen.usual, external_calendar_ids: [calendar] })
  assertRefused(ofNothing, 404, 'not_found', { param: 'external_calendar_ids' })
  const grant = await desk.ok('POST', at, chosen.usual, 201)
  assertRefused(await desk.session('PATCH', `${at}/${grant.id}`, {}), 400, 'validation_error')
  const wrong = await desk.session('PATCH', `${at}/${grant.id}`, {
    audience: 'all_org_agents',
    agent_ids: [desk.agent.id],
  })
  assertRefused(wrong, 400, 'validation_error', { param: 'agent_ids' })
})

test('an unselected calendar leaves its grants; an empty grant goes', async ({ desk, chosen }) => {
  const path = `/v1/calendar-connections/${chosen.connection.id}`
  await desk.ok('PATCH', path, { selected_external_calendar_ids: [chosen.personal, chosen.work] })
  const both = await desk.ok(
    'POST',
    at,
    { ...chosen.usual, external_calendar_ids: [chosen.personal, chosen.work] },
    201,
  )
  const one = await desk.ok('POST', at, { ...chosen.usual, external_calendar_ids: [chosen.work] }, 201)
  await desk.ok('PATCH', path, { selected_external_calendar_ids: [chosen.personal] })
  assert.deepEqual((await desk.ok('GET', `${at}/${both.id}`)).external_calendar_ids, [chosen.personal])
  assertRefused(await desk.session('GET', `${at}/${one.id}`), 404, 'not_found')
})

test('a connection that is broken is granted to nobody', async ({ service, caldav, desk, chosen }) => {
  caldav.password = 'changed'
  for (let nth = 0; nth < 2; nth++) {
    await service.drain()
    await service.clock.advance(6 * 60_000)
  }
  await service.drain()
  assertRefused(await desk.session('POST', at, chosen.usual), 409, 'conflict')
})

test('keys make no grants', async ({ service, desk, chosen }) => {
  const { status } = await service.call('POST', at, { key: desk.key, body: chosen.usual })
  assert.equal(status, 401)
})
