import assert from 'node:assert/strict'
import { decodeId } from '../../src/shapes/ids.ts'
import { makeAgent, makeAgentKey, makeCalendar, makeEvent, makeOrganization } from '../../src/testing/factories.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const rulesOf = (calendarId: string) => `/v1/calendars/${calendarId}/availability-rules`
const unknownCalendar = 'cal_01k9xr8m3fe8tbc4x9m2v7h5qd'
const weekdays = { start: '09:00', end: '17:00' }

const test = serviceTest().extend('rules', perFile, ({ service, key }) => {
  const put = (calendarId: string, body: unknown, as = key) =>
    service.call('PUT', rulesOf(calendarId), { key: as, body })
  const get = (calendarId: string, as = key) => service.call('GET', rulesOf(calendarId), { key: as })
  const remove = (calendarId: string, as = key) => service.call('DELETE', rulesOf(calendarId), { key: as })
  async function revisionOf(calendarId: string): Promise<number> {
    const [row] = await service.app.sql<{ revision: number }[]>`
      select revision from calendars where id = ${decodeId('cal', calendarId)!}`
    return row!.revision
  }
  return { put, get, remove, revisionOf }
})

test('rules that are set are returned and read back', async ({ service, key, rules: { put, get } }) => {
  const calendar = await makeCalendar(service, key)
  const body = {
    buffer_before_minutes: 120,
    buffer_after_minutes: 15,
    working_hours: { fri: { start: '00:00', end: '23:59' }, mon: weekdays },
    timezone: 'Europe/Berlin',
  }
  const answer = await put(calendar.id, body)
  assert.equal(answer.status, 200)
  assert.match(answer.body.id, /^avr_[0-9a-z]{26}$/)
  assert.deepEqual(answer.body, {
    id: answer.body.id,
    calendar_id: calendar.id,
    ...body,
    created_at: '2026-03-02T09:00:00.000Z',
    updated_at: '2026-03-02T09:00:00.000Z',
  })
  assert.deepEqual(Object.keys(answer.body.working_hours), ['mon', 'fri'])
  const read = await get(calendar.id)
  assert.equal(read.status, 200)
  assert.deepEqual(read.body, answer.body)
  assert.deepEqual(Object.keys(read.body.working_hours), ['mon', 'fri'])
})

test('a day of several stretches, up to midnight, is shown as it was sent, and is free until then', async ({
  service,
  key,
  call,
  rules: { put, get },
}) => {
  const calendar = await makeCalendar(service, key)
  const evening = { start: '20:00', end: '24:00' }
  const working_hours = { mon: [weekdays, evening], tue: [evening], wed: [], thu: weekdays }
  const answer = await put(calendar.id, { working_hours, timezone: 'Europe/Berlin' })
  assert.deepEqual([answer.status, answer.body.working_hours], [200, working_hours])
  assert.deepEqual((await get(calendar.id)).body.working_hours, working_hours)
  const window = 'start=2026-03-09T00:00:00Z&end=2026-03-12T00:00:00Z&duration=2h'
  const { slots } = (await call('GET', `/v1/calendars/${calendar.id}/availability?${window}`, { key })).body
  assert.deepEqual(
    slots.map(({ start }: { start: string }) => start.slice(5, 16)),
    [
      ...['03-09T08:00', '03-09T10:00', '03-09T12:00', '03-09T14:00', '03-09T19:00', '03-09T21:00'],
      ...['03-10T19:00', '03-10T21:00'],
    ],
  )
})

test('an empty body sets the defaults', async ({ service, key, rules: { put } }) => {
  const calendar = await makeCalendar(service, key)
  const { status, body } = await put(calendar.id, {})
  assert.equal(status, 200)
  assert.equal(body.buffer_before_minutes, 0)
  assert.equal(body.buffer_after_minutes, 0)
  assert.equal(body.working_hours, null)
  assert.equal(body.timezone, 'UTC')
})

test('setting rules again replaces them, keeps their identifier and counts on the revision', async ({
  service,
  key,
  rules: { put, get, revisionOf },
}) => {
  const calendar = await makeCalendar(service, key)
  const first = (await put(calendar.id, { buffer_before_minutes: 5, working_hours: { sun: weekdays } })).body
  const revision = await revisionOf(calendar.id)
  await service.clock.advance(60_000)
  const second = (await put(calendar.id, { buffer_after_minutes: 10, timezone: 'Asia/Kolkata' })).body
  assert.deepEqual(second, {
    ...first,
    buffer_before_minutes: 0,
    buffer_after_minutes: 10,
    working_hours: null,
    timezone: 'Asia/Kolkata',
    updated_at: service.clock.now().toISOString(),
  })
  assert.deepEqual((await get(calendar.id)).body, second)
  assert.equal(await revisionOf(calendar.id), revision + 1)
})

