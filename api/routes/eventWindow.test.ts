import assert from 'node:assert/strict'
import type { Actor } from '../../src/actors/actor.ts'
import { titleContext } from '../../src/changeLog/sealed.ts'
import { listWindow } from '../../src/events/windowList.ts'
import { dayMs, hourMs, minuteMs } from '../../src/shapes/durations.ts'
import { decodeId, encodeId, newId, type Uuid } from '../../src/shapes/ids.ts'
import {
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
} from '../../src/testing/factories.ts'
import type { TestService } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const iso = (ms: number) => new Date(ms).toISOString()
const fromMs = Date.parse('2026-03-03T00:00:00.000Z')
const toMs = Date.parse('2026-03-05T00:00:00.000Z')
const at = (hours: number, minutes = 0) => iso(fromMs + hours * hourMs + minutes * minuteMs)

type Item = { id: string; title: string; calendarId: string; startTime: string; endTime: string; status: string }

const test = serviceTest({ plan: 'custom' })
  .extend('ask', perFile, ({ call, key }) => (ids: readonly string[], more = '', as = key) => {
    const window = `start=${iso(fromMs)}&end=${iso(toMs)}`
    return call('GET', `/v1/events?calendar_ids=${ids.join()}&${window}${more}`, { key: as })
  })
  .extend('pages', perFile, ({ ask }) => async (ids: readonly string[], limit: number) => {
    const pages: Item[][] = []
    for (let cursor = ''; ; ) {
      const { status, body } = await ask(ids, `&limit=${limit}&cursor=${cursor}`)
      assert.equal(status, 200, JSON.stringify(body))
      pages.push(body.data)
      if (body.next_cursor === null) return pages
      assert.equal(body.data.length, limit)
      cursor = body.next_cursor
    }
  })

test('all that overlaps the window is listed: events, holds, imports, occurrences as they are now, of the asked calendars alone', async ({
  service,
  ask,
  call,
  organization,
  key,
}) => {
  const agent = await makeAgent(service, key)
  const [mine, other] = [await makeCalendar(service, key), await makeCalendar(service, key, agent.id)]
  const unasked = await makeCalendar(service, key)
  const event = (calendar: { id: string }, title: string, start: string, end: string, more: object = {}) =>
    makeEvent(service, key, calendar.id, { title, start_time: start, end_time: end, ...more })
  await event(mine, 'ended', at(-2), at(0))
  await event(mine, 'still on', at(-2), at(0, 1))
  await event(mine, 'for weeks', at(-30 * 24), at(30 * 24))
  await event(other, 'inside', at(5), at(6), { status: 'tentative' })
  await event(other, 'starts at the end', at(48), at(49))
  await event(other, 'starts before the end', at(47, 59), at(49))
  await event(unasked, 'elsewhere', at(5), at(6))
  await event(mine, 'cancelled', at(5), at(6), { status: 'cancelled' })
  const daily = { recurrence_rule: 'FREQ=DAILY' }
  const series = await event(mine, 'daily', at(-49), at(-46), daily)
  await event(mine, 'over', at(-72), at(-71), { recurrence_rule: 'FREQ=DAILY;COUNT=2' })
  const path = `/v1/events/${series.id}?occurrence_start=`
  assert.equal(
    (await call('PATCH', `${path}${at(23)}`, { key, body: { title: 'moved', start_time: at(20), end_time: at(21) } }))
      .status,
    200,
  )
  const hold = { start_time: at(7), end_time: at(8), title: 'held' }
  const soon = (seconds: number) => iso(service.clock.now().getTime() + seconds * 1_000)
  await makeHold(service, key, other.id, { ...hold, hold_expires_at: soon(600) })
  await makeHold(service, key, other.id, {
    ...hold,
    title: 'lapsed',
    hold_expires_at: soon(40),
    start_time: at(9),
    end_time: at(10),
  })
  await service.clock.advance(41_000)
  const imported = await event(mine, 'imported', at(12), at(13))
  await service.app.sql`
    update events set source = 'external_ical'
    where org_id = ${decodeId('org', organization.id)!} and id = ${decodeId('evt', imported.id)!}`

  const { status, body } = await ask([mine.id, other.id, mine.id])
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), ['data', 'next_cursor'])
  assert.equal(body.next_cursor, null)
  assert.deepEqual(
    body.data.map(({ title, startTime, calendarId }: Item) => [
      title,
      startTime,
      calendarId === mine.id ? 'mine' : 'other',
    ]),
    [
      ['for weeks', at(-30 * 24), 'mine'],
      ['still on', at(-2), 'mine'],
      ['daily', at(-1), 'mine'],
      ['inside', at(5), 'other'],
      ['held', at(7), 'other'],
      ['imported', at(12), 'mine'],
      ['moved', at(20), 'mine'],
      ['daily', at(47), 'mine'],
      ['starts before the end', at(47, 59), 'other'],
    ],
  )
  const [first] = body.data.filter(({ title }: Item) => title === 'daily')
  assert.deepEqual(first, {
    ...(await call('GET', `/v1/events/${series.id}`, { key })).body,
    startTime: at(-1),
    endTime: at(2),
    recurringEventId: series.id,
    originalStartTime: at(-1),
  })
  const moved = body.data.find(({ title }: Item) => title === 'moved')
  assert.deepEqual([moved.id, moved.originalStartTime, moved.overridden], [series.id, at(23), true])
})

