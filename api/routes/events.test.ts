import assert from 'node:assert/strict'
import { afterAll, beforeAll, beforeEach, test } from 'vitest'
import { decodeId, encodeId, newId } from '../../src/shapes/ids.ts'
import {
  ahead,
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
  makeWebhook,
} from '../../src/testing/factories.ts'
import { openTestService, type TestService, testStart } from '../../src/testing/harness.ts'
import { openReceiver, type Receiver } from '../../src/testing/receiver.ts'
import { assertRefused } from '../../src/testing/refused.ts'

let service: TestService
let receiver: Receiver
let key: string
let orgId: string
// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
let calendar: any

const start = '2026-03-02T10:00:00.000Z'
const end = '2026-03-02T10:30:00.000Z'
const minimal = { title: 'Standup', start_time: start, end_time: end }

beforeAll(async () => {
  service = await openTestService()
  receiver = await openReceiver()
  ;({ id: orgId, key } = await makeOrganization(service))
  await makeWebhook(service, key, receiver.url, ['event.created', 'event.updated', 'event.deleted'])
})
beforeEach(async () => {
  await service.clock.set(testStart)
  calendar = await makeCalendar(service, key)
  await service.drain()
  receiver.received.length = 0
})
afterAll(async () => {
  await receiver.close()
  await service.close()
})

const pathOf = (eventId?: string, calendarId: string = calendar.id) =>
  `/v1/calendars/${calendarId}/events${eventId ? `/${eventId}` : ''}`
const post = (body: unknown, path = pathOf()) => service.call('POST', path, { key, body })
const get = (eventId: string) => service.call('GET', pathOf(eventId), { key })
const patch = (eventId: string, body: unknown) => service.call('PATCH', pathOf(eventId), { key, body })
const remove = (eventId: string, query = '') => service.call('DELETE', pathOf(eventId) + query, { key })
const confirm = (eventId: string) => service.call('PUT', `/v1/events/${eventId}/confirm`, { key })
const release = (eventId: string) => service.call('PUT', `/v1/events/${eventId}/release`, { key })

/** As an import would leave it: the API makes no event that comes from a feed. */
async function insertImported(title = 'Imported'): Promise<string> {
  const { sql, sealer } = service.app
  const id = newId()
  await sql`
    insert into events (org_id, id, calendar_id, title_sealed, start_time, end_time, status, source, metadata,
      created_at, updated_at)
    values (${decodeId('org', orgId)!}, ${id}, ${decodeId('cal', calendar.id)!}, ${sealer.seal(`events.title:${id}`, title)},
      ${new Date(start)}, ${new Date(end)}, 'confirmed', 'external_ical', '{}', ${testStart}, ${testStart})`
  return encodeId('evt', id)
}

test('a created event has exactly the keys of the record, with the defaults of the specification', async () => {
  const { status, body } = await post(minimal)
  assert.equal(status, 201)
  assert.match(body.id, /^evt_[0-9a-z]{26}$/)
  assert.deepEqual(body, {
    id: body.id,
    calendarId: calendar.id,
    orgId,
    title: 'Standup',
    description: null,
    startTime: start,
    endTime: end,
    allDay: false,
    status: 'confirmed',
    source: 'internal',
    metadata: {},
    reminders: null,
    holdExpiresAt: null,
    holdPriority: 0,
    recurrenceRule: null,
    recurrenceExdates: [],
    deletedAt: null,
    createdAt: testStart.toISOString(),
    updatedAt: testStart.toISOString(),
  })
  assert.deepEqual((await get(body.id)).body, body)
})

