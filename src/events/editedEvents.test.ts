// Edits that are decided at the same moment share a statement. Each is written or refused as if it were alone.
import assert from 'node:assert/strict'
import { WouldHappen } from '../commit/dryRun.ts'
import { decodeId, type Uuid } from '../shapes/ids.ts'
import type { Sql } from '../stores/postgres.ts'
import { actorOf } from '../testing/actors.ts'
import { makeAgent, makeCalendar, makeEvent, makeOrganization } from '../testing/factories.ts'
import { testStart } from '../testing/harness.ts'
import { untilWaiting, whileOpen } from '../testing/locks.ts'
import { serviceTest } from '../testing/test.ts'
import { asUpdate, writeEdit } from './editedEvents.ts'
import { findEvent } from './find.ts'
import { presentEvent } from './present.ts'
import type { EventWithCalendar } from './queries.ts'

const test = serviceTest({ plan: 'custom', receives: ['event.updated'] }).extend(
  'desk',
  async ({ service, organization, key }) => {
    await service.clock.set(testStart)
    const { app } = service
    const { sql } = app
    const other = await makeOrganization(service, { plan: 'custom' })
    const orgOf = (ofOther: boolean) => (ofOther ? other : { id: organization.id, key })
    const place = async (ofOther = false) => {
      const { id, key: ownKey } = orgOf(ofOther)
      const calendar = await makeCalendar(service, ownKey)
      return { id: calendar.id as string, orgId: decodeId('org', id)!, key: ownKey, actor: actorOf(id) }
    }
    type Place = Awaited<ReturnType<typeof place>>
    return {
      place,
      /** An event as an edit reads it. */
      async read({ key: ownKey, id, orgId, actor }: Place) {
        const event = await makeEvent(service, ownKey, id)
        return { actor, before: (await findEvent(app, orgId, decodeId('evt', event.id)!))! }
      },
      edit(
        { actor, before }: { actor: Place['actor']; before: EventWithCalendar },
        changed: Partial<EventWithCalendar> = {},
        seenRevision?: number,
      ) {
        const row = { ...before, allDay: true, ...changed }
        const event = presentEvent(app, row, testStart)
        const edit = { before, row, publishes: true, isMoved: false, seenRevision, now: testStart }
        return writeEdit(app, actor, edit, asUpdate({ event, sync: { status: 'not_configured' } }))
      },
      async state(id: Uuid) {
        const [row] = await sql<{ allDay: boolean; sequence: number; version: string; revision: number }[]>`
          select e.all_day, e.sequence, e.xmin::text as version, c.revision::integer
          from events e
          join calendars c on c.org_id = e.org_id and c.id = e.calendar_id
          where e.id = ${id}`
        return row!
      },
    }
  },
)

const touchEvent = (id: Uuid) => (sql: Sql) => sql`update events set sequence = sequence + 1 where id = ${id}`
const touchCalendar = (id: Uuid) => (sql: Sql) => sql`update calendars set revision = revision + 1 where id = ${id}`

test('of edits of one calendar that share a statement only the one whose event has changed is refused', async ({
  service,
  desk,
}) => {
  const place = await desk.place()
  const [first, stale, third] = [await desk.read(place), await desk.read(place), await desk.read(place)]
  await touchEvent(stale.before.id)(service.app.sql)
  const { revision } = await desk.state(first.before.id)
  assert.deepEqual(await Promise.all([first, stale, third].map((one) => desk.edit(one))), [true, false, true])
  const [one, two, three] = await Promise.all([first, stale, third].map(({ before }) => desk.state(before.id)))
  assert.deepEqual([one?.allDay, two?.allDay, three?.allDay], [true, false, true])
  assert.equal(one?.version, three?.version)
  assert.equal(one?.revision, revision + 1)
})

test('of two edits of one event that come at once one is written', async ({ desk }) => {
  const event = await desk.read(await desk.place())
  const { sequence } = await desk.state(event.before.id)
  assert.deepEqual(await Promise.all([desk.edit(event), desk.edit(event)]), [true, false])
  assert.equal((await desk.state(event.before.id)).sequence, sequence + 1)
})

test('of two times of one calendar that were found free at one revision one is written', async ({ desk }) => {
  const place = await desk.place()
  const [first, second] = [await desk.read(place), await desk.read(place)]
  const { revision } = await desk.state(first.before.id)
  assert.deepEqual(await Promise.all([desk.edit(first, {}, revision), desk.edit(second, {}, revision)]), [true, false])
  assert.equal(await desk.edit(second, {}, revision), false)
  assert.equal(await desk.edit(second, {}, revision + 1), true)
})

test('an edit is refused if its calendar was closed, published, deleted or got other reminders since', async ({
  service,
  desk,
}) => {
  const { sql } = service.app
  const changes: Record<string, (id: Uuid, agentId: Uuid) => Promise<unknown>> = {
    closed: (_, agentId) =>
      sql`update agents set status = 'decommissioned', decommissioned_at = now() where id = ${agentId}`,
    published: (id) => sql`update calendars set destination_id = ${id} where id = ${id}`,
    deleted: (id) => sql`update calendars set deleted_at = now() where id = ${id}`,
    'other reminders': (id) => sql`update calendars set default_reminders = '{1}' where id = ${id}`,
  }
  for (const [name, change] of Object.entries(changes)) {
    const place = await desk.place()
    const agent = decodeId('agt', (await makeAgent(service, place.key)).id)!
    await sql`update calendars set agent_id = ${agent} where id = ${decodeId('cal', place.id)!}`
    const [event, other] = [await desk.read(place), await desk.read(await desk.place())]
    await change(event.before.calendarId, agent)
    assert.deepEqual(await Promise.all([desk.edit(event), desk.edit(other)]), [false, true], name)
  }
})

