// Responding, resolving and cancelling.
import assert from 'node:assert/strict'
import { afterAll, beforeAll, beforeEach, test } from 'vitest'
import { decodeId, newId } from '../../src/shapes/ids.ts'
import {
  ahead,
  makeAgent,
  makeCalendar,
  makeEvent,
  makeOrganization,
  makeProposal,
  makeWebhook,
} from '../../src/testing/factories.ts'
import { adminToken, openTestService, type TestService, testStart } from '../../src/testing/harness.ts'
import { openReceiver, type Receiver } from '../../src/testing/receiver.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import type { EventType } from '../../src/webhooks/catalog.ts'

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Any = any
type Parties = { key: string; agents: Any[]; calendar: Any }

const base = '/v1/scheduling/proposals'
const unknown = '01k9xr8m3fe8tbc4x9m2v7h5qd'
const types: EventType[] = [
  'proposal.created',
  'proposal.responded',
  'proposal.confirmed',
  'proposal.cancelled',
  'proposal.expired',
  'event.created',
  'event.started',
  'event.ended',
  'event.reminder',
]

let service: TestService
let receiver: Receiver
let key: string
let ours: Parties
/** The proposal of a test, as it is read after its creation: two slots, one and two hours ahead. */
let proposal: Any

beforeAll(async () => {
  service = await openTestService()
  receiver = await openReceiver()
  key = (await makeOrganization(service)).key
  ours = await makeParties(key, 3)
  await makeWebhook(service, key, receiver.url, types)
})
beforeEach(async () => {
  await service.clock.set(testStart)
  await service.app.sql`delete from timers`
  receiver.received.length = 0
})
afterAll(async () => {
  await receiver.close()
  await service.close()
})

async function makeParties(of: string, count: number): Promise<Parties> {
  const agents = await Promise.all(Array.from({ length: count }, () => makeAgent(service, of)))
  return { key: of, agents, calendar: await makeCalendar(service, of) }
}

const at = (minutes: number) => ahead(service, minutes)
const slot = (start: number, more: object = {}) => ({ start_time: at(start), end_time: at(start + 30), ...more })

/** To all of the parties, the first of whom asks. What `proposal.created` told is forgotten. */
async function propose(more: object = {}, parties = ours) {
  const { id } = await makeProposal(service, parties.key, {
    organizer_agent_id: parties.agents[0].id,
    participant_agent_ids: parties.agents.map((agent) => agent.id),
    calendar_id: parties.calendar.id,
    ...more,
  })
  proposal = await read(id, parties.key)
  await service.drain()
  receiver.received.length = 0
  return proposal
}

const read = async (id = proposal.id, of = key) => (await service.call('GET', `${base}/${id}`, { key: of })).body
/** The receiver is told before anything else happens: what different changes tell may arrive in any order. */
async function send(body: object, of = key) {
  const answered = await service.call('POST', `${base}/${proposal.id}/respond`, { key: of, body })
  await service.drain()
  return answered
}
const accept = (nth: number, slotNth = 0, parties = ours) =>
  send(
    { agent_id: parties.agents[nth].id, response: 'accept', selected_slot_id: proposal.slots[slotNth].id },
    parties.key,
  )
const answer = (nth: number, response: 'decline' | 'counter', parties = ours) =>
  send({ agent_id: parties.agents[nth].id, response }, parties.key)
const resolve = (of = key) => service.call('POST', `${base}/${proposal.id}/resolve`, { key: of })
const cancel = (of = key) => service.call('POST', `${base}/${proposal.id}/cancel`, { key: of })
const resolvedSlot = (nth: number, calendarId = ours.calendar.id) => ({
  ...proposal.slots[nth],
  calendar_id: calendarId,
})

/** What the receiver was told, of this proposal and what came of it. */
async function told() {
  await service.drain()
  return receiver.received.map(({ type, payload }) => ({ type, payload }))
}
const eventOf = async (calendarId: string, eventId: string, of = key) =>
  (await service.call('GET', `/v1/calendars/${calendarId}/events/${eventId}`, { key: of })).body
const eventsOf = async (calendarId: string, of = key) =>
  (await service.call('GET', `/v1/calendars/${calendarId}/events`, { key: of })).body.data

