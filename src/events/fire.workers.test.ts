// Workers that fire at once, blocks of many moments, and rows that cannot be fired.
import assert from 'node:assert/strict'
import { fireDue } from '../../workers/timers.ts'
import { decodeId } from '../shapes/ids.ts'
import { dueMomentsTest } from '../testing/dueMoments.ts'
import { makeCalendar, makeHold } from '../testing/factories.ts'
import { type TestService, testStart } from '../testing/harness.ts'
import { at } from '../testing/moments.ts'

const test = dueMomentsTest()

/** Series are read before they fire, and these cannot be. */
const corrupt = ({ app }: TestService, eventIds: string[]) => app.sql`
  update events set title_sealed = '\\x00', recurrence_rule = 'FREQ=DAILY;COUNT=1' where id = any (${eventIds.map((id) => decodeId('evt', id)!) as never}::uuid[])`

test('two workers at once fire every moment exactly once', async ({
  service,
  second,
  insertDue,
  desk: { startedIds },
}) => {
  const ids = await insertDue(400)
  const counts = await Promise.all([service.app, second.app, service.app, second.app].map((app) => fireDue(app)))
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    ids.length,
  )
  await service.drain()
  assert.deepEqual(startedIds().sort(), ids.sort())
})

test('holds of one calendar that end at one instant all expire at once, though two workers meet at their calendar', async ({
  service,
  key,
  second,
  desk: { calendar, goTo },
}) => {
  for (let n = 0; n < 40; n++) {
    const times = { start_time: at(60 + 10 * n), end_time: at(70 + 10 * n) }
    await makeHold(service, key, calendar.id, { ...times, hold_expires_at: at(1) })
  }
  await goTo(1)
  const counts = await Promise.all([fireDue(service.app), fireDue(second.app)])
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    40,
  )
})

test('more than one block is fired to its end', async ({ service, insertDue }) => {
  const ids = await insertDue(1_230)
  assert.equal(await fireDue(service.app), 1_230)
  assert.equal(await fireDue(service.app), 0)
  const rows = await service.app.sql`
    select count(*)::integer as n from webhook_deliveries where event_type = 'event.started' and created_at = ${service.clock.now()}
      and status = 'pending'`
  assert.equal(rows[0]?.n, ids.length)
  await service.app.sql`update webhook_deliveries set status = 'failed', next_retry_at = null where status = 'pending'`
})

test('a row that cannot be fired stops nobody else, and fires when it is mended', async ({
  service,
  key,
  receiver,
  insertDue,
  desk: { calendar, goTo, startedIds },
}) => {
  const bad = (await insertDue(1, { minutesAgo: 1 })) as [string]
  const good = await insertDue(20)
  const [row] = await service.app.sql<{ titleSealed: Buffer }[]>`
    select title_sealed from events where id = ${decodeId('evt', bad[0])!}`
  await corrupt(service, bad)
  const hold = await makeHold(service, key, calendar.id, { hold_expires_at: at(1) })
  await goTo(1)
  await service.drain()
  assert.deepEqual(startedIds().sort(), good.sort())
  assert.ok(
    receiver.received.some(({ type, payload }) => type === 'event.hold_expired' && payload.event_id === hold.id),
  )
  await service.app.sql`
    update events set title_sealed = ${row!.titleSealed}, recurrence_rule = null where id = ${decodeId('evt', bad[0])!}`
  await service.drain()
  assert.deepEqual(startedIds().sort(), [...good, ...bad].sort())
})

test('more bad rows than a block holds do not hide the good ones behind them', async ({
  service,
  insertDue,
  desk: { startedIds },
}) => {
  const bad = await insertDue(510, { minutesAgo: 1 })
  await corrupt(service, bad)
  const good = await insertDue(5)
  assert.equal(await fireDue(service.app), 5)
  await service.drain()
  assert.deepEqual(startedIds().sort(), good.sort())
})

test('a row that the database refuses stops nobody else either', async ({ service, key, receiver, desk: { goTo } }) => {
  const holds: { id: string; calendarId: string }[] = []
  for (let n = 0; n < 5; n++) {
    const calendar = await makeCalendar(service, key)
    holds.push(await makeHold(service, key, calendar.id, { hold_expires_at: at(1) }))
  }
  const bad = holds[1]!
  const count = (events: number) =>
    service.app.sql`update calendars set hold_events = ${events} where id = ${decodeId('cal', bad.calendarId)!}`
  const expired = () =>
    receiver.received.filter(({ type }) => type === 'event.hold_expired').map(({ payload }) => payload.event_id)
  const good = holds.filter((hold) => hold !== bad).map(({ id }) => id)
  await count(0)
  await goTo(1)
  await service.drain()
  assert.deepEqual(expired().sort(), good.sort())
  await count(1)
  await service.drain()
  assert.deepEqual(expired().sort(), [...good, bad.id].sort())
})

test('a moment that is changed while it fires is told once or not at all', async ({
  service,
  key,
  receiver,
  second,
  desk: { pathOf, event, patch, goTo, timersOf, startedIds },
}) => {
  for (let round = 0; round < 20; round++) {
    await service.clock.set(testStart)
    const { id } = await event({ reminders: [] })
    await goTo(60)
    const change =
      round % 2 ? patch(id, { start_time: at(70), end_time: at(100) }) : service.call('DELETE', pathOf(id), { key })
    await Promise.all([fireDue(service.app), change, fireDue(second.app)])
    receiver.received.length = 0
    await service.drain()
    assert.ok(startedIds().length <= 1)
    for (const { payload } of receiver.received) assert.equal(payload.start_time, at(60))
    const left = (await timersOf(id)).filter((timer) => timer.startsWith('event_start'))
    assert.deepEqual(left, round % 2 ? [`event_start 0 ${at(70)}`] : [])
  }
})
