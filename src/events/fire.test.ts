import assert from 'node:assert/strict'
import { afterAll, beforeAll, beforeEach, test } from 'vitest'
import { fireDue, timerHandlers } from '../../workers/timers.ts'
import { decodeId, encodeId, newId, type Uuid } from '../shapes/ids.ts'
import { makeAgent, makeCalendar, makeEvent, makeHold, makeOrganization, makeWebhook } from '../testing/factories.ts'
import { openTestService, type TestService, testStart } from '../testing/harness.ts'
import { openProcess, openRealTime, type TestProcess } from '../testing/process.ts'
import { openReceiver, type Receiver } from '../testing/receiver.ts'
import { shardCount, shardOf } from '../timers/timers.ts'

let service: TestService
let second: TestProcess
let receiver: Receiver
let key: string
let orgId: string
// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
let calendar: any

const momentTypes = ['event.started', 'event.ended', 'event.reminder']

beforeAll(async () => {
  service = await openTestService()
  second = await openProcess(service)
  receiver = await openReceiver()
  ;({ id: orgId, key } = await makeOrganization(service, { plan: 'custom' }))
  await makeWebhook(service, key, receiver.url, [...momentTypes, 'event.hold_expired'])
})
beforeEach(async () => {
  await service.clock.set(testStart)
  calendar = await makeCalendar(service, key)
  await service.app.sql`delete from timers`
  receiver.received.length = 0
})
afterAll(async () => {
  await receiver.close()
  await second.close()
  await service.close()
})

const at = (minutes: number) => new Date(testStart.getTime() + minutes * 60_000).toISOString()
const pathOf = (eventId: string) => `/v1/calendars/${calendar.id}/events/${eventId}`
/** From minute 60 to minute 90 of the test, unless told otherwise. */
const event = (body: object = {}) =>
  makeEvent(service, key, calendar.id, { start_time: at(60), end_time: at(90), ...body })
async function patch(eventId: string, body: object) {
  const answer = await service.call('PATCH', pathOf(eventId), { key, body })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}
async function patchCalendar(body: object) {
  const answer = await service.call('PATCH', `/v1/calendars/${calendar.id}`, { key, body })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}
const goTo = (minutes: number) => service.clock.set(at(minutes))

/** Goes to these minutes of the test one after the other; returns what fired at each. */
async function firedAt(...minutes: number[]): Promise<Record<number, string[]>> {
  const fired: Record<number, string[]> = {}
  for (const minute of minutes) {
    receiver.received.length = 0
    await goTo(minute)
    await service.drain()
    const types = receiver.received.map(({ type, payload }) =>
      type === 'event.reminder' ? `${type} ${payload.reminder_minutes}` : type,
    )
    if (types.length > 0) fired[minute] = types.sort()
  }
  return fired
}

const everyMinute = Array.from({ length: 130 }, (_, minute) => minute)

const timersOf = async (eventId: string) =>
  (
    await service.app.sql<{ kind: string; offsetMinutes: number; dueAt: Date }[]>`
      select kind, offset_minutes, due_at from timers where subject_id = ${decodeId('evt', eventId)!} order by due_at, kind`
  ).map(({ kind, offsetMinutes, dueAt }) => `${kind} ${offsetMinutes} ${dueAt.toISOString()}`)

test('a confirmed event reminds 10 minutes ahead, starts and ends, each once and on time', async () => {
  await event()
  assert.deepEqual(await firedAt(...everyMinute), {
    50: ['event.reminder 10'],
    60: ['event.started'],
    90: ['event.ended'],
  })
})

test('the payloads have exactly the keys of the specification', async () => {
  const { id } = await event({ title: 'Planning', description: 'secret', metadata: { a: 1 } })
  await goTo(90)
  await service.drain()
  const payloadOf = (wanted: string) => receiver.received.find(({ type }) => type === wanted)?.payload
  const common = {
    event_id: id,
    calendar_id: calendar.id,
    title: 'Planning',
    start_time: at(60),
    end_time: at(90),
  }
  assert.deepEqual(payloadOf('event.started'), common)
  assert.deepEqual(payloadOf('event.ended'), common)
  assert.deepEqual(payloadOf('event.reminder'), { ...common, reminder_minutes: 10 })
  assert.equal(receiver.received.length, 3)
})

test('a moment fires at its millisecond, not before', async () => {
  await event({ start_time: at(60).replace('000Z', '250Z'), reminders: [] })
  await service.clock.set(at(60).replace('000Z', '249Z'))
  await service.drain()
  assert.deepEqual(receiver.types(), [])
  await service.clock.advance(1)
  await service.drain()
  assert.deepEqual(receiver.types(), ['event.started'])
})