test('of fifty edits only the one that a constraint refuses fails', async ({ desk }) => {
  const place = await desk.place()
  const events = []
  for (let n = 0; n < 50; n++) events.push(await desk.read(place))
  const outcomes = await Promise.allSettled(
    events.map((one, nth) => desk.edit(one, nth === 20 ? { endTime: one.before.startTime } : {})),
  )
  const failed = outcomes.flatMap((outcome, nth) => (outcome.status === 'rejected' ? [[nth, outcome.reason.code]] : []))
  assert.deepEqual(failed, [[20, '23514']])
  for (const { before } of events.filter((_, nth) => nth !== 20))
    assert.equal((await desk.state(before.id)).allDay, true)
})

test('an edit of which no statement can be made fails alone', async ({ desk }) => {
  const place = await desk.place()
  const [first, broken, third] = [await desk.read(place), await desk.read(place), await desk.read(place)]
  const outcomes = await Promise.allSettled([
    desk.edit(first),
    desk.edit(broken, { reminders: 5 as never }),
    desk.edit(third),
  ])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
})

test('dry runs that wait for a lock hold up none of another organization', async ({ service, desk }) => {
  const { sql } = service.app
  const tryOut = ({ actor, before }: Awaited<ReturnType<typeof desk.read>>) => {
    const request = { ...actor.request, dryRun: { spends: {}, hasEnd: false } }
    return assert.rejects(desk.edit({ before, actor: { ...actor, request } }), WouldHappen)
  }
  const place = await desk.place()
  const [first, second] = [await desk.read(place), await desk.read(place)]
  const other = await desk.read(await desk.place(true))
  await whileOpen(sql, {
    change: touchCalendar(first.before.calendarId),
    waiting: 2,
    async work() {
      const waiting = tryOut(first)
      await untilWaiting(sql, 1)
      await Promise.all([waiting, tryOut(second)])
    },
    meanwhile: () => tryOut(other),
  })
})

test('a calendar that is locked for long holds up no change of another organization', async ({ service, desk }) => {
  const { sql } = service.app
  const locked = await desk.read(await desk.place())
  const others = [await desk.read(await desk.place(true)), await desk.read(await desk.place(true))]
  let written: boolean[] = []
  const work = () => {
    const waiting = desk.edit(locked)
    const extras = Promise.all(others.map((one) => desk.edit(one)))
    return Promise.all([waiting, extras.then((all) => (written = all))])
  }
  const outcome = await whileOpen(sql, {
    change: touchCalendar(locked.before.calendarId),
    work,
    async meanwhile() {
      while (written.length === 0) await new Promise(setImmediate)
      assert.equal((await desk.state(locked.before.id)).allDay, false)
    },
  })
  assert.deepEqual(outcome, [true, [true, true]])
})

test('an edit that waits for a lock goes by what it finds then', async ({ service, desk }) => {
  const { sql } = service.app
  const place = await desk.place()
  const [counted, lost, gone] = [await desk.read(place), await desk.read(place), await desk.read(place)]
  const { revision } = await desk.state(counted.before.id)
  const calendar = touchCalendar(counted.before.calendarId)
  assert.equal(await whileOpen(sql, { change: calendar, work: () => desk.edit(counted) }), true)
  assert.equal((await desk.state(counted.before.id)).revision, revision + 2)
  const both = async (open: Sql) => {
    await calendar(open)
    await touchEvent(lost.before.id)(open)
  }
  assert.equal(await whileOpen(sql, { change: both, work: () => desk.edit(lost) }), false)
  const remove = (open: Sql) => open`update calendars set deleted_at = now() where id = ${gone.before.calendarId}`
  assert.equal(await whileOpen(sql, { change: remove, work: () => desk.edit(gone) }), false)
})

test('the feed and the webhooks tell of edits of one statement once each, in one order', async ({
  service,
  key,
  receiver,
  desk,
}) => {
  const place = await desk.place()
  const events = []
  for (let n = 0; n < 5; n++) events.push(await desk.read(place))
  const { body: start } = await service.call('GET', '/v1/changes', { key })
  await Promise.all(events.map((one) => desk.edit(one)))
  const { body: page } = await service.call('GET', `/v1/changes?cursor=${start.cursor}`, { key })
  const told = page.data.map(({ resource }: { resource: { id: string } }) => decodeId('evt', resource.id))
  assert.deepEqual(
    told,
    events.map(({ before }) => before.id),
    'in the order in which they were decided',
  )
  assert.equal(new Set(page.data.map(({ revision }: { revision: number }) => revision)).size, 1)
  await service.drain()
  const delivered = receiver.received
    .filter(({ payload }) => payload.calendar_id === place.id)
    .map(({ payload }) => decodeId('evt', payload.event.id))
  assert.deepEqual(delivered.toSorted(), told.toSorted())
})
