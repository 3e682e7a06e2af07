import assert from 'node:assert/strict'
import { decodeId } from '../../src/shapes/ids.ts'
import { makeOwner } from '../../src/testing/accounts.ts'
import { connectionTest } from '../../src/testing/connections.ts'
import { vcalendar, vevent } from '../../src/testing/feedServer.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = connectionTest()
const at = '/v1/calendar-connections'

test('a CalDAV account is connected with its calendars; nothing is selected or read', async ({
  service,
  caldav,
  desk,
}) => {
  const answer = await desk.connect()
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  const { body } = answer
  const now = service.clock.now().toISOString()
  assert.match(body.id, /^con_[0-9a-z]{26}$/)
  assert.deepEqual(Object.entries({ ...body, calendars: 0 }), [
    ['id', body.id],
    ['provider', 'caldav'],
    ['account_label', 'ada'],
    ['capabilities', ['availability']],
    ['status', 'active'],
    ['reauthorization_reason', null],
    ['selected_calendar_count', 0],
    ['last_authenticated_at', now],
    ['created_at', now],
    ['calendars', 0],
  ])
  assert.deepEqual(body.calendars[0], {
    id: body.calendars[0].id,
    name: 'Personal',
    access_role: 'owner',
    primary: true,
    timezone: null,
    availability_readable: true,
    writable: true,
    selected: false,
    availability_source_active: false,
    sync: { status: null, last_attempted_at: null, last_successful_sync_at: null, last_error_category: null },
  })
  assert.deepEqual(
    body.calendars.map((calendar: { name: string }) => calendar.name),
    ['Personal', 'Work'],
  )
  assert.deepEqual(await desk.read(body.id), body)
  const { calendars: _, ...listed } = body
  assert.deepEqual((await desk.ok('GET', at)).data, [listed])
  assert.deepEqual((await desk.ok('GET', `${at}/${body.id}/external-calendars`)).data, body.calendars)
  await service.drain()
  assert.equal(caldav.asked.filter(({ method }) => method === 'REPORT').length, 0)
})

test('the walk to the server sends no credentials', async ({ caldav, desk }) => {
  await desk.connected()
  const [first, second] = caldav.asked
  assert.deepEqual([first?.url, first?.authorization], ['/.well-known/caldav', undefined])
  assert.deepEqual([second?.url, second?.authorization], ['/', undefined])
  assert.ok(caldav.asked[2]!.authorization)
})

test('the same account again is the same connection', async ({ caldav, desk }) => {
  const first = await desk.connected()
  caldav.addCalendar('new', { name: 'New' })
  const second = await desk.connect({ capabilities: ['publishing'] })
  caldav.dropCalendar('new')
  assert.equal(second.status, 200)
  assert.equal(second.body.id, first.id)
  assert.deepEqual(second.body.capabilities, ['availability', 'publishing'])
  assert.deepEqual(
    second.body.calendars.map((calendar: { name: string }) => calendar.name),
    ['Personal', 'New', 'Work'],
  )
  assert.equal(second.body.calendars[0].id, first.calendars[0].id)
  assert.equal((await desk.ok('GET', at)).total, 1)
})

const badAddresses = [
  'http://caldav.example.com',
  'https://10.0.0.1',
  'https://localhost',
  'ftp://example.com',
  'nothing',
]
for (const server_url of badAddresses) {
  test(`${server_url} is no address of a CalDAV server`, async ({ desk }) => {
    assertRefused(await desk.connect({ server_url }), 400, 'validation_error', { param: 'server_url' })
  })
}

test('a server that knows no CalDAV is 400; one that fails is 502', async ({ caldav, desk }) => {
  caldav.quirk = () => ({ status: 404 })
  assertRefused(await desk.connect(), 400, 'validation_error', { param: 'server_url' })
  caldav.quirk = () => ({ status: 200, body: '<html>hello' })
  assertRefused(await desk.connect(), 400, 'validation_error', { param: 'server_url' })
  caldav.quirk = () => ({ status: 503, body: 'secret words of the server' })
  const failed = await desk.connect()
  assertRefused(failed, 502, 'internal_error', { code: 'provider_error' })
  assert.doesNotMatch(failed.body.error.message, /secret/)
  assertRefused(await desk.connect({ server_url: 'http://127.0.0.1:1' }), 502, 'internal_error', {
    code: 'provider_error',
  })
})

