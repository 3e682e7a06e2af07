import assert from 'node:assert/strict'
import { afterAll, beforeAll, beforeEach, test } from 'vitest'
import { commitParts } from '../changes/commitParts.ts'
import { decodeId, newId, type Uuid } from '../shapes/ids.ts'
import { ahead, makeCalendar, makeEvent, makeHold, makeOrganization } from '../testing/factories.ts'
import { openTestService, type TestService, testStart } from '../testing/harness.ts'
import { bumpSeenCalendar, bumpSeenEvent, bumpSeenHolds, countChange, onCalendar, stale } from './revision.ts'

let service: TestService
let key: string
let orgId: Uuid
// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
let calendar: any
let calendarId: Uuid

beforeAll(async () => {
  service = await openTestService()
  const organization = await makeOrganization(service, { plan: 'custom' })
  key = organization.key
  orgId = decodeId('org', organization.id)!
})
beforeEach(async () => {
  await service.clock.set(testStart)
  calendar = await makeCalendar(service, key)
  calendarId = decodeId('cal', calendar.id)!
})
afterAll(() => service.close())

const pathOf = (eventId: string) => `/v1/calendars/${calendar.id}/events/${eventId}`
const patch = (eventId: string, body: object) => service.call('PATCH', pathOf(eventId), { key, body })

async function seenEvent(eventId: string) {
  const id = decodeId('evt', eventId)!
  const [row] = await service.app.sql<{ version: string }[]>`select xmin::text as version from events where id = ${id}`
  return { orgId, calendarId, id, version: row!.version }
}

async function seenCalendar() {
  const [row] = await service.app.sql<{ revision: number; holdsRevision: number; confirmedEvents: number }[]>`
    select revision, holds_revision, confirmed_events from calendars where id = ${calendarId}`
  return { orgId, calendarId, ...row! }
}

const matches = async (guard: ReturnType<typeof bumpSeenEvent>) => (await commitParts(service.app, guard, {})).matched

test('who decided by the whole calendar finds out about any change of it', async () => {
  const { app } = service
  const seen = await seenCalendar()
  assert.equal(await matches(bumpSeenCalendar(app, seen, {})), true)
  assert.equal(await matches(bumpSeenCalendar(app, seen, {})), false)
  const again = await seenCalendar()
  await makeEvent(service, key, calendar.id)
  assert.equal(await matches(bumpSeenCalendar(app, again, {})), false)
})

test('who decided by one event does not mind what else is on the calendar, only the event itself', async () => {
  const { app } = service
  const event = await makeEvent(service, key, calendar.id)
  const seen = await seenEvent(event.id)
  const other = await makeEvent(service, key, calendar.id)
  await makeHold(service, key, calendar.id)
  await patch(other.id, { title: 'other' })
  assert.equal(await matches(bumpSeenEvent(app, seen, {})), true)
  await patch(event.id, { title: 'new' })
  assert.equal(await matches(bumpSeenEvent(app, seen, {})), false)
  const latest = await seenEvent(event.id)
  await service.call('DELETE', `/v1/calendars/${calendar.id}`, { key })
  assert.equal(await matches(bumpSeenEvent(app, latest, {})), false)
})

