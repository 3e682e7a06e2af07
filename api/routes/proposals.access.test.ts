// The access to proposals, and their limits.

import assert from 'node:assert/strict'
import { decodeId } from '../../src/shapes/ids.ts'
import { makeAgent, makeAgentKey, makeCalendar, makeOrganization } from '../../src/testing/factories.ts'
import { adminToken, testStart } from '../../src/testing/harness.ts'
import { whileOpen } from '../../src/testing/locks.ts'
import { makeParties, partiesTest, path } from '../../src/testing/parties.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const unknown = '01k9xr8m3fe8tbc4x9m2v7h5qd'

const test = partiesTest()
test.beforeEach(({ service }) => service.clock.set(testStart))

test('agents and calendars that do not exist, here or at all, are 404 with the field', async ({
  service,
  key,
  ours,
  theirs,
  desk: { at, slot, create, list },
}) => {
  const before = await list()
  const gone = await makeCalendar(service, key)
  await service.call('DELETE', `/v1/calendars/${gone.id}`, { key })
  const first = ours.first.id
  for (const agent of [theirs.first.id, `agt_${unknown}`, ours.calendar.id, 'x', '']) {
    const refused = async (body: object, param: string) =>
      assertRefused(await create(body), 404, 'not_found', { param })
    await refused({ organizer_agent_id: agent }, 'organizer_agent_id')
    await refused({ participant_agent_ids: [first, agent] }, 'participant_agent_ids.1')
  }
  for (const calendar of [theirs.calendar.id, `cal_${unknown}`, gone.id, first, 'x', '']) {
    const refused = async (body: object, param: string) =>
      assertRefused(await create(body), 404, 'not_found', { param, code: 'calendar_not_found' })
    await refused({ calendar_id: calendar }, 'calendar_id')
    await refused({ slots: [slot(), slot({ calendar_id: calendar })] }, 'slots.1.calendar_id')
  }
  const wrongToo = { organizer_agent_id: `agt_${unknown}`, title: '' }
  assertRefused(await create(wrongToo), 400, 'validation', { param: 'title' })
  assertRefused(await create({ organizer_agent_id: `agt_${unknown}`, expires_at: at(0) }), 400, 'validation', {
    param: 'expires_at',
  })
  assert.deepEqual(await list(), before)
})

test('nobody who is decommissioned is invited, and nothing is proposed for their calendars', async ({
  service,
  key,
  ours,
  desk: { slot, create, list },
}) => {
  const before = await list()
  const gone = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, gone.id)
  assert.equal((await service.call('DELETE', `/v1/agents/${gone.id}`, { key })).status, 204)
  for (const body of [
    { organizer_agent_id: gone.id },
    { participant_agent_ids: [ours.first.id, gone.id] },
    { calendar_id: calendar.id },
    { slots: [slot({ calendar_id: calendar.id })] },
  ]) {
    assertRefused(await create(body), 409, 'conflict', { code: 'agent_decommissioned' })
  }
  assert.deepEqual(await list(), before)
})

test('nothing is proposed for a calendar that is deleted while the request is under way', async ({
  service,
  key,
  desk: { create, list },
}) => {
  const calendar = await makeCalendar(service, key)
  const { total } = await list()
  const created = await whileOpen(service.app.sql, {
    change: (open) => open`lock table proposals in access exclusive mode`,
    work: () => create({ calendar_id: calendar.id }),
    meanwhile: async () => {
      assert.equal((await service.call('DELETE', `/v1/calendars/${calendar.id}`, { key })).status, 204)
    },
  })
  assertRefused(created, 404, 'not_found', { param: 'calendar_id', code: 'calendar_not_found' })
  assert.equal((await list()).total, total)
})