async function assertStays(status: string, responses: number, of = key) {
  const now = await read(proposal.id, of)
  assert.deepEqual([now.status, now.responses.length], [status, responses])
  return now
}

test('a response is answered as it is read later, its slots in UTC', async () => {
  await propose()
  const calendar = await makeCalendar(service, key)
  const counterSlots = [
    { start_time: '2026-03-03T10:00:00+02:00', end_time: '2026-03-03T10:30+02:00' },
    { ...slot(300), weight: 0.5, calendar_id: calendar.id },
  ]
  const body = {
    agent_id: ours.agents[1].id,
    response: 'counter',
    selected_slot_id: proposal.slots[1].id,
    counter_slots: counterSlots,
    message: 'Rather tomorrow',
  }
  const { status, body: answered } = await send(body)
  assert.equal(status, 200)
  assert.match(answered.id, /^rsp_[0-9a-z]{26}$/)
  const expected = {
    ...body,
    id: answered.id,
    counter_slots: [{ start_time: '2026-03-03T08:00:00.000Z', end_time: '2026-03-03T08:30:00.000Z' }, counterSlots[1]],
    created_at: service.clock.now().toISOString(),
  }
  assert.deepEqual(answered, expected)
  const least = await answer(2, 'decline')
  assert.deepEqual(least.body, {
    id: least.body.id,
    agent_id: ours.agents[2].id,
    response: 'decline',
    selected_slot_id: null,
    counter_slots: [],
    message: null,
    created_at: service.clock.now().toISOString(),
  })
  assert.deepEqual((await assertStays('pending', 2)).responses, [answered, least.body])
  const responded = (agent: number, response: string) => ({
    type: 'proposal.responded',
    payload: { proposal_id: proposal.id, agent_id: ours.agents[agent].id, response },
  })
  assert.deepEqual(await told(), [responded(1, 'counter'), responded(2, 'decline')])
})

test('what does not fit a response is refused as `validation`, with the field, and stores nothing', async () => {
  const other = await propose()
  await propose()
  const mine = { agent_id: ours.agents[0].id, response: 'counter' }
  const counter = (more: object) => ({ ...mine, counter_slots: [slot(60), { ...slot(90), ...more }] })
  const chosen = { ...mine, response: 'accept', selected_slot_id: proposal.slots[0].id }
  const table: [body: object, param: string | null, code?: string][] = [
    [{ ...mine, agent_id: undefined }, 'agent_id'],
    [{ ...mine, agent_id: null }, 'agent_id'],
    [{ ...mine, response: undefined }, 'response'],
    [{ ...mine, response: 'maybe' }, 'response'],
    [{ ...mine, response: 'accept' }, 'selected_slot_id'],
    [{ ...chosen, selected_slot_id: null }, 'selected_slot_id'],
    [{ ...chosen, selected_slot_id: '' }, 'selected_slot_id'],
    [{ ...chosen, selected_slot_id: 'x' }, 'selected_slot_id'],
    [{ ...chosen, selected_slot_id: `slt_${unknown}` }, 'selected_slot_id'],
    [{ ...chosen, selected_slot_id: other.slots[0].id }, 'selected_slot_id'],
    [{ ...chosen, selected_slot_id: proposal.id }, 'selected_slot_id'],
    [{ ...chosen, response: 'decline', selected_slot_id: other.slots[0].id }, 'selected_slot_id'],
    [{ ...chosen, response: 'counter', selected_slot_id: 'x' }, 'selected_slot_id'],
    [{ ...mine, counter_slots: Array(21).fill(slot(60)) }, 'counter_slots'],
    [{ ...mine, counter_slots: slot(60) }, 'counter_slots'],
    [counter({ end_time: at(90) }), 'counter_slots.1.end_time', 'end_before_start'],
    [counter({ end_time: undefined }), 'counter_slots.1.end_time'],
    [counter({ start_time: '10:00' }), 'counter_slots.1.start_time', 'invalid_time_format'],
    [counter({ weight: 11 }), 'counter_slots.1.weight'],
    [counter({ calendar_id: 7 }), 'counter_slots.1.calendar_id'],
    [counter({ note: 'x' }), 'counter_slots.1.note'],
    [{ ...mine, message: 'x'.repeat(2_001) }, 'message'],
    [{ ...mine, message: null }, 'message'],
    [{ ...mine, id: 'x' }, 'id'],
  ]
  for (const [body, param, code] of table) {
    assertRefused(await send(body), 400, 'validation', { param, ...(code && { code }) })
  }
  for (const raw of ['{', '[]', '"x"']) {
    assertRefused(await service.call('POST', `${base}/${proposal.id}/respond`, { key, raw }), 400, 'validation')
  }
  await assertStays('pending', 0)
  const widest = { ...mine, counter_slots: Array(20).fill(slot(60)), message: 'x'.repeat(2_000) }
  assert.equal((await send(widest)).status, 200)
  assert.equal((await send({ ...mine, agent_id: ours.agents[1].id, counter_slots: [], message: '' })).status, 200)
})

