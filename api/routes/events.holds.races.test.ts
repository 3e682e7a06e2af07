// Requests about the same holds at the same instant, from one process and from two.
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../../src/app.ts'
import { decodeId } from '../../src/shapes/ids.ts'
import type { Answer } from '../../src/testing/answer.ts'
import { testStart } from '../../src/testing/harness.ts'
import { holdTest } from '../../src/testing/holds.ts'
import { whileOpen } from '../../src/testing/locks.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { fireDue } from '../../workers/timers.ts'

const test = holdTest()

const countBy = (answers: Answer[]) =>
  Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]))

test('of 50 simultaneous overlapping holds of one priority exactly one is granted', async ({
  service,
  receiver,
  desk: { at, place, list },
}) => {
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

test('of 50 overlapping holds that two processes are asked for at once exactly one is granted', async ({
  service,
  second,
  openDesk,
}) => {
  for (let round = 0; round < 5; round++) {
    const { place, list } = await openDesk()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => place({}, n % 2 ? service.call : second.call)),
    )
    assert.deepEqual(countBy(answers), { 201: 1, 409: 49 })
    assert.equal((await list('status=hold')).total, 1)
  }
})

test('of two processes that both decide to grant a hold one does', async ({
  service,
  second,
  desk: { at, place, lock },
}) => {
  for (let round = 0; round < 5; round++) {
    const times = { start_time: at(round * 60), end_time: at(round * 60 + 60) }
    const answers = await whileOpen(service.app.sql, {
      change: lock,
      waiting: 2,
      work: () => Promise.all([place(times), place(times, second.call)]),
    })
    assert.deepEqual(countBy(answers), { 201: 1, 409: 1 })
  }
})

test('of two processes that both decide to end a hold one does', async ({
  service,
  second,
  desk: { at, hold, confirm, release, get, lock },
}) => {
  for (let round = 0; round < 5; round++) {
    const { id } = await hold({ start_time: at(round * 60), end_time: at(round * 60 + 60) })
    const answers = await whileOpen(service.app.sql, {
      change: lock,
      waiting: 2,
      work: () => Promise.all([confirm(id), release(id, second.call)]),
    })
    assert.deepEqual(countBy(answers), { 200: 1, 409: 1 })
    assert.deepEqual(await get(id), answers.find(({ status }) => status === 200)?.body)
  }
})

test('an expiry leaves the hold to a confirmation that is being written', async ({
  service,
  desk: { calendar, hold, get, told },
}) => {
  const { id } = await hold()
  await service.drain()
  await service.clock.advance(5 * 60_000)
  const uuid = decodeId('evt', id)!
  // The write of a confirmation that is decided a moment before the expiry.
  const confirmation = async (sql: App['sql']) => {
    await sql`
      update calendars set revision = revision + 1, hold_events = hold_events - 1,
        confirmed_events = confirmed_events + 1 where id = ${decodeId('cal', calendar.id)!}`
    await sql`update events set status = 'confirmed', hold_outcome = 'confirmed' where id = ${uuid}`
    await sql`delete from timers where subject_id = ${uuid}`
  }
  await whileOpen(service.app.sql, {
    change: confirmation,
    waiting: 0,
    work: () => fireDue(service.app),
  })
  await service.drain()
  assert.equal((await get(id)).status, 'confirmed')
  assert.deepEqual(told({ it: id }), ['event.hold_created it'])
})

test('simultaneous holds of rising priority end as if they came one at a time', async ({
  service,
  second,
  receiver,
  desk: { place, list },
}) => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => place({ hold_priority: n }, n % 2 ? service.call : second.call)),
  )
  assert.equal(answers[29]?.status, 201, 'nothing blocks the highest priority')
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

test('confirm and release at the same instant have one winner and one terminal event', async ({
  service,
  second,
  desk: { at, hold, confirm, release, get, endsOf },
}) => {
  for (let round = 0; round < 15; round++) {
    const { id } = await hold({ start_time: at(round * 60), end_time: at(round * 60 + 60) })
    const answers = await Promise.all([confirm(id), release(id, second.call), confirm(id, second.call), release(id)])
    assert.deepEqual(countBy(answers), { 200: 1, 409: 3 })
    for (const answer of answers.filter(({ status }) => status === 409))
      assertRefused(answer, 409, 'conflict', { code: 'not_a_hold' })
    const winner = answers.find(({ status }) => status === 200)!.body
    assert.deepEqual(await get(id), winner)
    await service.drain()
    assert.deepEqual(endsOf(id), [winner.status === 'confirmed' ? 'event.hold_confirmed' : 'event.hold_released'])
  }
})

// The database's clock has reached the expiry and the API's has not: confirm, release and expiry are all allowed, and only
// the row decides which of them is first.
test('confirm, release and expiry at the same instant have one winner and one terminal event', async ({
  service,
  second,
  desk: { at, hold, confirm, release, get, endsOf },
}) => {
  const winners = new Set<string>()
  const { sql } = service.app
  for (let round = 0; round < 40; round++) {
    const { id } = await hold({ start_time: at(round * 60), end_time: at(round * 60 + 60) })
    await sql`update test_clock set at = ${new Date(testStart.getTime() + 5 * 60_000)}`
    // A request takes some milliseconds on its way: with this head start either may be first.
    const fire = (app: App) => pause(round % 12).then(() => fireDue(app))
    const [confirmed, released] = await Promise.all([
      round % 3 === 0 ? undefined : confirm(id),
      round % 3 === 1 ? undefined : release(id, second.call),
      fire(service.app),
      fire(second.app),
    ])
    // A timer whose row was locked at that moment was skipped, and is due again.
    await fireDue(service.app)
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
    assert.deepEqual(endsOf(id), [winner])
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

test('of a pre-empting hold and the confirmation of the hold that it overlaps one comes first', async ({
  service,
  second,
  desk: { at, place, hold, confirm, get, endsOf },
}) => {
  for (let round = 0; round < 15; round++) {
    const times = { start_time: at(round * 60), end_time: at(round * 60 + 60) }
    const { id } = await hold(times)
    const [confirmed, other] = await Promise.all([confirm(id), place({ ...times, hold_priority: 1 }, second.call)])
    assert.equal(other.status, 201, 'a confirmed event does not block it either')
    const { status } = await get(id)
    assert.equal(status, confirmed.status === 200 ? 'confirmed' : 'cancelled')
    if (confirmed.status !== 200) assertRefused(confirmed, 409, 'conflict', { code: 'not_a_hold' })
    await service.drain()
    assert.deepEqual(endsOf(id), [status === 'confirmed' ? 'event.hold_confirmed' : 'event.hold_expired'])
  }
})
