// Creating, listing and reading proposals.
import assert from 'node:assert/strict'
import { afterAll, beforeAll, beforeEach, test } from 'vitest'
import { decodeId } from '../../src/shapes/ids.ts'
import {
  ahead,
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeOrganization,
  makeProposal,
  makeWebhook,
} from '../../src/testing/factories.ts'
import { adminToken, openTestService, type TestService, testStart } from '../../src/testing/harness.ts'
import { openReceiver, type Receiver } from '../../src/testing/receiver.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const path = '/v1/scheduling/proposals'
const unknown = '01k9xr8m3fe8tbc4x9m2v7h5qd'

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Any = any

let service: TestService
let receiver: Receiver
let key: string
/** The organizer, two participants, a calendar: of the organization and of another one. */
let ours: Any
let theirs: Any

beforeAll(async () => {
  service = await openTestService()
  receiver = await openReceiver()
  key = (await makeOrganization(service)).key
  ours = await makeParties(key)
  theirs = await makeParties((await makeOrganization(service)).key)
})
beforeEach(() => service.clock.set(testStart))
afterAll(async () => {
  await receiver.close()
  await service.close()
})

async function makeParties(of: string) {
  const [organizer, first, second, calendar] = await Promise.all([
    makeAgent(service, of),
    makeAgent(service, of),
    makeAgent(service, of),
    makeCalendar(service, of),
  ])
  return { key: of, organizer, first, second, calendar }
}

const at = (minutes: number) => ahead(service, minutes)
const slot = (more: object = {}) => ({ start_time: at(60), end_time: at(90), ...more })
const bodyOf = (parties: Any, more: object = {}) => ({
  title: 'Review',
  organizer_agent_id: parties.organizer.id,
  participant_agent_ids: [parties.first.id, parties.second.id],
  calendar_id: parties.calendar.id,
  slots: [slot(), slot({ weight: 2.5 })],
  ...more,
})
const create = (more: object = {}, parties = ours) =>
  service.call('POST', path, { key: parties.key, body: bodyOf(parties, more) })
const read = async (id: string) => (await service.call('GET', `${path}/${id}`, { key })).body
const list = async (query = '', of = key) => (await service.call('GET', `${path}?${query}`, { key: of })).body
const end = (id: string, how: 'resolve' | 'cancel') => service.call('POST', `${path}/${id}/${how}`, { key })
const propose = (more: object = {}, parties = ours) =>
  makeProposal(service, parties.key, bodyOf(parties, more) as never)

test('a create answers the summary, a read adds slots and responses', async () => {
  const other = await makeCalendar(service, key)
  const { status, body } = await create({
    description: 'Of the plan',
    slots: [slot(), slot({ start_time: at(120), end_time: at(150), weight: 2.5, calendar_id: other.id })],
    expires_at: at(30),
    metadata: { a: [1, { b: null }] },
  })
  assert.equal(status, 201)
  const now = service.clock.now().toISOString()
  const summary = {
    id: body.id,
    title: 'Review',
    description: 'Of the plan',
    organizer_agent_id: ours.organizer.id,
    participant_agent_ids: [ours.first.id, ours.second.id],
    calendar_id: ours.calendar.id,
    status: 'pending',
    expires_at: at(30),
    resolved_slot: null,
    created_event_id: null,
    metadata: { a: [1, { b: null }] },
    created_at: now,
    updated_at: now,
  }
  assert.match(body.id, /^spr_[0-9a-z]{26}$/)
  assert.deepEqual(body, summary)
  const full = await read(body.id)
  for (const { id } of full.slots) assert.match(id, /^slt_[0-9a-z]{26}$/)
  assert.deepEqual(full, {
    ...summary,
    slots: [
      { id: full.slots[0].id, start_time: at(60), end_time: at(90), weight: 1, calendar_id: null },
      { id: full.slots[1].id, start_time: at(120), end_time: at(150), weight: 2.5, calendar_id: other.id },
    ],
    responses: [],
  })
  assert.deepEqual((await list()).data[0], summary)
})

test('what may be left out shows as null or empty', async () => {
  const { body } = await create()
  assert.deepEqual([body.description, body.expires_at, body.metadata], [null, null, {}])
})

