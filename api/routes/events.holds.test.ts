// Placing a hold: what is accepted, what it conflicts with, what it pre-empts.
import assert from 'node:assert/strict'
import { makeCalendar, makeEvent, makeHold, makeOrganization } from '../../src/testing/factories.ts'
import { holdBody, holdTest } from '../../src/testing/holds.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = holdTest()

test('a hold is an event of status hold, sent as event.hold_created', async ({
  service,
  receiver,
  desk: { at, calendar, place, get },
}) => {
  const { status, body } = await place({ hold_priority: 7 })
  assert.equal(status, 201)
  assert.equal(body.status, 'hold')
  assert.equal(body.holdPriority, 7)
  assert.equal(body.holdExpiresAt, at(5))
  assert.deepEqual(await get(body.id), body)
  await service.drain()
  assert.deepEqual(
    receiver.received.map(({ type, payload }) => ({ type, payload })),
    [{ type: 'event.hold_created', payload: { calendar_id: calendar.id, event: body } }],
  )
})

test('a hold lasts 30 seconds to 15 minutes, with a second of grace for the time a request takes', async ({
  desk: { at, atMs, place },
}) => {
  const refused = { param: 'hold_expires_at' }
  for (const ms of [-1, 0, 1_000, 28_999, 15 * 60_000 + 1, 24 * 60 * 60_000]) {
    assertRefused(await place({ hold_expires_at: atMs(ms) }), 400, 'validation_error', refused)
  }
  for (const [index, ms] of [29_000, 30_000, 15 * 60_000].entries()) {
    const times = { start_time: at(60 + index * 30), end_time: at(90 + index * 30) }
    const answer = await place({ hold_expires_at: atMs(ms), ...times })
    assert.equal(answer.status, 201, `${ms}`)
    assert.equal(answer.body.holdExpiresAt, atMs(ms))
  }
})

test('hold_priority is 0 to 100, hold_expires_at is required, a hold does not recur', async ({ desk: { place } }) => {
  const table: [body: object, param: string, code?: string][] = [
    [{ hold_priority: -1 }, 'hold_priority'],
    [{ hold_priority: 101 }, 'hold_priority'],
    [{ hold_priority: 1.5 }, 'hold_priority'],
    [{ hold_priority: null }, 'hold_priority'],
    [{ hold_expires_at: undefined }, 'hold_expires_at'],
    [{ hold_expires_at: null }, 'hold_expires_at'],
    [{ hold_expires_at: 'soon' }, 'hold_expires_at', 'invalid_time_format'],
    [{ recurrence_rule: 'FREQ=DAILY;COUNT=2' }, 'recurrence_rule'],
  ]
  for (const [body, param, code] of table) {
    assertRefused(await place(body), 400, 'validation_error', { param, ...(code && { code }) })
  }
  assert.equal((await place({ hold_priority: 0 })).status, 201)
  assert.equal((await place({ hold_priority: 100 })).status, 201)
})

test('holds need a paid plan; the fields of the event are checked first', async ({ service, desk: { at } }) => {
  const free = await makeOrganization(service, { plan: 'free' })
  const theirs = await makeCalendar(service, free.key)
  const call = (body: object) =>
    service.call('POST', `/v1/calendars/${theirs.id}/events`, { key: free.key, body: holdBody(service, body) })
  assertRefused(await call({}), 403, 'plan_required', { feature: 'temporal_holds' })
  assertRefused(await call({ title: '' }), 400, 'validation_error', { param: 'title' })
  assertRefused(await call({ hold_expires_at: at(16) }), 400, 'validation_error', { param: 'hold_expires_at' })
  assert.equal((await call({ status: 'confirmed', hold_expires_at: undefined })).status, 201)
})

