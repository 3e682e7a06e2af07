import assert from 'node:assert/strict'
import { deskTest, end, minimal, start } from '../../src/testing/eventDesk.ts'
import { makeEvent, makeHold } from '../../src/testing/factories.ts'
import { testStart } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = deskTest()

test('a created event has exactly the keys of the record, with the defaults of the specification', async ({
  organization,
  desk: { calendar, post, get },
}) => {
  const { status, body } = await post(minimal)
  assert.equal(status, 201)
  assert.match(body.id, /^evt_[0-9a-z]{26}$/)
  assert.deepEqual(body, {
    id: body.id,
    calendarId: calendar.id,
    orgId: organization.id,
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

test('every field that is given is kept, and datetimes come back in UTC', async ({ desk: { post, get } }) => {
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

test('PATCH changes what is given and nothing else', async ({ service, key, desk: { calendar, get, patch } }) => {
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

test('PATCH: null clears the description and makes reminders inherit again, [] disables them', async ({
  service,
  key,
  desk: { calendar, patch },
}) => {
  const event = await makeEvent(service, key, calendar.id, { description: 'd', reminders: [5] })
  assert.equal((await patch(event.id, { description: null })).body.description, null)
  assert.deepEqual((await patch(event.id, { reminders: [] })).body.reminders, [])
  assert.equal((await patch(event.id, { reminders: null })).body.reminders, null)
  assert.deepEqual((await patch(event.id, { metadata: {} })).body.metadata, {})
  assert.equal((await patch(event.id, { recurrence_rule: null })).body.recurrenceRule, null)
})

test('confirmed and tentative may change into each other; cancelled is final, but other fields still change', async ({
  service,
  key,
  desk: { calendar, patch },
}) => {
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

test('every PATCH on a hold is refused', async ({ service, key, desk: { calendar, get, patch } }) => {
  const hold = await makeHold(service, key, calendar.id)
  for (const body of [{ title: 'x' }, { status: 'confirmed' }, { status: 'cancelled' }, { reminders: null }]) {
    assertRefused(await patch(hold.id, body), 400, 'invalid_transition', { param: 'status' })
  }
  assert.deepEqual((await get(hold.id)).body, hold)
})

test('an event of any status can be deleted', async ({ service, key, desk: { calendar, remove } }) => {
  for (const status of ['confirmed', 'tentative', 'cancelled']) {
    const event = await makeEvent(service, key, calendar.id, { status })
    assert.equal((await remove(event.id)).status, 204)
  }
  const hold = await makeHold(service, key, calendar.id)
  assert.equal((await remove(hold.id)).status, 204)
})

test('each change of an event leaves one audit entry, a refused one leaves none', async ({
  service,
  key,
  desk: { calendar, pathOf, patch, remove },
}) => {
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

test('concurrent edits of one event are all kept', async ({ service, key, desk: { calendar, get, patch } }) => {
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
