import assert from 'node:assert/strict'
import {
  ahead,
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeOrganization,
  makeWebhook,
} from '../../src/testing/factories.ts'
import { testStart } from '../../src/testing/harness.ts'
import { openReceiver } from '../../src/testing/receiver.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { serviceTest } from '../../src/testing/test.ts'

const unknownId = 'cal_01k9xr8m3fe8tbc4x9m2v7h5qd'
const usual = { name: 'Calendar', timezone: 'UTC' }

const idsOf = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id)

const test = serviceTest()

test('a calendar of the organization answers 201 with the record: exactly its fields, in their mixed spellings', async ({
  service,
  call,
}) => {
  const { id: orgId, key } = await makeOrganization(service)
  const { status, body: calendar } = await call('POST', '/v1/calendars', { key, body: usual })
  assert.equal(status, 201)
  assert.match(calendar.id, /^cal_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  assert.deepEqual(calendar, {
    id: calendar.id,
    orgId,
    agentId: null,
    name: 'Calendar',
    timezone: 'UTC',
    metadata: {},
    externalId: null,
    provider: null,
    deletedAt: null,
    createdAt: testStart.toISOString(),
    updatedAt: testStart.toISOString(),
    agent_status: 'idle',
    default_reminders: null,
    ical_url: calendar.ical_url,
  })
  assert.match(calendar.ical_url, new RegExp(`^${service.baseUrl}/ical/[A-Za-z0-9_-]{32}\\.ics$`))
  assert.deepEqual((await call('GET', `/v1/calendars/${calendar.id}`, { key })).body, calendar)
})

test('a calendar of an agent has its owner, and everything it was given', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const body = {
    name: 'Rooms',
    timezone: 'Europe/Berlin',
    agent_status: 'working',
    default_reminders: [30, 5],
    metadata: { floor: 2 },
  }
  const { status, body: calendar } = await call('POST', `/v1/agents/${agent.id}/calendars`, { key, body })
  assert.equal(status, 201)
  const { name, timezone, agent_status, default_reminders, metadata, agentId } = calendar
  assert.deepEqual(
    { name, timezone, agent_status, default_reminders, metadata },
    { ...body, default_reminders: [5, 30] },
  )
  assert.equal(agentId, agent.id)
  assert.deepEqual((await call('GET', `/v1/calendars/${calendar.id}`, { key })).body, calendar)
})

test('no two calendars share a feed address', async ({ service }) => {
  const { key } = await makeOrganization(service)
  const calendars = [await makeCalendar(service, key), await makeCalendar(service, key)]
  assert.notEqual(calendars[0].ical_url, calendars[1].ical_url)
})

test('reminder lists are stored without duplicates, ascending', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const cases: [sent: number[] | null, kept: number[] | null][] = [
    [
      [10, 10, 5, 40_320, 1],
      [1, 5, 10, 40_320],
    ],
    [
      [9, 8, 7, 100, 10],
      [7, 8, 9, 10, 100],
    ],
    [[], []],
    [null, null],
  ]
  for (const [sent, kept] of cases) {
    const created = await makeCalendar(service, key, undefined, { default_reminders: sent })
    assert.deepEqual(created.default_reminders, kept)
    assert.deepEqual((await call('GET', `/v1/calendars/${created.id}`, { key })).body.default_reminders, kept)
    const { body } = await call('PATCH', `/v1/calendars/${created.id}`, { key, body: { default_reminders: [3, 3] } })
    assert.deepEqual(body.default_reminders, [3])
  }
})

test('agent_status is any text of 1 to 64 characters, set at any time', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const { id } = await makeCalendar(service, key, undefined, { agent_status: 'error' })
  for (const agent_status of ['idle', 'working', 'waiting', 'error', 'idle', 'x', 's'.repeat(64), 'grübelt 🤔']) {
    const { status, body } = await call('PATCH', `/v1/calendars/${id}`, { key, body: { agent_status } })
    assert.deepEqual([status, body.agent_status], [200, agent_status])
  }
})

test('the list shows those of the organization; include=all adds those of agents; one agent has its own list', async ({
  service,
  call,
}) => {
  const { key } = await makeOrganization(service)
  const [first, second] = [await makeAgent(service, key), await makeAgent(service, key)]
  const shared = await makeCalendar(service, key)
  const ofFirst = await makeCalendar(service, key, first.id)
  const ofSecond = await makeCalendar(service, key, second.id)
  const newest = await makeCalendar(service, key)
  const list = async (path: string) => {
    const answer = await call('GET', path, { key })
    assert.equal(answer.body.total, answer.body.data.length)
    assert.deepEqual([answer.body.limit, answer.body.offset], [50, 0])
    return idsOf(answer)
  }
  assert.deepEqual(await list('/v1/calendars'), [newest.id, shared.id])
  assert.deepEqual(await list('/v1/calendars?include=all'), [newest.id, ofSecond.id, ofFirst.id, shared.id])
  assert.deepEqual(await list(`/v1/agents/${first.id}/calendars`), [ofFirst.id])
  assert.deepEqual(await list(`/v1/agents/${second.id}/calendars`), [ofSecond.id])
  const page = await call('GET', '/v1/calendars?include=all&limit=2&offset=1', { key })
  assert.deepEqual(idsOf(page), [ofSecond.id, ofFirst.id])
  assert.deepEqual([page.body.total, page.body.limit, page.body.offset], [4, 2, 1])
  assert.deepEqual(page.body.data[0], ofSecond)
})

