// Workers that fire one shard at once, blocks of many moments, and rows that cannot be fired.
import assert from 'node:assert/strict'
import { fireDue } from '../../workers/timers.ts'
import { decodeId, encodeId, newId, type Uuid } from '../shapes/ids.ts'
import { makeCalendar, makeHold } from '../testing/factories.ts'
import { type TestService, testStart } from '../testing/harness.ts'
import { at, momentsTest } from '../testing/moments.ts'
import { shardCount, shardOf } from '../timers/timers.ts'

/** Writes confirmed events whose start is due right now, all at once; returns their public ids. */
const test = momentsTest().extend('insertDue', async ({ service, organization, desk }) => {
  return async (count: number, { shard, minutesAgo = 0 }: { shard?: number; minutesAgo?: number } = {}) => {
    const { sql, sealer } = service.app
    const rows = Array.from({ length: count }, () => {
      const random = newId()
      const id = shard === undefined ? random : (`${random.slice(0, -1)}${shard.toString(16)}` as Uuid)
      return { id, title: sealer.seal(`events.title:${id}`, 'Due').toString('base64'), shard: shardOf(id) }
    })
    const start = new Date(service.clock.now().getTime() - minutesAgo * 60_000)
    await sql`
    with written as (
      insert into events (org_id, id, calendar_id, title_sealed, start_time, end_time, status, metadata, created_at, updated_at)
      select ${decodeId('org', organization.id)!}::uuid, r.id, ${decodeId('cal', desk.calendar.id)!}::uuid, decode(r.title, 'base64'),
        ${start}, ${start}::timestamptz + interval '1 hour', 'confirmed', '{}', ${start}, ${start}
      from jsonb_to_recordset(${sql.json(rows as never)}) as r (id uuid, title text)
      returning org_id, id, calendar_id)
    insert into timers (org_id, subject_id, calendar_id, kind, due_at, generation, shard)
    select w.org_id, w.id, w.calendar_id, 'event_start', ${start}, 1, r.shard
    from written w join jsonb_to_recordset(${sql.json(rows as never)}) as r (id uuid, shard smallint) using (id)`
    return rows.map(({ id }) => encodeId('evt', id))
  }
})

const allShards = Array.from({ length: shardCount }, (_, shard) => shard)

const corrupt = ({ app }: TestService, eventIds: string[]) => app.sql`
  update events set title_sealed = '\\x00' where id = any (${eventIds.map((id) => decodeId('evt', id)!) as never}::uuid[])`

test('two workers at the same shards at once fire every moment exactly once', async ({
  service,
  second,
  insertDue,
  desk: { startedIds },
}) => {
  const ids = await insertDue(400)
  const counts = await Promise.all(
    [service.app, second.app, service.app, second.app].flatMap((app) => allShards.map((shard) => fireDue(app, shard))),
  )
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    ids.length,
  )
  await service.drain()
  assert.deepEqual(startedIds().sort(), ids.sort())
})

test('holds of one calendar that end at one instant all expire at once, whatever their shards', async ({
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
  const counts = await Promise.all(allShards.map((shard) => fireDue(shard % 2 ? service.app : second.app, shard)))
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    40,
  )
})

test('a shard with more than one block is fired to its end', async ({ service, insertDue }) => {
  const ids = await insertDue(1_230, { shard: 5 })
  assert.equal(await fireDue(service.app, 4), 0)
  assert.equal(await fireDue(service.app, 5), 1_230)
  assert.equal(await fireDue(service.app, 5), 0)
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
  const bad = (await insertDue(1, { shard: 3, minutesAgo: 1 })) as [string]
  const good = await insertDue(20, { shard: 3 })
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
  await service.app.sql`update events set title_sealed = ${row!.titleSealed} where id = ${decodeId('evt', bad[0])!}`
  await service.drain()
  assert.deepEqual(startedIds().sort(), [...good, ...bad].sort())
})

test('more bad rows than a block holds do not hide the good ones behind them', async ({
  service,
  insertDue,
  desk: { startedIds },
}) => {
  const bad = await insertDue(510, { shard: 2, minutesAgo: 1 })
  await corrupt(service, bad)
  const good = await insertDue(5, { shard: 2 })
  assert.equal(await fireDue(service.app, 2), 5)
  await service.drain()
  assert.deepEqual(startedIds().sort(), good.sort())
})

test('a row that the database refuses stops nobody else either', async ({ service, key, receiver, desk: { goTo } }) => {
  // More than there are shards: at least one shard has several.
  const holds: { id: string; calendarId: string }[] = []
  for (let n = 0; n < 2 * shardCount + 1; n++) {
    const calendar = await makeCalendar(service, key)
    holds.push(await makeHold(service, key, calendar.id, { hold_expires_at: at(1) }))
  }
  const byShard = [...Map.groupBy(holds, ({ id }) => shardOf(decodeId('evt', id)!)).values()]
  const bad = byShard.find((together) => together.length > 2)![0]!
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
    const shard = shardOf(decodeId('evt', id)!)
    const change =
      round % 2 ? patch(id, { start_time: at(70), end_time: at(100) }) : service.call('DELETE', pathOf(id), { key })
    await Promise.all([fireDue(service.app, shard), change, fireDue(second.app, shard)])
    receiver.received.length = 0
    await service.drain()
    assert.ok(startedIds().length <= 1)
    for (const { payload } of receiver.received) assert.equal(payload.start_time, at(60))
    const left = (await timersOf(id)).filter((timer) => timer.startsWith('event_start'))
    assert.deepEqual(left, round % 2 ? [`event_start 0 ${at(70)}`] : [])
  }
})
