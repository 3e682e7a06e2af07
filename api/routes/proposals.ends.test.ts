// How proposals are confirmed and cancelled.
// Responding, resolving and cancelling.
import assert from 'node:assert/strict'
import { decodeId, newId } from '../../src/shapes/ids.ts'
import { makeCalendar, makeEvent, makeOrganization } from '../../src/testing/factories.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { type Any, base, makeParties, proposalTest } from '../../src/testing/proposals.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = proposalTest()

test('the last response confirms the slot of the highest score and creates its event', async ({
  service,
  key,
  ours,
  desk: { slot, propose, accept, answer, resolvedSlot, told, eventOf, assertStays },
}) => {
  const description = 'What it is about'
  const proposal = await propose({
    title: 'Planning',
    description,
    slots: [slot(60), slot(120, { weight: 1.5 }), slot(180)],
  })
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

test('an explicit resolve waits for nobody once one has accepted or countered', async ({
  desk: { slot, propose, accept, answer, resolve, resolvedSlot, told, assertStays },
}) => {
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

test('a resolve while nobody has accepted or countered and somebody is silent is a conflict', async ({
  desk: { propose, accept, answer, resolve, assertStays },
}) => {
  await propose()
  assertRefused(await resolve(), 409, 'conflict')
  await answer(0, 'decline')
  await answer(1, 'decline')
  assertRefused(await resolve(), 409, 'conflict')
  await assertStays('pending', 2)
  assert.equal((await accept(2)).status, 200)
  await assertStays('confirmed', 3)
})

test('ties go to the earliest start, of equal starts to the slot listed first; sums are exact', async ({
  desk: { slot, propose, accept, answer, resolve, resolvedSlot },
}) => {
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

test('when everybody declines the proposal is cancelled, and no event is made', async ({
  service,
  key,
  ours,
  desk: { propose, answer, told, eventsOf, assertStays },
}) => {
  const proposal = await propose({ calendar_id: (await makeCalendar(service, key)).id })
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

test('a resolve that finds everybody declined says so', async ({
  service,
  ours,
  desk: { propose, resolve, told, assertStays },
}) => {
  const proposal = await propose({ participant_agent_ids: [ours.agents[0].id] })
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

test('a cancel ends it for good, whatever was responded', async ({
  service,
  desk: { at, propose, accept, cancel, told, assertStays },
}) => {
  const proposal = await propose({ expires_at: at(10) })
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

test('nothing changes a proposal that has ended, however it did', async ({
  service,
  ours,
  desk: { at, propose, read, accept, answer, resolve, cancel },
}) => {
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

test("a slot's own calendar takes the event, in the proposal, its payloads and on the calendar", async ({
  service,
  key,
  ours,
  desk: { slot, propose, accept, resolve, resolvedSlot, told, eventOf, eventsOf, assertStays },
}) => {
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

test('the created event is one like any other: it is busy, counted, reminds, starts and ends', async ({
  service,
  key,
  receiver,
  desk: { at, propose, read, accept, resolve, told, assertStays },
}) => {
  const calendar = await makeCalendar(service, key, undefined, { default_reminders: [20] })
  const proposal = await propose({ calendar_id: calendar.id })
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

test('creating the event is in the audit log, by the key that resolved', async ({
  service,
  key,
  desk: { propose, read, accept, resolve },
}) => {
  const proposal = await propose()
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

test('without event quota a resolve is refused and the last response is kept; both may try again later', async ({
  service,
  desk: { slot, propose, accept, resolve, eventsOf, assertStays },
}) => {
  const organization = await makeOrganization(service, { plan: 'custom', limits: { events: 2 } })
  const own = await makeParties(service, organization.key, 2)
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

test('declining and cancelling take no event', async ({
  service,
  desk: { propose, accept, answer, cancel, assertStays },
}) => {
  const { key: of } = await makeOrganization(service, { plan: 'custom', limits: { events: 0 } })
  const own = await makeParties(service, of, 2)
  await propose({}, own)
  await answer(0, 'decline', own)
  assert.equal((await answer(1, 'decline', own)).status, 200)
  await assertStays('cancelled', 2, of)
  await propose({}, own)
  await accept(0, 0, own)
  assert.equal((await cancel(of)).status, 200)
})

test('a resolve that comes to nothing takes no event, with and without a limit at the time', async ({
  service,
  desk: { slot, propose, accept, resolve },
}) => {
  for (const limit of [1, null]) {
    const organization = await makeOrganization(service, { plan: 'custom', limits: { events: limit } })
    const own = await makeParties(service, organization.key, 1)
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
