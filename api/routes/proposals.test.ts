// Creating, listing and reading proposals.
import assert from 'node:assert/strict'
import { decodeId } from '../../src/shapes/ids.ts'
import { makeAgent, makeCalendar, makeOrganization, makeWebhook } from '../../src/testing/factories.ts'
import { testStart } from '../../src/testing/harness.ts'
import { type Any, makeParties, partiesTest, path } from '../../src/testing/parties.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const unknown = '01k9xr8m3fe8tbc4x9m2v7h5qd'

const test = partiesTest()
test.beforeEach(({ service }) => service.clock.set(testStart))

test('a create answers the summary, a read adds slots and responses', async ({
  service,
  key,
  ours,
  desk: { at, slot, create, read, list },
}) => {
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

test('what may be left out shows as null or empty', async ({ desk: { create } }) => {
  const { body } = await create()
  assert.deepEqual([body.description, body.expires_at, body.metadata], [null, null, {}])
})

test('proposal.created carries the proposal with its slots and no responses', async ({
  service,
  receiver,
  desk: { at, propose },
}) => {
  const own = await makeParties(service, (await makeOrganization(service)).key)
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

test('every limit is allowed up to its last', async ({ service, ours, desk: { slot, create } }) => {
  const many = await makeParties(service, (await makeOrganization(service, { plan: 'custom' })).key)
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

test('the organizer may take part, and slots may overlap, repeat and lie in the past', async ({
  ours,
  desk: { at, slot, create },
}) => {
  const { body } = await create({
    participant_agent_ids: [ours.organizer.id],
    slots: [slot(), slot(), slot({ start_time: at(-60), end_time: at(-30) })],
  })
  assert.deepEqual(body.participant_agent_ids, [ours.organizer.id])
})

test('what does not fit is refused as `validation`, with the field, and stores nothing', async ({
  service,
  key,
  ours,
  desk: { at, slot, create, list },
}) => {
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

test('lists are newest first, paged, and filtered by status and organizer', async ({
  service,
  desk: { at, list, propose },
}) => {
  const own = await makeParties(service, (await makeOrganization(service)).key)
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

test('a list that asks for what there is not is refused', async ({ service, key, theirs }) => {
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

test('a proposal shows as expired from its very instant, before its timer has run', async ({
  service,
  desk: { at, read, list, propose },
}) => {
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

test('title and description are sealed in the database', async ({ service, desk: { read, end, propose } }) => {
  const { id } = await propose({ title: 'A plain secret', description: 'Another one' })
  const [row] = await service.app.sql`
    select title_sealed, description_sealed from proposals where id = ${decodeId('spr', id)!}`
  for (const sealed of [row!.titleSealed, row!.descriptionSealed]) {
    assert.equal(/secret|Another/.test((sealed as Buffer).toString('latin1')), false)
  }
  assert.equal((await end(id, 'cancel')).status, 200)
  assert.deepEqual([(await read(id)).title, (await read(id)).description], ['A plain secret', 'Another one'])
})