test('a server that leads elsewhere, or round in circles, is refused', async ({ caldav, desk }) => {
  caldav.quirk = () => ({ status: 301, headers: { location: '/again' } })
  assertRefused(await desk.connect(), 400, 'validation_error', { param: 'server_url' })
  caldav.quirk = () => ({ status: 301, headers: { location: 'https://169.254.169.254/' } })
  assertRefused(await desk.connect(), 400, 'validation_error', { param: 'server_url' })
  const foreign = '<d:current-user-principal><d:href>https://evil.example.com/</d:href></d:current-user-principal>'
  caldav.quirk = ({ url }) =>
    url === '/'
      ? {
          status: 207,
          body: `<d:multistatus xmlns:d="DAV:"><d:response><d:href>/</d:href><d:propstat><d:prop>${foreign}</d:prop></d:propstat></d:response></d:multistatus>`,
        }
      : undefined
  assertRefused(await desk.connect(), 400, 'validation_error', { param: 'server_url' })
  assert.equal(caldav.asked.filter(({ url }) => url.includes('evil')).length, 0)
})

test('hostile XML is no CalDAV', async ({ caldav, desk }) => {
  const bombs = [
    '<!DOCTYPE d [<!ENTITY a "aaaa">]><d:multistatus xmlns:d="DAV:">&a;</d:multistatus>',
    `${'<a>'.repeat(100)}${'</a>'.repeat(100)}`,
    '<d:multistatus xmlns:d="DAV:">',
  ]
  for (const body of bombs) {
    caldav.quirk = ({ url }) => (url === '/' ? { status: 207, body } : undefined)
    assertRefused(await desk.connect(), 400, 'validation_error', { param: 'server_url' })
  }
})

test('a wrong password is 400, and the sixth within 15 minutes 429', async ({ desk }) => {
  const wrong = () => desk.connect({ password: 'wrong' })
  for (let nth = 0; nth < 5; nth++) {
    assertRefused(await wrong(), 400, 'validation_error', { param: 'password', code: 'credentials_rejected' })
  }
  assertRefused(await wrong(), 429, 'rate_limit_error')
  assertRefused(await desk.connect(), 429, 'rate_limit_error')
})

test('an organization connects ten times a minute', async ({ service, desk }) => {
  for (let nth = 0; nth < 10; nth++) assert.ok((await desk.connect()).status <= 201)
  assertRefused(await desk.connect(), 429, 'rate_limit_error')
  await service.clock.advance(60_000)
  assert.equal((await desk.connect()).status, 200)
})

test('keys are 401, other organizations 404', async ({ service, desk }) => {
  const { id } = await desk.connected()
  for (const [method, path, body] of [
    ['GET', at, undefined],
    ['GET', `${at}/${id}`, undefined],
    ['PATCH', `${at}/${id}`, { selected_external_calendar_ids: [] }],
    ['DELETE', `${at}/${id}`, undefined],
    ['GET', `${at}/${id}/external-calendars`, undefined],
    ['POST', `${at}/${id}/refresh`, undefined],
    ['POST', `${at}/${id}/reauthorize`, { password: 'x' }],
    ['POST', `${at}/${id}/pause`, undefined],
    ['POST', `${at}/${id}/resume`, undefined],
  ] as const) {
    assertRefused(await service.call(method, path, { key: desk.key, body }), 401, 'authentication_error')
    if (path === at) continue
    const stranger = await makeOwner(service)
    assertRefused(await service.call(method, path, { key: stranger.token, body }), 404, 'not_found')
  }
})

test('calendars are selected and unselected', async ({ service, desk }) => {
  const { id, calendars } = await desk.connected()
  const [personal, work] = calendars.map((calendar: { id: string }) => calendar.id)
  const choose = (ids: string[]) => desk.session('PATCH', `${at}/${id}`, { selected_external_calendar_ids: ids })
  const chosen = await choose([personal, work])
  assert.deepEqual([chosen.status, chosen.body], [200, { id, status: 'active' }])
  assert.equal((await desk.read(id)).calendars[0].sync.status, 'pending')
  await service.drain()
  const read = await desk.read(id)
  assert.equal(read.selected_calendar_count, 2)
  const now = service.clock.now().toISOString()
  assert.deepEqual(read.calendars[0].sync, {
    status: 'current',
    last_attempted_at: now,
    last_successful_sync_at: now,
    last_error_category: null,
  })
  await choose([])
  assert.deepEqual((await desk.read(id)).calendars[0].sync.status, null)
})