test('every field that is given is kept, and datetimes come back in UTC', async () => {
  const { status, body } = await post({
    title: 'Offsite',
    start_time: '2026-03-03T10:00:00+02:00',
    end_time: '2026-03-03T12:30:00.25+02:00',
    description: 'Bring a coat.',
    all_day: true,
    status: 'tentative',
    metadata: { room: 7, nested: { deep: [1, null, 'x'] } },
    reminders: [60, 5, 60],
  })
  assert.equal(status, 201)
  assert.equal(body.startTime, '2026-03-03T08:00:00.000Z')
  assert.equal(body.endTime, '2026-03-03T10:30:00.250Z')
  assert.equal(body.description, 'Bring a coat.')
  assert.equal(body.allDay, true)
  assert.equal(body.status, 'tentative')
  assert.deepEqual(body.metadata, { room: 7, nested: { deep: [1, null, 'x'] } })
  assert.deepEqual(body.reminders, [5, 60], 'without duplicates, ascending')
  assert.deepEqual((await get(body.id)).body, body)
})

test('creating an event tells event.created with the record', async () => {
  const { body } = await post(minimal)
  await service.drain()
  assert.deepEqual(
    receiver.received.map(({ type, payload }) => ({ type, payload })),
    [{ type: 'event.created', payload: { calendar_id: calendar.id, event: body } }],
  )
})

test('an event may be created cancelled, and then behaves like any cancelled one', async () => {
  const event = await makeEvent(service, key, calendar.id, { status: 'cancelled' })
  assert.equal(event.status, 'cancelled')
  assertRefused(await patch(event.id, { status: 'confirmed' }), 400, 'invalid_transition', { param: 'status' })
  await service.drain()
  assert.deepEqual(receiver.types(), ['event.created'])
})

test('the longest and the shortest values that are allowed are taken', async () => {
  for (const body of [
    { ...minimal, title: 'x' },
    { ...minimal, title: 'x'.repeat(500) },
    { ...minimal, description: '' },
    { ...minimal, reminders: [] },
    { ...minimal, reminders: null },
    { ...minimal, reminders: [1, 2, 3, 4, 40_320] },
    { ...minimal, metadata: { k: 'x'.repeat(16 * 1024 - '{"k":""}'.length) } },
    { ...minimal, end_time: '2026-03-02T10:00:00.001Z' },
    { ...minimal, start_time: '0001-01-01T00:00:00Z', end_time: '9999-12-31T23:59:59.999Z' },
  ]) {
    const answer = await post(body)
    assert.equal(answer.status, 201, JSON.stringify(answer.body).slice(0, 300))
    assert.deepEqual((await get(answer.body.id)).body, answer.body)
  }
})

test('a body that is not as specified is refused by the name of its field', async () => {
  const table: [body: Record<string, unknown>, param: string, code?: string][] = [
    [{ start_time: start, end_time: end }, 'title'],
    [{ ...minimal, title: '' }, 'title'],
    [{ ...minimal, title: 'x'.repeat(501) }, 'title'],
    [{ ...minimal, title: 7 }, 'title'],
    [{ ...minimal, title: null }, 'title'],
    [{ title: 'x', end_time: end }, 'start_time'],
    [{ title: 'x', start_time: start }, 'end_time'],
    [{ ...minimal, start_time: '2026-03-02T10:00:00' }, 'start_time', 'invalid_time_format'],
    [{ ...minimal, start_time: '2026-02-30T10:00:00Z' }, 'start_time', 'invalid_time_format'],
    [{ ...minimal, start_time: '2026-03-02' }, 'start_time', 'invalid_time_format'],
    [{ ...minimal, end_time: 'tomorrow' }, 'end_time', 'invalid_time_format'],
    [{ ...minimal, start_time: 1_772_445_600_000 }, 'start_time'],
    [{ ...minimal, end_time: start }, 'end_time', 'end_before_start'],
    [{ ...minimal, end_time: '2026-03-02T09:59:59Z' }, 'end_time', 'end_before_start'],
    [{ ...minimal, description: null }, 'description'],
    [{ ...minimal, all_day: 'true' }, 'all_day'],
    [{ ...minimal, status: 'done' }, 'status'],
    [{ ...minimal, metadata: [] }, 'metadata'],
    [{ ...minimal, metadata: null }, 'metadata'],
    [{ ...minimal, metadata: { k: 'x'.repeat(16 * 1024 - '{"k":""}'.length + 1) } }, 'metadata'],
    [{ ...minimal, reminders: [1, 2, 3, 4, 5, 6] }, 'reminders'],
    [{ ...minimal, reminders: [10, 0] }, 'reminders.1'],
    [{ ...minimal, reminders: [40_321] }, 'reminders.0'],
    [{ ...minimal, reminders: [1.5] }, 'reminders.0'],
    [{ ...minimal, reminders: 10 }, 'reminders'],
    [{ ...minimal, hold_expires_at: ahead(service, 5) }, 'hold_expires_at'],
    [{ ...minimal, hold_priority: 1 }, 'hold_priority'],
    [{ ...minimal, colour: 'red' }, 'colour'],
    [{ ...minimal, startTime: start }, 'startTime'],
  ]
  for (const [body, param, code] of table) {
    assertRefused(await post(body), 400, 'validation_error', { param, ...(code && { code }) })
  }
})