test('who does not exist is 404, who was not asked 403, who is decommissioned 409', async () => {
  const theirs = await makeParties((await makeOrganization(service)).key, 1)
  const stranger = await makeAgent(service, key)
  const leaver = await makeAgent(service, key)
  await propose({ participant_agent_ids: [ours.agents[0].id, leaver.id] })
  for (const id of [theirs.agents[0].id, `agt_${unknown}`, proposal.id, 'x', '']) {
    assertRefused(await send({ agent_id: id, response: 'decline' }), 404, 'not_found', { param: 'agent_id' })
  }
  assertRefused(await send({ agent_id: stranger.id, response: 'decline' }), 403, 'forbidden')
  assertRefused(await send({ agent_id: ours.agents[1].id, response: 'decline' }), 403, 'forbidden')
  const gone = await makeCalendar(service, key)
  await service.call('DELETE', `/v1/calendars/${gone.id}`, { key })
  for (const calendar of [theirs.calendar.id, `cal_${unknown}`, gone.id, '']) {
    const body = {
      agent_id: ours.agents[0].id,
      response: 'counter',
      counter_slots: [slot(9, { calendar_id: calendar })],
    }
    const detail = { param: 'counter_slots.0.calendar_id', code: 'calendar_not_found' }
    assertRefused(await send(body), 404, 'not_found', detail)
  }
  await service.call('DELETE', `/v1/agents/${leaver.id}`, { key })
  const late = { agent_id: leaver.id, response: 'decline' }
  assertRefused(await send(late), 409, 'conflict', { code: 'agent_decommissioned' })
  await assertStays('pending', 0)
})

test('an agent responds once, and its response stands', async () => {
  await propose()
  const first = await accept(0)
  const duplicate = { code: 'duplicate_response', param: 'agent_id' }
  assertRefused(await accept(0), 409, 'conflict', duplicate)
  assertRefused(await accept(0, 1), 409, 'conflict', duplicate)
  assertRefused(await answer(0, 'decline'), 409, 'conflict', duplicate)
  assert.deepEqual((await assertStays('pending', 1)).responses, [first.body])
  assert.equal((await told()).length, 1)
})

test('the last response confirms the slot of the highest score and creates its event', async () => {
  const description = 'What it is about'
  await propose({ title: 'Planning', description, slots: [slot(60), slot(120, { weight: 1.5 }), slot(180)] })
  await accept(0, 0)
  await answer(1, 'counter')
  await service.clock.advance(1_000)
  assert.equal((await accept(2, 1)).status, 200)
  const ended = await assertStays('confirmed', 3)
  assert.deepEqual(ended.resolved_slot, resolvedSlot(1))
  assert.equal(ended.updated_at, service.clock.now().toISOString())
  const { slots: _slots, responses: _responses, ...summary } = ended
  assert.deepEqual((await service.call('GET', `${base}?status=confirmed&limit=1`, { key })).body.data, [summary])
  const event = await eventOf(ours.calendar.id, ended.created_event_id)
  assert.deepEqual(event, {
    ...event,
    title: 'Planning',
    description,
    calendarId: ours.calendar.id,
    startTime: proposal.slots[1].start_time,
    endTime: proposal.slots[1].end_time,
    allDay: false,
    status: 'confirmed',
    source: 'internal',
    metadata: { proposal_id: proposal.id },
    reminders: null,
    recurrenceRule: null,
  })
  const responded = (await told()).slice(0, 3)
  assert.deepEqual(
    responded.map(({ type, payload }) => [type, payload.response]),
    ['accept', 'counter', 'accept'].map((response) => ['proposal.responded', response]),
  )
  assert.deepEqual((await told()).slice(3), [
    { type: 'event.created', payload: { calendar_id: ours.calendar.id, event } },
    {
      type: 'proposal.confirmed',
      payload: { proposal_id: proposal.id, resolved_slot: resolvedSlot(1), created_event_id: event.id },
    },
  ])
})