test('only readable calendars of this connection are selected', async ({ caldav, desk }) => {
  const busyOnly =
    '<d:current-user-privilege-set><d:privilege><c:read-free-busy/></d:privilege></d:current-user-privilege-set>'
  caldav.addCalendar('work', { name: 'Work', props: busyOnly })
  const { id, calendars } = await desk.connected()
  const hidden = calendars.find((calendar: { name: string }) => calendar.name === 'Work')
  assert.deepEqual([hidden.access_role, hidden.availability_readable, hidden.writable], ['free_busy', false, false])
  const param = 'selected_external_calendar_ids'
  const choose = (ids: unknown[]) => desk.session('PATCH', `${at}/${id}`, { [param]: ids })
  assertRefused(await choose([hidden.id]), 400, 'validation_error', { param })
  assertRefused(await choose(['xcl_01k9xr8m3fe8tbc4x9m2v7h5qd']), 404, 'not_found', { param })
  assertRefused(await choose(['nothing']), 404, 'not_found', { param })
  assertRefused(await choose(Array.from({ length: 51 }, () => calendars[0].id)), 400, 'validation_error', { param })
  assertRefused(await desk.session('PATCH', `${at}/${id}`, {}), 400, 'validation_error')
})

test('without availability nothing is selected', async ({ desk }) => {
  const { id, calendars } = await desk.connected()
  const change = (body: object) => desk.session('PATCH', `${at}/${id}`, body)
  assert.equal((await change({ selected_external_calendar_ids: [calendars[0].id] })).status, 200)
  assert.equal((await change({ capabilities: ['publishing'] })).status, 200)
  assert.deepEqual((await desk.read(id)).selected_calendar_count, 0)
  const refused = await change({ selected_external_calendar_ids: [calendars[0].id] })
  assertRefused(refused, 409, 'conflict', { code: 'scope_missing' })
})

test('pausing and resuming twice is once; a paused account is not asked', async ({ service, caldav, desk }) => {
  const { connection, calendarId } = await desk.granted()
  const path = `${at}/${connection.id}`
  for (let nth = 0; nth < 2; nth++) {
    assert.deepEqual(await desk.ok('POST', `${path}/pause`), { id: connection.id, status: 'paused' })
  }
  const sync = async () =>
    (await desk.read(connection.id)).calendars.find(({ id }: { id: string }) => id === calendarId).sync.status
  assert.equal(await sync(), 'stale')
  caldav.asked.length = 0
  await service.clock.advance(3_600_000)
  await service.drain()
  assert.equal(caldav.asked.length, 0)
  assertRefused(await desk.session('POST', `${path}/refresh`), 409, 'conflict')
  for (let nth = 0; nth < 2; nth++) {
    assert.deepEqual(await desk.ok('POST', `${path}/resume`), { id: connection.id, status: 'active' })
  }
  await service.drain()
  assert.equal(await sync(), 'current')
})