/** Of all kinds, many with one and the same start; spread over the window and before it. */
async function fill({ app: { sql, sealer } }: TestService, orgId: Uuid, calendarId: Uuid, count: number) {
  const rows = Array.from({ length: count }, (_, nth) => {
    const id = newId()
    const startMs = fromMs + (((nth * 37) % 80) - 30) * hourMs
    return {
      id,
      title: sealer.seal(titleContext(id), `${nth}`).toString('hex'),
      starts: iso(startMs),
      ends: iso(startMs + (1 + (nth % 17) * 50) * minuteMs),
      status: nth % 9 === 0 ? 'cancelled' : nth % 5 === 0 ? 'tentative' : 'confirmed',
      source: nth % 4 === 0 ? 'external_ical' : 'internal',
    }
  })
  await sql`
    insert into events (org_id, id, calendar_id, title_sealed, start_time, end_time, status, source, metadata,
      created_at, updated_at)
    select ${orgId}::uuid, i.id, ${calendarId}::uuid, decode(i.title, 'hex'), i.starts, i.ends, i.status, i.source, '{}', now(), now()
    from jsonb_to_recordset(${sql.json(rows)})
      as i (id uuid, title text, starts timestamptz, ends timestamptz, status text, source text)`
}

test('pages of any size are the whole list, cut', async ({ service, organization, key, pages }) => {
  const { app } = service
  const orgId = decodeId('org', organization.id)!
  const calendars = await Promise.all(Array.from({ length: 7 }, () => makeCalendar(service, key)))
  const uuids = calendars.map(({ id }) => decodeId('cal', id)!)
  for (const uuid of uuids) await fill(service, orgId, uuid, 60)
  const [first, second] = calendars as [{ id: string }, { id: string }]
  const series = { start_time: at(-30), end_time: at(-27), recurrence_rule: 'FREQ=DAILY' }
  for (const calendar of [first, first, second]) {
    const { id } = await makeEvent(service, key, calendar.id, series)
    const path = `/v1/events/${id}?occurrence_start=${at(-6)}`
    assert.equal((await service.call('PATCH', path, { key, body: { title: 'edited' } })).status, 200)
  }
  await makeEvent(service, key, second.id, { ...series, end_time: at(60), recurrence_rule: 'FREQ=WEEKLY' })
  const ids = calendars.map(({ id }) => id)
  for (const some of [1, 2, 7]) {
    const window = { start: new Date(fromMs), end: new Date(toMs), limit: 10_000, offset: 0 }
    const { items } = await listWindow(app, { orgId } as Actor, uuids.slice(0, some), window)
    assert.ok(items.length > 30 * some, `${items.length}`)
    for (const limit of [1, 2, 7, 50, items.length - 1, items.length, 2_000]) {
      if (limit === 1 && some > 1) continue
      const read = await pages(ids.slice(0, some), limit)
      assert.deepEqual(read.flat(), items, `${limit} of ${some} calendars`)
      assert.equal(read.length, Math.ceil(items.length / limit), `${limit} of ${some} calendars`)
    }
  }
})