test('every endpoint needs a paid plan, which is asked for before anything else', async ({ service }) => {
  for (const [plan, status] of [
    ['free', null],
    ['free-agent', 'verified'],
    ['free-agent-unverified', 'unverified'],
  ] as const) {
    const { id, key: free } = await makeOrganization(service, { plan: 'free' })
    await service.app.sql`
      update organizations set plan = ${plan}, verification_status = ${status} where id = ${decodeId('org', id)!}`
    for (const [method, suffix] of [
      ['POST', ''],
      ['GET', ''],
      ['GET', '?limit=0'],
      ['GET', '/spr_1'],
      ['POST', '/spr_1/respond'],
      ['POST', '/spr_1/resolve'],
      ['POST', '/spr_1/cancel'],
    ] as const) {
      const body = method === 'POST' ? { title: '' } : undefined
      const answer = await service.call(method, path + suffix, { key: free, body })
      assertRefused(answer, 403, 'plan_required', { feature: 'scheduling_proposals' })
    }
  }
})

test('agent keys are refused everywhere, and so is nobody at all', async ({
  service,
  key,
  ours,
  desk: { read, propose },
}) => {
  const agentKey = await makeAgentKey(service, key, ours.organizer.id)
  const { id } = await propose()
  for (const [method, suffix] of [
    ['POST', ''],
    ['GET', ''],
    ['GET', `/${id}`],
    ['POST', `/${id}/respond`],
    ['POST', `/${id}/resolve`],
    ['POST', `/${id}/cancel`],
  ] as const) {
    assertRefused(await service.call(method, path + suffix, { key: agentKey }), 403, 'forbidden')
    assertRefused(await service.call(method, path + suffix), 401, 'authentication_error')
  }
  assert.equal((await read(id)).status, 'pending')
})

test('a proposal that does not exist, here or at all, is 404 whatever is asked of it', async ({
  service,
  key,
  ours,
  theirs,
  desk: { propose },
}) => {
  const { id } = await propose({}, theirs)
  const respond = { agent_id: ours.first.id, response: 'decline' }
  for (const other of [id, `spr_${unknown}`, ours.first.id, 'x']) {
    for (const [method, suffix, body] of [
      ['GET', '', undefined],
      ['POST', '/respond', respond],
      ['POST', '/resolve', undefined],
      ['POST', '/cancel', undefined],
    ] as const) {
      assertRefused(await service.call(method, `${path}/${other}${suffix}`, { key, body }), 404, 'not_found')
    }
  }
  const theirView = await service.call('GET', `${path}/${id}`, { key: theirs.key })
  assert.deepEqual([theirView.body.status, theirView.body.responses], ['pending', []])
})

test('the monthly quota of proposals: what was refused took nothing, what ended gives nothing back', async ({
  service,
  desk: { create, list, propose },
}) => {
  const { key: of } = await makeOrganization(service, { plan: 'custom', limits: { proposals: 3 } })
  const own = await makeParties(service, of)
  assertRefused(await create({ title: '' }, own), 400, 'validation', { param: 'title' })
  assertRefused(await create({ calendar_id: 'x' }, own), 404, 'not_found', {
    param: 'calendar_id',
    code: 'calendar_not_found',
  })
  const { id } = await propose({}, own)
  assert.equal((await service.call('POST', `${path}/${id}/cancel`, { key: of })).status, 200)
  await propose({}, own)
  const answers = await Promise.all(Array.from({ length: 6 }, () => create({}, own)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 429, 429, 429, 429, 429])
  const refused = await create({}, own)
  assertRefused(refused, 429, 'quota_exceeded')
  assert.equal(refused.headers.get('retry-after'), String(30 * 24 * 60 * 60))
  assertRefused(await create({ title: '' }, own), 429, 'quota_exceeded')
  assert.equal((await list('', of)).total, 3)
  await service.clock.advance(30 * 24 * 60 * 60_000)
  await propose({}, own)
})

test('a quota of none refuses the first, and no quota refuses nobody', async ({
  service,
  desk: { create, propose },
}) => {
  const none = await makeParties(
    service,
    (await makeOrganization(service, { plan: 'custom', limits: { proposals: 0 } })).key,
  )
  assertRefused(await create({}, none), 429, 'quota_exceeded')
  const open = await makeOrganization(service, { plan: 'custom', limits: { proposals: null } })
  const own = await makeParties(service, open.key)
  await propose({}, own)
  const limits = { proposals: 1 }
  await service.call('PATCH', `/v1/admin/orgs/${open.id}`, { key: adminToken, body: { limits } })
  assertRefused(await create({}, own), 429, 'quota_exceeded')
})