test('proposal.created carries the proposal with its slots and no responses', async () => {
  const own = await makeParties((await makeOrganization(service)).key)
  await makeWebhook(service, own.key, receiver.url, ['proposal.created'])
  const { id } = await propose({ expires_at: at(30) }, own)
  const full = (await service.call('GET', `${path}/${id}`, { key: own.key })).body
  receiver.received.length = 0
  await service.drain()
  assert.deepEqual(
    receiver.received.map(({ type, payload }) => ({ type, payload })),
    [{ type: 'proposal.created', payload: { proposal: full } }],
  )
})

test('every limit is allowed up to its last', async () => {
  const many = await makeParties((await makeOrganization(service, { plan: 'custom' })).key)
  const agents = await Promise.all(Array.from({ length: 50 }, () => makeAgent(service, many.key)))
  const widest = {
    title: 'x'.repeat(500),
    description: 'x'.repeat(5_000),
    participant_agent_ids: agents.map(({ id }) => id),
    slots: Array.from({ length: 20 }, (_, n) => slot({ weight: n / 2 })),
    expires_at: new Date(service.clock.now().getTime() + 1).toISOString(),
    metadata: { a: 'x'.repeat(16 * 1024 - 8) },
  }
  const { status, body } = await create(widest, many)
  assert.equal(status, 201, JSON.stringify(body))
  const full = (await service.call('GET', `${path}/${body.id}`, { key: many.key })).body
  assert.deepEqual(full.participant_agent_ids, widest.participant_agent_ids)
  assert.deepEqual(
    full.slots.map(({ weight }: Any) => weight),
    widest.slots.map(({ weight }: Any) => weight),
  )
  assert.equal(
    (await create({ slots: [slot({ weight: 10 }), slot({ weight: 0 }), slot({ weight: 5e-324 })] })).status,
    201,
  )
  assert.equal((await create({ title: 'x', participant_agent_ids: [ours.first.id], slots: [slot()] })).status, 201)
})

test('the organizer may take part, and slots may overlap, repeat and lie in the past', async () => {
  const { body } = await create({
    participant_agent_ids: [ours.organizer.id],
    slots: [slot(), slot(), slot({ start_time: at(-60), end_time: at(-30) })],
  })
  assert.deepEqual(body.participant_agent_ids, [ours.organizer.id])
})

test('what does not fit is refused as `validation`, with the field, and stores nothing', async () => {
  const before = await list()
  const agents = Array.from({ length: 51 }, (_, n) => `agt_${unknown.slice(0, 24)}${String(n).padStart(2, '0')}`)
  const refusedSlot = (more: object, param: string, code?: string) =>
    [{ slots: [slot(), slot(more)] }, `slots.1${param}`, code] as [object, string, string?]
  const table: [body: object, param: string, code?: string][] = [
    [{ title: undefined }, 'title'],
    [{ title: '' }, 'title'],
    [{ title: 'x'.repeat(501) }, 'title'],
    [{ title: 7 }, 'title'],
    [{ description: 'x'.repeat(5_001) }, 'description'],
    [{ description: null }, 'description'],
    [{ organizer_agent_id: undefined }, 'organizer_agent_id'],
    [{ organizer_agent_id: 7 }, 'organizer_agent_id'],
    [{ participant_agent_ids: undefined }, 'participant_agent_ids'],
    [{ participant_agent_ids: [] }, 'participant_agent_ids'],
    [{ participant_agent_ids: 'all' }, 'participant_agent_ids'],
    [{ participant_agent_ids: [ours.first.id, null] }, 'participant_agent_ids.1'],
    [{ participant_agent_ids: agents }, 'participant_agent_ids'],
    [{ participant_agent_ids: [ours.first.id, ours.second.id, ours.first.id] }, 'participant_agent_ids'],
    [{ calendar_id: undefined }, 'calendar_id'],
    [{ calendar_id: null }, 'calendar_id'],
    [{ slots: undefined }, 'slots'],
    [{ slots: [] }, 'slots'],
    [{ slots: {} }, 'slots'],
    [{ slots: Array(21).fill(slot()) }, 'slots'],
    refusedSlot({ start_time: undefined }, '.start_time'),
    refusedSlot({ end_time: undefined }, '.end_time'),
    refusedSlot({ start_time: 'tomorrow' }, '.start_time', 'invalid_time_format'),
    refusedSlot({ start_time: '2026-03-02T10:00:00' }, '.start_time', 'invalid_time_format'),
    refusedSlot({ end_time: '2026-02-30T10:00:00Z' }, '.end_time', 'invalid_time_format'),
    refusedSlot({ end_time: at(60) }, '.end_time', 'end_before_start'),
    refusedSlot({ end_time: at(59) }, '.end_time', 'end_before_start'),
    refusedSlot({ weight: -0.1 }, '.weight'),
    refusedSlot({ weight: 10.000001 }, '.weight'),
    refusedSlot({ weight: '1' }, '.weight'),
    refusedSlot({ weight: null }, '.weight'),
    refusedSlot({ calendar_id: 7 }, '.calendar_id'),
    refusedSlot({ id: 'slt_1' }, '.id'),
    [{ expires_at: 'soon' }, 'expires_at', 'invalid_time_format'],
    [{ expires_at: null }, 'expires_at'],
    [{ expires_at: at(0) }, 'expires_at'],
    [{ expires_at: at(-1) }, 'expires_at'],
    [{ metadata: { a: 'x'.repeat(16 * 1024 - 7) } }, 'metadata'],
    [{ metadata: [] }, 'metadata'],
    [{ metadata: null }, 'metadata'],
    [{ status: 'confirmed' }, 'status'],
  ]
  for (const [body, param, code] of table) {
    assertRefused(await create(body), 400, 'validation', { param, ...(code && { code }) })
  }
  for (const raw of ['{', '[]', '"x"', '7']) {
    assertRefused(await service.call('POST', path, { key, raw }), 400, 'validation')
  }
  assertRefused(await service.call('POST', path, { key }), 400, 'validation', { param: 'title' })
  assert.deepEqual(await list(), before)
})