test('an event that stays is on one page, whatever comes and goes meanwhile', async ({ service, key, ask, call }) => {
  const calendar = await makeCalendar(service, key)
  const made: { id: string; startTime: string }[] = []
  for (let hour = 0; hour < 12; hour++) {
    made.push(await makeEvent(service, key, calendar.id, { start_time: at(hour), end_time: at(hour, 30) }))
  }
  const seen: string[] = []
  let cursor = ''
  for (let nth = 0; cursor !== null; nth++) {
    const { body } = await ask([calendar.id], `&limit=3&cursor=${cursor}`)
    seen.push(...body.data.map(({ id }: Item) => id))
    cursor = body.next_cursor
    // One that was shown goes, and one comes before the place that was reached.
    await call('DELETE', `/v1/events/${body.data[0].id}`, { key })
    if (nth < 3) await makeEvent(service, key, calendar.id, { start_time: at(0), end_time: at(0, 30) })
  }
  assert.deepEqual(
    seen,
    made.map(({ id }) => id),
  )
})

test('with view=local every event has its local times, in the zone that is asked for', async ({
  service,
  key,
  ask,
}) => {
  const calendar = await makeCalendar(service, key)
  await makeEvent(service, key, calendar.id, { start_time: at(9), end_time: at(10) })
  const { body } = await ask([calendar.id], '&view=local&tz=Europe/Berlin')
  assert.equal(body.data[0].local.start, '10:00')
  assertRefused(await ask([calendar.id], '&view=local'), 400, 'validation_error', { param: 'tz' })
})

test('what is missing, malformed, too much or of somebody else is refused with the name of the parameter', async ({
  service,
  key,
  ask,
  call,
}) => {
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const removed = await makeCalendar(service, key)
  assert.equal((await call('DELETE', `/v1/calendars/${removed.id}`, { key })).status, 204)
  const stranger = await makeOrganization(service)
  const foreign = await makeCalendar(service, stranger.key)
  const [start, end] = [`start=${iso(fromMs)}`, `end=${iso(toMs)}`]
  const of = `calendar_ids=${calendar.id}`
  const refused: [query: string, param: string, code?: string][] = [
    [`${start}&${end}`, 'calendar_ids'],
    [`calendar_ids=&${start}&${end}`, 'calendar_ids'],
    [`${of}&${end}`, 'start'],
    [`${of}&${start}`, 'end'],
    [`${of}&${start}&end=${iso(fromMs)}`, 'end', 'end_before_start'],
    [`${of}&${start}&end=${iso(fromMs + 366 * dayMs + 1)}`, 'end'],
    [`${of}&${start}&${end}&limit=0`, 'limit'],
    [`${of}&${start}&${end}&limit=2001`, 'limit'],
    [`${of}&${start}&${end}&cursor=x`, 'cursor'],
    [`${of}&${start}&${end}&offset=1`, 'offset'],
  ]
  for (const [query, param, code] of refused) {
    const answer = await call('GET', `/v1/events?${query}`, { key })
    assertRefused(answer, 400, 'validation_error', { param, ...(code && { code }) })
  }
  const fifty = Array.from({ length: 50 }, () => encodeId('cal', newId()))
  assertRefused(await ask([calendar.id, ...fifty]), 400, 'validation_error', { param: 'calendar_ids' })
  for (const id of [removed.id, foreign.id, fifty[0]!, 'x', agent.id]) {
    const answer = await ask([calendar.id, id])
    assertRefused(answer, 404, 'not_found', { param: 'calendar_ids', code: 'calendar_not_found' })
  }
  assert.equal((await ask([calendar.id], '&limit=2000')).status, 200)
  assertRefused(await ask([calendar.id], '', await makeAgentKey(service, key, agent.id)), 403, 'forbidden')
})

test('a cursor of another organization is refused', async ({ service, key, ask }) => {
  const stranger = await makeOrganization(service)
  const [own, foreign] = [await makeCalendar(service, key), await makeCalendar(service, stranger.key)]
  for (const hour of [1, 2]) {
    await makeEvent(service, stranger.key, foreign.id, { start_time: at(hour), end_time: at(hour, 30) })
  }
  const { body } = await ask([foreign.id], '&limit=1', stranger.key)
  assert.equal((await ask([foreign.id], `&limit=1&cursor=${body.next_cursor}`, stranger.key)).body.data.length, 1)
  assertRefused(await ask([own.id], `&cursor=${body.next_cursor}`), 400, 'validation_error', { param: 'cursor' })
})
