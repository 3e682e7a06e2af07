import assert from 'node:assert/strict'
import { encodeId, newId } from '../../src/shapes/ids.ts'
import { deskTest, importEvent } from '../../src/testing/eventDesk.ts'
import {
  ahead,
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
} from '../../src/testing/factories.ts'
import { testStart } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'

type Query = Record<string, string | number | boolean>

const test = deskTest().extend('lists', ({ service, call, key, organization, desk: { calendar, pathOf } }) => {
  const at = (minutes: number) => ahead(service, minutes)
  const list = (query: Query = {}, path = pathOf()) => {
    const pairs = Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string])
    return call('GET', `${path}?${new URLSearchParams(pairs)}`, { key })
  }
  const readAll = async (path?: string) => {
    const { body } = await list({ limit: 200 }, path)
    assert.equal(body.total, body.data.length)
    return body.data
  }
  const timesOf = (minutes: number) => ({ start_time: at(minutes), end_time: at(minutes + 30) })
  const event = (minutes: number, body: object = {}) =>
    makeEvent(service, key, calendar.id, { ...timesOf(minutes), ...body })
  const hold = (minutes: number, body: object = {}) =>
    makeHold(service, key, calendar.id, { ...timesOf(minutes), ...body })
  const imported = (minutes: number, status = 'confirmed', calendarId: string = calendar.id) =>
    importEvent(service, organization.id, calendarId, { start: at(minutes), end: at(minutes + 30), status })
  return { calendar, at, list, readAll, event, hold, imported }
})

test('a calendar without events lists none, in the envelope of every list', async ({ lists: { list } }) => {
  const answer = await list()
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, { data: [], total: 0, limit: 50, offset: 0 })
})

test('a list shows the records, ordered by start, then id', async ({ lists: { list, event } }) => {
  const late = await event(120)
  const early = await event(10)
  const twins = [await event(60), await event(60, { status: 'tentative' }), await event(60)]
  const { body } = await list()
  assert.deepEqual(body.data, [early, ...twins, late])
  assert.equal(body.total, 5)
})

test('start_after is the first start that is listed, start_before the first that is not', async ({
  lists: { at, list, event },
}) => {
  const events = [await event(10), await event(20), await event(30), await event(40)]
  const ids = async (query: Query) => {
    const { body } = await list(query)
    assert.equal(body.total, body.data.length)
    return body.data.map((item: { id: string }) => events.findIndex(({ id }) => id === item.id))
  }
  assert.deepEqual(await ids({ start_after: at(20) }), [1, 2, 3])
  assert.deepEqual(await ids({ start_before: at(30) }), [0, 1])
  assert.deepEqual(await ids({ start_after: at(20), start_before: at(30) }), [1])
  assert.deepEqual(await ids({ start_after: at(20), start_before: at(20) }), [])
  assert.deepEqual(await ids({ start_after: at(40), start_before: at(20) }), [])
  const aMoment = new Date(Date.parse(at(20)) + 1).toISOString()
  assert.deepEqual(await ids({ start_after: aMoment }), [2, 3])
  assert.deepEqual(await ids({ start_after: at(20).replace('Z', '+00:00') }), [1, 2, 3])
})

test('limit and offset cut the page, total does not depend on them', async ({ lists: { list, event } }) => {
  const events = []
  for (let n = 0; n < 5; n++) events.push(await event(n * 10))
  const page = async (query: Query) => (await list(query)).body
  assert.deepEqual(await page({ limit: 2 }), { data: events.slice(0, 2), total: 5, limit: 2, offset: 0 })
  assert.deepEqual(await page({ limit: 2, offset: 2 }), { data: events.slice(2, 4), total: 5, limit: 2, offset: 2 })
  assert.deepEqual(await page({ limit: 2, offset: 4 }), { data: events.slice(4), total: 5, limit: 2, offset: 4 })
  assert.deepEqual(await page({ offset: 5 }), { data: [], total: 5, limit: 50, offset: 5 })
  assert.deepEqual(await page({ limit: 200, offset: 1_000_000 }), { data: [], total: 5, limit: 200, offset: 1_000_000 })
})

test('a query that is not as specified is refused by the name of its parameter', async ({
  call,
  key,
  lists: { calendar },
}) => {
  const table: [query: string, param: string, code?: string][] = [
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['offset=-1', 'offset'],
    ['offset=1e3', 'offset'],
    ['status=done', 'status'],
    ['status=', 'status'],
    ['status=hold&status=confirmed', 'status'],
    ['source=google', 'source'],
    ['start_after=today', 'start_after', 'invalid_time_format'],
    ['start_before=2026-02-30T00:00:00Z', 'start_before', 'invalid_time_format'],
    ['start_before=2026-03-02T00:00:00', 'start_before', 'invalid_time_format'],
    ['expand=1', 'expand'],
    ['expand=TRUE', 'expand'],
    ['expand=', 'expand'],
  ]
  for (const [query, param, code] of table) {
    for (const path of [`/v1/calendars/${calendar.id}/events`, `/v1/agents/${encodeId('agt', newId())}/events`]) {
      const answer = await call('GET', `${path}?${query}`, { key })
      assertRefused(answer, 400, 'validation_error', { param, ...(code && { code }) })
    }
  }
})