test("reminders are the event's own, else the calendar's, else 10 minutes; [] means none and asks nobody further", async () => {
  const table: [calendarReminders: number[] | null, eventReminders: number[] | null, minutes: number[]][] = [
    [null, null, [10]],
    [[30, 5], null, [5, 30]],
    [[], null, []],
    [null, [45, 15], [15, 45]],
    [[30], [45], [45]],
    [[30], [], []],
    [[], [20], [20]],
  ]
  for (const [inherited, own, minutes] of table) {
    await service.clock.set(testStart)
    calendar = await makeCalendar(service, key, undefined, { default_reminders: inherited })
    await event({ reminders: own })
    const expected = Object.fromEntries([
      ...minutes.map((minute) => [60 - minute, [`event.reminder ${minute}`]]),
      [60, ['event.started']],
      [90, ['event.ended']],
    ])
    assert.deepEqual(await firedAt(0, 15, 30, 40, 45, 50, 55, 60, 90), expected, JSON.stringify([inherited, own]))
  }
})

test('the longest reminder is 28 days ahead', async () => {
  const days = 24 * 60
  await event({ start_time: at(30 * days), end_time: at(31 * days), reminders: [40_320] })
  assert.deepEqual(await firedAt(2 * days - 1, 2 * days, 30 * days), {
    [2 * days]: ['event.reminder 40320'],
    [30 * days]: ['event.started'],
  })
})

test('tentative, cancelled and held events fire nothing', async () => {
  await event({ status: 'tentative' })
  await event({ status: 'cancelled' })
  await makeHold(service, key, calendar.id, { start_time: at(60), end_time: at(90), hold_expires_at: at(1) })
  assert.deepEqual(await firedAt(1, 50, 60, 90), { 1: ['event.hold_expired'] })
})

test('what has passed when the event is created does not fire', async () => {
  await event({ start_time: at(-1), end_time: at(30), reminders: [5] })
  await event({ start_time: at(5), end_time: at(45) })
  await event({ start_time: at(-60), end_time: at(-30) })
  assert.deepEqual(await firedAt(...everyMinute), { 5: ['event.started'], 30: ['event.ended'], 45: ['event.ended'] })
})

test('a rescheduled event fires at its new times only, also when the old one was already due', async () => {
  const early = await event()
  await patch(early.id, { start_time: at(70), end_time: at(100) })
  const overdue = await event({ reminders: [] })
  await goTo(60)
  await patch(overdue.id, { start_time: at(80), end_time: at(110) })
  assert.deepEqual(await firedAt(60, 61, 70, 80, 90, 100, 110), {
    60: ['event.reminder 10'],
    70: ['event.started'],
    80: ['event.started'],
    100: ['event.ended'],
    110: ['event.ended'],
  })
})

test('an event that was moved after it had started starts again', async () => {
  const { id } = await event({ reminders: [] })
  assert.deepEqual(await firedAt(60), { 60: ['event.started'] })
  await patch(id, { start_time: at(70), end_time: at(80) })
  assert.deepEqual(await firedAt(60, 70, 80, 90), { 70: ['event.started'], 80: ['event.ended'] })
})

test('a moved end fires at the new end, and the start that fired does not fire again', async () => {
  const { id } = await event({ reminders: [] })
  await firedAt(60)
  await patch(id, { end_time: at(100) })
  assert.deepEqual(await firedAt(60, 90, 100), { 100: ['event.ended'] })
})

test('a cancelled or deleted event fires nothing more, also when its moment was already due', async () => {
  const cancelled = await event()
  const deleted = await event()
  const late = [await event(), await event()]
  await patch(cancelled.id, { status: 'cancelled' })
  assert.equal((await service.call('DELETE', pathOf(deleted.id), { key })).status, 204)
  await goTo(60)
  await patch(late[0].id, { status: 'cancelled' })
  assert.equal((await service.call('DELETE', pathOf(late[1].id), { key })).status, 204)
  assert.deepEqual(await firedAt(60, 90), {})
  const [row] = await service.app.sql`select count(*)::integer as n from timers`
  assert.equal(row?.n, 0)
})

test('the events of a deleted calendar fire nothing more, and their timers go', async () => {
  await event()
  await goTo(55)
  assert.equal((await service.call('DELETE', `/v1/calendars/${calendar.id}`, { key })).status, 204)
  assert.deepEqual(await firedAt(55, 60, 90), {})
  const [row] = await service.app.sql`select count(*)::integer as n from timers`
  assert.equal(row?.n, 0)
})

test('a decommissioned agent changes nothing of what its events still fire', async () => {
  const agent = await makeAgent(service, key)
  calendar = await makeCalendar(service, key, agent.id)
  await event()
  assert.equal((await service.call('DELETE', `/v1/agents/${agent.id}`, { key })).status, 204)
  assert.deepEqual(await firedAt(50, 60, 90), { 50: ['event.reminder 10'], 60: ['event.started'], 90: ['event.ended'] })
})