test('an explicit resolve waits for nobody once one has accepted or countered', async () => {
  for (const respond of [() => accept(1, 1), () => answer(1, 'counter')]) {
    await propose({ slots: [slot(60), slot(120, { weight: 1.5 })] })
    await answer(0, 'decline')
    await respond()
    const { status, body } = await resolve()
    assert.equal(status, 200)
    assert.deepEqual(body, { status: 'confirmed', resolved_slot: resolvedSlot(1) })
    const ended = await assertStays('confirmed', 2)
    assert.deepEqual(
      (await told()).slice(2).map(({ type, payload }) => [type, payload.created_event_id ?? payload.event.id]),
      [
        ['event.created', ended.created_event_id],
        ['proposal.confirmed', ended.created_event_id],
      ],
    )
  }
})

test('a resolve while nobody has accepted or countered and somebody is silent is a conflict', async () => {
  await propose()
  assertRefused(await resolve(), 409, 'conflict')
  await answer(0, 'decline')
  await answer(1, 'decline')
  assertRefused(await resolve(), 409, 'conflict')
  await assertStays('pending', 2)
  assert.equal((await accept(2)).status, 200)
  await assertStays('confirmed', 3)
})

test('ties go to the earliest start, of equal starts to the slot listed first; sums are exact', async () => {
  const weights = (...slots: [start: number, weight: number][]) =>
    slots.map(([start, weight]) => slot(start, { weight }))
  const table: [slots: object[], accepted: number | undefined, wins: number][] = [
    [weights([120, 1], [60, 1], [180, 1]), undefined, 1],
    [weights([60, 1], [60, 1]), undefined, 0],
    [weights([60, 1.14], [120, 0.14]), 1, 0],
    [weights([120, 1.36], [60, 0.36]), 1, 1],
    [weights([60, 0], [120, 5e-324]), undefined, 1],
    [weights([60, 1e-7], [120, 1.0000001]), 0, 0],
  ]
  for (const [slots, accepted, wins] of table) {
    await propose({ slots })
    assert.equal((await (accepted === undefined ? answer(0, 'counter') : accept(0, accepted))).status, 200)
    assert.deepEqual((await resolve()).body, { status: 'confirmed', resolved_slot: resolvedSlot(wins) })
  }
})

test('when everybody declines the proposal is cancelled, and no event is made', async () => {
  await propose({ calendar_id: (await makeCalendar(service, key)).id })
  await answer(0, 'decline')
  await answer(1, 'decline')
  await assertStays('pending', 2)
  assert.equal((await answer(2, 'decline')).status, 200)
  const ended = await assertStays('cancelled', 3)
  assert.deepEqual([ended.resolved_slot, ended.created_event_id], [null, null])
  assert.deepEqual(await eventsOf(ended.calendar_id), [])
  assert.deepEqual((await told()).slice(2), [
    {
      type: 'proposal.responded',
      payload: { proposal_id: proposal.id, agent_id: ours.agents[2].id, response: 'decline' },
    },
    { type: 'proposal.cancelled', payload: { proposal_id: proposal.id, reason: 'all_declined' } },
  ])
})

