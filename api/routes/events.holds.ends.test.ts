// How a hold ends: it is confirmed, released, deleted, or it expires.
import assert from 'node:assert/strict'
import { decodeId } from '../../src/shapes/ids.ts'
import { makeEvent } from '../../src/testing/factories.ts'
import { type Desk, holdTest } from '../../src/testing/holds.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = holdTest()

test('a confirmed hold is a confirmed event that keeps its hold_expires_at', async ({
  service,
  receiver,
  desk: { calendar, hold, confirm, get, told },
}) => {
  const before = await hold({ hold_priority: 3, metadata: { a: 1 }, description: 'd', reminders: [5] })
  await service.clock.advance(60_000)
  const { status, body } = await confirm(before.id)
  assert.equal(status, 200)
  assert.deepEqual(body, { ...before, status: 'confirmed', updatedAt: service.clock.now().toISOString() })
  assert.equal(body.holdExpiresAt, before.holdExpiresAt)
  assert.deepEqual(await get(before.id), body)
  await service.drain()
  assert.deepEqual(told({ it: before.id }), ['event.hold_created it', 'event.hold_confirmed it'])
  assert.deepEqual(receiver.received[1]?.payload, { calendar_id: calendar.id, event: body })
  await service.clock.advance(10 * 60_000)
  await service.drain()
  assert.equal(receiver.received.length, 2, 'it does not expire any more')
  assert.equal((await get(before.id)).status, 'confirmed')
})

test('a released hold is a cancelled event, and its time is free', async ({
  service,
  receiver,
  desk: { calendar, place, hold, release, told },
}) => {
  const before = await hold()
  await service.clock.advance(1_000)
  const { status, body } = await release(before.id)
  assert.equal(status, 200)
  assert.deepEqual(body, { ...before, status: 'cancelled', updatedAt: service.clock.now().toISOString() })
  assert.equal((await place()).status, 201)
  await service.drain()
  assert.deepEqual(told({ it: before.id }).slice(0, 2), ['event.hold_created it', 'event.hold_released it'])
  assert.deepEqual(receiver.received[1]?.payload, { calendar_id: calendar.id, event_id: before.id })
})

test('a confirmed hold blocks no other hold and can be edited', async ({
  service,
  key,
  desk: { pathOf, place, hold, confirm },
}) => {
  const { id } = await hold()
  await confirm(id)
  assert.equal((await place()).status, 201)
  const edited = await service.call('PATCH', pathOf(id), { key, body: { status: 'tentative' } })
  assert.equal(edited.body.status, 'tentative')
})

test('confirm and release say why an event is no longer a hold', async ({
  service,
  key,
  openDesk,
  desk: { calendar, confirm, release },
}) => {
  const notHold = { code: 'not_a_hold' }
  const expired = { code: 'hold_expired' }
  const ended: [string, (desk: Desk, id: string) => Promise<unknown>, { code: string }][] = [
    ['confirmed', ({ confirm }, id) => confirm(id), notHold],
    ['released', ({ release }, id) => release(id), notHold],
    ['preempted', ({ hold }) => hold({ hold_priority: 50 }), notHold],
    ['lapsed', () => service.clock.advance(5 * 60_000), expired],
    ['expired', () => service.clock.advance(5 * 60_000).then(service.drain), expired],
  ]
  for (const [name, end, detail] of ended) {
    const other = await openDesk()
    const { id } = await other.hold()
    await end(other, id)
    const before = await other.get(id)
    assertRefused(await confirm(id), 409, 'conflict', detail)
    assertRefused(await release(id), 409, 'conflict', detail)
    assert.deepEqual(await other.get(id), before, name)
  }
  for (const status of ['confirmed', 'tentative', 'cancelled']) {
    const event = await makeEvent(service, key, calendar.id, { status })
    assertRefused(await confirm(event.id), 409, 'conflict', notHold)
    assertRefused(await release(event.id), 409, 'conflict', notHold)
  }
})