test('include takes no other word', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  for (const query of ['include=none', 'include=', 'include=ALL', 'include=all&include=all']) {
    assertRefused(await call('GET', `/v1/calendars?${query}`, { key }), 400, 'validation_error', { param: 'include' })
  }
})

test('PATCH changes what it names and leaves the rest; reminders and metadata are replaced, null clears reminders', async ({
  service,
  call,
}) => {
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key, undefined, {
    default_reminders: [10, 20],
    metadata: { a: 1, b: 2 },
  })
  await service.clock.advance(60_000)
  const path = `/v1/calendars/${calendar.id}`
  let expected = { ...calendar, updatedAt: service.clock.now().toISOString() }
  const steps: [body: object, change: object][] = [
    [{ name: 'Renamed' }, { name: 'Renamed' }],
    [{ timezone: 'Asia/Tokyo' }, { timezone: 'Asia/Tokyo' }],
    [{ default_reminders: [15] }, { default_reminders: [15] }],
    [{ default_reminders: [] }, { default_reminders: [] }],
    [{ default_reminders: null }, { default_reminders: null }],
    [{ metadata: { c: 3 } }, { metadata: { c: 3 } }],
    [
      { name: 'Both', agent_status: 'waiting' },
      { name: 'Both', agent_status: 'waiting' },
    ],
  ]
  for (const [body, change] of steps) {
    expected = { ...expected, ...change }
    const answer = await call('PATCH', path, { key, body })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, expected)
    assert.deepEqual((await call('GET', path, { key })).body, expected)
  }
})

test('PATCH refuses an empty body, nulls and what cannot change', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  const path = `/v1/calendars/${calendar.id}`
  const cases: [body: object, param: string | null][] = [
    [{}, null],
    [{ name: null }, 'name'],
    [{ agent_status: null }, 'agent_status'],
    [{ metadata: null }, 'metadata'],
    [{ default_reminders: [5, 40_321] }, 'default_reminders.1'],
    [{ ical_url: 'https://example.com' }, 'ical_url'],
    [{ deletedAt: null }, 'deletedAt'],
    [{ agentId: null }, 'agentId'],
  ]
  for (const [body, param] of cases) {
    assertRefused(await call('PATCH', path, { key, body }), 400, 'validation_error', { param })
  }
  assert.deepEqual((await call('GET', path, { key })).body, calendar)
})

test('of many concurrent changes to one calendar none is lost', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const { id } = await makeCalendar(service, key)
  const bodies = [{ name: 'N' }, { timezone: 'Asia/Tokyo' }, { agent_status: 'working' }, { metadata: { kept: 1 } }]
  await Promise.all(bodies.map((body) => call('PATCH', `/v1/calendars/${id}`, { key, body })))
  const { name, timezone, agent_status, metadata } = (await call('GET', `/v1/calendars/${id}`, { key })).body
  assert.deepEqual(Object.assign({}, ...bodies), { name, timezone, agent_status, metadata })
})

test('deleting answers 204; from then on the calendar and its events are not found, and nothing of it fires', async ({
  service,
  call,
}) => {
  const receiver = await openReceiver()
  const { key } = await makeOrganization(service)
  await makeWebhook(service, key, receiver.url, [
    'event.deleted',
    'event.started',
    'event.reminder',
    'event.hold_expired',
  ])
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const event = await makeEvent(service, key, calendar.id)
  const hold = await makeEvent(service, key, calendar.id, { status: 'hold', hold_expires_at: ahead(service, 5) })
  const path = `/v1/calendars/${calendar.id}`
  const { status, body } = await call('DELETE', path, { key })
  assert.deepEqual([status, body], [204, ''])
  const gone: [method: string, path: string, code: string, body?: object][] = [
    ['GET', path, 'calendar_not_found'],
    ['PATCH', path, 'calendar_not_found', { name: 'Renamed' }],
    ['DELETE', path, 'calendar_not_found'],
    ['GET', `${path}/events`, 'calendar_not_found'],
    [
      'POST',
      `${path}/events`,
      'calendar_not_found',
      { title: 'T', start_time: ahead(service, 1), end_time: ahead(service, 2) },
    ],
    ['GET', `${path}/events/${event.id}`, 'calendar_not_found'],
    ['PATCH', `${path}/events/${event.id}`, 'calendar_not_found', { title: 'Renamed' }],
    ['DELETE', `${path}/events/${event.id}`, 'calendar_not_found'],
    ['PUT', `/v1/events/${hold.id}/confirm`, 'event_not_found'],
    ['PUT', `/v1/events/${hold.id}/release`, 'event_not_found'],
  ]
  for (const [method, at, code, sent] of gone) {
    assertRefused(await call(method, at, { key, body: sent }), 404, 'not_found', { code })
  }
  assert.deepEqual((await call('GET', '/v1/calendars?include=all', { key })).body.total, 0)
  assert.deepEqual((await call('GET', `/v1/agents/${agent.id}/calendars`, { key })).body.data, [])
  assert.deepEqual((await call('GET', `/v1/agents/${agent.id}/events`, { key })).body.data, [])
  await service.clock.advance(2 * 3_600_000)
  await service.drain()
  assert.deepEqual(receiver.types(), [])
  await receiver.close()
})

