// Responding to proposals.

import assert from 'node:assert/strict'
import { makeAgent, makeCalendar, makeOrganization } from '../../src/testing/factories.ts'
import { whileOpen } from '../../src/testing/locks.ts'
import { base, makeParties, proposalTest } from '../../src/testing/proposals.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const unknown = '01k9xr8m3fe8tbc4x9m2v7h5qd'
const test = proposalTest()

test('a response is answered as it is read later, its slots in UTC', async ({
  service,
  key,
  ours,
  desk: { slot, propose, send, answer, told, assertStays },
}) => {
  const proposal = await propose()
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

test('what does not fit a response is refused as `validation`, with the field, and stores nothing', async ({
  service,
  key,
  ours,
  desk: { at, slot, propose, send, assertStays },
}) => {
  const other = await propose()
  const proposal = await propose()
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

test('who does not exist is 404, who was not asked 403, who is decommissioned 409', async ({
  service,
  key,
  ours,
  desk: { slot, propose, send, assertStays },
}) => {
  const theirs = await makeParties(service, (await makeOrganization(service)).key, 1)
  const stranger = await makeAgent(service, key)
  const leaver = await makeAgent(service, key)
  const proposal = await propose({ participant_agent_ids: [ours.agents[0].id, leaver.id] })
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

test('an agent responds once, and its response stands', async ({
  desk: { propose, accept, answer, told, assertStays },
}) => {
  await propose()
  const first = await accept(0)
  const duplicate = { code: 'duplicate_response', param: 'agent_id' }
  assertRefused(await accept(0), 409, 'conflict', duplicate)
  assertRefused(await accept(0, 1), 409, 'conflict', duplicate)
  assertRefused(await answer(0, 'decline'), 409, 'conflict', duplicate)
  assert.deepEqual((await assertStays('pending', 1)).responses, [first.body])
  assert.equal((await told()).length, 1)
})

test('with its calendar deleted the last response is kept, resolve is 404, cancel works', async ({
  service,
  key,
  ours,
  desk: { slot, propose, accept, resolve, cancel, told, assertStays },
}) => {
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

test('a deleted target calendar does not matter to a slot with its own', async ({
  service,
  key,
  desk: { slot, propose, accept, resolve, eventsOf },
}) => {
  const [target, own] = [await makeCalendar(service, key), await makeCalendar(service, key)]
  await propose({ calendar_id: target.id, slots: [slot(60, { calendar_id: own.id })] })
  await service.call('DELETE', `/v1/calendars/${target.id}`, { key })
  await accept(0)
  assert.equal((await resolve()).status, 200)
  assert.equal((await eventsOf(own.id)).length, 1)
})

test("with its calendar's agent decommissioned the last response is kept, and resolve is 409", async ({
  service,
  key,
  ours,
  desk: { propose, accept, resolve, eventsOf, assertStays },
}) => {
  const owner = await makeAgent(service, key)
  const target = await makeCalendar(service, key, owner.id)
  await propose({ participant_agent_ids: [ours.agents[0].id], calendar_id: target.id })
  await service.call('DELETE', `/v1/agents/${owner.id}`, { key })
  assert.equal((await accept(0)).status, 200)
  assertRefused(await resolve(), 409, 'conflict', { code: 'agent_decommissioned' })
  await assertStays('pending', 1)
  assert.deepEqual(await eventsOf(target.id), [])
})

test('a response counts, and a resolve works, after those who asked and answered have left', async ({
  service,
  key,
  ours,
  desk: { propose, send, resolve },
}) => {
  const [organizer, leaver] = [await makeAgent(service, key), await makeAgent(service, key)]
  await propose({ organizer_agent_id: organizer.id, participant_agent_ids: [leaver.id, ours.agents[0].id] })
  assert.equal((await send({ agent_id: leaver.id, response: 'counter' })).status, 200)
  for (const agent of [organizer, leaver]) await service.call('DELETE', `/v1/agents/${agent.id}`, { key })
  assert.equal((await resolve()).status, 200)
})

test('a response that is overtaken by expires_at on its way is refused', async ({
  service,
  desk: { at, propose, answer, told, assertStays },
}) => {
  const proposal = await propose({ expires_at: at(10) })
  await service.clock.set(at(9))
  const answered = await whileOpen(service.app.sql, {
    change: (open) => open`lock table agents in access exclusive mode`,
    work: () => answer(0, 'decline'),
    meanwhile: () => service.clock.set(at(1)),
  })
  assertRefused(answered, 409, 'conflict')
  assert.deepEqual(await told(), [{ type: 'proposal.expired', payload: { proposal_id: proposal.id } }])
  await assertStays('expired', 0)
})

test('place and call of a proposal are shown, and given to its event', async ({
  ours,
  desk: { propose, read, accept, eventsOf },
}) => {
  const conference = { url: 'https://meet.example.com/1', provider: 'Meet' }
  const { id } = await propose({ location: 'Hall', conference })
  for (const nth of [0, 1, 2]) await accept(nth)
  const { location, conference: shown, status } = await read(id)
  assert.deepEqual([status, location, shown], ['confirmed', 'Hall', conference])
  const events = await eventsOf(ours.calendar.id)
  const event = events.find(({ location: place }: { location?: string }) => place === 'Hall')
  assert.deepEqual(event?.conference, conference)
})