test('validation comes before the existence of the calendar, and both before anything is written', async () => {
  const nowhere = pathOf(undefined, encodeId('cal', newId()))
  assertRefused(await post({ ...minimal, title: '' }, nowhere), 400, 'validation_error', { param: 'title' })
  assertRefused(await post(minimal, nowhere), 404, 'not_found', { code: 'calendar_not_found' })
  assertRefused(await post(minimal, pathOf(undefined, 'cal_x')), 404, 'not_found', { code: 'calendar_not_found' })
  assertRefused(await post(minimal, pathOf(undefined, orgId)), 404, 'not_found', { code: 'calendar_not_found' })
  const { sql } = service.app
  const [row] =
    await sql`select count(*)::integer as n from events where calendar_id = ${decodeId('cal', calendar.id)!}`
  assert.equal(row?.n, 0)
})

test('an event is found only under its own calendar, in its own organization, under its own prefix', async () => {
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
  assertRefused(await service.call('GET', pathOf(event.id, other.id), { key }), 404, 'not_found', lost)
  const noCalendar = pathOf(event.id, encodeId('cal', newId()))
  for (const [method, body] of [['GET'], ['PATCH', { title: 'x' }], ['DELETE']] as const) {
    const absent = { code: 'calendar_not_found' }
    assertRefused(await service.call(method, noCalendar, { key, body }), 404, 'not_found', absent)
    assertRefused(await service.call(method, pathOf(event.id), { key: stranger.key, body }), 404, 'not_found', absent)
  }
  const byId = await service.call('PUT', `/v1/events/${event.id}/confirm`, { key: stranger.key })
  assertRefused(byId, 404, 'not_found', lost)
})

test('PATCH changes what is given and nothing else', async () => {
  const event = await makeEvent(service, key, calendar.id, {
    description: 'd',
    metadata: { a: 1, b: 2 },
    reminders: [5],
  })
  await service.clock.advance(1_000)
  const updatedAt = service.clock.now().toISOString()
  const renamed = await patch(event.id, { title: 'Renamed' })
  assert.equal(renamed.status, 200)
  assert.deepEqual(renamed.body, { ...event, title: 'Renamed', updatedAt })
  const rest = {
    description: 'new',
    start_time: '2026-03-02T11:00:00Z',
    end_time: '2026-03-02T12:00:00Z',
    all_day: true,
    status: 'tentative',
    metadata: { c: 3 },
    reminders: [30, 1],
  }
  const changed = await patch(event.id, rest)
  assert.deepEqual(changed.body, {
    ...renamed.body,
    description: 'new',
    startTime: '2026-03-02T11:00:00.000Z',
    endTime: '2026-03-02T12:00:00.000Z',
    allDay: true,
    status: 'tentative',
    metadata: { c: 3 },
    reminders: [1, 30],
  })
  assert.deepEqual((await get(event.id)).body, changed.body)
})

