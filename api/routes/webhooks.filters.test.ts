// Subscriptions that hear only of some calendars or agents.
import assert from 'node:assert/strict'
import { deliveryTest } from '../../src/testing/deliveries.ts'
import {
  ahead,
  makeAgent,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
  makeProposal,
} from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { eventTypes } from '../../src/webhooks/catalog.ts'

const test = deliveryTest().extend('house', async ({ service, newReceiver }) => {
  const { key } = await makeOrganization(service, { plan: 'custom' })
  const [ada, bob] = [await makeAgent(service, key, { name: 'Ada' }), await makeAgent(service, key, { name: 'Bob' })]
  const [ofAda, ofBob] = [await makeCalendar(service, key, ada.id), await makeCalendar(service, key, bob.id)]
  const shared = await makeCalendar(service, key)
  const create = (body: object) => service.call('POST', '/v1/webhooks', { key, body })
  const patch = (id: string, body: object) => service.call('PATCH', `/v1/webhooks/${id}`, { key, body })
  let count = 0
  /** A subscription to everything that passes the filter, and what it has received. */
  async function hear(filter: object) {
    const receiver = await newReceiver()
    const url = `${receiver.url}/${count++}`
    const { status, body } = await create({ url, events: eventTypes, ...filter })
    assert.equal(status, 201, JSON.stringify(body))
    return { receiver, webhook: body, types: () => receiver.types().toSorted() }
  }
  return { key, ada, bob, ofAda, ofBob, shared, create, patch, hear }
})

test('each hears of what its lists name, and of nothing else', async ({ service, house }) => {
  const { key, ada, bob, ofAda, ofBob, shared, hear } = house
  const heard = {
    calendar: await hear({ calendar_ids: [ofAda.id] }),
    agent: await hear({ agent_ids: [ada.id] }),
    either: await hear({ calendar_ids: [shared.id], agent_ids: [ada.id] }),
    all: await hear({ calendar_ids: null, agent_ids: null }),
  }
  const second = await makeCalendar(service, key, ada.id)
  for (const { id } of [ofAda, second, ofBob, shared]) await makeEvent(service, key, id)
  for (const { id } of [ada, bob]) await service.call('PATCH', `/v1/agents/${id}`, { key, body: { name: 'Renamed' } })
  await service.drain()
  const calendars = ({
    receiver,
  }: {
    receiver: { received: { payload: { calendar_id?: string; agent?: { id: string } } }[] }
  }) => receiver.received.map(({ payload }) => payload.calendar_id ?? payload.agent?.id).toSorted()
  assert.deepEqual(calendars(heard.calendar), [ofAda.id])
  assert.deepEqual(calendars(heard.agent), [ofAda.id, second.id, ada.id].toSorted())
  assert.deepEqual(calendars(heard.either), [ofAda.id, second.id, shared.id, ada.id].toSorted())
  assert.deepEqual(calendars(heard.all), [ofAda.id, second.id, ofBob.id, shared.id, ada.id, bob.id].toSorted())
})

test('moments, expiries and pre-empted holds go by their calendar, whoever makes the change', async ({
  service,
  house,
}) => {
  const { key, ada, bob, ofAda, ofBob, hear } = house
  const [mine, other] = [
    await hear({ agent_ids: [ada.id] }),
    await hear({ calendar_ids: [ofBob.id], agent_ids: [bob.id] }),
  ]
  await makeEvent(service, key, ofAda.id, { reminders: [10] })
  await makeHold(service, key, ofAda.id, { start_time: ahead(service, 200), end_time: ahead(service, 230) })
  await makeHold(service, key, ofAda.id, {
    start_time: ahead(service, 200),
    end_time: ahead(service, 230),
    hold_priority: 9,
  })
  for (const minutes of [6, 45, 15, 40]) {
    await service.clock.advance(minutes * 60_000)
    await service.drain()
  }
  assert.deepEqual(mine.types(), [
    ...['event.created', 'event.ended', 'event.hold_created', 'event.hold_created'],
    ...['event.hold_expired', 'event.hold_expired', 'event.reminder', 'event.started'],
  ])
  assert.deepEqual(other.types(), [])
})

