// Refusals about humans' calendars: the rows of the contract's tables that no other test covers, and attempts of strangers.
import assert from 'node:assert/strict'
import { plans } from '../../src/plans/plans.ts'
import { secondsToWait } from '../../src/quotas/throttle.ts'
import { minuteMs } from '../../src/shapes/durations.ts'
import { decodeId } from '../../src/shapes/ids.ts'
import { makeOwner } from '../../src/testing/accounts.ts'
import { connectionTest } from '../../src/testing/connections.ts'
import { makeAgent } from '../../src/testing/factories.ts'
import { newAddress } from '../../src/testing/guests.ts'
import { googleTest } from '../../src/testing/providers/googleConnections.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = connectionTest()
const google = googleTest()
const at = '/v1/calendar-connections'

google('a link that has ended, or is for something else, sends nobody to a provider', async ({ service, desk }) => {
  const links = `/v1/calendars/${desk.calendar.id}/connection-links`
  const made = async () => (await service.call('POST', links, { key: desk.key, body: {} })).body
  const start = (body: object, key = desk.token) => service.call('POST', `${at}/oauth/google/start`, { key, body })
  const link = await made()
  const refused = await start({ setup_link_id: link.id, capabilities: ['availability', 'publishing'] })
  assertRefused(refused, 400, 'validation_error', { param: 'capabilities' })
  const stranger = await makeOwner(service)
  const param = { param: 'setup_link_id' }
  assertRefused(await start({ setup_link_id: link.id }, stranger.token), 404, 'not_found', param)
  assertRefused(await start({ setup_link_id: 'csl_nothing' }), 404, 'not_found', param)
  assertRefused(await start({ capabilities: [] }), 400, 'validation_error', { param: 'capabilities' })
  assertRefused(await start({ redirect: 'https://evil.example.com' }), 400, 'validation_error', { param: 'redirect' })
  assertRefused(await start({}, desk.key), 401, 'authentication_error')

  // It is used once: completed, it neither begins nor completes nor is cancelled again.
  const choicePath = await desk.travel((await start({ setup_link_id: link.id })).body.authorization_url)
  assert.equal(choicePath, `/connect/links/${link.id}`)
  const [{ id }] = (await desk.ok('GET', at)).data
  const ids = (await desk.read(id)).calendars.map((one: { id: string }) => one.id)
  const complete = () =>
    service.call('POST', choicePath, {
      key: desk.token,
      body: { external_calendar_ids: [ids[0]] },
      headers: { 'x-forwarded-for': newAddress() },
    })
  assert.equal((await complete()).status, 200)
  assert.equal((await complete()).status, 409)
  assertRefused(await start({ setup_link_id: link.id }), 404, 'not_found', param)
  const cancel = await service.call('DELETE', `/v1/connection-links/${link.id}`, { key: desk.key })
  assertRefused(cancel, 409, 'conflict')

  const late = await made()
  await service.call('DELETE', `/v1/connection-links/${late.id}`, { key: desk.key })
  assertRefused(await start({ setup_link_id: late.id }), 404, 'not_found', param)
  const password = await desk.session('POST', `${at}/${id}/reauthorize`, { password: 'x' })
  assertRefused(password, 400, 'validation_error', { param: 'password' })
})

test('a refresh wants an active connection, something that can be read, and six a minute', async ({
  service,
  desk,
}) => {
  const { connection } = await desk.granted()
  const path = `${at}/${connection.id}`
  const refresh = () => desk.session('POST', `${path}/refresh`)
  await desk.ok('POST', `${path}/pause`)
  assertRefused(await refresh(), 409, 'conflict')
  await desk.ok('POST', `${path}/resume`)
  await service.clock.advance(60_000)
  // No worker reads.
  const answers = await Promise.all(Array.from({ length: 7 }, refresh))
  const [failed, ...more] = answers.filter(({ status }) => status !== 429)
  assert.equal(more.length, 5)
  assertRefused(failed!, 502, 'internal_error', { code: 'provider_error' })
  assertRefused(answers.find(({ status }) => status === 429)!, 429, 'rate_limit_error')
})