test('PATCH: null clears the description and reverts reminders to inherit, [] disables them', async () => {
  const event = await makeEvent(service, key, calendar.id, { description: 'd', reminders: [5] })
  assert.equal((await patch(event.id, { description: null })).body.description, null)
  assert.deepEqual((await patch(event.id, { reminders: [] })).body.reminders, [])
  assert.equal((await patch(event.id, { reminders: null })).body.reminders, null)
  assert.deepEqual((await patch(event.id, { metadata: {} })).body.metadata, {})
  assert.equal((await patch(event.id, { recurrence_rule: null })).body.recurrenceRule, null)
})

test('PATCH tells event.updated with the record', async () => {
  const event = await makeEvent(service, key, calendar.id)
  const { body } = await patch(event.id, { title: 'Renamed' })
  await service.drain()
  assert.deepEqual(receiver.types(), ['event.created', 'event.updated'])
  assert.deepEqual(receiver.received[1]?.payload, { calendar_id: calendar.id, event: body })
})

test('a PATCH that is not as specified is refused and changes nothing', async () => {
  const event = await makeEvent(service, key, calendar.id)
  const table: [body: unknown, param: string | null, code?: string][] = [
    [{}, null],
    [[], null],
    ['x', null],
    [null, null],
    [{ title: '' }, 'title'],
    [{ title: null }, 'title'],
    [{ status: 'hold' }, 'status'],
    [{ status: null }, 'status'],
    [{ metadata: null }, 'metadata'],
    [{ reminders: [0] }, 'reminders.0'],
    [{ all_day: null }, 'all_day'],
    [{ start_time: null }, 'start_time'],
    [{ hold_expires_at: ahead(service, 5) }, 'hold_expires_at'],
    [{ hold_priority: 5 }, 'hold_priority'],
    [{ calendar_id: calendar.id }, 'calendar_id'],
    [{ start_time: event.endTime }, 'start_time', 'end_before_start'],
    [{ end_time: event.startTime }, 'end_time', 'end_before_start'],
    [{ start_time: end, end_time: start }, 'end_time', 'end_before_start'],
    [{ end_time: 'x' }, 'end_time', 'invalid_time_format'],
  ]
  for (const [body, param, code] of table) {
    assertRefused(await patch(event.id, body), 400, 'validation_error', { param, ...(code && { code }) })
  }
  assert.deepEqual((await get(event.id)).body, event)
})

test('confirmed, tentative and back; cancelled is the end of the status, not of the other fields', async () => {
  const event = await makeEvent(service, key, calendar.id)
  for (const status of ['tentative', 'confirmed', 'confirmed', 'tentative', 'cancelled']) {
    const answer = await patch(event.id, { status })
    assert.equal(answer.status, 200)
    assert.equal(answer.body.status, status)
  }
  for (const status of ['confirmed', 'tentative', 'cancelled']) {
    assertRefused(await patch(event.id, { status }), 400, 'invalid_transition', { param: 'status' })
  }
  const renamed = await patch(event.id, { title: 'Still cancelled' })
  assert.equal(renamed.status, 200)
  assert.equal(renamed.body.status, 'cancelled')
})

test('a PATCH on a hold is refused whatever it says', async () => {
  const hold = await makeHold(service, key, calendar.id)
  for (const body of [{ title: 'x' }, { status: 'confirmed' }, { status: 'cancelled' }, { reminders: null }]) {
    assertRefused(await patch(hold.id, body), 400, 'invalid_transition', { param: 'status' })
  }
  assert.deepEqual((await get(hold.id)).body, hold)
})

