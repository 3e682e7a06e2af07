// Events that are written only if their time is free, and refusals that help.
import assert from 'node:assert/strict'
import { at, availabilityTest, event } from '../../src/testing/availability.ts'
import { ahead, makeAgent, makeAgentKey, makeCalendar, makeEvent } from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile } from '../../src/testing/test.ts'

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Any = any

const test = availabilityTest()
  .extend('calendar', ({ service, key }): Promise<Any> => makeCalendar(service, key))
  .extend(
    'post',
    ({ service, key, calendar }) =>
      (body: object, query = '') =>
        service.call('POST', `/v1/calendars/${calendar.id}/events${query}`, { key, body: { title: 'E', ...body } }),
  )
  .extend(
    'patch',
    perFile,
    ({ service, key }) =>
      (id: string, body: object, query = '') =>
        service.call('PATCH', `/v1/events/${id}${query}`, { key, body }),
  )

const free = { require_free: true }
const hold = (expires: string, more: object = {}) => ({ status: 'hold', hold_expires_at: expires, ...more })

test('a create is refused while its time is taken, and only if it asks', async ({ service, calendar, post, desk }) => {
  const first = await post(event('10:00', '11:00', free))
  assert.equal(first.status, 201)
  assert.ok(!('require_free' in first.body))
  assertRefused(await post(event('10:30', '11:30', free)), 409, 'conflict', { code: 'not_free' })
  assert.equal((await post(event('11:00', '11:30', free))).status, 201)
  assert.equal((await post(event('10:30', '11:30'))).status, 201)
  assert.equal((await post(event('10:30', '11:30', { require_free: false }))).status, 201)
  assert.equal((await post(event('10:30', '11:30', { ...free, status: 'cancelled' }))).status, 201)
  assertRefused(await post(event('10:00', '10:30', { require_free: 'true' })), 400, 'validation_error', {
    param: 'require_free',
  })
  await desk.setRules(calendar.id, {
    buffer_before_minutes: 15,
    working_hours: { tue: { start: '08:00', end: '16:00' } },
  })
  assertRefused(await post(event('09:30', '09:50', free)), 409, 'conflict', { code: 'not_free' })
  assert.equal((await post(event('09:30', '09:45', free))).status, 201)
  assertRefused(await post(event('15:30', '16:30', free)), 409, 'conflict', { code: 'not_free' })
  await post(event('14:00', '14:30', hold(ahead(service, 5))))
  assertRefused(await post(event('14:00', '14:30', free)), 409, 'conflict', { code: 'not_free' })
  await service.clock.advance(5 * 60_000)
  assert.equal((await post(event('14:00', '14:30', free))).status, 201)
})

test('existence and access come before the state', async ({ service, key, calendar, post }) => {
  const agents = [await makeAgent(service, key), await makeAgent(service, key)]
  const agentKey = await makeAgentKey(service, key, agents[0].id)
  const other = await makeCalendar(service, key, agents[1].id)
  await makeEvent(service, key, other.id, event('10:00', '11:00'))
  const asked = { key: agentKey, body: { title: 'E', ...event('10:00', '11:00', free) } }
  for (const id of [other.id, calendar.id]) {
    const answer = await service.call('POST', `/v1/calendars/${id}/events?explain=true`, asked)
    assertRefused(answer, 403, 'forbidden')
  }
  const own = await makeCalendar(service, key, agents[0].id)
  assert.equal((await service.call('POST', `/v1/calendars/${own.id}/events`, asked)).status, 201)
  await post(event('10:00', '11:00'))
  await service.call('DELETE', `/v1/calendars/${calendar.id}`, { key })
  assertRefused(await post(event('10:00', '11:00', free)), 404, 'not_found', { code: 'calendar_not_found' })
  await service.call('DELETE', `/v1/agents/${agents[1].id}`, { key })
  const late = await service.call('POST', `/v1/calendars/${other.id}/events`, { ...asked, key })
  assertRefused(late, 409, 'conflict', { code: 'agent_decommissioned' })
})