/** Runs `change` in a transaction that is still open when `guard` begins, and commits it when the guard waits for it. */
async function whileOpen(
  change: (sql: TestService['app']['sql']) => Promise<unknown>,
  guard: ReturnType<typeof bumpSeenEvent>,
) {
  const { app } = service
  const open = await app.sql.reserve()
  await open`begin`
  await change(open as unknown as TestService['app']['sql'])
  const waiting = matches(guard)
  for (;;) {
    const [row] = await app.sql`
      select count(*)::integer as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    if (row?.n > 0) break
  }
  await open`commit`
  open.release()
  return waiting
}

test('a change of the event that commits while the next one waits for its rows is seen by it', async () => {
  const event = await makeEvent(service, key, calendar.id)
  const seen = await seenEvent(event.id)
  const touch = (sql: TestService['app']['sql']) => sql`update events set all_day = true where id = ${seen.id}`
  const bump = (sql: TestService['app']['sql']) =>
    sql`update calendars set revision = revision + 1 where id = ${calendarId}`
  assert.equal(await whileOpen(touch, bumpSeenEvent(service.app, seen, {})), false)
  const again = await seenEvent(event.id)
  const both = async (sql: TestService['app']['sql']) => {
    await bump(sql)
    await touch(sql)
  }
  assert.equal(await whileOpen(both, bumpSeenEvent(service.app, again, {})), false)
})

test('a change of the calendar alone that commits meanwhile is counted on', async () => {
  const event = await makeEvent(service, key, calendar.id)
  const seen = await seenEvent(event.id)
  const before = await seenCalendar()
  const bump = (sql: TestService['app']['sql']) => sql`
    update calendars set revision = revision + 1, confirmed_events = confirmed_events + 1 where id = ${calendarId}`
  assert.equal(await whileOpen(bump, bumpSeenEvent(service.app, seen, { confirmed: 1 })), true)
  const now = await seenCalendar()
  assert.equal(now.revision, before.revision + 2)
  assert.equal(now.confirmedEvents, before.confirmedEvents + 2)
})

test('who decided by the holds finds out about every hold that came or went, and about nothing else', async () => {
  const { app } = service
  const until = { hold_expires_at: ahead(service, 5) }
  const apart = (minutes: number) => ({
    start_time: ahead(service, minutes),
    end_time: ahead(service, minutes + 10),
    ...until,
  })
  const holds = []
  for (let n = 0; n < 6; n++) holds.push(await makeHold(service, key, calendar.id, apart(n * 10)))
  const [confirmed, released, deleted, preempted, settled] = holds.map(({ id }: { id: string }) => id)
  const event = await makeEvent(service, key, calendar.id)
  const isSeen = async (change: () => Promise<unknown>) => {
    const seen = await seenCalendar()
    await change()
    return !(await matches(bumpSeenHolds(app, seen, {})))
  }
  const put = (id: string | undefined, verb: string) => service.call('PUT', `/v1/events/${id}/${verb}`, { key })
  assert.equal(await isSeen(() => makeEvent(service, key, calendar.id)), false)
  assert.equal(await isSeen(() => patch(event.id, { status: 'cancelled' })), false)
  assert.equal(await isSeen(() => service.call('DELETE', pathOf(event.id), { key })), false)
  assert.equal(await isSeen(() => makeHold(service, key, calendar.id, apart(100))), true, 'created')
  assert.equal(await isSeen(() => put(confirmed, 'confirm')), true, 'confirmed')
  assert.equal(await isSeen(() => put(released, 'release')), true, 'released')
  assert.equal(await isSeen(() => service.call('DELETE', pathOf(deleted!), { key })), true, 'deleted')
  assert.equal(
    await isSeen(() => makeHold(service, key, calendar.id, { ...apart(30), hold_priority: 1 })),
    true,
    preempted,
  )
  await service.clock.advance(5 * 60_000)
  assert.equal(await isSeen(() => patch(settled!, { title: 'lost' })), true, 'found lapsed by an edit')
  assert.equal(await isSeen(() => service.drain()), true, 'expired')
})

test('a decision is taken again for as long as somebody else was faster, and not for ever', async () => {
  let tries = 0
  const outcome = await onCalendar(newId(), async () => (++tries < 5 ? stale : 'done'))
  assert.deepEqual([outcome, tries], ['done', 5])
  await assert.rejects(
    onCalendar(newId(), async () => stale),
    { type: 'internal_error', status: 503 },
  )
})

test('decisions about one calendar take turns, those about others do not wait', async () => {
  const [one, another] = [newId(), newId()]
  const order: string[] = []
  let finish = () => {}
  const blocked = new Promise<void>((resolve) => {
    finish = resolve
  })
  const first = onCalendar(one, async () => {
    await blocked
    order.push('first')
  })
  const next = onCalendar(one, async () => order.push('next'))
  await onCalendar(another, async () => order.push('other'))
  finish()
  await Promise.all([first, next])
  assert.deepEqual(order, ['other', 'first', 'next'])
})

test('a change of status moves the counts by one', () => {
  assert.deepEqual(countChange('hold', 'confirmed'), { hold: -1, confirmed: 1 })
  assert.deepEqual(countChange('confirmed', 'confirmed'), {})
  assert.deepEqual(countChange('tentative', undefined), { tentative: -1 })
  assert.deepEqual(countChange(undefined, 'cancelled'), { cancelled: 1 })
})
