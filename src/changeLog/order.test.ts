// The order of entries: per calendar and per thing the order in which it happened, whichever processes wrote, and however their
// statements met.
import assert from 'node:assert/strict'
import { commit } from '../commit/commit.ts'
import { decodeId, encodeId, newId } from '../shapes/ids.ts'
import { changesOf, type StoredChange } from '../testing/changes.ts'
import { ahead, makeCalendar, makeEvent, makeHold, makeOrganization } from '../testing/factories.ts'
import { testStart } from '../testing/harness.ts'
import { whileOpen } from '../testing/locks.ts'
import { serviceTest } from '../testing/test.ts'
import { emitPerKey } from '../webhooks/emit.ts'

const test = serviceTest().extend('desk', async ({ service }) => {
  await service.clock.set(testStart)
  const organization = await makeOrganization(service)
  const calendars: { id: string }[] = []
  for (let nth = 0; nth < 3; nth++) calendars.push(await makeCalendar(service, organization.key))
  calendars.sort((a, b) => a.id.localeCompare(b.id))
  const before = (await changesOf(service, organization.id)).length
  const told = async () => (await changesOf(service, organization.id)).slice(before)
  return { ...organization, calendars, told }
})

/** Of each calendar, the entries with a revision in the order of the feed. */
const revisions = (entries: readonly StoredChange[]) =>
  [...Map.groupBy(entries, ({ calendarId }) => calendarId).values()].map((own) =>
    own.flatMap(({ revision }) => (revision === null ? [] : [revision])),
  )

test('a statement draws its number when it holds all its locks, not when it holds the first', async ({
  service,
  desk,
}) => {
  const { app } = service
  const { sql } = app
  const orgId = decodeId('org', desk.id)!
  const ids = desk.calendars.map(({ id }) => decodeId('cal', id)!)
  const emissions = desk.calendars.map(({ id }, nth) => ({
    ...{ orgId, key: ids[nth]! },
    ...{ type: 'event.deleted' as const, payload: { calendar_id: id, event_id: encodeId('evt', newId()) } },
  }))
  let drawn = 0n
  await whileOpen(sql, {
    change: (open) => open`select from calendars where id = ${ids.at(-1)!} for update`,
    work: () =>
      commit(app, {
        guard: sql`
          select id::text as key, agent_id, revision + 1 as revision
          from calendars
          where org_id = ${orgId}
          order by org_id, id
          for no key update`,
        effects: emitPerKey(app, 'timer', emissions),
      }),
    async meanwhile() {
      const [row] = await sql<[{ seq: string }]>`select nextval('changes_seq')::text as seq`
      drawn = BigInt(row.seq)
    },
  })
  const entries = await desk.told()
  assert.equal(entries.length, 3)
  for (const { seq } of entries) assert.equal(BigInt(seq), drawn + 1n)
})

test('of each calendar the revision never falls, whatever two processes write at once', { timeout: 60_000 }, async ({
  service,
  second,
  desk,
}) => {
  const { key, calendars } = desk
  const expected: string[] = []
  const success = (type: string, status: number) => {
    if (status < 300) expected.push(type)
  }
  async function write(writer: number) {
    const { call } = writer % 2 ? service : second
    for (let nth = 0; nth < 6; nth++) {
      const { id } = calendars[(writer + nth) % calendars.length]!
      const path = `/v1/calendars/${id}/events`
      const times = { start_time: ahead(service, 60 * (nth + 1)), end_time: ahead(service, 60 * (nth + 1) + 30) }
      const made = await call('POST', path, { key, body: { title: 'Event', ...times } })
      success('event.created', made.status)
      const edited = await call('PATCH', `${path}/${made.body.id}`, { key, body: { title: `Event ${nth}` } })
      success('event.updated', edited.status)
      success(
        'calendar.updated',
        (await call('PATCH', `/v1/calendars/${id}`, { key, body: { name: `${writer}` } })).status,
      )
      success('event.deleted', (await call('DELETE', `${path}/${made.body.id}`, { key })).status)
    }
  }
  await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(write))
  const entries = await desk.told()
  assert.deepEqual(entries.map(({ type }) => type).toSorted(), expected.toSorted())
  for (const found of revisions(entries))
    assert.deepEqual(
      found,
      found.toSorted((a, b) => a - b),
    )
  for (const own of Map.groupBy(
    entries.filter(({ type }) => type.startsWith('event.')),
    ({ resourceId }) => resourceId,
  ).values())
    assert.deepEqual(
      own.map(({ type }) => type),
      ['event.created', 'event.updated', 'event.deleted'],
    )
})