test('a removed connection leaves nothing', async ({ service, caldav, desk }) => {
  caldav.put('personal', 'a.ics', vcalendar(vevent('a', { DTSTART: '20260303T090000Z', DTEND: '20260303T100000Z' })))
  const { connection, grant } = await desk.granted()
  const orgId = decodeId('org', desk.orgId)!
  const rowsOf = async (table: string) => {
    const { sql } = service.app
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer as count from ${sql(table)} where org_id = ${orgId}`
    return row!.count
  }
  const tables = [
    ...['calendar_connections', 'external_calendars', 'external_busy', 'external_objects'],
    ...['availability_grants', 'availability_grant_calendars', 'availability_grant_agents'],
  ]
  for (const table of tables) assert.ok((await rowsOf(table)) > 0, table)
  const removed = await desk.session('DELETE', `${at}/${connection.id}?keep_published=true`)
  assert.equal(removed.status, 204)
  for (const table of [...tables, 'connection_revocations', 'departing_connections']) {
    assert.equal(await rowsOf(table), 0, table)
  }
  assertRefused(await desk.session('GET', `${at}/${connection.id}`), 404, 'not_found')
  assertRefused(await desk.session('GET', `/v1/availability-grants/${grant.id}`), 404, 'not_found')
  assertRefused(await desk.session('DELETE', `${at}/${connection.id}`), 404, 'not_found')
})

test('a refused account asks for its human, and comes back with the same grants', async ({ service, caldav, desk }) => {
  const { connection, grant } = await desk.granted()
  const path = `${at}/${connection.id}`
  caldav.password = 'changed'
  await service.clock.advance(6 * 60_000)
  await service.drain()
  assert.equal((await desk.read(connection.id)).status, 'active', 'a first refusal is not believed')
  await service.clock.advance(5 * 60_000)
  await service.drain()
  const broken = await desk.read(connection.id)
  assert.deepEqual(
    [broken.status, broken.reauthorization_reason, broken.calendars[0].sync.status],
    ['reauthorization_required', 'credentials_rejected', 'stale'],
  )
  caldav.asked.length = 0
  await service.clock.advance(3_600_000)
  await service.drain()
  assert.equal(caldav.asked.length, 0, 'nothing is asked with these credentials')
  assertRefused(await desk.session('POST', `${path}/pause`), 409, 'conflict')
  assertRefused(await desk.session('POST', `${path}/refresh`), 409, 'conflict')
  const wrong = await desk.session('POST', `${path}/reauthorize`, { password: 'wrong' })
  assertRefused(wrong, 400, 'validation_error', { param: 'password', code: 'credentials_rejected' })
  assertRefused(await desk.session('POST', `${path}/reauthorize`, {}), 400, 'validation_error', { param: 'password' })
  const renewed = await desk.ok('POST', `${path}/reauthorize`, { password: 'changed' })
  assert.deepEqual(renewed, { id: connection.id, status: 'active' })
  await service.drain()
  const back = await desk.read(connection.id)
  assert.deepEqual([back.reauthorization_reason, back.calendars[0].sync.status], [null, 'current'])
  assert.equal((await desk.ok('GET', `/v1/availability-grants/${grant.id}`)).active, true)
})

for (const status of [403, 401, 404, 207] as const) {
  test(`another account does not take the place of the first, which answers it with ${status}`, async ({
    caldav,
    desk,
  }) => {
    const { id } = await desk.connected()
    Object.assign(caldav, { username: 'eve', atOthers: status })
    const again = (body: object) => desk.session('POST', `${at}/${id}/reauthorize`, body)
    assertRefused(await again({ username: 'eve', password: caldav.password }), 409, 'conflict', {
      code: 'account_mismatch',
    })
    caldav.asked.length = 0
    const wrong = await again({ username: 'eve', password: 'wrong' })
    assertRefused(wrong, 400, 'validation_error', { param: 'password', code: 'credentials_rejected' })
    // A server may lock out clients that fail often.
    assert.ok(caldav.asked.filter(({ authorization }) => authorization).length <= 2)
    assert.equal((await desk.read(id)).account_label, 'ada')
  })
}

test('after 90 days nobody comes any more: what was kept goes, and the answers stay closed', async ({
  service,
  caldav,
  desk,
}) => {
  const { connection, grant } = await desk.granted()
  caldav.password = 'changed'
  for (const minutes of [6, 6]) {
    await service.clock.advance(minutes * 60_000)
    await service.drain()
  }
  await service.clock.advance(90 * 24 * 3_600_000)
  await service.drain()
  await service.drain()
  const token = await service.call('POST', '/v1/auth/signin', {
    body: { email: desk.email, password: 'correct horse battery' },
  })
  const session = (method: string, path: string, body?: object) =>
    service.call(method, path, { key: token.body.token, ...(body && { body }) })
  const { body } = await session('GET', `${at}/${connection.id}`)
  assert.deepEqual([body.status, body.reauthorization_reason], ['disconnected', 'unattended'])
  assert.equal(body.calendars[0].sync.last_successful_sync_at, null)
  assert.equal((await session('GET', `/v1/availability-grants/${grant.id}`)).body.active, true)
  const update = await session('PATCH', `${at}/${connection.id}`, { selected_external_calendar_ids: [] })
  assertRefused(update, 409, 'conflict')
  assertRefused(await session('POST', `${at}/${connection.id}/reauthorize`, { password: 'x' }), 409, 'conflict')
})

test('a refresh reads now and says how it went', async ({ service, desk }) => {
  const { connection } = await desk.granted()
  const path = `${at}/${connection.id}/refresh`
  const waiting = desk.session('POST', path)
  const draining = setInterval(() => void service.drain(), 100)
  const answer = await waiting
  clearInterval(draining)
  assert.deepEqual([answer.status, answer.body], [202, { status: 'current', synced_calendars: 1 }])
})

test('OAuth is not configured', async ({ service, desk }) => {
  assertRefused(await desk.session('POST', `${at}/oauth/google/start`, {}), 404, 'not_found')
  assertRefused(await desk.session('POST', `${at}/oauth/nobody/start`, {}), 404, 'not_found')
  const callback = await service.call('GET', `${at}/oauth/google/callback?code=1&state=2`, { redirect: 'manual' })
  assert.deepEqual(
    [callback.status, callback.headers.get('location')],
    [302, `${service.baseUrl}/connect/failed?reason=expired`],
  )
})