test('removed rules are gone, and counted on the revision', async ({
  service,
  key,
  rules: { put, get, remove, revisionOf },
}) => {
  const calendar = await makeCalendar(service, key)
  const { body: first } = await put(calendar.id, {})
  const revision = await revisionOf(calendar.id)
  const removed = await remove(calendar.id)
  assert.equal(removed.status, 204)
  assert.equal(removed.body, '')
  assert.equal(await revisionOf(calendar.id), revision + 1)
  for (const answer of [await get(calendar.id), await remove(calendar.id)]) {
    assert.equal(answer.status, 404)
    assert.equal(answer.body.error.type, 'not_found')
    assert.match(answer.body.error.message, /availability rules/)
  }
  assert.notEqual((await put(calendar.id, {})).body.id, first.id)
})

test('rules set at the same time leave one of them', async ({ service, key, rules: { put, get } }) => {
  const calendar = await makeCalendar(service, key)
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, minutes) => put(calendar.id, { buffer_before_minutes: minutes })),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
  const left = (await get(calendar.id)).body
  assert.ok(answers.some(({ body }) => JSON.stringify(body) === JSON.stringify(left)))
})

const refusals: [name: string, body: unknown, type: string, param: string | null][] = [
  ['a buffer over two hours', { buffer_before_minutes: 121 }, 'bad_request', 'buffer_before_minutes'],
  ['a negative buffer', { buffer_after_minutes: -1 }, 'bad_request', 'buffer_after_minutes'],
  ['a buffer beyond all numbers', { buffer_after_minutes: 1e20 }, 'bad_request', 'buffer_after_minutes'],
  ['half a minute', { buffer_after_minutes: 1.5 }, 'validation_error', 'buffer_after_minutes'],
  ['a buffer as text', { buffer_before_minutes: '10' }, 'validation_error', 'buffer_before_minutes'],
  ['no day at all', { working_hours: {} }, 'bad_request', 'working_hours'],
  [
    'an end before the start',
    { working_hours: { mon: weekdays, tue: { start: '17:00', end: '09:00' } } },
    'bad_request',
    'working_hours.tue.end',
  ],
  [
    'an end at the start',
    { working_hours: { sat: { start: '09:00', end: '09:00' } } },
    'bad_request',
    'working_hours.sat.end',
  ],
  [
    'an hour of one digit',
    { working_hours: { mon: { start: '9:00', end: '17:00' } } },
    'validation_error',
    'working_hours.mon.start',
  ],
  [
    'midnight as 24:00',
    { working_hours: { mon: { start: '09:00', end: '24:00' } } },
    'validation_error',
    'working_hours.mon.end',
  ],
  [
    'sixty minutes',
    { working_hours: { mon: { start: '09:60', end: '17:00' } } },
    'validation_error',
    'working_hours.mon.start',
  ],
  [
    'a time with more behind it',
    { working_hours: { mon: { start: '09:00\n', end: '17:00' } } },
    'validation_error',
    'working_hours.mon.start',
  ],
  ['a day that is none', { working_hours: { monday: weekdays } }, 'validation_error', 'working_hours.monday'],
  ['a day in capitals', { working_hours: { Mon: weekdays } }, 'validation_error', 'working_hours.Mon'],
  ['a day of null', { working_hours: { mon: null } }, 'validation_error', 'working_hours.mon'],
  ['a day without an end', { working_hours: { mon: { start: '09:00' } } }, 'validation_error', 'working_hours.mon.end'],
  [
    'more than a start and an end',
    { working_hours: { mon: { ...weekdays, lunch: '12:00' } } },
    'validation_error',
    'working_hours.mon.lunch',
  ],
  [
    'midnight as a start',
    { working_hours: { mon: [{ start: '24:00', end: '24:00' }] } },
    'validation_error',
    'working_hours.mon.0.start',
  ],
  [
    'a minute after midnight',
    { working_hours: { mon: [weekdays, { start: '18:00', end: '24:01' }] } },
    'validation_error',
    'working_hours.mon.1.end',
  ],
  [
    'a stretch without an end',
    { working_hours: { mon: [{ start: '09:00' }] } },
    'validation_error',
    'working_hours.mon.0.end',
  ],
  [
    'a field that no stretch has',
    { working_hours: { mon: [{ ...weekdays, lunch: '12:00' }] } },
    'validation_error',
    'working_hours.mon.0.lunch',
  ],
  [
    'thirteen stretches',
    { working_hours: { mon: Array.from({ length: 13 }, () => weekdays) } },
    'validation_error',
    'working_hours.mon',
  ],
  [
    'stretches that overlap',
    { working_hours: { mon: [weekdays, { start: '16:59', end: '24:00' }] } },
    'bad_request',
    'working_hours.mon.1.start',
  ],
  [
    'stretches out of order',
    { working_hours: { mon: [weekdays, { start: '06:00', end: '08:00' }] } },
    'bad_request',
    'working_hours.mon.1.start',
  ],
  [
    'a stretch that ends at its start',
    { working_hours: { mon: [weekdays, { start: '18:00', end: '18:00' }] } },
    'bad_request',
    'working_hours.mon.1.end',
  ],
  ['empty lists alone', { working_hours: { mon: [], tue: [] } }, 'bad_request', 'working_hours'],
  ['hours as a list', { working_hours: [] }, 'validation_error', 'working_hours'],
  ['an offset as a zone', { timezone: '+02:00' }, 'validation_error', 'timezone'],
  ['an unknown zone', { timezone: 'Europe/Atlantis' }, 'validation_error', 'timezone'],
  ['a zone of null', { timezone: null }, 'validation_error', 'timezone'],
  ['an unknown key', { buffer_minutes: 5 }, 'validation_error', 'buffer_minutes'],
  ['a list instead of an object', [], 'validation_error', null],
]