test('a proposal goes by its calendar, its organizer and its participants', async ({ service, house }) => {
  const { key, ada, bob, ofAda, ofBob, shared, hear } = house
  const outsider = await makeAgent(service, key, { name: 'Eve' })
  const heard = [
    await hear({ agent_ids: [ada.id] }),
    await hear({ agent_ids: [bob.id] }),
    await hear({ calendar_ids: [shared.id] }),
  ]
  const others = [await hear({ agent_ids: [outsider.id] }), await hear({ calendar_ids: [ofAda.id, ofBob.id] })]
  const propose = (more = {}) =>
    makeProposal(service, key, {
      organizer_agent_id: ada.id,
      participant_agent_ids: [bob.id],
      calendar_id: shared.id,
      ...more,
    })
  const { id } = await propose()
  const { body } = await service.call('GET', `/v1/scheduling/proposals/${id}`, { key })
  await service.call('POST', `/v1/scheduling/proposals/${id}/respond`, {
    key,
    body: { agent_id: bob.id, response: 'accept', selected_slot_id: body.slots[0].id },
  })
  await service.call('POST', `/v1/scheduling/proposals/${(await propose()).id}/cancel`, { key })
  await propose({ expires_at: ahead(service, 5) })
  await service.clock.advance(6 * 60_000)
  await service.drain()
  const proposals = [
    ...['proposal.cancelled', 'proposal.confirmed', 'proposal.created', 'proposal.created', 'proposal.created'],
    ...['proposal.expired', 'proposal.responded'],
  ]
  assert.deepEqual(
    heard.map(({ types }) => types()),
    [proposals, proposals, ['event.created', ...proposals]],
  )
  assert.deepEqual(
    others.map(({ types }) => types()),
    [[], []],
  )
})

test('that a webhook was switched off passes every filter', async ({ service, newReceiver, house }) => {
  const { key, ada, bob, create, hear } = house
  const told = await hear({ agent_ids: [bob.id] })
  const failing = await newReceiver(() => 500)
  await create({ url: failing.url, events: ['agent.updated'], agent_ids: [ada.id] })
  for (let nth = 0; nth < 50; nth++)
    await service.call('PATCH', `/v1/agents/${ada.id}`, { key, body: { name: `${nth}` } })
  await service.drain()
  assert.deepEqual(told.types(), ['webhook.deactivated'])
})

test('records show the lists where they are used; a PATCH changes and clears them', async ({ service, house }) => {
  const { key, ada, ofAda, ofBob, create, patch, hear } = house
  const { webhook, receiver } = await hear({ calendar_ids: [ofAda.id, ofAda.id] })
  assert.deepEqual(webhook.calendarIds, [ofAda.id])
  assert.equal('agentIds' in webhook, false)
  const shown = async () => (await service.call('GET', `/v1/webhooks/${webhook.id}`, { key })).body
  const { secret: _, ...record } = webhook
  assert.deepEqual(await shown(), record)
  const changed = (await patch(webhook.id, { calendar_ids: [ofBob.id], agent_ids: [ada.id] })).body
  assert.deepEqual([changed.calendarIds, changed.agentIds], [[ofBob.id], [ada.id]])
  assert.deepEqual(await shown(), changed)
  assert.deepEqual((await patch(webhook.id, { active: true })).body, changed)
  await makeEvent(service, key, ofBob.id)
  await service.drain()
  assert.deepEqual(receiver.types(), ['event.created'])
  const cleared = (await patch(webhook.id, { calendar_ids: null, agent_ids: null })).body
  assert.deepEqual([cleared.calendarIds, cleared.agentIds], [null, null])
  const after = await shown()
  assert.deepEqual(['calendarIds' in after, 'agentIds' in after], [false, false])
  const plain = (await create({ url: `${receiver.url}/plain`, events: ['event.created'] })).body
  assert.deepEqual(['calendarIds' in plain, 'agentIds' in plain, 'standard' in plain], [false, false, false])
})

test('the same address and type twice is a conflict unless the filters never meet', async ({ house }) => {
  const { ada, bob, ofAda, ofBob, shared, create, patch } = house
  let count = 0
  const cases: [one: object, other: object, status: number][] = [
    [{}, {}, 409],
    [{ calendar_ids: [ofAda.id] }, {}, 409],
    [{}, { agent_ids: [ada.id] }, 409],
    [{ calendar_ids: [ofAda.id] }, { calendar_ids: [ofBob.id, shared.id] }, 201],
    [{ calendar_ids: [ofAda.id, shared.id] }, { calendar_ids: [ofBob.id, shared.id] }, 409],
    [{ agent_ids: [ada.id] }, { agent_ids: [bob.id] }, 201],
    [{ agent_ids: [ada.id] }, { agent_ids: [bob.id, ada.id] }, 409],
    [{ calendar_ids: [ofAda.id] }, { agent_ids: [bob.id] }, 409],
    [{ calendar_ids: [ofAda.id] }, { calendar_ids: [ofBob.id], agent_ids: [bob.id] }, 409],
    [{ calendar_ids: [ofAda.id], agent_ids: [ada.id] }, { agent_ids: [bob.id] }, 409],
  ]
  for (const [one, other, status] of cases) {
    const base = { url: `https://receiver.example.com/${count++}`, events: ['event.created'] }
    assert.equal((await create({ ...base, ...one })).status, 201)
    const answer = await create({ ...base, ...other })
    assert.equal(answer.status, status, JSON.stringify([one, other]))
    if (status === 409) assertRefused(answer, 409, 'conflict', { param: 'events' })
  }
  const base = { url: 'https://receiver.example.com/patched', events: ['event.created'] }
  const first = (await create({ ...base, calendar_ids: [ofAda.id] })).body
  const { id } = (await create({ ...base, calendar_ids: [ofBob.id] })).body
  assertRefused(await patch(id, { calendar_ids: [ofAda.id] }), 409, 'conflict', { param: 'events' })
  assertRefused(await patch(id, { calendar_ids: null }), 409, 'conflict', { param: 'events' })
  assert.equal((await patch(first.id, { calendar_ids: [shared.id] })).status, 200)
  assert.equal((await patch(id, { calendar_ids: [ofAda.id] })).status, 200)
})