test('connections that are made anew are refreshed no more often than as many as the plan allows', async ({
  service,
  desk,
}) => {
  const { id } = await desk.connected()
  const limit = { name: 'connection_refresh_all', max: 6 * plans.pro.limits.calendar_connections!, windowMs: minuteMs }
  const used = Array.from({ length: limit.max - 1 }, () =>
    secondsToWait(service.app, limit, decodeId('org', desk.orgId)!),
  )
  assert.ok((await Promise.all(used)).every((wait) => wait === 0))
  const refresh = (one: string, query = '') => desk.session('POST', `${at}/${one}/refresh${query}`)
  let isOver = false
  const last = refresh(id).finally(() => {
    isOver = true
  })
  while (!isOver) await desk.drain()
  assert.equal((await last).status, 202)
  await desk.ok('DELETE', `${at}/${id}`, undefined, 204)
  await desk.drain()
  const anew = await desk.connected()
  assert.notEqual(anew.id, id)
  assertRefused(await refresh(anew.id), 429, 'rate_limit_error')
  assertRefused(await refresh(anew.id, '?dry_run=true'), 429, 'rate_limit_error')
  await service.clock.advance(minuteMs)
  assert.equal((await refresh(anew.id, '?dry_run=true')).status, 200)
})

test('a connection that waits for its human is neither paused nor resumed, and grants nothing new', async ({
  service,
  caldav,
  desk,
}) => {
  const { connection, calendarId } = await desk.granted()
  caldav.password = 'changed'
  for (let nth = 0; nth < 3; nth++) {
    await service.clock.advance(6 * 60_000)
    await service.drain()
  }
  assert.equal((await desk.read(connection.id)).status, 'reauthorization_required')
  for (const action of ['pause', 'resume']) {
    assertRefused(await desk.session('POST', `${at}/${connection.id}/${action}`), 409, 'conflict')
  }
  const grant = { external_calendar_ids: [calendarId], audience: 'all_org_agents' }
  assertRefused(await desk.session('POST', '/v1/availability-grants', grant), 409, 'conflict')
  const destination = `/v1/calendars/${desk.calendar.id}/external-destination`
  assertRefused(await desk.session('PUT', destination, { external_calendar_id: calendarId }), 409, 'conflict')
})

test('a destination wants publishing, a calendar that can be written, and an agent', async ({
  service,
  caldav,
  desk,
}) => {
  const read = '<d:current-user-privilege-set><d:privilege><d:read/></d:privilege></d:current-user-privilege-set>'
  caldav.addCalendar('work', { name: 'Work', props: read })
  const { id, calendars } = await desk.connected()
  const path = `/v1/calendars/${desk.calendar.id}/external-destination`
  const put = (external_calendar_id: string) => desk.session('PUT', path, { external_calendar_id })
  const [personal, work] = calendars as { id: string; writable: boolean }[]
  assert.deepEqual([personal!.writable, work!.writable], [true, false])
  assertRefused(await put(personal!.id), 409, 'conflict', { code: 'scope_missing' })
  await desk.ok('PATCH', `${at}/${id}`, { capabilities: ['availability', 'publishing'] })
  assertRefused(await put(work!.id), 400, 'validation_error', { param: 'external_calendar_id' })
  await service.call('DELETE', `/v1/agents/${desk.agent.id}`, { key: desk.key })
  assertRefused(await put(personal!.id), 409, 'conflict', { code: 'agent_decommissioned' })
})

test('ids of another organization are unknown wherever they stand', async ({ service, desk }) => {
  const { connection, calendarId, grant } = await desk.granted()
  const stranger = await makeOwner(service)
  const agent = await makeAgent(service, stranger.key)
  const theirs = (method: string, path: string, body?: object) =>
    service.call(method, path, { key: stranger.token, ...(body && { body }) })
  const grants = '/v1/availability-grants'
  const made = { external_calendar_ids: [calendarId], audience: 'all_org_agents' }
  assertRefused(await theirs('POST', grants, made), 404, 'not_found', { param: 'external_calendar_ids' })
  for (const [method, body] of [
    ['GET', undefined],
    ['PATCH', { active: false }],
    ['DELETE', undefined],
  ] as const) {
    assertRefused(await theirs(method, `${grants}/${grant.id}`, body), 404, 'not_found')
  }
  const foreign = { external_calendar_ids: [calendarId], audience: 'selected_agents', agent_ids: [agent.id] }
  assertRefused(await desk.session('POST', grants, foreign), 404, 'not_found', { param: 'agent_ids' })
  const changed = await desk.session('PATCH', `${grants}/${grant.id}`, { agent_ids: [agent.id] })
  assertRefused(changed, 404, 'not_found', { param: 'agent_ids' })
  const calendar = (
    await service.call('POST', `/v1/agents/${agent.id}/calendars`, {
      key: stranger.key,
      body: { name: 'Theirs', timezone: 'UTC' },
    })
  ).body
  const destination = `/v1/calendars/${calendar.id}/external-destination`
  const put = await theirs('PUT', destination, { external_calendar_id: calendarId })
  assertRefused(put, 404, 'not_found', { param: 'external_calendar_id' })
  const own = await theirs('POST', `${at}/caldav`, desk.login)
  assert.equal(own.status, 201)
  assert.notEqual(own.body.id, connection.id)
  const selected = await theirs('PATCH', `${at}/${own.body.id}`, { selected_external_calendar_ids: [calendarId] })
  assertRefused(selected, 404, 'not_found', { param: 'selected_external_calendar_ids' })
  assert.deepEqual(await desk.ok('GET', `${grants}/${grant.id}`), grant)
})

