import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, test } from 'vitest'
import type { App } from '../../src/app.ts'
import { decodeId } from '../../src/shapes/ids.ts'
import type { Answer } from '../../src/testing/answer.ts'
import { ahead, makeCalendar, makeEvent, makeHold, makeOrganization, makeWebhook } from '../../src/testing/factories.ts'
import { openTestService, type TestService, testStart } from '../../src/testing/harness.ts'
import { openChild, openProcess, type TestProcess } from '../../src/testing/process.ts'
import { openReceiver, type Receiver } from '../../src/testing/receiver.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { shardOf } from '../../src/timers/timers.ts'
import { fireDue } from '../../workers/timers.ts'

let service: TestService
/** A second API server on the same database. */
let second: TestProcess
let receiver: Receiver
let key: string
// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
let calendar: any

const terminalTypes = ['event.hold_expired', 'event.hold_released', 'event.hold_confirmed']
const types = ['event.hold_created', ...terminalTypes, 'event.created', 'event.updated', 'event.deleted']

beforeAll(async () => {
  service = await openTestService()
  second = await openProcess(service)
  receiver = await openReceiver()
  ;({ key } = await makeOrganization(service, { plan: 'custom' }))
  await makeWebhook(service, key, receiver.url, types)
})
beforeEach(async () => {
  await service.clock.set(testStart)
  calendar = await makeCalendar(service, key)
  await service.drain()
  receiver.received.length = 0
})
afterAll(async () => {
  await receiver.close()
  await second.close()
  await service.close()
})

const at = (minutes: number) => ahead(service, minutes)
const atMs = (ms: number) => ahead(service, ms / 60_000)
const pathOf = (eventId?: string) => `/v1/calendars/${calendar.id}/events${eventId ? `/${eventId}` : ''}`
const bodyOf = (body: object = {}) => ({
  title: 'Hold',
  start_time: at(60),
  end_time: at(90),
  status: 'hold',
  hold_expires_at: at(5),
  ...body,
})
const place = (body: object = {}, call = service.call) => call('POST', pathOf(), { key, body: bodyOf(body) })
const hold = (body: object = {}) => makeHold(service, key, calendar.id, body)
const confirm = (eventId: string, call = service.call) => call('PUT', `/v1/events/${eventId}/confirm`, { key })
const release = (eventId: string, call = service.call) => call('PUT', `/v1/events/${eventId}/release`, { key })
const get = async (eventId: string) => (await service.call('GET', pathOf(eventId), { key })).body
const list = async (query: string) => (await service.call('GET', `${pathOf()}?${query}`, { key })).body

/** What the receiver was told of this calendar, by the short name of the hold. */
function told(names: Record<string, string>): string[] {
  const nameOf = (id: string) => Object.keys(names).find((name) => names[name] === id) ?? id
  return receiver.received
    .filter(({ payload }) => payload.calendar_id === calendar.id)
    .map(({ type, payload }) => `${type} ${nameOf(payload.event_id ?? payload.event.id)}`)
}

const countBy = (answers: Answer[]) =>
  Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]))