test('an edit that moves nothing at the very moment a timer is due does not lose the moment', async () => {
  for (const body of [
    { title: 'New' },
    { description: 'd' },
    { metadata: { a: 1 } },
    { reminders: [10] },
    { status: 'confirmed' },
  ]) {
    await service.clock.set(testStart)
    const { id } = await event()
    await goTo(50)
    await patch(id, body)
    assert.deepEqual(await firedAt(50), { 50: ['event.reminder 10'] }, JSON.stringify(body))
    await goTo(60)
    await patch(id, { title: 'Newer' })
    assert.deepEqual(await firedAt(60, 90), { 60: ['event.started'], 90: ['event.ended'] }, JSON.stringify(body))
    assert.equal(receiver.received[0]?.payload.title, 'Newer')
  }
})

test('a status that comes and goes sets and clears the moments', async () => {
  const { id } = await event({ status: 'tentative' })
  assert.deepEqual(await timersOf(id), [])
  await patch(id, { status: 'confirmed' })
  const all = [`event_reminder 10 ${at(50)}`, `event_start 0 ${at(60)}`, `event_end 0 ${at(90)}`]
  assert.deepEqual(await timersOf(id), all)
  await patch(id, { status: 'tentative' })
  assert.deepEqual(await timersOf(id), [])
  await goTo(55)
  await patch(id, { status: 'confirmed' })
  assert.deepEqual(await timersOf(id), all.slice(1))
  assert.deepEqual(await firedAt(55, 60, 90), { 60: ['event.started'], 90: ['event.ended'] })
})

test('confirming a hold sets the moments of an event in the place of its expiry', async () => {
  const hold = await makeHold(service, key, calendar.id, {
    start_time: at(60),
    end_time: at(90),
    hold_expires_at: at(5),
    reminders: [3],
  })
  assert.deepEqual(await timersOf(hold.id), [`hold_expiry 0 ${at(5)}`])
  assert.equal((await service.call('PUT', `/v1/events/${hold.id}/confirm`, { key })).status, 200)
  assert.deepEqual(await timersOf(hold.id), [
    `event_reminder 3 ${at(57)}`,
    `event_start 0 ${at(60)}`,
    `event_end 0 ${at(90)}`,
  ])
  assert.deepEqual(await firedAt(5, 57, 60, 90), {
    57: ['event.reminder 3'],
    60: ['event.started'],
    90: ['event.ended'],
  })
})

test('releasing a hold leaves no timer', async () => {
  const hold = await makeHold(service, key, calendar.id)
  assert.equal((await service.call('PUT', `/v1/events/${hold.id}/release`, { key })).status, 200)
  assert.deepEqual(await timersOf(hold.id), [])
})

test("an event's own reminders can be changed, dropped and inherited again", async () => {
  const { id } = await event({ reminders: [20, 5] })
  await patch(id, { reminders: [20, 15] })
  assert.deepEqual((await timersOf(id)).slice(0, 2), [`event_reminder 20 ${at(40)}`, `event_reminder 15 ${at(45)}`])
  await patch(id, { reminders: [] })
  assert.deepEqual((await timersOf(id)).length, 2)
  await patchCalendar({ default_reminders: [30] })
  assert.deepEqual((await timersOf(id)).length, 2)
  await patch(id, { reminders: null })
  assert.deepEqual((await timersOf(id))[0], `event_reminder 30 ${at(30)}`)
})

test("a change of a calendar's default reminders moves those of the events that inherit, and no others", async () => {
  const inheriting = await event()
  const own = await event({ reminders: [20] })
  const none = await event({ reminders: [] })
  const tentative = await event({ status: 'tentative' })
  const elsewhere = await makeEvent(service, key, (await makeCalendar(service, key)).id, {
    start_time: at(60),
    end_time: at(90),
  })
  const rest = [`event_start 0 ${at(60)}`, `event_end 0 ${at(90)}`]
  const steps: [number[] | null, string[]][] = [
    [
      [30, 10],
      [`event_reminder 30 ${at(30)}`, `event_reminder 10 ${at(50)}`],
    ],
    [[1], [`event_reminder 1 ${at(59)}`]],
    [[], []],
    [null, [`event_reminder 10 ${at(50)}`]],
    [[90, 15], [`event_reminder 15 ${at(45)}`]],
  ]
  for (const [minutes, expected] of steps) {
    await patchCalendar({ default_reminders: minutes })
    assert.deepEqual(await timersOf(inheriting.id), [...expected, ...rest], JSON.stringify(minutes))
    assert.deepEqual(await timersOf(own.id), [`event_reminder 20 ${at(40)}`, ...rest])
    assert.deepEqual(await timersOf(none.id), rest)
    assert.deepEqual(await timersOf(tentative.id), [])
    assert.deepEqual(await timersOf(elsewhere.id), [`event_reminder 10 ${at(50)}`, ...rest])
  }
  await patchCalendar({ name: 'Other' })
  assert.deepEqual(await firedAt(40, 45), { 40: ['event.reminder 20'], 45: ['event.reminder 15'] })
  await patchCalendar({ default_reminders: [15, 12] })
  assert.deepEqual((await timersOf(inheriting.id))[0], `event_reminder 12 ${at(48)}`, 'the one that fired stays fired')
})