test('expand=true needs both bounds, at most 366 days apart', async ({ lists: { at, list } }) => {
  const day = 24 * 60
  const after = { start_after: at(0) }
  const refused = (query: Query, param: string) =>
    list({ expand: true, ...query }).then((answer) => assertRefused(answer, 400, 'validation_error', { param }))
  await refused({}, 'start_after')
  await refused({ start_before: at(10) }, 'start_after')
  await refused(after, 'start_before')
  await refused({ ...after, start_before: at(367 * day) }, 'start_before')
  await refused({ ...after, start_before: new Date(Date.parse(at(366 * day)) + 1).toISOString() }, 'start_before')
  assert.equal((await list({ expand: true, ...after, start_before: at(366 * day) })).status, 200)
  assert.equal((await list({ expand: false, ...after, start_before: at(367 * day) })).status, 200)
})

test('expand=true lists what happens once like the plain list', async ({ lists: { at, list, event, hold } }) => {
  await event(-10)
  const inside = [await event(0), await hold(10), await event(10, { status: 'tentative' }), await event(10)]
  await event(20)
  const window = { start_after: at(0), start_before: at(20) }
  const plain = await list(window)
  assert.deepEqual(plain.body.data, inside)
  assert.deepEqual((await list({ ...window, expand: true })).body, plain.body)
  const page = { ...window, limit: 2, offset: 1 }
  assert.deepEqual((await list({ ...page, expand: true })).body, (await list(page)).body)
  for (const status of ['confirmed', 'tentative', 'hold', 'cancelled']) {
    assert.deepEqual((await list({ ...window, status, expand: true })).body, (await list({ ...window, status })).body)
  }
})

/** The list by the specification, computed from every record in the simplest way. */
// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
function expected(all: any[], query: Query) {
  const matching = all
    .filter((item) => !query.status || item.status === query.status)
    .filter((item) => !query.source || item.source === query.source)
    .filter((item) => !query.start_after || item.startTime >= query.start_after)
    .filter((item) => !query.start_before || item.startTime < query.start_before)
    .sort((a, b) => (a.startTime === b.startTime ? (a.id < b.id ? -1 : 1) : a.startTime < b.startTime ? -1 : 1))
  const [limit, offset] = [Number(query.limit ?? 50), Number(query.offset ?? 0)]
  return { data: matching.slice(offset, offset + limit), total: matching.length, limit, offset }
}

/** Every combination of the filters, with and without paging. */
function* combinations(at: (minutes: number) => string): Generator<Query> {
  for (const status of ['', 'confirmed', 'tentative', 'cancelled', 'hold'])
    for (const source of ['', 'internal', 'external_ical'])
      for (const bounds of [
        {},
        { start_after: at(30) },
        { start_before: at(60) },
        { start_after: at(20), start_before: at(60) },
      ])
        for (const page of [{}, { limit: 3, offset: 2 }])
          yield { ...(status && { status }), ...(source && { source }), ...bounds, ...page } as Query
}

test('data and total are right in every combination of filters, with lapsed holds and imported events among them', async ({
  service,
  call,
  key,
  lists: { calendar, at, list, readAll, event, hold, imported },
}) => {
  for (const [index, status] of ['confirmed', 'tentative', 'cancelled', 'confirmed'].entries()) {
    await event(index * 20, { status })
    await event(60, { status })
  }
  await imported(30)
  await imported(60, 'tentative')
  await imported(70, 'cancelled')
  const lapsing = [
    await hold(0, { hold_expires_at: at(1) }),
    await hold(30, { hold_expires_at: at(1) }),
    await hold(60, { hold_expires_at: at(2) }),
  ]
  const living = await hold(100, { hold_expires_at: at(10) })
  const deleted = await event(30)
  await call('DELETE', `/v1/calendars/${calendar.id}/events/${deleted.id}`, { key })
  const start = testStart.getTime()
  for (const minutes of [0, 1, 2, 11]) {
    // Nothing is fired in between: what has lapsed is still stored as a hold.
    await service.clock.set(new Date(start + minutes * 60_000))
    const all = await readAll()
    const statusOf = (id: string) => all.find((item: { id: string }) => item.id === id).status
    assert.deepEqual(
      lapsing.map(({ id }) => statusOf(id)),
      [minutes >= 1, minutes >= 1, minutes >= 2].map((isLapsed) => (isLapsed ? 'cancelled' : 'hold')),
    )
    assert.equal(statusOf(living.id), minutes >= 10 ? 'cancelled' : 'hold')
    assert.equal(all.length, 15)
    for (const query of combinations(at))
      assert.deepEqual((await list(query)).body, expected(all, query), JSON.stringify(query))
  }
})