test('a hold expires exactly at hold_expires_at', async ({
  service,
  receiver,
  desk: { calendar, place, hold, confirm, get, told },
}) => {
  const first = await hold()
  await service.clock.advance(5 * 60_000 - 1)
  await service.drain()
  assert.equal((await get(first.id)).status, 'hold')
  assertRefused(await place(), 409, 'conflict', { code: 'hold_conflict' })
  await service.clock.advance(1)
  assert.equal((await get(first.id)).status, 'cancelled')
  assertRefused(await confirm(first.id), 409, 'conflict', { code: 'hold_expired' })
  await service.drain()
  await service.drain()
  assert.deepEqual(told({ first: first.id }), ['event.hold_created first', 'event.hold_expired first'])
  assert.deepEqual(receiver.received[1]?.payload, { calendar_id: calendar.id, event_id: first.id })
  assert.equal((await get(first.id)).status, 'cancelled')
})

test('a lapsed hold is expired for every read and write, even before its timer fires', async ({
  service,
  desk: { hold, confirm, release, get, list, told },
}) => {
  const lapsed = await hold({ hold_priority: 100 })
  await service.clock.advance(5 * 60_000)
  assert.equal((await get(lapsed.id)).status, 'cancelled')
  assert.equal((await list('status=hold')).total, 0)
  const { data, total } = await list('status=cancelled')
  assert.deepEqual([data.length, data[0].status, total], [1, 'cancelled', 1])
  assertRefused(await confirm(lapsed.id), 409, 'conflict', { code: 'hold_expired' })
  assertRefused(await release(lapsed.id), 409, 'conflict', { code: 'hold_expired' })
  const next = await hold()
  assert.equal((await get(next.id)).status, 'hold')
  await service.drain()
  const names = { lapsed: lapsed.id, next: next.id }
  assert.deepEqual(told(names).toSorted(), [
    'event.hold_created lapsed',
    'event.hold_created next',
    'event.hold_expired lapsed',
  ])
})

test('a lapsed hold is edited and deleted as a cancelled event, and event.hold_expired is sent as well', async ({
  service,
  key,
  desk: { at, pathOf, hold, confirm, told },
}) => {
  const edited = await hold()
  const deleted = await hold({ start_time: at(200), end_time: at(210) })
  await service.clock.advance(5 * 60_000)
  const status = await service.call('PATCH', pathOf(edited.id), { key, body: { status: 'confirmed' } })
  assertRefused(status, 400, 'invalid_transition', { param: 'status' })
  const renamed = await service.call('PATCH', pathOf(edited.id), { key, body: { title: 'Lost' } })
  assert.equal(renamed.status, 200)
  assert.deepEqual([renamed.body.title, renamed.body.status], ['Lost', 'cancelled'])
  assert.equal((await service.call('DELETE', pathOf(deleted.id), { key })).status, 204)
  await service.drain()
  const names = { edited: edited.id, deleted: deleted.id }
  const of = (name: string) => told(names).filter((line) => line.endsWith(` ${name}`))
  assert.deepEqual(of('edited').toSorted(), [
    'event.hold_created edited',
    'event.hold_expired edited',
    'event.updated edited',
  ])
  assert.deepEqual(of('deleted').toSorted(), [
    'event.deleted deleted',
    'event.hold_created deleted',
    'event.hold_expired deleted',
  ])
  assertRefused(await confirm(edited.id), 409, 'conflict', { code: 'hold_expired' })
})

test('a deleted hold frees its time and does not expire', async ({
  service,
  key,
  desk: { at, pathOf, place, hold, told },
}) => {
  const { id } = await hold()
  assert.equal((await service.call('DELETE', pathOf(id), { key })).status, 204)
  assert.equal((await place({ hold_expires_at: at(15) })).status, 201)
  await service.clock.advance(6 * 60_000)
  await service.drain()
  assert.deepEqual(
    told({ it: id })
      .filter((line) => line.endsWith(' it'))
      .toSorted(),
    ['event.deleted it', 'event.hold_created it'],
  )
})

test('holds of a deleted calendar do not expire', async ({ service, key, receiver, desk: { calendar, hold } }) => {
  await hold()
  assert.equal((await service.call('DELETE', `/v1/calendars/${calendar.id}`, { key })).status, 204)
  await service.clock.advance(6 * 60_000)
  await service.drain()
  assert.deepEqual(receiver.types(), ['event.hold_created'])
  const [row] = await service.app
    .sql`select count(*)::integer as n from timers where calendar_id = ${decodeId('cal', calendar.id)!}`
  assert.equal(row?.n, 0, 'the stale timer was dropped')
})