test('a change is judged as the event would be, without itself', async ({ post, patch }) => {
  const { body: made } = await post(event('10:00', '11:00'))
  await post(event('11:30', '12:00'))
  assert.equal((await patch(made.id, { end_time: at('11:30'), ...free })).status, 200)
  assertRefused(await patch(made.id, { end_time: at('11:31'), ...free }), 409, 'conflict', { code: 'not_free' })
  assert.equal((await patch(made.id, free)).status, 200)
  assert.equal((await patch(made.id, { end_time: at('11:31') })).status, 200)
  assertRefused(await patch(made.id, free), 409, 'conflict', { code: 'not_free' })
  assertRefused(await patch(made.id, { require_free: false }), 400, 'validation_error')
  assert.equal((await patch(made.id, { status: 'cancelled', ...free })).status, 200)
  assert.equal((await patch(made.id, { title: 'Still cancelled', ...free })).status, 200)
})

test('a confirmation is refused if something came into the way', async ({ service, key, post }) => {
  const confirm = (id: string, query: string) => service.call('PUT', `/v1/events/${id}/confirm${query}`, { key })
  const { body: made } = await post(event('10:00', '11:00', hold(ahead(service, 5))))
  const { body: later } = await post(event('10:30', '11:30'))
  const refusal = await confirm(made.id, '?require_free=true&explain=true')
  assert.deepEqual([refusal.status, refusal.body.error.code], [409, 'not_free'])
  assert.equal(refusal.body.error.conflict.event_id, later.id)
  assertRefused(await confirm(made.id, '?require_free=yes'), 400, 'validation_error', { param: 'require_free' })
  assert.equal((await confirm(made.id, '?require_free=false')).status, 200)
  const { body: second } = await post(event('12:00', '13:00', hold(ahead(service, 5))))
  assert.equal((await confirm(second.id, '?require_free=true')).body.status, 'confirmed')
})

test('a hold over an equal one is a hold conflict; lower ones yield', async ({ service, key, post }) => {
  const expires = ahead(service, 5)
  const of = (priority: number) => hold(expires, { hold_priority: priority, ...free })
  const low = await post(event('10:00', '11:00', of(1)))
  assert.equal(low.status, 201)
  assertRefused(await post(event('10:30', '11:30', of(1))), 409, 'conflict', { code: 'hold_conflict' })
  assert.equal((await post(event('10:30', '11:30', of(2)))).status, 201)
  assert.equal((await service.call('GET', `/v1/events/${low.body.id}`, { key })).body.status, 'cancelled')
  await post(event('12:00', '13:00'))
  assertRefused(await post(event('11:45', '12:15', of(9))), 409, 'conflict', { code: 'not_free' })
})

test('a series is judged by its occurrences of 366 days', async ({ post, patch }) => {
  await post({ start_time: '2026-03-20T10:30:00Z', end_time: '2026-03-20T10:45:00Z' })
  await post({ start_time: '2027-03-04T15:30:00Z', end_time: '2027-03-04T15:45:00Z' })
  const daily = (start: string, end: string) => event(start, end, { recurrence_rule: 'FREQ=DAILY', ...free })
  const refusal = await post(daily('10:00', '11:00'), '?explain=true')
  assert.deepEqual([refusal.status, refusal.body.error.code], [409, 'not_free'])
  const { alternatives } = refusal.body.error
  assert.deepEqual(alternatives[0], { start: at('11:00'), end: at('12:00') })
  assert.equal((await post(daily('15:00', '16:00'))).status, 201)
  const made = await post({ ...daily('11:00', '12:00'), require_free: true })
  assert.equal(made.status, 201)
  assertRefused(
    await patch(made.body.id, { start_time: at('10:00'), end_time: at('11:00'), ...free }),
    409,
    'conflict',
    {
      code: 'not_free',
    },
  )
  assert.equal((await patch(made.body.id, { title: 'Own time', ...free })).status, 200)
})

test('a series without an occurrence left takes no time', async ({ service, key, post, patch }) => {
  const { body: made } = await post(event('10:00', '11:00', { recurrence_rule: 'FREQ=DAILY;COUNT=1' }))
  await service.call('DELETE', `/v1/events/${made.id}?occurrence_start=${at('10:00')}`, { key })
  await post(event('10:00', '11:00'))
  assert.equal((await patch(made.id, { title: 'Nothing', ...free })).status, 200)
})

test('an event of more than 366 days is not judged', async ({ post }) => {
  const answer = await post({ start_time: '2026-03-03T10:00:00Z', end_time: '2027-03-05T10:00:00Z', ...free })
  assertRefused(answer, 400, 'bad_request', { param: 'require_free' })
})