test('agents and calendars that do not exist, here or at all, are 404 with the field', async () => {
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

test('nobody who is decommissioned is invited, and nothing is proposed for their calendars', async () => {
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

test('nothing is proposed for a calendar that is deleted while the request is under way', async () => {
  const calendar = await makeCalendar(service, key)
  const { total } = await list()
  const { sql } = service.app
  const other = await sql.reserve()
  await other`begin`
  await other`lock table proposals in access exclusive mode`
  const creating = create({ calendar_id: calendar.id })
  for (let waiting = 0; waiting === 0; ) {
    const [row] = await sql`
      select count(*)::integer as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    waiting = row!.waiting
  }
  assert.equal((await service.call('DELETE', `/v1/calendars/${calendar.id}`, { key })).status, 204)
  await other`commit`
  other.release()
  assertRefused(await creating, 404, 'not_found', { param: 'calendar_id', code: 'calendar_not_found' })
  assert.equal((await list()).total, total)
})

test('every endpoint needs a paid plan, which is asked for before anything else', async () => {
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

test('agent keys are refused everywhere, and so is nobody at all', async () => {
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

test('a proposal that does not exist, here or at all, is 404 whatever is asked of it', async () => {
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

test('lists are newest first, paged, and filtered by status and organizer', async () => {
  const own = await makeParties((await makeOrganization(service)).key)
  const made: Any[] = []
  for (let n = 0; n < 8; n++) {
    const organizer_agent_id = n % 2 ? own.organizer.id : own.first.id
    made.unshift(await propose({ title: `${n}`, organizer_agent_id, ...(n === 7 && { expires_at: at(1) }) }, own))
  }
  const titles = async (query: string) => {
    const { data, total, limit, offset } = await list(query, own.key)
    return [data.map(({ title }: Any) => title).join(''), total, limit, offset]
  }
  const full = (await service.call('GET', `${path}/${made[0].id}`, { key: own.key })).body
  const accept = { agent_id: own.first.id, response: 'accept', selected_slot_id: full.slots[1].id }
  await service.call('POST', `${path}/${made[0].id}/respond`, { key: own.key, body: accept })
  await service.call('POST', `${path}/${made[0].id}/resolve`, { key: own.key })
  await service.call('POST', `${path}/${made[1].id}/cancel`, { key: own.key })
  await propose({ title: '8', expires_at: at(1) }, own)
  await service.clock.advance(60_000)

  assert.deepEqual(await titles(''), ['876543210', 9, 50, 0])
  assert.deepEqual(await titles('limit=2'), ['87', 9, 2, 0])
  assert.deepEqual(await titles('limit=2&offset=3'), ['54', 9, 2, 3])
  assert.deepEqual(await titles('offset=9'), ['', 9, 50, 9])
  assert.deepEqual(await titles('limit=200'), ['876543210', 9, 200, 0])
  assert.deepEqual(await titles('status=pending'), ['543210', 6, 50, 0])
  assert.deepEqual(await titles('status=pending&limit=2&offset=1'), ['43', 6, 2, 1])
  assert.deepEqual(await titles('status=confirmed'), ['7', 1, 50, 0])
  assert.deepEqual(await titles('status=cancelled'), ['6', 1, 50, 0])
  assert.deepEqual(await titles('status=expired'), ['8', 1, 50, 0])
  assert.deepEqual(await titles(`organizer_agent_id=${own.first.id}`), ['6420', 4, 50, 0])
  assert.deepEqual(await titles(`organizer_agent_id=${own.first.id}&status=pending`), ['420', 3, 50, 0])
  assert.deepEqual(await titles(`organizer_agent_id=${own.second.id}`), ['', 0, 50, 0])
  await service.drain()
  assert.deepEqual(await titles('status=expired'), ['8', 1, 50, 0])
  assert.deepEqual(await titles('status=pending'), ['543210', 6, 50, 0])

  const [expired, confirmed] = (await list('', own.key)).data
  assert.equal(expired.status, 'expired')
  assert.deepEqual([confirmed.status, confirmed.resolved_slot.id], ['confirmed', full.slots[1].id])
  assert.equal('slots' in confirmed || 'responses' in confirmed, false)
})

test('a list that asks for what there is not is refused', async () => {
  for (const [query, param] of [
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=x', 'limit'],
    ['offset=-1', 'offset'],
    ['status=open', 'status'],
    ['status=', 'status'],
  ] as const) {
    assertRefused(await service.call('GET', `${path}?${query}`, { key }), 400, 'validation_error', { param })
  }
  for (const id of [theirs.organizer.id, `agt_${unknown}`, 'x', '']) {
    const answer = await service.call('GET', `${path}?organizer_agent_id=${id}`, { key })
    assertRefused(answer, 404, 'not_found', { param: 'organizer_agent_id' })
  }
})

test('a proposal shows as expired from its very instant, before its timer has run', async () => {
  const { id } = await propose({ expires_at: at(10) })
  const inList = async (status: string) =>
    (await list(`status=${status}&limit=200`)).data.some((one: Any) => one.id === id)
  const totals = async () => [(await list('status=pending')).total, (await list('status=expired')).total]
  const [pending, expired] = await totals()
  await service.clock.advance(10 * 60_000 - 1)
  assert.deepEqual(
    [(await read(id)).status, await inList('pending'), await inList('expired')],
    ['pending', true, false],
  )
  await service.clock.advance(1)
  assert.deepEqual(
    [(await read(id)).status, await inList('pending'), await inList('expired')],
    ['expired', false, true],
  )
  assert.deepEqual(await totals(), [pending! - 1, expired! + 1])
})

test('the monthly quota of proposals: what was refused took nothing, what ended gives nothing back', async () => {
  const { key: of } = await makeOrganization(service, { plan: 'custom', limits: { proposals: 3 } })
  const own = await makeParties(of)
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

test('a quota of none refuses the first, and no quota refuses nobody', async () => {
  const none = await makeParties((await makeOrganization(service, { plan: 'custom', limits: { proposals: 0 } })).key)
  assertRefused(await create({}, none), 429, 'quota_exceeded')
  const open = await makeOrganization(service, { plan: 'custom', limits: { proposals: null } })
  const own = await makeParties(open.key)
  await propose({}, own)
  const limits = { proposals: 1 }
  await service.call('PATCH', `/v1/admin/orgs/${open.id}`, { key: adminToken, body: { limits } })
  assertRefused(await create({}, own), 429, 'quota_exceeded')
})

test('title and description are sealed in the database', async () => {
  const { id } = await propose({ title: 'A plain secret', description: 'Another one' })
  const [row] = await service.app.sql`
    select title_sealed, description_sealed from proposals where id = ${decodeId('spr', id)!}`
  for (const sealed of [row!.titleSealed, row!.descriptionSealed]) {
    assert.equal(/secret|Another/.test((sealed as Buffer).toString('latin1')), false)
  }
  assert.equal((await end(id, 'cancel')).status, 200)
  assert.deepEqual([(await read(id)).title, (await read(id)).description], ['A plain secret', 'Another one'])
})
