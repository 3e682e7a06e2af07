// The moments that Postgres fires by itself: what it leaves to others, and that nothing of an edit is lost.
import assert from 'node:assert/strict'
import { fireDue, firing } from '../../workers/timers.ts'
import { titleContext } from '../changeLog/sealed.ts'
import { decodeId } from '../shapes/ids.ts'
import { dueMomentsTest } from '../testing/dueMoments.ts'
import { makeCalendar, makeEvent } from '../testing/factories.ts'
import { whileOpen } from '../testing/locks.ts'
import { at } from '../testing/moments.ts'
import { fireBlock } from '../timers/block.ts'
import { wholeSlice } from '../timers/timers.ts'
import { fireSingles } from './fireSingles.ts'

const test = dueMomentsTest()

const block = { slice: wholeSlice, max: 500, left: [], passedOver: [] }

test('what happens once is fired without being read, and nothing is left to read', async ({ service, insertDue }) => {
  assert.deepEqual(await fireSingles(service.app, block), { groups: [], size: 0, others: 0 })
  await insertDue(3)
  const { groups, size, others } = await fireSingles(service.app, block)
  assert.deepEqual(
    groups.map(({ kind, dueAtMs }) => [kind, dueAtMs.length]),
    [['event_start', 3]],
  )
  assert.deepEqual([size, others], [3, 0])
})

test('a series is left, and of its calendar what is due at its moment or later', async ({
  service,
  key,
  desk: { event, goTo },
}) => {
  await event({ start_time: at(20), end_time: at(60), reminders: [] })
  await event({ start_time: at(30), end_time: at(60), reminders: [], recurrence_rule: 'FREQ=DAILY;COUNT=2' })
  await event({ start_time: at(30), end_time: at(60), reminders: [] })
  const other = await makeCalendar(service, key)
  await makeEvent(service, key, other.id, { start_time: at(40), end_time: at(60), reminders: [] })
  await goTo(45)
  const { groups, size, others } = await fireSingles(service.app, block)
  const moments = groups.flatMap(({ dueAtMs }) => dueAtMs.map((ms) => new Date(ms).toISOString()))
  assert.deepEqual(moments.sort(), [at(20), at(40)])
  assert.deepEqual([size, others], [4, 2])
  assert.equal(await fireDue(service.app), 2)
})

test('an event that somebody edits at this instant is left, and told as the edit leaves it', async ({
  service,
  receiver,
  insertDue,
}) => {
  const { sql, sealer } = service.app
  const [edited, other] = (await insertDue(2)) as [string, string]
  const id = decodeId('evt', edited)!
  const title = sealer.seal(titleContext(id), 'Edited')
  const meeting = {
    change: (open: typeof sql) => open`update events set title_sealed = ${title} where id = ${id}`,
    waiting: 0,
    work: () => fireSingles(service.app, block),
  }
  const { groups, size, others } = await whileOpen(sql, meeting)
  assert.deepEqual([groups.map(({ dueAtMs }) => dueAtMs.length), size, others], [[1], 2, 0])
  assert.equal(await fireDue(service.app), 1)
  await service.drain()
  const told = receiver.received
    .map(({ payload }) => [payload.event_id, payload.title])
    .filter(([told]) => told === edited || told === other)
  assert.deepEqual(
    told.sort(),
    [
      [edited, 'Edited'],
      [other, 'Due'],
    ].sort(),
  )
})

test('the feed tells a moment as the webhook did, also after the event is gone', async ({
  service,
  key,
  receiver,
  desk: { calendar, event, goTo },
}) => {
  const { id } = await event({ start_time: at(60), end_time: at(90), reminders: [30] })
  await goTo(95)
  await service.drain()
  const path = `/v1/calendars/${calendar.id}/events/${id}`
  assert.equal((await service.call('DELETE', path, { key })).status, 204)
  const sent = receiver.received.filter(({ payload }) => payload.event_id === id)
  assert.deepEqual(
    sent.map(({ type }) => type),
    ['event.reminder', 'event.started', 'event.ended'],
  )
  const feed = await service.call('GET', '/v1/changes?cursor=oldest&types=event.reminder,event.started,event.ended', {
    key,
  })
  const entries = feed.body.data.filter(({ resource }: { resource: { id: string } }) => resource.id === id)
  assert.deepEqual(
    entries.map(({ payload }: { payload: object }) => JSON.stringify(payload)),
    sent.map(({ payload }) => JSON.stringify(payload)),
  )
  for (const { cause, actor, revision } of entries) assert.deepEqual([cause, actor, revision], ['timer', null, null])
})

test('a moment whose title cannot be opened waits as a delivery, and is sent when it can be', async ({
  service,
  receiver,
  insertDue,
}) => {
  const { sql } = service.app
  const [bad, good] = (await insertDue(2)) as [string, string]
  const id = decodeId('evt', bad)!
  const [event] = await sql<{ titleSealed: Buffer }[]>`select title_sealed from events where id = ${id}`
  await sql`update events set title_sealed = '\\x00' where id = ${id}`
  await service.drain()
  const told = () =>
    receiver.received
      .map(({ payload }) => payload.event_id)
      .filter((told) => told === bad || told === good)
      .sort()
  assert.deepEqual(told(), [good])
  await sql`update changes set payload_sealed = ${event!.titleSealed} where resource_id = ${id} and starts_at is not null`
  await service.clock.advance(60_000)
  await service.drain()
  assert.deepEqual(told(), [bad, good].sort())
})

test('what another process is firing is looked at once more, and not read', async ({ service, insertDue }) => {
  const { app } = service
  const [taken] = (await insertDue(2)) as [string]
  let reads = 0
  const counted: typeof firing = {
    ...firing,
    read(...asked) {
      reads++
      return firing.read(...asked)
    },
  }
  const meeting = {
    change: (open: typeof app.sql) => open`delete from timers where subject_id = ${decodeId('evt', taken)!}`,
    waiting: 0,
    work: () => fireBlock(app, counted, block, false),
  }
  const first = await whileOpen(app.sql, meeting)
  const second = await fireBlock(app, counted, block, true)
  assert.deepEqual(
    [first, second].map(({ size, fired, isOpen }) => [size, fired, isOpen]),
    [
      [1, 1, true],
      [0, 0, false],
    ],
  )
  assert.equal(reads, 0)
})