test('a resolve that finds everybody declined says so', async () => {
  await propose({ participant_agent_ids: [ours.agents[0].id] })
  // The last decline ends a proposal by itself, so this one is written past the API.
  await service.app.sql`
    insert into proposal_responses (org_id, proposal_id, agent_id, id, response, counter_slots, created_at)
    select org_id, id, ${decodeId('agt', ours.agents[0].id)!}, ${newId()}, 'decline', '[]', now() from proposals
    where id = ${decodeId('spr', proposal.id)!}`
  const { status, body } = await resolve()
  assert.equal(status, 200)
  assert.deepEqual(body, { status: 'cancelled', reason: 'all_declined' })
  await assertStays('cancelled', 1)
  assert.deepEqual(await told(), [
    { type: 'proposal.cancelled', payload: { proposal_id: proposal.id, reason: 'all_declined' } },
  ])
})

test('a cancel ends it for good, whatever was responded', async () => {
  await propose({ expires_at: at(10) })
  await accept(0)
  const { status, body } = await cancel()
  assert.equal(status, 200)
  assert.deepEqual(body, { status: 'cancelled' })
  const ended = await assertStays('cancelled', 1)
  assert.deepEqual([ended.resolved_slot, ended.created_event_id], [null, null])
  await service.clock.advance(60 * 60_000)
  assert.deepEqual((await told()).slice(1), [
    { type: 'proposal.cancelled', payload: { proposal_id: proposal.id, reason: 'organizer_cancelled' } },
  ])
  await assertStays('cancelled', 1)
})

test('nothing changes a proposal that has ended, however it did', async () => {
  const ends: [status: string, end: () => Promise<unknown>][] = [
    ['confirmed', async () => [await accept(1), await resolve()]],
    ['cancelled', cancel],
    ['cancelled', async () => [await answer(1, 'decline'), await answer(0, 'decline'), await answer(2, 'decline')]],
    ['expired', () => service.clock.advance(10 * 60_000)],
    ['expired', () => service.clock.advance(10 * 60_000).then(service.drain)],
  ]
  for (const [status, end] of ends) {
    await propose({ expires_at: at(10) })
    await end()
    const before = await read()
    assert.equal(before.status, status)
    for (const nth of [0, 1, 2]) {
      const hasResponded = before.responses.some((one: Any) => one.agent_id === ours.agents[nth].id)
      const detail = hasResponded ? { code: 'duplicate_response', param: 'agent_id' } : {}
      assertRefused(await accept(nth), 409, 'conflict', detail)
    }
    assertRefused(await resolve(), 409, 'conflict')
    assertRefused(await cancel(), 409, 'conflict')
    const { updated_at: _, ...after } = await read()
    assert.deepEqual({ ...after, updated_at: before.updated_at }, before)
  }
})

test("a slot's own calendar takes the event, in the proposal, its payloads and on the calendar", async () => {
  const own = await makeCalendar(service, key, ours.agents[1].id)
  const target = await makeCalendar(service, key)
  await propose({ calendar_id: target.id, slots: [slot(60), slot(120, { calendar_id: own.id })] })
  await accept(0, 1)
  assert.deepEqual((await resolve()).body.resolved_slot, resolvedSlot(1, own.id))
  const ended = await assertStays('confirmed', 1)
  assert.deepEqual(ended.resolved_slot, resolvedSlot(1, own.id))
  assert.deepEqual(ended.slots[0].calendar_id, null)
  assert.equal((await eventOf(own.id, ended.created_event_id)).calendarId, own.id)
  assert.deepEqual(await eventsOf(target.id), [])
  const [, created, confirmed] = await told()
  assert.equal(created!.payload.calendar_id, own.id)
  assert.deepEqual(confirmed!.payload.resolved_slot, resolvedSlot(1, own.id))
})