test("an agent's list merges all its calendars and nobody else's", async ({
  service,
  call,
  key,
  lists: { calendar, at, list, readAll, imported },
}) => {
  const agent = await makeAgent(service, key)
  const other = await makeAgent(service, key)
  const calendars = [
    await makeCalendar(service, key, agent.id),
    await makeCalendar(service, key, agent.id),
    await makeCalendar(service, key, agent.id),
  ]
  const add = (calendarId: string, minutes: number, body: object = {}) =>
    makeEvent(service, key, calendarId, { start_time: at(minutes), end_time: at(minutes + 5), ...body })
  for (let n = 0; n < 9; n++) {
    const status = ['confirmed', 'tentative', 'cancelled'][n % 3]!
    await add(calendars[n % 3]!.id, ((n * 7) % 5) * 20, { status })
  }
  await imported(30, 'confirmed', calendars[1]!.id)
  await makeHold(service, key, calendars[2]!.id, { start_time: at(35), end_time: at(40), hold_expires_at: at(1) })
  await add((await makeCalendar(service, key, other.id)).id, 0)
  await add(calendar.id, 0)
  const path = `/v1/agents/${agent.id}/events`
  await service.clock.advance(60_000)
  const all = await readAll(path)
  assert.equal(all.length, 11)
  assert.deepEqual(
    [...new Set(all.map((item: { calendarId: string }) => item.calendarId))].sort(),
    calendars.map(({ id }) => id).sort(),
  )
  for (const query of combinations(at)) {
    assert.deepEqual((await list(query, path)).body, expected(all, query), JSON.stringify(query))
  }
  await call('DELETE', `/v1/calendars/${calendars[0]!.id}`, { key })
  const left = all.filter((item: { calendarId: string }) => item.calendarId !== calendars[0]!.id)
  assert.deepEqual((await list({}, path)).body, { data: left, total: left.length, limit: 50, offset: 0 })
  assert.deepEqual((await list({}, `/v1/agents/${other.id}/events`)).body.total, 1)
})

test('a page of an agent with many calendars is the same, however unevenly they are filled', async ({
  service,
  key,
  lists: { at, list },
}) => {
  const agent = await makeAgent(service, key)
  const made: { id: string; startTime: string }[] = []
  for (let nth = 0; nth < 6; nth++) {
    const { id } = await makeCalendar(service, key, agent.id)
    const early = nth === 0 ? 30 : 0
    for (let n = 0; n < early + nth; n++) {
      const minutes = n < early ? 10 + (n >> 1) : 20 + (n % 4) * nth
      const times = { start_time: at(minutes), end_time: at(minutes + 5) }
      made.push(await makeEvent(service, key, id, { ...times, status: n % 7 === 3 ? 'tentative' : 'confirmed' }))
    }
  }
  const order = ({ startTime, id }: (typeof made)[number]) => `${startTime} ${id}`
  made.sort((a, b) => (order(a) < order(b) ? -1 : 1))
  for (const limit of [1, 7, 50]) {
    for (let offset = 0; offset <= made.length; offset += limit) {
      const { body } = await list({ limit, offset }, `/v1/agents/${agent.id}/events`)
      assert.deepEqual(body.data, made.slice(offset, offset + limit), `${limit} from ${offset}`)
      assert.equal(body.total, made.length)
    }
  }
})

test('an agent without calendars has an empty list, an unknown agent none', async ({
  service,
  call,
  key,
  lists: { calendar, list },
}) => {
  const agent = await makeAgent(service, key)
  const answer = await list({}, `/v1/agents/${agent.id}/events`)
  assert.deepEqual(answer.body, { data: [], total: 0, limit: 50, offset: 0 })
  for (const id of [encodeId('agt', newId()), 'agt_x', calendar.id]) {
    assertRefused(await list({}, `/v1/agents/${id}/events`), 404, 'not_found')
  }
  const stranger = await makeOrganization(service)
  const theirs = await call('GET', `/v1/agents/${agent.id}/events`, { key: stranger.key })
  assertRefused(theirs, 404, 'not_found')
})

test("an agent's key lists its own agent's events only", async ({ service, call, key }) => {
  const [mine, other] = [await makeAgent(service, key), await makeAgent(service, key)]
  const agentKey = await makeAgentKey(service, key, mine.id)
  const own = await makeCalendar(service, key, mine.id)
  const shown = await makeEvent(service, key, own.id)
  const answer = await call('GET', `/v1/agents/${mine.id}/events`, { key: agentKey })
  assert.deepEqual(answer.body.data, [shown])
  assertRefused(await call('GET', `/v1/agents/${other.id}/events`, { key: agentKey }), 403, 'forbidden')
})