test('an overlapping hold of equal or lower priority is a conflict and changes nothing', async ({
  service,
  desk: { at, atMs, place, hold, list, told },
}) => {
  const first = await hold({ hold_priority: 5 })
  for (const body of [
    { hold_priority: 5 },
    { hold_priority: 4 },
    {},
    { hold_priority: 5, start_time: at(0), end_time: at(1_000) },
    { hold_priority: 5, start_time: at(70), end_time: at(71) },
    { hold_priority: 5, start_time: at(30), end_time: atMs(60 * 60_000 + 1) },
    { hold_priority: 5, start_time: atMs(90 * 60_000 - 1), end_time: at(100) },
  ]) {
    assertRefused(await place(body), 409, 'conflict', { code: 'hold_conflict' })
  }
  assert.deepEqual(await list(''), { data: [first], total: 1, limit: 50, offset: 0 })
  await service.drain()
  assert.deepEqual(told({ first: first.id }), ['event.hold_created first'])
})

test('holds that only touch do not overlap, nor do holds of different calendars', async ({
  service,
  key,
  desk: { at, place, hold },
}) => {
  await hold()
  assert.equal((await place({ start_time: at(30), end_time: at(60) })).status, 201)
  assert.equal((await place({ start_time: at(90), end_time: at(120) })).status, 201)
  const other = await makeCalendar(service, key)
  await makeHold(service, key, other.id)
})

test('holds do not conflict with confirmed, tentative and cancelled events', async ({
  service,
  key,
  desk: { calendar, hold },
}) => {
  for (const status of ['confirmed', 'tentative', 'cancelled']) await makeEvent(service, key, calendar.id, { status })
  await hold()
  for (const status of ['confirmed', 'tentative', 'cancelled']) await makeEvent(service, key, calendar.id, { status })
})

test('a hold of greater priority pre-empts the holds that it overlaps, and no others', async ({
  service,
  receiver,
  desk: { at, calendar, place, hold, get, told },
}) => {
  const early = await hold({ start_time: at(60), end_time: at(75), hold_priority: 1 })
  const late = await hold({ start_time: at(75), end_time: at(90), hold_priority: 9 })
  const aside = await hold({ start_time: at(90), end_time: at(120) })
  await service.drain()
  receiver.received.length = 0
  assertRefused(await place({ hold_priority: 9 }), 409, 'conflict', { code: 'hold_conflict' })
  assert.equal((await get(early.id)).status, 'hold', 'a hold that blocks protects the others too')
  const winner = await hold({ hold_priority: 10 })
  assert.equal((await get(early.id)).status, 'cancelled')
  assert.equal((await get(late.id)).status, 'cancelled')
  assert.equal((await get(aside.id)).status, 'hold')
  await service.drain()
  const names = { early: early.id, late: late.id, winner: winner.id, aside: aside.id }
  assert.deepEqual(told(names), ['event.hold_expired early', 'event.hold_expired late', 'event.hold_created winner'])
  assert.deepEqual(receiver.received[0]?.payload, { calendar_id: calendar.id, event_id: early.id })
  await service.clock.advance(6 * 60_000)
  await service.drain()
  assert.deepEqual(told(names).slice(3).sort(), ['event.hold_expired aside', 'event.hold_expired winner'])
})

test('the receiver hears of the pre-empted hold before the new one, even if that takes several attempts', async ({
  service,
  receiver,
  desk: { at, hold, told },
}) => {
  const loser = await hold()
  await service.drain()
  receiver.received.length = 0
  let refusals = 2
  receiver.answer = ({ type }) => (type === 'event.hold_expired' && refusals-- > 0 ? 500 : 200)
  const winner = await hold({ hold_priority: 1, hold_expires_at: at(15) })
  for (let minutes = 0; minutes < 10; minutes++) {
    await service.drain()
    await service.clock.advance(60_000)
  }
  receiver.answer = () => 200
  const expired = 'event.hold_expired loser'
  assert.deepEqual(told({ loser: loser.id, winner: winner.id }), [
    expired,
    expired,
    expired,
    'event.hold_created winner',
  ])
})
