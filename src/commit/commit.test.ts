import assert from 'node:assert/strict'
import postgres from 'postgres'
import { decodeId } from '../shapes/ids.ts'
import { ahead, makeCalendar, makeEvent } from '../testing/factories.ts'
import type { TestService } from '../testing/harness.ts'
import { openProcess } from '../testing/process.ts'
import type { Receiver } from '../testing/receiver.ts'
import { serviceTest } from '../testing/test.ts'
import { timersRing } from '../timers/ring.ts'
import { commit } from './commit.ts'
import { effect, ringing } from './effect.ts'
import { guard, step } from './step.ts'

const test = serviceTest({ plan: 'custom', receives: ['event.created', 'event.updated', 'event.hold_created'] })
  .extend('notes', async ({ service }, { onCleanup }) => {
    const { sql } = service.app
    await sql`create table notes (text text primary key)`
    onCleanup(async () => {
      await sql`drop table notes`
    })
    return async () => (await sql<{ text: string }[]>`select text from notes order by text`).map(({ text }) => text)
  })
  .extend('calendar', async ({ service, key }) => makeCalendar(service, key))

test('effects see the row of the guard, and all of them take place together', async ({ service, notes }) => {
  const { app } = service
  const { sql } = app
  const committed = await commit<{ firstWord: string }>(app, {
    guard: sql`select 'one' as first_word`,
    effects: [
      effect('first', sql`insert into notes select first_word from ${guard}`),
      undefined,
      effect('second', sql`insert into notes select first_word || ' more' from ${guard}`),
    ],
  })
  assert.deepEqual(committed, { matched: true, rows: [{ firstWord: 'one' }] })
  assert.deepEqual(await notes(), ['one', 'one more'])
})

test('an effect does nothing when the guard matches nothing; a step runs anyway', async ({ service, notes }) => {
  const { app } = service
  const { sql } = app
  const committed = await commit(app, {
    steps: [step('before', sql`insert into notes values ('step') returning text`)],
    guard: sql`select 'one' as word where false`,
    effects: [effect('first', sql`insert into notes select word from ${guard}`)],
  })
  assert.deepEqual(committed, { matched: false, rows: [] })
  assert.deepEqual(await notes(), ['step'])
})

test('a part selects from the parts before it, in any order of their making', async ({ service, notes }) => {
  const { app } = service
  const { sql } = app
  const words = step('words', sql`select 'one' as word union all select 'two'`)
  const written = effect('written', sql`insert into notes select word from ${guard} returning text`)
  const copied = effect('copied', sql`insert into notes select text || ' again' from ${written}`)
  const { rows } = await commit(app, {
    steps: [words],
    guard: sql`select word from ${words} order by word`,
    effects: [written, copied],
  })
  assert.deepEqual(rows, [{ word: 'one' }, { word: 'two' }])
  assert.deepEqual(await notes(), ['one', 'one again', 'two', 'two again'])
})

test('a change whose parts do not fit is refused before anything is sent', async ({ service, notes }) => {
  const { app } = service
  const { sql } = app
  const one = sql`select 1 as word`
  const words = step('words', one)
  const write = effect('write', sql`insert into notes select 'x' from ${guard} returning text`)
  const copy = effect('copy', sql`insert into notes select text || 'y' from ${write}`)
  const timers = ringing(timersRing, sql`select now() as due_at from ${guard}`)
  const broken = [
    { guard: one, effects: [write, effect('write', one)] },
    { guard: one, effects: [timers, ringing(timersRing, one)] },
    { steps: [words], guard: one, effects: [effect('words', one)] },
    { guard: sql`select word from ${words}`, effects: [write] },
    { guard: sql`select word from ${sql`(select word from ${words}) inner_words`}`, effects: [write] },
    { guard: one, effects: [copy] },
    { guard: one, effects: [copy, write] },
  ]
  for (const change of broken) await assert.rejects(commit(app, change), TypeError)
  assert.deepEqual(await notes(), [])
})

test('a failing effect leaves nothing behind, first or last', async ({ service, notes, calendar }) => {
  const { app } = service
  const { sql } = app
  const calendarUuid = decodeId('cal', calendar.id)!
  await sql`insert into notes values ('taken')`
  const good = effect('good', sql`insert into notes select 'new' from ${guard}`)
  const bad = effect('bad', sql`insert into notes select 'taken' from ${guard}`)
  for (const effects of [
    [good, bad],
    [bad, good],
  ]) {
    const change = {
      guard: sql`update calendars set name = 'changed' where id = ${calendarUuid} returning id`,
      effects,
    }
    await assert.rejects(commit(app, change), { code: '23505' })
    assert.deepEqual(await notes(), ['taken'])
    const [row] = await sql`select count(*)::integer as n from calendars where name = 'changed'`
    assert.equal(row?.n, 0)
  }
})