test('a refusal names the first thing in the way, and offers times that are accepted', async ({
  service,
  key,
  desk,
  calendar,
  post,
}) => {
  await desk.setRules(calendar.id, { buffer_after_minutes: 15 })
  const { body: made } = await post(event('10:00', '11:00'))
  const { body: held } = await post(event('11:30', '12:00', hold(ahead(service, 5))))
  const { status, headers, body } = await post(event('10:30', '11:45', free), '?explain=true')
  assert.equal(status, 409)
  const { message: _, request_id: __, ...error } = body.error
  const times = (...starts: string[]) =>
    starts.map((start) => ({ start, end: new Date(Date.parse(start) + 75 * 60_000).toISOString() }))
  assert.deepEqual(error, {
    type: 'conflict',
    param: null,
    code: 'not_free',
    conflict: {
      kind: 'event',
      calendar_id: calendar.id,
      event_id: made.id,
      status: 'confirmed',
      start_time: at('10:00'),
      end_time: at('11:00'),
      agent_id: null,
    },
    conflicts: 3,
    alternatives: times(at('12:15'), at('13:30'), at('14:45'), at('16:00'), at('17:15')),
  })
  assert.equal(headers.get('retry-after'), null)

  const busy = await post(event('11:45', '12:05', free), '?explain=true')
  assert.equal(busy.body.error.conflict.event_id, held.id)
  assert.deepEqual([busy.body.error.retry_at, busy.body.error.conflicts], [held.holdExpiresAt, 2])
  assert.equal(Number(busy.headers.get('retry-after')), 300)
  // Each by itself: the buffer after one of them reaches into the next.
  for (const { start, end } of error.alternatives) {
    const taken = await post({ start_time: start, end_time: end, ...free })
    assert.equal(taken.status, 201)
    await service.call('DELETE', `/v1/events/${taken.body.id}`, { key })
  }
  assertRefused(await post(event('10:30', '11:45', free), '?explain=false'), 409, 'conflict', { code: 'not_free' })
})

test('a hold conflict offers times by the rule of holds alone', async ({ service, post }) => {
  const first = await post(event('10:00', '10:30', hold(ahead(service, 3), { hold_priority: 5 })))
  const second = await post(event('10:30', '11:00', hold(ahead(service, 5), { hold_priority: 4 })))
  await post(event('11:00', '12:00', hold(ahead(service, 5))))
  await post(event('09:00', '20:00'))
  const asked = event('10:15', '10:45', hold(ahead(service, 5), { hold_priority: 4 }))
  const { headers, body } = await post(asked, '?explain=true')
  const { conflict, conflicts, alternatives, retry_at, code } = body.error
  assert.deepEqual([code, conflicts, retry_at], ['hold_conflict', 2, second.body.holdExpiresAt])
  assert.equal(headers.get('retry-after'), '300')
  assert.deepEqual(conflict, {
    kind: 'hold',
    calendar_id: first.body.calendarId,
    event_id: first.body.id,
    hold_priority: 5,
    hold_expires_at: first.body.holdExpiresAt,
    start_time: at('10:00'),
    end_time: at('10:30'),
    agent_id: null,
  })
  assert.deepEqual(alternatives[0], { start: at('11:00'), end: at('11:30') })
  assert.equal(alternatives.length, 5)
  assertRefused(await post(asked), 409, 'conflict', { code: 'hold_conflict' })
  const both = await post({ ...asked, ...free }, '?explain=true')
  assert.deepEqual([both.body.error.code, both.body.error.conflict.event_id], ['hold_conflict', first.body.id])
  assert.deepEqual(both.body.error.alternatives[0], { start: at('20:00'), end: at('20:30') })
  assert.ok(!('retry_at' in both.body.error))
})

test('a refusal spends none of the events of the month', async ({ service, key, post }) => {
  const used = async () => (await service.call('GET', '/v1/usage', { key })).body
  await post(event('10:00', '11:00'))
  const before = JSON.stringify((await used()).events ?? (await used()))
  for (let n = 0; n < 3; n++) assert.equal((await post(event('10:00', '11:00', free), '?explain=true')).status, 409)
  assert.equal(JSON.stringify((await used()).events ?? 0), before)
})