test('the created event is one like any other: it is busy, counted, reminds, starts and ends', async () => {
  const calendar = await makeCalendar(service, key, undefined, { default_reminders: [20] })
  await propose({ calendar_id: calendar.id })
  const busy = async () => {
    const query = `start=${at(0)}&end=${at(240)}&duration=30m&include_busy=true`
    return (await service.call('GET', `/v1/calendars/${calendar.id}/availability?${query}`, { key })).body.busy
  }
  assert.deepEqual(await busy(), [])
  await accept(0, 1)
  await resolve()
  const { created_event_id: eventId } = await read()
  const [{ start_time: start, end_time: stop }] = [proposal.slots[1]]
  assert.deepEqual(await busy(), [{ start, end: stop }])
  const [counts] = await service.app.sql`
    select confirmed_events from calendars where id = ${decodeId('cal', calendar.id)!}`
  assert.equal(counts?.confirmedEvents, 1)
  await service.drain()
  receiver.received.length = 0
  await service.clock.advance(4 * 60 * 60_000)
  const moment = { event_id: eventId, calendar_id: calendar.id, title: 'Proposal', start_time: start, end_time: stop }
  assert.deepEqual(
    (await told()).sort((a, b) => a.type.localeCompare(b.type)),
    [
      { type: 'event.ended', payload: moment },
      { type: 'event.reminder', payload: { ...moment, reminder_minutes: 20 } },
      { type: 'event.started', payload: moment },
    ],
  )
  const path = `/v1/calendars/${calendar.id}/events/${eventId}`
  assert.equal((await service.call('PATCH', path, { key, body: { title: 'Renamed' } })).status, 200)
  assert.equal((await service.call('DELETE', path, { key })).status, 204)
  await assertStays('confirmed', 1)
})

test('creating the event is in the audit log, by the key that resolved', async () => {
  await propose()
  await accept(0)
  await resolve()
  const { created_event_id: eventId } = await read()
  const entries = await service.app
    .sql`select action, actor_key_prefix, path from audit_entries where resource = ${eventId}`
  assert.deepEqual(
    entries.map((entry) => ({ ...entry })),
    [{ action: 'event.create', actorKeyPrefix: key.slice(0, 20), path: `${base}/${proposal.id}/resolve` }],
  )
})

test('without event quota a resolve is refused and the last response is kept; both may try again later', async () => {
  const organization = await makeOrganization(service, { plan: 'custom', limits: { events: 2 } })
  const own = await makeParties(organization.key, 2)
  const allow = async (events: number) => {
    const body = { limits: { events } }
    await service.call('PATCH', `/v1/admin/orgs/${organization.id}`, { key: adminToken, body })
  }
  await propose({}, own)
  await accept(0, 0, own)
  assert.equal((await resolve(own.key)).status, 200)
  await makeEvent(service, own.key, own.calendar.id)
  await propose({}, own)
  await accept(0, 0, own)
  const refused = await resolve(own.key)
  assertRefused(refused, 429, 'quota_exceeded')
  assert.equal(refused.headers.get('retry-after'), String(30 * 24 * 60 * 60))
  await assertStays('pending', 1, own.key)
  const last = await accept(1, 1, own)
  assert.equal(last.status, 200)
  assert.deepEqual((await assertStays('pending', 2, own.key)).responses[1], last.body)
  assertRefused(await resolve(own.key), 429, 'quota_exceeded')
  assert.equal((await eventsOf(own.calendar.id, own.key)).length, 2)
  await allow(3)
  assert.equal((await resolve(own.key)).status, 200)
  await assertStays('confirmed', 2, own.key)
  assert.equal((await eventsOf(own.calendar.id, own.key)).length, 3)
  const event = await service.call('POST', `/v1/calendars/${own.calendar.id}/events`, {
    key: own.key,
    body: { title: 'x', ...slot(60) },
  })
  assertRefused(event, 429, 'quota_exceeded')
})

test('declining and cancelling take no event', async () => {
  const { key: of } = await makeOrganization(service, { plan: 'custom', limits: { events: 0 } })
  const own = await makeParties(of, 2)
  await propose({}, own)
  await answer(0, 'decline', own)
  assert.equal((await answer(1, 'decline', own)).status, 200)
  await assertStays('cancelled', 2, of)
  await propose({}, own)
  await accept(0, 0, own)
  assert.equal((await cancel(of)).status, 200)
})