test('a cookie that another site sends along changes nothing', async ({ service, desk }) => {
  const { connection } = await desk.granted()
  const from = (headers: Record<string, string>, path: string, body: object = {}) =>
    service.call('POST', path, { headers: { cookie: `svc_session=${desk.token}`, ...headers }, body })
  for (const headers of [
    { origin: 'https://evil.example.com' },
    { origin: 'https://evil.example.com', 'sec-fetch-site': 'cross-site' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'https://sub.example.com' },
  ] as Record<string, string>[]) {
    assertRefused(await from(headers, `${at}/${connection.id}/pause`), 403, 'forbidden')
    assertRefused(await from(headers, `${at}/caldav`, desk.login), 403, 'forbidden')
    const page = await from(
      { ...headers, 'x-forwarded-for': newAddress() },
      `/connect/connections/${connection.id}/disconnect`,
    )
    assert.equal(page.status, 403)
  }
  assert.equal((await desk.read(connection.id)).status, 'active')
  // A client that is no browser names no site.
  assert.equal((await from({}, `${at}/${connection.id}/pause`)).status, 200)
})

const inward = [
  ...['http://caldav.example.com/', 'ftp://caldav.example.com/', 'not an address', 'https://'],
  ...['https://10.0.0.1/', 'https://192.168.1.1/dav', 'https://169.254.169.254/latest/meta-data', 'https://[::1]/'],
  ...['https://[::ffff:10.0.0.1]/', 'https://0x0a000001/', 'https://167772161/', 'https://0/', 'https://[fd00::1]/'],
  ...['https://ada:secret@caldav.example.com/', 'https://localhost/', 'http://169.254.169.254/', 'https://100.64.0.1/'],
]
for (const server_url of inward) {
  test(`the server may not be ${server_url}`, async ({ desk }) => {
    const refused = await desk.connect({ server_url })
    assertRefused(refused, 400, 'validation_error', { param: 'server_url' })
    // A human cannot set variables of the service.
    assert.doesNotMatch(refused.body.error.message, /OUTBOUND_TRUSTED_HOSTS|In development/)
  })
}

test('an address that leads inward is refused in words that a human can act on', async ({ desk }) => {
  const { error } = (await desk.connect({ server_url: 'https://10.0.0.1/' })).body
  assert.equal(
    error.message,
    'server_url: The address must be on the public internet; 10.0.0.1 is not. Ask the operator of that server for an address that can be reached from outside.',
  )
})

test('a server that answers with more than can be read is refused, and tells nothing', async ({ caldav, desk }) => {
  const part = (href: string) => `<d:response><d:href>${href}</d:href></d:response>`
  const many = `<d:multistatus xmlns:d="DAV:">${part('/a').repeat(5_001)}</d:multistatus>`
  const large = `<d:multistatus xmlns:d="DAV:">${'x'.repeat(11 * 1024 * 1024)}</d:multistatus>`
  for (const body of [many, large]) {
    caldav.quirk = ({ url }) => (url === '/' ? { status: 207, body } : undefined)
    const refused = await desk.connect()
    assertRefused(refused, 400, 'validation_error', { param: 'server_url' })
    assert.doesNotMatch(JSON.stringify(refused.body), /xxx/)
  }
  // A redirect inward, behind the walk, is not followed.
  caldav.quirk = ({ url }) => (url === '/' ? { status: 302, headers: { location: 'http://10.0.0.1/' } } : undefined)
  assertRefused(await desk.connect(), 400, 'validation_error', { param: 'server_url' })
})