test('the cap counts both kinds, and deleting a calendar frees its place at once', async ({ service, call }) => {
  const limits = { calendars: 2 }
  const { key } = await makeOrganization(service, { plan: 'custom', limits })
  const agent = await makeAgent(service, key)
  const first = await makeCalendar(service, key)
  await makeCalendar(service, key, agent.id)
  for (const path of ['/v1/calendars', `/v1/agents/${agent.id}/calendars`]) {
    const answer = await call('POST', path, { key, body: usual })
    assertRefused(answer, 429, 'quota_exceeded')
    assert.equal(answer.headers.get('retry-after'), String(30 * 24 * 60 * 60))
  }
  await call('DELETE', `/v1/calendars/${first.id}`, { key })
  assert.equal((await call('POST', '/v1/calendars', { key, body: usual })).status, 201)
  assertRefused(await call('POST', '/v1/calendars', { key, body: usual }), 429, 'quota_exceeded')
})

test('the free plan holds ten calendars, also when thirty are asked for at once', async ({ service, call }) => {
  const { key } = await makeOrganization(service, { plan: 'free' })
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => call('POST', '/v1/calendars', { key, body: usual })),
  )
  const statuses = Map.groupBy(answers, ({ status }) => status)
  assert.deepEqual([statuses.get(201)?.length, statuses.get(429)?.length], [10, 20])
  assert.equal((await call('GET', '/v1/calendars', { key })).body.total, 10)
})

test('an agent key reads and writes the calendars of its agent only', async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const [own, other] = [await makeAgent(service, key), await makeAgent(service, key)]
  const agentKey = await makeAgentKey(service, key, own.id)
  const mine = await makeCalendar(service, agentKey, own.id)
  const shared = await makeCalendar(service, key)
  const theirs = await makeCalendar(service, key, other.id)
  for (const query of ['', '?include=all']) {
    assert.deepEqual(idsOf(await call('GET', `/v1/calendars${query}`, { key: agentKey })), [mine.id])
  }
  assert.equal((await call('PATCH', `/v1/calendars/${mine.id}`, { key: agentKey, body: { name: 'Mine' } })).status, 200)
  for (const { id } of [shared, theirs]) {
    const path = `/v1/calendars/${id}`
    const window = { start_time: ahead(service, 1), end_time: ahead(service, 2) }
    assertRefused(await call('GET', path, { key: agentKey }), 403, 'forbidden')
    assertRefused(await call('PATCH', path, { key: agentKey, body: { name: 'X' } }), 403, 'forbidden')
    assertRefused(await call('DELETE', path, { key: agentKey }), 403, 'forbidden')
    assertRefused(await call('GET', `${path}/events`, { key: agentKey }), 403, 'forbidden')
    const created = await call('POST', `${path}/events`, { key: agentKey, body: { title: 'T', ...window } })
    assertRefused(created, 403, 'forbidden')
  }
  assert.deepEqual((await call('GET', `/v1/calendars/${theirs.id}`, { key })).body, theirs)
  assert.equal((await call('DELETE', `/v1/calendars/${mine.id}`, { key: agentKey })).status, 204)
})

test("another organization's calendar, an unknown one and a malformed id are not found", async ({ service, call }) => {
  const { key } = await makeOrganization(service)
  const stranger = await makeOrganization(service)
  const foreign = await makeCalendar(service, stranger.key)
  const own = await makeCalendar(service, key)
  const foreignAgent = await makeAgent(service, stranger.key)
  for (const id of [foreign.id, unknownId, own.id.replace('cal_', 'agt_'), own.id.slice(0, -1), 'x']) {
    const path = `/v1/calendars/${id}`
    const detail = { code: 'calendar_not_found' }
    assertRefused(await call('GET', path, { key }), 404, 'not_found', detail)
    assertRefused(await call('PATCH', path, { key, body: { name: 'X' } }), 404, 'not_found', detail)
    assertRefused(await call('DELETE', path, { key }), 404, 'not_found', detail)
    assertRefused(await call('GET', `${path}/events`, { key }), 404, 'not_found', detail)
  }
  const underForeign = `/v1/agents/${foreignAgent.id}/calendars`
  assertRefused(await call('POST', underForeign, { key, body: usual }), 404, 'not_found')
  assertRefused(await call('GET', underForeign, { key }), 404, 'not_found')
  assert.equal((await call('GET', `/v1/calendars/${foreign.id}`, { key: stranger.key })).status, 200)
})