test('lists that are not as specified are refused, and what they name must be there', async ({ service, house }) => {
  const { key, ada, ofAda, create, patch, hear } = house
  const stranger = await makeOrganization(service)
  const [foreignAgent, foreignCalendar] = [
    await makeAgent(service, stranger.key),
    await makeCalendar(service, stranger.key),
  ]
  const gone = await makeCalendar(service, key)
  await service.call('DELETE', `/v1/calendars/${gone.id}`, { key })
  const { webhook } = await hear({})
  const send = async (filter: object) => [
    await create({ url: 'https://receiver.example.com/wrong', events: ['event.created'], ...filter }),
    await patch(webhook.id, filter),
  ]
  for (const field of ['calendar_ids', 'agent_ids']) {
    for (const wrong of [[], ofAda.id, [1], Array.from({ length: 51 }, (_, nth) => `${nth}`), {}]) {
      for (const answer of await send({ [field]: wrong })) {
        assert.deepEqual([answer.status, answer.body.error.type], [400, 'validation_error'], JSON.stringify(wrong))
        assert.ok(String(answer.body.error.param).startsWith(field))
      }
    }
  }
  const misspelt = `${ofAda.id.slice(0, -1)}${ofAda.id.endsWith('0') ? '1' : '0'}`
  for (const id of [gone.id, foreignCalendar.id, ada.id, 'cal_1', misspelt]) {
    const detail = { param: 'calendar_ids', code: 'calendar_not_found' }
    for (const answer of await send({ calendar_ids: [ofAda.id, id] })) assertRefused(answer, 404, 'not_found', detail)
  }
  for (const id of [foreignAgent.id, ofAda.id, 'agt_1']) {
    for (const answer of await send({ agent_ids: [ada.id, id] }))
      assertRefused(answer, 404, 'not_found', { param: 'agent_ids' })
  }
})

test('no event of another agent passes, whatever happens', async ({ service, house }) => {
  const { key, ada, bob, ofAda, ofBob, hear } = house
  const heard = await hear({ agent_ids: [ada.id] })
  const second = await makeCalendar(service, key, ada.id)
  const work = async (calendarId: string, title: string) => {
    const { id } = await makeEvent(service, key, calendarId, { title, reminders: [5] })
    const hold = await makeHold(service, key, calendarId, {
      title,
      start_time: ahead(service, 300),
      end_time: ahead(service, 330),
    })
    await service.call('PUT', `/v1/events/${hold.id}/confirm`, { key })
    await service.call('PATCH', `/v1/calendars/${calendarId}/events/${id}`, { key, body: { title: `${title} again` } })
    const released = await makeHold(service, key, calendarId, {
      title,
      start_time: ahead(service, 400),
      end_time: ahead(service, 430),
    })
    await service.call('PUT', `/v1/events/${released.id}/release`, { key })
    const removed = await makeEvent(service, key, calendarId, { title })
    await service.call('DELETE', `/v1/calendars/${calendarId}/events/${removed.id}`, { key })
  }
  await Promise.all([work(second.id, 'of Ada'), work(ofBob.id, 'of Bob'), work(ofAda.id, 'of Ada')])
  for (const name of [ada, bob])
    await service.call('PATCH', `/v1/agents/${name.id}`, { key, body: { name: 'Renamed' } })
  await service.clock.advance(100 * 60_000)
  await service.drain()
  assert.ok(heard.receiver.received.length > 15)
  for (const { raw } of heard.receiver.received) {
    for (const foreign of [bob.id, ofBob.id, 'of Bob']) assert.equal(raw.includes(foreign), false, raw)
  }
})