test('a deleted event is gone for every call, and tells event.deleted once', async () => {
  const event = await makeEvent(service, key, calendar.id)
  const answer = await remove(event.id)
  assert.equal(answer.status, 204)
  assert.equal(answer.body, '')
  const lost = { code: 'event_not_found' }
  assertRefused(await get(event.id), 404, 'not_found', lost)
  assertRefused(await patch(event.id, { title: 'x' }), 404, 'not_found', lost)
  assertRefused(await remove(event.id), 404, 'not_found', lost)
  assertRefused(await confirm(event.id), 404, 'not_found', lost)
  const list = await service.call('GET', pathOf(), { key })
  assert.deepEqual(list.body, { data: [], total: 0, limit: 50, offset: 0 })
  await service.drain()
  assert.deepEqual(receiver.types(), ['event.created', 'event.deleted'])
  assert.deepEqual(receiver.received[1]?.payload, { calendar_id: calendar.id, event_id: event.id })
})

test('an event of any status can be deleted', async () => {
  for (const status of ['confirmed', 'tentative', 'cancelled']) {
    const event = await makeEvent(service, key, calendar.id, { status })
    assert.equal((await remove(event.id)).status, 204)
  }
  const hold = await makeHold(service, key, calendar.id)
  assert.equal((await remove(hold.id)).status, 204)
})

test('occurrence_start on an event that happens once is a conflict, a malformed one is not valid', async () => {
  const event = await makeEvent(service, key, calendar.id)
  const at = `?occurrence_start=${encodeURIComponent(start)}`
  assertRefused(await remove(event.id, at), 409, 'conflict', { param: 'occurrence_start' })
  assertRefused(await remove(event.id, '?occurrence_start=noon'), 400, 'validation_error', {
    param: 'occurrence_start',
    code: 'invalid_time_format',
  })
  assert.equal((await get(event.id)).status, 200)
})

test('an imported event can be read and nothing else', async () => {
  const imported = await insertImported()
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

test('under a decommissioned agent everything can be read and nothing written', async () => {
  const agent = await makeAgent(service, key)
  calendar = await makeCalendar(service, key, agent.id)
  const event = await makeEvent(service, key, calendar.id)
  const hold = await makeHold(service, key, calendar.id)
  assert.equal((await service.call('DELETE', `/v1/agents/${agent.id}`, { key })).status, 204)
  const closed = { code: 'agent_decommissioned' }
  assertRefused(await post(minimal), 409, 'conflict', closed)
  assertRefused(await post({ ...minimal, status: 'hold', hold_expires_at: ahead(service, 5) }), 409, 'conflict', closed)
  assertRefused(await patch(event.id, { title: 'x' }), 409, 'conflict', closed)
  assertRefused(await remove(event.id), 409, 'conflict', closed)
  assertRefused(await confirm(hold.id), 409, 'conflict', closed)
  assertRefused(await release(hold.id), 409, 'conflict', closed)
  assert.deepEqual((await get(event.id)).body, event)
  assert.equal((await service.call('GET', pathOf(), { key })).body.total, 2)
  assert.equal((await service.call('GET', `/v1/agents/${agent.id}/events`, { key })).body.total, 2)
})

test("an agent's key reaches the events of its agent's calendars and is refused at all others", async () => {
  const mine = await makeAgent(service, key)
  const agentKey = await makeAgentKey(service, key, mine.id)
  const own = await makeCalendar(service, key, mine.id)
  const foreign = await makeCalendar(service, key, (await makeAgent(service, key)).id)
  const created = await service.call('POST', pathOf(undefined, own.id), { key: agentKey, body: minimal })
  assert.equal(created.status, 201)
  const path = pathOf(created.body.id, own.id)
  assert.equal((await service.call('GET', path, { key: agentKey })).status, 200)
  assert.equal((await service.call('PATCH', path, { key: agentKey, body: { title: 'x' } })).status, 200)
  assert.equal((await service.call('DELETE', path, { key: agentKey })).status, 204)
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
      assertRefused(await service.call(method, address, { key: agentKey, body }), 403, 'forbidden')
    }
  }
})

