// The events that a key can reach, and those that it may write.
import assert from 'node:assert/strict'
import { encodeId, newId } from '../../src/shapes/ids.ts'
import { deskTest, end, importEvent, minimal, openDesk, start } from '../../src/testing/eventDesk.ts'
import {
  ahead,
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
} from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = deskTest()

test('an event is found only under its own calendar, in its own organization, under its own prefix', async ({
  service,
  call,
  key,
  desk: { calendar, pathOf, get, patch, remove, confirm, release },
}) => {
  const event = await makeEvent(service, key, calendar.id)
  const other = await makeCalendar(service, key)
  const stranger = await makeOrganization(service)
  const lost = { code: 'event_not_found' }
  for (const eventId of ['evt_x', encodeId('evt', newId()), event.id.replace('evt_', 'cal_'), event.id.toUpperCase()]) {
    assertRefused(await get(eventId), 404, 'not_found', lost)
    assertRefused(await patch(eventId, { title: 'x' }), 404, 'not_found', lost)
    assertRefused(await remove(eventId), 404, 'not_found', lost)
    assertRefused(await confirm(eventId), 404, 'not_found', lost)
    assertRefused(await release(eventId), 404, 'not_found', lost)
  }
  assertRefused(await call('GET', pathOf(event.id, other.id), { key }), 404, 'not_found', lost)
  const noCalendar = pathOf(event.id, encodeId('cal', newId()))
  for (const [method, body] of [['GET'], ['PATCH', { title: 'x' }], ['DELETE']] as const) {
    const absent = { code: 'calendar_not_found' }
    assertRefused(await call(method, noCalendar, { key, body }), 404, 'not_found', absent)
    assertRefused(await call(method, pathOf(event.id), { key: stranger.key, body }), 404, 'not_found', absent)
  }
  const byId = await call('PUT', `/v1/events/${event.id}/confirm`, { key: stranger.key })
  assertRefused(byId, 404, 'not_found', lost)
})

test('an imported event can be read and nothing else', async ({
  service,
  organization,
  desk: { calendar, get, patch, remove, confirm, release },
}) => {
  const imported = await importEvent(service, organization.id, calendar.id, { start, end })
  const shown = await get(imported)
  assert.equal(shown.status, 200)
  assert.equal(shown.body.source, 'external_ical')
  assert.equal(shown.body.title, 'Imported')
  const readOnly = { code: 'external_event_readonly' }
  assertRefused(await patch(imported, { title: 'x' }), 403, 'forbidden', readOnly)
  assertRefused(await remove(imported), 403, 'forbidden', readOnly)
  assertRefused(await confirm(imported), 403, 'forbidden', readOnly)
  assertRefused(await release(imported), 403, 'forbidden', readOnly)
  assert.deepEqual((await get(imported)).body, shown.body)
})

test('under a decommissioned agent everything can be read and nothing written', async ({ service, call, key }) => {
  const agent = await makeAgent(service, key)
  const desk = openDesk(service, key, await makeCalendar(service, key, agent.id))
  const { calendar, pathOf, post, get, patch, remove, confirm, release } = desk
  const event = await makeEvent(service, key, calendar.id)
  const hold = await makeHold(service, key, calendar.id)
  assert.equal((await call('DELETE', `/v1/agents/${agent.id}`, { key })).status, 204)
  const closed = { code: 'agent_decommissioned' }
  assertRefused(await post(minimal), 409, 'conflict', closed)
  assertRefused(await post({ ...minimal, status: 'hold', hold_expires_at: ahead(service, 5) }), 409, 'conflict', closed)
  assertRefused(await patch(event.id, { title: 'x' }), 409, 'conflict', closed)
  assertRefused(await remove(event.id), 409, 'conflict', closed)
  assertRefused(await confirm(hold.id), 409, 'conflict', closed)
  assertRefused(await release(hold.id), 409, 'conflict', closed)
  assert.deepEqual((await get(event.id)).body, event)
  assert.equal((await call('GET', pathOf(), { key })).body.total, 2)
  assert.equal((await call('GET', `/v1/agents/${agent.id}/events`, { key })).body.total, 2)
})

test("an agent's key reaches the events of its agent's calendars and is refused at all others", async ({
  service,
  call,
  key,
  desk: { calendar, pathOf },
}) => {
  const mine = await makeAgent(service, key)
  const agentKey = await makeAgentKey(service, key, mine.id)
  const own = await makeCalendar(service, key, mine.id)
  const foreign = await makeCalendar(service, key, (await makeAgent(service, key)).id)
  const created = await call('POST', pathOf(undefined, own.id), { key: agentKey, body: minimal })
  assert.equal(created.status, 201)
  const path = pathOf(created.body.id, own.id)
  assert.equal((await call('GET', path, { key: agentKey })).status, 200)
  assert.equal((await call('PATCH', path, { key: agentKey, body: { title: 'x' } })).status, 200)
  assert.equal((await call('DELETE', path, { key: agentKey })).status, 204)
  for (const closed of [foreign, calendar]) {
    const hold = await makeHold(service, key, closed.id)
    const refused: [string, string, unknown?][] = [
      ['POST', pathOf(undefined, closed.id), minimal],
      ['POST', pathOf(undefined, closed.id), { ...minimal, status: 'hold', hold_expires_at: ahead(service, 5) }],
      ['GET', pathOf(undefined, closed.id)],
      ['GET', pathOf(hold.id, closed.id)],
      ['GET', pathOf(encodeId('evt', newId()), closed.id)],
      ['PATCH', pathOf(hold.id, closed.id), { title: 'x' }],
      ['DELETE', pathOf(hold.id, closed.id)],
      ['PUT', `/v1/events/${hold.id}/confirm`],
      ['PUT', `/v1/events/${hold.id}/release`],
    ]
    for (const [method, address, body] of refused) {
      assertRefused(await call(method, address, { key: agentKey, body }), 403, 'forbidden')
    }
  }
})

test('without a key nothing is reached', async ({ call, desk: { pathOf } }) => {
  for (const [method, path] of [
    ['POST', pathOf()],
    ['GET', pathOf()],
    ['GET', pathOf(encodeId('evt', newId()))],
    ['PUT', `/v1/events/${encodeId('evt', newId())}/confirm`],
  ] as const) {
    assertRefused(await call(method, path, {}), 401, 'authentication_error')
  }
})