test('a moment that fires while its event is deleted stands before the deletion, or nowhere', {
  timeout: 60_000,
}, async ({ service, second, desk }) => {
  const { key, calendars } = desk
  const path = `/v1/calendars/${calendars[0]!.id}/events`
  const events = await Promise.all(
    Array.from({ length: 24 }, () => makeEvent(service, key, calendars[0]!.id, { reminders: [] })),
  )
  await service.clock.advance(60 * 60_000)
  const deleting = events.map(({ id }, nth) => (nth % 2 ? service : second).call('DELETE', `${path}/${id}`, { key }))
  await service.drain()
  for (const { status } of await Promise.all(deleting)) assert.equal(status, 204)
  await service.drain()
  const entries = await desk.told()
  for (const { id } of events) {
    const own = entries.filter(({ resourceId }) => resourceId === decodeId('evt', id)).map(({ type }) => type)
    assert.ok(['event.created,event.deleted', 'event.created,event.started,event.deleted'].includes(`${own}`), `${own}`)
  }
})

test('moments of one block stand in the order of their time, ends before what starts then', async ({
  service,
  desk,
}) => {
  const { key, calendars } = desk
  const at = (minutes: number) => ahead(service, minutes)
  const later = await makeEvent(service, key, calendars[0]!.id, { start_time: at(30), end_time: at(40), reminders: [] })
  const earlier = await makeEvent(service, key, calendars[0]!.id, {
    start_time: at(20),
    end_time: at(30),
    reminders: [],
  })
  await service.clock.advance(60 * 60_000)
  await service.drain()
  const moments = (await desk.told()).slice(2)
  const name = ({ type, resourceId }: StoredChange) =>
    `${type} ${resourceId === decodeId('evt', later.id) ? 'later' : resourceId === decodeId('evt', earlier.id) && 'earlier'}`
  assert.deepEqual(moments.map(name), [
    'event.started earlier',
    'event.ended earlier',
    'event.started later',
    'event.ended later',
  ])
})

test('a hold that is confirmed, released and expires at one moment has one end', { timeout: 60_000 }, async ({
  service,
  second,
  desk,
}) => {
  const { key, calendars } = desk
  const holds = await Promise.all(
    Array.from({ length: 12 }, (_, nth) =>
      makeHold(service, key, calendars[1]!.id, {
        start_time: ahead(service, 60 * nth + 60),
        end_time: ahead(service, 60 * nth + 90),
      }),
    ),
  )
  await service.clock.advance(5 * 60_000 - 1)
  const ending = holds.flatMap(({ id }) => [
    service.call('PUT', `/v1/events/${id}/confirm`, { key }),
    second.call('PUT', `/v1/events/${id}/release`, { key }),
  ])
  await service.clock.advance(1)
  await service.drain()
  await Promise.all(ending)
  await service.drain()
  const entries = await desk.told()
  for (const { id } of holds) {
    const own = entries.filter(({ resourceId }) => resourceId === decodeId('evt', id)).map(({ type }) => type)
    assert.equal(own.length, 2, `${own}`)
    assert.equal(own[0], 'event.hold_created')
  }
  for (const found of revisions(entries))
    assert.deepEqual(
      found,
      found.toSorted((a, b) => a - b),
    )
})