test('two changes that lock in opposite order both take place: Postgres ends one, and it tries again', async ({
  service,
  notes,
}) => {
  const { app } = service
  const { sql } = app
  await sql`insert into notes values ('a'), ('b')`
  // Each locks one row in its guard, waits while the other locks its own, and then wants that one.
  const change = (mine: string, other: string) => ({
    guard: sql`select text from notes where text = ${mine} for update`,
    effects: [
      effect(
        'want',
        sql`update notes n set text = n.text from (select pg_sleep(0.3) from ${guard}) pause where n.text = ${other}`,
      ),
    ],
  })
  const outcomes = await Promise.all([commit(app, change('a', 'b')), commit(app, change('b', 'a'))])
  assert.deepEqual(
    outcomes.map(({ matched }) => matched),
    [true, true],
  )
  assert.deepEqual(await notes(), ['a', 'b'])
})

type Load = { service: TestService; receiver: Receiver; calendarId: string }

/** Every event has the whole of its changes, and nothing more. */
async function assertWhole({ service, receiver, calendarId }: Load) {
  const { sql } = service.app
  const calendarUuid = decodeId('cal', calendarId)!
  const events = await sql<
    { id: string; status: string }[]
  >`select id, status from events where calendar_id = ${calendarUuid}`
  const timers = await sql<{ subjectId: string; kinds: string }[]>`
    select subject_id, string_agg(kind, ' ' order by kind) as kinds from timers where calendar_id = ${calendarUuid} group by 1`
  const [calendarRow] = await sql<{ revision: number; confirmedEvents: number; holdEvents: number }[]>`
    select revision, confirmed_events, hold_events from calendars where id = ${calendarUuid}`
  const audited = await sql<{ resource: string; action: string }[]>`
    select resource, action from audit_entries where path like ${`%${calendarId}/events%`}`
  const kindsOf = new Map(timers.map(({ subjectId, kinds }) => [subjectId, kinds]))
  for (const { id, status } of events) {
    const expected = status === 'hold' ? 'hold_expiry' : 'event_end event_reminder event_start'
    assert.equal(kindsOf.get(id), expected)
  }
  assert.equal(timers.length, events.length)
  const created = audited
    .filter(({ action }) => action === 'event.create')
    .map(({ resource }) => decodeId('evt', resource))
  assert.deepEqual(created.toSorted(), events.map(({ id }) => id).toSorted())
  assert.equal(calendarRow?.confirmedEvents, events.filter(({ status }) => status === 'confirmed').length)
  assert.equal(calendarRow?.holdEvents, events.filter(({ status }) => status === 'hold').length)
  assert.ok(calendarRow && calendarRow.revision > 0 && calendarRow.revision <= audited.length, 'changes may share one')
  const { created: createdEmissions, updated } = await emitted({ service, receiver, calendarId })
  assert.deepEqual(createdEmissions.toSorted(), created.toSorted())
  assert.equal(updated, audited.filter(({ action }) => action === 'event.update').length)
  return events.length
}

/** The deliveries about the calendar that the receiver got, each counted once. */
async function emitted({ service, receiver, calendarId }: Load) {
  await service.drain()
  const own = receiver.received.filter(({ payload }) => payload.calendar_id === calendarId)
  const once = [...new Map(own.map((one) => [one.deliveryId, one])).values()]
  return {
    created: once
      .filter(({ type }) => type !== 'event.updated')
      .map(({ payload }) => decodeId('evt', payload.event.id)),
    updated: once.filter(({ type }) => type === 'event.updated').length,
  }
}

test('backends that end in the middle of a load leave no half change', async ({ service, key, receiver, calendar }) => {
  const second = await openProcess(service, { statementDeadlineMs: 1_000 })
  const killer = postgres(service.app.config.databaseUrl, { max: 1, onnotice: () => undefined })
  const begun = Date.now()
  let killed = 0
  let refused = 0
  let written = 0
  /** Three seconds, or as many as a busy machine needs for it. */
  const isOver = () => {
    const seconds = (Date.now() - begun) / 1000
    return seconds > 40 || (seconds > 3 && killed > 10 && refused > 0 && written > 20)
  }
  async function endBackends() {
    while (!isOver()) {
      const rows = await killer`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and application_name like '%another process%'
          and random() < 0.3`
      killed += rows.length
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  async function load(client: number) {
    for (let n = 0; !isOver(); n++) {
      const start = client * 100_000 + n * 10
      const hold = n % 4 === 0 ? { status: 'hold', hold_expires_at: ahead(service, 10) } : {}
      const body = { title: 'x', start_time: ahead(service, 60 + start), end_time: ahead(service, 65 + start), ...hold }
      const path = `/v1/calendars/${calendar.id}/events`
      const answer = await second.call('POST', path, { key, body })
      if (answer.status !== 201) refused += 1
      else written += 1
      if (answer.status === 201 && n % 4 === 1)
        await second.call('PATCH', `${path}/${answer.body.id}`, { key, body: { title: 'y' } })
    }
  }
  await Promise.all([endBackends(), load(0), load(1), load(2), load(3)])
  await killer.end()
  await second.close()
  assert.ok(killed > 10, `${killed} backends were ended`)
  assert.ok(refused > 0, 'some requests met the end of their backend')
  const events = await assertWhole({ service, receiver, calendarId: calendar.id })
  assert.ok(events > 20, `${events} events were written`)
})

test('the same holds without any fault', async ({ service, key, receiver, calendar }) => {
  for (let n = 0; n < 5; n++) await makeEvent(service, key, calendar.id)
  assert.equal(await assertWhole({ service, receiver, calendarId: calendar.id }), 5)
})
