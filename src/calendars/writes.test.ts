import assert from 'node:assert/strict'
import { commit } from '../commit/commit.ts'
import { decodeId, type Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { ahead, makeCalendar, makeEvent, makeHold } from '../testing/factories.ts'
import { type TestService, testStart } from '../testing/harness.ts'
import { serviceTest } from '../testing/test.ts'
import { bumpSeenCalendar, bumpSeenEvent, bumpSeenHolds, countChange } from './writes.ts'

const matches = async ({ app }: TestService, guard: Fragment) => (await commit(app, { guard })).matched

const test = serviceTest({ plan: 'custom' }).extend('desk', async ({ service, key, organization }) => {
  await service.clock.set(testStart)
  const { sql } = service.app
  const orgId = decodeId('org', organization.id)!
  const { id } = await makeCalendar(service, key)
  const calendarId = decodeId('cal', id)!
  const pathOf = (eventId: string) => `/v1/calendars/${id}/events/${eventId}`
  return {
    id: id as string,
    calendarId,
    pathOf,
    patch: (eventId: string, body: object) => service.call('PATCH', pathOf(eventId), { key, body }),
    async seenEvent(eventId: string) {
      const uuid = decodeId('evt', eventId)!
      const [row] = await sql<{ version: string }[]>`select xmin::text as version from events where id = ${uuid}`
      return { orgId, calendarId, id: uuid, version: row!.version }
    },
    async seenCalendar() {
      const [row] = await sql<{ revision: number; holdsRevision: number; confirmedEvents: number }[]>`
        select revision, holds_revision, confirmed_events from calendars where id = ${calendarId}`
      return { orgId, calendarId, ...row! }
    },
  }
})

test('a guard on the whole calendar misses after any change of it', async ({ service, key, desk }) => {
  const { app } = service
  const seen = await desk.seenCalendar()
  assert.equal(await matches(service, bumpSeenCalendar(app, seen, {})), true)
  assert.equal(await matches(service, bumpSeenCalendar(app, seen, {})), false)
  const latest = await desk.seenCalendar()
  await makeEvent(service, key, desk.id)
  assert.equal(await matches(service, bumpSeenCalendar(app, latest, {})), false)
})

test('a guard on one event misses only after a change of that event, or without its calendar', async ({
  service,
  key,
  desk,
}) => {
  const { app } = service
  const event = await makeEvent(service, key, desk.id)
  const seen = await desk.seenEvent(event.id)
  const other = await makeEvent(service, key, desk.id)
  await makeHold(service, key, desk.id)
  await desk.patch(other.id, { title: 'other' })
  assert.equal(await matches(service, bumpSeenEvent(app, seen, {})), true)
  await desk.patch(event.id, { title: 'new' })
  assert.equal(await matches(service, bumpSeenEvent(app, seen, {})), false)
  const latest = await desk.seenEvent(event.id)
  await service.call('DELETE', `/v1/calendars/${desk.id}`, { key })
  assert.equal(await matches(service, bumpSeenEvent(app, latest, {})), false)
})

/** Runs `change` in a transaction that is still open when `guard` begins, and commits it when the guard waits for it. */
async function whileOpen(service: TestService, change: (sql: Sql) => Promise<unknown>, guard: Fragment) {
  const { sql } = service.app
  const open = await sql.reserve()
  await open`begin`
  await change(open as unknown as Sql)
  const waiting = matches(service, guard)
  for (;;) {
    const [row] = await sql`
      select count(*)::integer as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    if (row?.n > 0) break
  }
  await open`commit`
  open.release()
  return waiting
}

const touchEvent = (id: Uuid) => (sql: Sql) => sql`update events set all_day = true where id = ${id}`
const touchCalendar = (id: Uuid) => (sql: Sql) =>
  sql`
  update calendars set revision = revision + 1, confirmed_events = confirmed_events + 1 where id = ${id}`

test('a guard that waits for the rows sees the change of the event that it waited for', async ({
  service,
  key,
  desk,
}) => {
  const event = await makeEvent(service, key, desk.id)
  const seen = await desk.seenEvent(event.id)
  const touch = touchEvent(seen.id)
  assert.equal(await whileOpen(service, touch, bumpSeenEvent(service.app, seen, {})), false)
  const latest = await desk.seenEvent(event.id)
  const both = async (sql: Sql) => {
    await touchCalendar(desk.calendarId)(sql)
    await touch(sql)
  }
  assert.equal(await whileOpen(service, both, bumpSeenEvent(service.app, latest, {})), false)
})

test('a guard that waits for a change of the calendar alone counts on from it', async ({ service, key, desk }) => {
  const event = await makeEvent(service, key, desk.id)
  const seen = await desk.seenEvent(event.id)
  const before = await desk.seenCalendar()
  const guard = bumpSeenEvent(service.app, seen, { confirmed: 1 })
  assert.equal(await whileOpen(service, touchCalendar(desk.calendarId), guard), true)
  const now = await desk.seenCalendar()
  assert.equal(now.revision, before.revision + 2)
  assert.equal(now.confirmedEvents, before.confirmedEvents + 2)
})

test('a guard on the holds misses after every hold that came or went, and after nothing else', async ({
  service,
  key,
  desk,
}) => {
  const { app } = service
  const until = { hold_expires_at: ahead(service, 5) }
  const apart = (minutes: number) => ({
    start_time: ahead(service, minutes),
    end_time: ahead(service, minutes + 10),
    ...until,
  })
  const holds = []
  for (let n = 0; n < 6; n++) holds.push(await makeHold(service, key, desk.id, apart(n * 10)))
  const [confirmed, released, deleted, preempted, settled] = holds.map(({ id }: { id: string }) => id)
  const event = await makeEvent(service, key, desk.id)
  const isSeen = async (change: () => Promise<unknown>) => {
    const seen = await desk.seenCalendar()
    await change()
    return !(await matches(service, bumpSeenHolds(app, seen, {})))
  }
  const put = (id: string | undefined, verb: string) => service.call('PUT', `/v1/events/${id}/${verb}`, { key })
  assert.equal(await isSeen(() => makeEvent(service, key, desk.id)), false)
  assert.equal(await isSeen(() => desk.patch(event.id, { status: 'cancelled' })), false)
  assert.equal(await isSeen(() => service.call('DELETE', desk.pathOf(event.id), { key })), false)
  assert.equal(await isSeen(() => makeHold(service, key, desk.id, apart(100))), true, 'created')
  assert.equal(await isSeen(() => put(confirmed, 'confirm')), true, 'confirmed')
  assert.equal(await isSeen(() => put(released, 'release')), true, 'released')
  assert.equal(await isSeen(() => service.call('DELETE', desk.pathOf(deleted!), { key })), true, 'deleted')
  assert.equal(await isSeen(() => makeHold(service, key, desk.id, { ...apart(30), hold_priority: 1 })), true, preempted)
  await service.clock.advance(5 * 60_000)
  assert.equal(await isSeen(() => desk.patch(settled!, { title: 'lost' })), true, 'found lapsed by an edit')
  assert.equal(await isSeen(() => service.drain()), true, 'expired')
})

test('a change of status moves the counts by one', () => {
  assert.deepEqual(countChange('hold', 'confirmed'), { hold: -1, confirmed: 1 })
  assert.deepEqual(countChange('confirmed', 'confirmed'), {})
  assert.deepEqual(countChange('tentative', undefined), { tentative: -1 })
  assert.deepEqual(countChange(undefined, 'cancelled'), { cancelled: 1 })
})