test('a hold is an event of status hold, told as event.hold_created', async () => {
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

test('a hold lives 30 seconds to 15 minutes, with one second of grace for the way of the request', async () => {
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

test('hold_priority is 0 to 100, hold_expires_at is required, a hold does not recur', async () => {
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

test('holds need a paid plan, whatever else an event needs comes first', async () => {
  const free = await makeOrganization(service, { plan: 'free' })
  const theirs = await makeCalendar(service, free.key)
  const call = (body: object) =>
    service.call('POST', `/v1/calendars/${theirs.id}/events`, { key: free.key, body: bodyOf(body) })
  assertRefused(await call({}), 403, 'plan_required', { feature: 'temporal_holds' })
  assertRefused(await call({ title: '' }), 400, 'validation_error', { param: 'title' })
  assertRefused(await call({ hold_expires_at: at(16) }), 400, 'validation_error', { param: 'hold_expires_at' })
  assert.equal((await call({ status: 'confirmed', hold_expires_at: undefined })).status, 201)
})

test('an overlapping hold of equal or lower priority is a conflict and changes nothing', async () => {
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

test('holds that only touch do not meet, nor do holds of different calendars', async () => {
  await hold()
  assert.equal((await place({ start_time: at(30), end_time: at(60) })).status, 201)
  assert.equal((await place({ start_time: at(90), end_time: at(120) })).status, 201)
  const other = await makeCalendar(service, key)
  await makeHold(service, key, other.id)
})

test('a hold takes no notice of confirmed, tentative and cancelled events, nor they of it', async () => {
  for (const status of ['confirmed', 'tentative', 'cancelled']) await makeEvent(service, key, calendar.id, { status })
  await hold()
  for (const status of ['confirmed', 'tentative', 'cancelled']) await makeEvent(service, key, calendar.id, { status })
})

test('a hold of strictly greater priority pre-empts all that it overlaps, and only those', async () => {
  const early = await hold({ start_time: at(60), end_time: at(75), hold_priority: 1 })
  const late = await hold({ start_time: at(75), end_time: at(90), hold_priority: 9 })
  const aside = await hold({ start_time: at(90), end_time: at(120) })
  await service.drain()
  receiver.received.length = 0
  assertRefused(await place({ hold_priority: 9 }), 409, 'conflict', { code: 'hold_conflict' })
  assert.equal((await get(early.id)).status, 'hold', 'one that blocks saves the others too')
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

test('the receiver is told of the pre-empted hold first, even when that must be tried again', async () => {
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

test('a hold that is confirmed becomes a confirmed event that keeps when it would have expired', async () => {
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
  assert.equal(receiver.received.length, 2, 'its expiry does not come any more')
  assert.equal((await get(before.id)).status, 'confirmed')
})

test('a hold that is released becomes a cancelled event, and its place is free', async () => {
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

test('a confirmed hold is an event like any other: it blocks no hold and can be edited', async () => {
  const { id } = await hold()
  await confirm(id)
  assert.equal((await place()).status, 201)
  const edited = await service.call('PATCH', pathOf(id), { key, body: { status: 'tentative' } })
  assert.equal(edited.body.status, 'tentative')
})

test('confirm and release say why a hold is none any more', async () => {
  const notHold = { code: 'not_a_hold' }
  const expired = { code: 'hold_expired' }
  const ended: [string, (id: string) => Promise<unknown>, { code: string }][] = [
    ['confirmed', (id) => confirm(id), notHold],
    ['released', (id) => release(id), notHold],
    ['preempted', () => hold({ hold_priority: 50 }), notHold],
    ['lapsed', () => service.clock.advance(5 * 60_000), expired],
    ['expired', () => service.clock.advance(5 * 60_000).then(service.drain), expired],
  ]
  for (const [name, end, detail] of ended) {
    calendar = await makeCalendar(service, key)
    const { id } = await hold()
    await end(id)
    const before = await get(id)
    assertRefused(await confirm(id), 409, 'conflict', detail)
    assertRefused(await release(id), 409, 'conflict', detail)
    assert.deepEqual(await get(id), before, name)
  }
  for (const status of ['confirmed', 'tentative', 'cancelled']) {
    const event = await makeEvent(service, key, calendar.id, { status })
    assertRefused(await confirm(event.id), 409, 'conflict', notHold)
    assertRefused(await release(event.id), 409, 'conflict', notHold)
  }
})

test('a hold expires at its very moment, not a millisecond before', async () => {
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

test('a hold that has lapsed is expired for every read and write before its timer has run', async () => {
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

test('a lapsed hold is edited and deleted as the cancelled event that it is, after it was told to have expired', async () => {
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

test('deleting a hold frees its place and silences its expiry', async () => {
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

test('deleting a calendar silences the expiry of its holds', async () => {
  await hold()
  assert.equal((await service.call('DELETE', `/v1/calendars/${calendar.id}`, { key })).status, 204)
  await service.clock.advance(6 * 60_000)
  await service.drain()
  assert.deepEqual(receiver.types(), ['event.hold_created'])
  const [row] = await service.app
    .sql`select count(*)::integer as n from timers where calendar_id = ${decodeId('cal', calendar.id)!}`
  assert.equal(row?.n, 0, 'the stale timer was dropped')
})

test('of 50 simultaneous overlapping holds of one priority exactly one is granted', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => place({ start_time: at(60 + (n % 7)), hold_priority: 4 })),
  )
  assert.deepEqual(countBy(answers), { 201: 1, 409: 49 })
  for (const answer of answers) {
    if (answer.status === 409) assertRefused(answer, 409, 'conflict', { code: 'hold_conflict' })
  }
  assert.equal((await list('status=hold')).total, 1)
  await service.drain()
  assert.deepEqual(receiver.types(), ['event.hold_created'])
})

test('the same through two API servers on one database', async () => {
  for (let round = 0; round < 5; round++) {
    calendar = await makeCalendar(service, key)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => place({}, n % 2 ? service.call : second.call)),
    )
    assert.deepEqual(countBy(answers), { 201: 1, 409: 49 })
    assert.equal((await list('status=hold')).total, 1)
  }
})

/** Runs statements in a transaction that ends when `waiting` other statements wait for a row of it. */
async function whileOpen<T>(
  change: (sql: App['sql']) => Promise<unknown>,
  waiting: number,
  work: () => Promise<T>,
): Promise<T> {
  const { sql } = service.app
  const open = await sql.reserve()
  await open`begin`
  await change(open as unknown as App['sql'])
  let isDone = false
  const outcome = work().finally(() => {
    isDone = true
  })
  while (!isDone) {
    const [row] = await sql`
      select count(*)::integer as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    if (row?.n >= waiting) break
  }
  await open`commit`
  open.release()
  return outcome
}

test('two processes that both decided to grant a hold: one is granted', async (t) => {
  const child = await openChild(service)
  t.onTestFinished(async () => {
    await child.close()
  })
  await service.clock.set(new Date())
  for (let round = 0; round < 5; round++) {
    const times = { start_time: at(round * 60), end_time: at(round * 60 + 60) }
    const lock = (sql: App['sql']) => sql`select from calendars where id = ${decodeId('cal', calendar.id)!} for update`
    const answers = await whileOpen(lock, 2, () => Promise.all([place(times), place(times, child.call)]))
    assert.deepEqual(countBy(answers), { 201: 1, 409: 1 })
  }
})

test('two processes that both decided to end a hold: one does', async (t) => {
  const child = await openChild(service)
  t.onTestFinished(async () => {
    await child.close()
  })
  await service.clock.set(new Date())
  for (let round = 0; round < 5; round++) {
    const { id } = await hold({ start_time: at(round * 60), end_time: at(round * 60 + 60) })
    const lock = (sql: App['sql']) => sql`select from calendars where id = ${decodeId('cal', calendar.id)!} for update`
    const answers = await whileOpen(lock, 2, () => Promise.all([confirm(id), release(id, child.call)]))
    assert.deepEqual(countBy(answers), { 200: 1, 409: 1 })
    assert.deepEqual(await get(id), answers.find(({ status }) => status === 200)?.body)
  }
})

test('an expiry that meets a confirmation under way leaves the hold to it', async () => {
  const { id } = await hold()
  await service.drain()
  await service.clock.advance(5 * 60_000)
  const uuid = decodeId('evt', id)!
  // What a confirmation writes that was decided a moment before the expiry.
  const confirmation = async (sql: App['sql']) => {
    await sql`
      update calendars set revision = revision + 1, holds_revision = holds_revision + 1, hold_events = hold_events - 1,
        confirmed_events = confirmed_events + 1 where id = ${decodeId('cal', calendar.id)!}`
    await sql`update events set status = 'confirmed', hold_outcome = 'confirmed' where id = ${uuid}`
    await sql`delete from timers where subject_id = ${uuid}`
  }
  await whileOpen(confirmation, 1, () => fireDue(service.app, shardOf(uuid)))
  await service.drain()
  assert.equal((await get(id)).status, 'confirmed')
  assert.deepEqual(told({ it: id }), ['event.hold_created it'])
})

test('simultaneous holds of rising priority end as if they had come one at a time', async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => place({ hold_priority: n }, n % 2 ? service.call : second.call)),
  )
  assert.equal(answers[29]?.status, 201, 'nothing can be in the way of the highest')
  const living = (await list('status=hold')).data
  assert.deepEqual(
    living.map(({ holdPriority }: { holdPriority: number }) => holdPriority),
    [29],
  )
  await service.drain()
  const granted = answers.filter(({ status }) => status === 201).map(({ body }) => body)
  const created = receiver.received.filter(({ type }) => type === 'event.hold_created')
  const expired = receiver.received
    .filter(({ type }) => type === 'event.hold_expired')
    .map(({ payload }) => payload.event_id)
  assert.equal(created.length, granted.length)
  assert.deepEqual(
    expired.toSorted(),
    granted
      .filter(({ holdPriority }) => holdPriority < 29)
      .map(({ id }) => id)
      .toSorted(),
  )
})

test('confirm and release at the same instant have one winner and one terminal event', async () => {
  for (let round = 0; round < 15; round++) {
    const { id } = await hold({ start_time: at(round * 60), end_time: at(round * 60 + 60) })
    const answers = await Promise.all([confirm(id), release(id, second.call), confirm(id, second.call), release(id)])
    assert.deepEqual(countBy(answers), { 200: 1, 409: 3 })
    for (const answer of answers.filter(({ status }) => status === 409))
      assertRefused(answer, 409, 'conflict', { code: 'not_a_hold' })
    const winner = answers.find(({ status }) => status === 200)!.body
    assert.deepEqual(await get(id), winner)
    await service.drain()
    const terminal = told({ it: id }).filter((line) => line.endsWith(' it') && !line.startsWith('event.hold_created'))
    assert.deepEqual(terminal, [winner.status === 'confirmed' ? 'event.hold_confirmed it' : 'event.hold_released it'])
  }
})

/**
 * The database's clock reaches the expiry while the API's has not: so confirm, release and expiry are all allowed, and only
 * the row decides who was first.
 */
test('confirm, release and expiry at the same instant have one winner and one terminal event', async () => {
  const winners = new Set<string>()
  const { sql } = service.app
  for (let round = 0; round < 40; round++) {
    const { id } = await hold({ start_time: at(round * 60), end_time: at(round * 60 + 60) })
    await sql`update test_clock set at = ${new Date(testStart.getTime() + 5 * 60_000)}`
    const shard = shardOf(decodeId('evt', id)!)
    // A request takes some milliseconds on its way: with this head start either may be first.
    const fire = (app: App) => pause(round % 12).then(() => fireDue(app, shard))
    const [confirmed, released] = await Promise.all([
      round % 3 === 0 ? undefined : confirm(id),
      round % 3 === 1 ? undefined : release(id, second.call),
      fire(service.app),
      fire(second.app),
    ])
    // What was skipped because somebody else held the row at that moment comes due again.
    await fireDue(service.app, shard)
    await sql`update test_clock set at = ${testStart}`
    const winner =
      confirmed?.status === 200
        ? 'event.hold_confirmed'
        : released?.status === 200
          ? 'event.hold_released'
          : 'event.hold_expired'
    winners.add(winner)
    assert.ok(!(confirmed?.status === 200 && released?.status === 200))
    await service.drain()
    const terminal = told({ it: id }).filter((line) => line.endsWith(' it') && !line.startsWith('event.hold_created'))
    assert.deepEqual(terminal, [`${winner} it`])
    for (const answer of [confirmed, released]) {
      if (answer && answer.status !== 200) {
        assertRefused(answer, 409, 'conflict', {
          code: winner === 'event.hold_expired' ? 'hold_expired' : 'not_a_hold',
        })
      }
    }
    assert.equal((await get(id)).status, winner === 'event.hold_confirmed' ? 'confirmed' : 'cancelled')
  }
  assert.ok(winners.size >= 2, `the race always had the same winner: ${[...winners]}`)
})

test('a pre-empting hold and the confirmation of the one it overlaps leave one of both', async () => {
  for (let round = 0; round < 15; round++) {
    const times = { start_time: at(round * 60), end_time: at(round * 60 + 60) }
    const { id } = await hold(times)
    const [confirmed, other] = await Promise.all([confirm(id), place({ ...times, hold_priority: 1 }, second.call)])
    assert.equal(other.status, 201, 'a confirmed event is no obstacle either')
    const { status } = await get(id)
    assert.equal(status, confirmed.status === 200 ? 'confirmed' : 'cancelled')
    if (confirmed.status !== 200) assertRefused(confirmed, 409, 'conflict', { code: 'not_a_hold' })
    await service.drain()
    const terminal = told({ it: id }).filter((line) => line.endsWith(' it') && !line.startsWith('event.hold_created'))
    assert.deepEqual(terminal, [status === 'confirmed' ? 'event.hold_confirmed it' : 'event.hold_expired it'])
  }
})