/** Confirmed events whose start is due right now, written at once; returns their public ids. */
async function insertDue(count: number, { shard, minutesAgo = 0 }: { shard?: number; minutesAgo?: number } = {}) {
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
      select ${decodeId('org', orgId)!}::uuid, r.id, ${decodeId('cal', calendar.id)!}::uuid, decode(r.title, 'base64'),
        ${start}, ${start}::timestamptz + interval '1 hour', 'confirmed', '{}', ${start}, ${start}
      from jsonb_to_recordset(${sql.json(rows as never)}) as r (id uuid, title text)
      returning org_id, id, calendar_id)
    insert into timers (org_id, subject_id, calendar_id, kind, due_at, generation, shard)
    select w.org_id, w.id, w.calendar_id, 'event_start', ${start}, 1, r.shard
    from written w join jsonb_to_recordset(${sql.json(rows as never)}) as r (id uuid, shard smallint) using (id)`
  return rows.map(({ id }) => encodeId('evt', id))
}

const startedIds = () =>
  receiver.received.filter(({ type }) => type === 'event.started').map(({ payload }) => payload.event_id)

const allShards = Array.from({ length: shardCount }, (_, shard) => shard)

test('two workers at the same shards at once fire every moment exactly once', async () => {
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

test('holds of one calendar that end at one instant all expire at once, whatever their shards', async () => {
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

test('a shard with more than one block is fired to its end', async () => {
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

const corrupt = (eventIds: string[]) => service.app.sql`
  update events set title_sealed = '\\x00' where id = any (${eventIds.map((id) => decodeId('evt', id)!) as never}::uuid[])`

test('a row that cannot be fired stops nobody else, and fires when it is mended', async () => {
  const bad = (await insertDue(1, { shard: 3, minutesAgo: 1 })) as [string]
  const good = await insertDue(20, { shard: 3 })
  const [row] = await service.app.sql<{ titleSealed: Buffer }[]>`
    select title_sealed from events where id = ${decodeId('evt', bad[0])!}`
  await corrupt(bad)
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

test('more bad rows than a block holds do not hide the good ones behind them', async () => {
  const bad = await insertDue(510, { shard: 2, minutesAgo: 1 })
  await corrupt(bad)
  const good = await insertDue(5, { shard: 2 })
  assert.equal(await fireDue(service.app, 2), 5)
  await service.drain()
  assert.deepEqual(startedIds().sort(), good.sort())
})

test('a row that the database refuses stops nobody else either', async () => {
  // More than there are shards: at least one shard has several.
  const holds: { id: string; calendarId: string }[] = []
  for (let n = 0; n < 2 * shardCount + 1; n++) {
    calendar = await makeCalendar(service, key)
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

test('a moment that is changed while it fires is told once or not at all', async () => {
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

test('a wake-up stays for the moments in the middle of its second, by the clock of the database', async () => {
  const own = await openTestService()
  const real = await openRealTime(own)
  try {
    const { key: theirs } = await makeOrganization(own)
    const { id } = await makeCalendar(own, theirs)
    const { fire } = timerHandlers(real.app)
    for (let round = 0; round < 3; round++) {
      const start = Math.ceil((Date.now() + 300) / 1000) * 1000 + 400
      const times = { start_time: new Date(start).toISOString(), end_time: new Date(start + 60_000).toISOString() }
      const answer = await real.call('POST', `/v1/calendars/${id}/events`, {
        key: theirs,
        body: { title: 'x', reminders: [], ...times },
      })
      assert.equal(answer.status, 201)
      const subject = decodeId('evt', answer.body.id)!
      // A second early: as if the database's clock went behind ours.
      await fire({ shard: shardOf(subject), second: Math.floor(start / 1000) })
      assert.ok(Date.now() >= start)
      const left = await own.app.sql`select kind from timers where subject_id = ${subject}`
      assert.deepEqual(
        left.map(({ kind }) => kind),
        ['event_end'],
      )
    }
  } finally {
    await real.close()
    await own.close()
  }
})
