import assert from 'node:assert/strict'
import { commit } from '../commit/commit.ts'
import { decodeId } from '../shapes/ids.ts'
import type { Fragment } from '../stores/postgres.ts'
import { ahead, makeCalendar, makeEvent, makeHold } from '../testing/factories.ts'
import { type TestService, testStart } from '../testing/harness.ts'
import { serviceTest } from '../testing/test.ts'
import { bumpSeenCalendar, bumpSeenHolds } from './writes.ts'

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
    async seenCalendar() {
      const [row] = await sql<
        { revision: number; holdsRevision: number; holdEvents: number; confirmedEvents: number }[]
      >`
        select revision, holds_revision, hold_events, confirmed_events from calendars where id = ${calendarId}`
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
    const { revision: _, ...seen } = await desk.seenCalendar()
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

test('a hold that comes counts in the revision of the holds; one that goes does not', async ({
  service,
  key,
  desk,
}) => {
  const until = { hold_expires_at: ahead(service, 5) }
  const place = (minutes: number) =>
    makeHold(service, key, desk.id, {
      start_time: ahead(service, minutes),
      end_time: ahead(service, minutes + 10),
      ...until,
    })
  const [confirmed, released, deleted] = [await place(0), await place(10), await place(20)]
  const put = (id: string, verb: string) => service.call('PUT', `/v1/events/${id}/${verb}`, { key })
  const counts = async (change: () => Promise<unknown>) => {
    const { holdsRevision } = await desk.seenCalendar()
    await change()
    return (await desk.seenCalendar()).holdsRevision - holdsRevision
  }
  assert.equal(await counts(() => put(confirmed.id, 'confirm')), 0)
  assert.equal(await counts(() => put(released.id, 'release')), 0)
  assert.equal(await counts(() => service.call('DELETE', desk.pathOf(deleted.id), { key })), 0)
  assert.equal(await counts(() => place(60)), 1)
  assert.equal(
    await counts(() =>
      makeHold(service, key, desk.id, {
        start_time: ahead(service, 60),
        end_time: ahead(service, 70),
        ...until,
        hold_priority: 1,
      }),
    ),
    1,
  )
  await service.clock.advance(5 * 60_000)
  assert.equal(await counts(() => service.drain()), 0)
})