test('without a key nothing is reached', async () => {
  for (const [method, path] of [
    ['POST', pathOf()],
    ['GET', pathOf()],
    ['GET', pathOf(encodeId('evt', newId()))],
    ['PUT', `/v1/events/${encodeId('evt', newId())}/confirm`],
  ] as const) {
    assertRefused(await service.call(method, path, {}), 401, 'authentication_error')
  }
})

test('deleting a calendar removes its events without telling of each', async () => {
  const event = await makeEvent(service, key, calendar.id)
  assert.equal((await service.call('DELETE', `/v1/calendars/${calendar.id}`, { key })).status, 204)
  const gone = { code: 'calendar_not_found' }
  assertRefused(await get(event.id), 404, 'not_found', gone)
  assertRefused(await post(minimal), 404, 'not_found', gone)
  assertRefused(await service.call('GET', pathOf(), { key }), 404, 'not_found', gone)
  assertRefused(await confirm(event.id), 404, 'not_found', { code: 'event_not_found' })
  await service.drain()
  assert.deepEqual(receiver.types(), ['event.created'])
})

test('the database holds no plain title or description', async () => {
  const secret = 'Acquisition of Initech'
  const event = await makeEvent(service, key, calendar.id, { title: secret, description: `${secret}, in detail` })
  await patch(event.id, { title: `${secret} again`, description: `${secret}, more` })
  const [row] = await service.app.sql<{ whole: string; titleSealed: Buffer; descriptionSealed: Buffer }[]>`
    select row_to_json(e)::text as whole, title_sealed, description_sealed from events e
    where id = ${decodeId('evt', event.id)!}`
  assert.doesNotMatch(row!.whole, /Initech/)
  assert.doesNotMatch(Buffer.from(row!.titleSealed).toString('latin1'), /Initech/)
  assert.doesNotMatch(Buffer.from(row!.descriptionSealed).toString('latin1'), /Initech/)
  const deliveries = await service.app.sql<{ payloadSealed: Buffer }[]>`select payload_sealed from webhook_deliveries`
  assert.ok(deliveries.length > 0)
  for (const { payloadSealed } of deliveries)
    assert.doesNotMatch(Buffer.from(payloadSealed).toString('latin1'), /Initech/)
  assert.equal((await get(event.id)).body.title, `${secret} again`)
})

test('each change of an event leaves one audit entry, a refused one leaves none', async () => {
  const event = await makeEvent(service, key, calendar.id)
  await patch(event.id, { title: 'x' })
  await patch(event.id, { title: '' })
  await remove(event.id)
  await remove(event.id)
  const entries = await service.app.sql`
    select action, status, method, path from audit_entries where resource = ${event.id} order by id`
  assert.deepEqual(
    entries.map(({ action, status, method, path }) => ({ action, status, method, path })),
    [
      { action: 'event.create', status: 201, method: 'POST', path: pathOf() },
      { action: 'event.update', status: 200, method: 'PATCH', path: pathOf(event.id) },
      { action: 'event.delete', status: 204, method: 'DELETE', path: pathOf(event.id) },
    ],
  )
})

test('edits at the same instant are all kept: none is lost over another', async () => {
  const event = await makeEvent(service, key, calendar.id, { metadata: {} })
  const fields = [
    { title: 'T' },
    { description: 'D' },
    { all_day: true },
    { status: 'tentative' },
    { metadata: { m: 1 } },
    { reminders: [7] },
    { end_time: '2026-03-02T11:00:00Z' },
  ]
  const answers = await Promise.all(fields.map((body) => patch(event.id, body)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    fields.map(() => 200),
  )
  assert.deepEqual((await get(event.id)).body, {
    ...event,
    title: 'T',
    description: 'D',
    allDay: true,
    status: 'tentative',
    metadata: { m: 1 },
    reminders: [7],
    endTime: '2026-03-02T11:00:00.000Z',
  })
})