for (const [name, body, type, param] of refusals) {
  test(`${name} is refused as ${type}`, async ({ service, key, rules: { put, get } }) => {
    const calendar = await makeCalendar(service, key)
    const answer = await put(calendar.id, body)
    assert.equal(answer.status, 400, JSON.stringify(answer.body))
    assert.equal(answer.body.error.type, type)
    assert.equal(answer.body.error.param, param)
    assert.equal((await get(calendar.id)).status, 404)
  })
}

test('a calendar that is unknown, deleted or of somebody else has no rules', async ({
  service,
  key,
  rules: { put, get, remove },
}) => {
  const other = await makeOrganization(service)
  const foreign = await makeCalendar(service, other.key)
  const deleted = await makeCalendar(service, key)
  await put(deleted.id, {})
  await service.call('DELETE', `/v1/calendars/${deleted.id}`, { key })
  for (const id of [unknownCalendar, foreign.id, deleted.id, 'cal_x', 'agt_01k9xr8m3fe8tbc4x9m2v7h5qd']) {
    for (const answer of [await put(id, {}), await get(id), await remove(id)]) {
      assert.equal(answer.status, 404, id)
      assert.equal(answer.body.error.type, 'not_found')
      assert.equal(answer.body.error.code, 'calendar_not_found')
    }
  }
})

test("an agent's key sets the rules of its own calendars only", async ({
  service,
  key,
  rules: { put, get, remove },
}) => {
  const agent = await makeAgent(service, key)
  const agentKey = await makeAgentKey(service, key, agent.id)
  const own = await makeCalendar(service, key, agent.id)
  const shared = await makeCalendar(service, key)
  await put(shared.id, {})
  assert.equal((await put(own.id, {}, agentKey)).status, 200)
  assert.equal((await get(own.id, agentKey)).status, 200)
  assert.equal((await remove(own.id, agentKey)).status, 204)
  for (const answer of [
    await put(shared.id, {}, agentKey),
    await get(shared.id, agentKey),
    await remove(shared.id, agentKey),
  ]) {
    assert.equal(answer.status, 403)
    assert.equal(answer.body.error.type, 'forbidden')
  }
})

test('under a decommissioned agent rules are readable and fixed', async ({
  service,
  key,
  rules: { put, get, remove },
}) => {
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const { body: rules } = await put(calendar.id, { buffer_before_minutes: 7 })
  await service.call('DELETE', `/v1/agents/${agent.id}`, { key })
  for (const answer of [await put(calendar.id, {}), await remove(calendar.id)]) {
    assert.equal(answer.status, 409)
    assert.equal(answer.body.error.type, 'conflict')
  }
  assert.deepEqual((await get(calendar.id)).body, rules)
})

test('every change of rules is audited as a change of the calendar', async ({
  service,
  key,
  rules: { put, remove },
}) => {
  const calendar = await makeCalendar(service, key)
  await put(calendar.id, {})
  await put(calendar.id, { buffer_before_minutes: 1 })
  await put(calendar.id, { buffer_before_minutes: 121 })
  await remove(calendar.id)
  await remove(calendar.id)
  const entries = await service.app.sql<{ action: string; method: string; status: number; path: string }[]>`
    select action, method, status, path from audit_entries
    where resource = ${calendar.id} and action <> 'calendar.create' order by id`
  const entry = { action: 'calendar.update', path: rulesOf(calendar.id) }
  assert.deepEqual(
    entries.map((row) => ({ ...row })),
    [
      { ...entry, method: 'PUT', status: 200 },
      { ...entry, method: 'PUT', status: 200 },
      { ...entry, method: 'DELETE', status: 204 },
    ],
  )
})

test('rules do not stand in the way of events', async ({ service, key, rules: { put } }) => {
  const calendar = await makeCalendar(service, key)
  await put(calendar.id, { working_hours: { sun: { start: '03:00', end: '03:01' } } })
  await makeEvent(service, key, calendar.id)
})