test('a resolve that comes to nothing takes no event, with and without a limit at the time', async () => {
  for (const limit of [1, null]) {
    const organization = await makeOrganization(service, { plan: 'custom', limits: { events: limit } })
    const own = await makeParties(organization.key, 1)
    await makeEvent(service, own.key, own.calendar.id)
    await service.call('PATCH', `/v1/admin/orgs/${organization.id}`, {
      key: adminToken,
      body: { limits: { events: limit && 2 } },
    })
    const target = await makeCalendar(service, own.key)
    await propose({ calendar_id: target.id }, own)
    await service.call('DELETE', `/v1/calendars/${target.id}`, { key: own.key })
    await accept(0, 0, own)
    for (let n = 0; n < 3; n++) {
      assertRefused(await resolve(own.key), 404, 'not_found', { code: 'calendar_not_found' })
    }
    await service.call('PATCH', `/v1/admin/orgs/${organization.id}`, {
      key: adminToken,
      body: { limits: { events: 2 } },
    })
    const create = () =>
      service.call('POST', `/v1/calendars/${own.calendar.id}/events`, {
        key: own.key,
        body: { title: 'x', ...slot(9) },
      })
    assert.equal((await create()).status, 201)
    assertRefused(await create(), 429, 'quota_exceeded')
  }
})

test('with its calendar deleted the last response is kept, resolve is 404, cancel works', async () => {
  for (const own of [false, true]) {
    const target = await makeCalendar(service, key)
    const slots = own ? [slot(60, { calendar_id: target.id })] : [slot(60)]
    await propose({ participant_agent_ids: [ours.agents[0].id], slots, ...(!own && { calendar_id: target.id }) })
    await service.call('DELETE', `/v1/calendars/${target.id}`, { key })
    assert.equal((await accept(0)).status, 200)
    await assertStays('pending', 1)
    assertRefused(await resolve(), 404, 'not_found', { code: 'calendar_not_found' })
    await assertStays('pending', 1)
    assert.equal((await cancel()).status, 200)
    assert.deepEqual(
      (await told()).map(({ type }) => type),
      ['proposal.responded', 'proposal.cancelled'],
    )
  }
})

test('a deleted target calendar does not matter to a slot with its own', async () => {
  const [target, own] = [await makeCalendar(service, key), await makeCalendar(service, key)]
  await propose({ calendar_id: target.id, slots: [slot(60, { calendar_id: own.id })] })
  await service.call('DELETE', `/v1/calendars/${target.id}`, { key })
  await accept(0)
  assert.equal((await resolve()).status, 200)
  assert.equal((await eventsOf(own.id)).length, 1)
})

test("with its calendar's agent decommissioned the last response is kept, and resolve is 409", async () => {
  const owner = await makeAgent(service, key)
  const target = await makeCalendar(service, key, owner.id)
  await propose({ participant_agent_ids: [ours.agents[0].id], calendar_id: target.id })
  await service.call('DELETE', `/v1/agents/${owner.id}`, { key })
  assert.equal((await accept(0)).status, 200)
  assertRefused(await resolve(), 409, 'conflict', { code: 'agent_decommissioned' })
  await assertStays('pending', 1)
  assert.deepEqual(await eventsOf(target.id), [])
})

test('a response counts, and a resolve works, after those who asked and answered have left', async () => {
  const [organizer, leaver] = [await makeAgent(service, key), await makeAgent(service, key)]
  await propose({ organizer_agent_id: organizer.id, participant_agent_ids: [leaver.id, ours.agents[0].id] })
  assert.equal((await send({ agent_id: leaver.id, response: 'counter' })).status, 200)
  for (const agent of [organizer, leaver]) await service.call('DELETE', `/v1/agents/${agent.id}`, { key })
  assert.equal((await resolve()).status, 200)
})

test('a response that is overtaken by expires_at on its way is refused', async () => {
  await propose({ expires_at: at(10) })
  await service.clock.set(at(9))
  const { sql } = service.app
  const other = await sql.reserve()
  await other`begin`
  await other`lock table agents in access exclusive mode`
  const answering = answer(0, 'decline')
  for (let waiting = 0; waiting === 0; ) {
    const [row] = await sql`
      select count(*)::integer as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    waiting = row!.waiting
  }
  await service.clock.set(at(1))
  await other`commit`
  other.release()
  assertRefused(await answering, 409, 'conflict')
  assert.deepEqual(await told(), [{ type: 'proposal.expired', payload: { proposal_id: proposal.id } }])
  await assertStays('expired', 0)
})
