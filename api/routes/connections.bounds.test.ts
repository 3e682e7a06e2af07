// The bounds of what is sent about humans' calendars, and what the tables of states say of a connection that is not broken.
import assert from 'node:assert/strict'
import { connectionTest } from '../../src/testing/connections.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = connectionTest()
const at = '/v1/calendar-connections'
const grants = '/v1/availability-grants'

test('a CalDAV account is sent within its bounds, and nothing beside it', async ({ caldav, desk }) => {
  const refusals: [object, string][] = [
    [{ server_url: `https://example.com/${'a'.repeat(2_029)}` }, 'server_url'],
    [{ server_url: '' }, 'server_url'],
    [{ username: '' }, 'username'],
    [{ username: 'a'.repeat(321) }, 'username'],
    [{ password: '' }, 'password'],
    [{ password: 'a'.repeat(1_025) }, 'password'],
    [{ timezone: 'Mars/Base' }, 'timezone'],
    [{ capabilities: [] }, 'capabilities'],
    [{ capabilities: ['reading'] }, 'capabilities.0'],
    [{ calendars: [] }, 'calendars'],
  ]
  for (const [body, param] of refusals) {
    assertRefused(await desk.connect(body), 400, 'validation_error', { param })
  }
  for (const name of ['server_url', 'username', 'password']) {
    assertRefused(await desk.connect({ [name]: undefined }), 400, 'validation_error', { param: name })
  }
  assert.deepEqual(caldav.asked, [])
  // The longest ones reach the server, which refuses them.
  const longest = await desk.connect({ username: 'a'.repeat(320), password: 'a'.repeat(1_024) })
  assertRefused(longest, 400, 'validation_error', { param: 'password', code: 'credentials_rejected' })
})

test('connections and their calendars are listed by pages', async ({ desk }) => {
  const { calendars, ...connection } = await desk.connected()
  assert.deepEqual(await desk.ok('GET', at), { data: [connection], total: 1, limit: 50, offset: 0 })
  const path = `${at}/${connection.id}/external-calendars`
  assert.deepEqual(await desk.ok('GET', path), { data: calendars, total: 2, limit: 50, offset: 0 })
  const second = await desk.ok('GET', `${path}?limit=1&offset=1`)
  assert.deepEqual(second, { data: [calendars[1]], total: 2, limit: 1, offset: 1 })
  assertRefused(await desk.session('GET', `${path}?limit=0`), 400, 'validation_error', { param: 'limit' })
})

test('whether copies are kept is true or false', async ({ desk }) => {
  const { id } = await desk.connected()
  const removed = await desk.session('DELETE', `${at}/${id}?keep_published=perhaps`)
  assertRefused(removed, 400, 'validation_error', { param: 'keep_published' })
  const path = `/v1/calendars/${desk.calendar.id}/external-destination?keep_published=perhaps`
  assertRefused(await desk.session('DELETE', path), 400, 'validation_error', { param: 'keep_published' })
  assert.equal((await desk.read(id)).status, 'active')
})

test('a grant names up to 50 calendars and 200 agents, also of a paused connection', async ({ desk }) => {
  const { connection, calendarId, grant } = await desk.granted()
  const usual = { external_calendar_ids: [calendarId], audience: 'selected_agents', agent_ids: [desk.agent.id] }
  const many = (count: number, one: string) => Array.from({ length: count }, () => one)
  for (const [param, length] of [
    ['external_calendar_ids', 50],
    ['agent_ids', 200],
  ] as const) {
    const [one] = usual[param]
    for (const send of [
      (body: object) => desk.session('POST', grants, { ...usual, ...body }),
      (body: object) => desk.session('PATCH', `${grants}/${grant.id}`, body),
    ]) {
      assertRefused(await send({ [param]: many(length + 1, one!) }), 400, 'validation_error', { param })
      const taken = await send({ [param]: many(length, one!) })
      assert.ok(taken.status < 300, JSON.stringify(taken.body))
      // Each once.
      assert.deepEqual(taken.body[param], [one])
    }
  }
  await desk.ok('POST', `${at}/${connection.id}/pause`)
  assert.equal((await desk.session('POST', grants, usual)).status, 201)
})

test('who authorizes an active or a paused connection again renews it; its status stays', async ({
  service,
  caldav,
  desk,
}) => {
  const { connection } = await desk.granted()
  const path = `${at}/${connection.id}`
  for (const [action, status] of [
    ['resume', 'active'],
    ['pause', 'paused'],
  ]) {
    await desk.ok('POST', `${path}/${action}`)
    await service.clock.advance(1_000)
    caldav.password = `changed before ${action}`
    const renewed = await desk.ok('POST', `${path}/reauthorize`, { password: caldav.password })
    assert.deepEqual(renewed, { id: connection.id, status })
    const read = await desk.read(connection.id)
    assert.deepEqual([read.status, read.last_authenticated_at], [status, service.clock.now().toISOString()])
  }
  // The read uses the tokens that were renewed while it was paused.
  await desk.ok('POST', `${path}/resume`)
  await service.drain()
  const [calendar] = (await desk.read(connection.id)).calendars
  assert.deepEqual([calendar.sync.status, calendar.sync.last_error_category], ['current', null])
})
