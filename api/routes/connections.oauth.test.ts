import assert from 'node:assert/strict'
import { makeOwner } from '../../src/testing/accounts.ts'
import { guestEnv } from '../../src/testing/guests.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { openProcess } from '../../src/testing/process.ts'
import { googleScopes } from '../../src/testing/providers/googleCalendarServer.ts'
import { googleTest } from '../../src/testing/providers/googleConnections.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { openWay } from '../../src/testing/wayToPostgres.ts'

const test = googleTest(guestEnv)
const at = '/v1/calendar-connections'
const startPath = `${at}/oauth/google/start`

test('the human is sent to the provider with PKCE, state, nonce and only the scopes that are needed', async ({
  service,
  desk,
  google,
}) => {
  const url = new URL(await desk.start())
  assert.equal(url.origin + url.pathname, google.settings.authorization_url)
  const query = Object.fromEntries(url.searchParams)
  assert.equal(query.client_id, google.settings.client_id)
  assert.equal(query.redirect_uri, `${service.baseUrl}${at}/oauth/google/callback`)
  assert.equal(query.response_type, 'code')
  assert.equal(query.scope, `openid ${googleScopes.lists} ${googleScopes.availability}`)
  assert.deepEqual([query.access_type, query.prompt, query.code_challenge_method], ['offline', 'consent', 'S256'])
  assert.match(query.state!, /^[\w-]{43,}$/)
  assert.match(query.nonce!, /^[\w-]{43,}$/)
  const both = new URL(await desk.start({ capabilities: ['publishing', 'availability'] }))
  assert.equal(
    both.searchParams.get('scope'),
    `openid ${googleScopes.lists} ${googleScopes.availability} ${googleScopes.publishing}`,
  )
})

test('coming back connects the account; nothing is selected or read', async ({ service, desk, google }) => {
  google.addCalendar(desk.email, 'team@group.calendar.google.com', { summary: 'Team', accessRole: 'writer' })
  google.addCalendar(desk.email, 'en.german#holiday@group.v.calendar.google.com', { accessRole: 'reader' })
  const connection = await desk.connected()
  const now = service.clock.now().toISOString()
  const { calendars, ...shown } = connection
  assert.deepEqual(shown, {
    ...{ id: shown.id, provider: 'google', account_label: desk.email, capabilities: ['availability'] },
    ...{ status: 'active', reauthorization_reason: null, selected_calendar_count: 0 },
    ...{ last_authenticated_at: now, created_at: now },
  })
  assert.deepEqual(
    calendars.map((one: Record<string, unknown>) => [
      one.name,
      one.access_role,
      one.primary,
      one.writable,
      one.timezone,
    ]),
    [
      [desk.email, 'owner', true, true, 'Europe/Berlin'],
      ['en.german#holiday@group.v.calendar.google.com', 'reader', false, false, 'UTC'],
      ['Team', 'writer', false, false, 'UTC'],
    ],
  )
  await service.drain()
  assert.equal(google.asked.filter(({ path }) => path.includes('freeBusy')).length, 0)
})

test('the same account again is the same connection, with what is new', async ({ desk }) => {
  const first = await desk.connected()
  const second = await desk.connected({ capabilities: ['availability', 'publishing'] })
  assert.equal(second.id, first.id)
  assert.equal(second.calendars[0].id, first.calendars[0].id)
  assert.deepEqual(second.capabilities, ['availability', 'publishing'])
  assert.equal((await desk.ok('GET', at)).total, 1)
})

test('what the human does not allow is missing; without availability nothing is kept', async ({ desk, google }) => {
  google.oauth.consent.without = [googleScopes.publishing]
  const both = { capabilities: ['availability', 'publishing'] }
  const connection = await desk.connected(both)
  assert.deepEqual(connection.capabilities, ['availability'])
  assertRefused(await desk.session('PATCH', `${at}/${connection.id}`, both), 409, 'conflict', { code: 'scope_missing' })
  await desk.ok('DELETE', `${at}/${connection.id}`, undefined, 204)
  google.oauth.revokeGrants(desk.email)
  google.oauth.consent.without = [googleScopes.availability]
  assert.equal(await desk.travel(await desk.start(both)), '/connect/failed?reason=scope_missing')
  assert.equal((await desk.ok('GET', at)).total, 0)
})

test('a grant that nothing is kept of is revoked at the provider', async ({ desk, google }) => {
  google.oauth.consent.without = [googleScopes.lists]
  const before = google.oauth.refreshTokens().length
  assert.equal(await desk.travel(await desk.start()), '/connect/failed?reason=scope_missing')
  assert.equal(google.oauth.refreshTokens().length, before)
  assert.equal(google.asked.filter(({ path }) => path === '/revoke').length, 1)
})

test('a human who says no is told so', async ({ desk, google }) => {
  google.oauth.consent.isDenied = true
  assert.equal(await desk.travel(await desk.start()), '/connect/failed?reason=denied')
})

test('a state is good once, for ten minutes, for the session that it was made for', async ({ service, desk }) => {
  const used = await desk.answered(await desk.start())
  assert.equal(await desk.comeBack(used), '/connect')
  assert.equal(await desk.comeBack(used), '/connect/failed?reason=expired')
  const foreign = await desk.answered(await desk.start())
  const stranger = await makeOwner(service)
  assert.equal(await desk.comeBack(foreign, stranger.token), '/connect/failed?reason=expired')
  const nobody = new URL(foreign)
  const answer = await service.call('GET', nobody.pathname + nobody.search, { redirect: 'manual' })
  assert.deepEqual(
    [answer.status, answer.headers.get('location')],
    [302, `${service.baseUrl}/connect/failed?reason=expired`],
  )
  assert.equal(await desk.comeBack(foreign), '/connect')
  const late = await desk.answered(await desk.start())
  await service.clock.advance(10 * 60_000 + 1)
  assert.equal(await desk.comeBack(late), '/connect/failed?reason=expired')
  for (const query of ['', '?state=', '?state=a&state=b', '?code=x&state=unknown']) {
    assert.equal(
      await desk.comeBack(`${service.baseUrl}${at}/oauth/google/callback${query}`),
      '/connect/failed?reason=expired',
    )
  }
})

test('whatever is sent along, the way back leads to a page', async ({ service, desk }) => {
  const way = `${service.baseUrl}${at}/oauth/google/callback`
  for (const back of [`${way}?state=%00`, `${way}?state=x&code=%00`, `${way}?%00=x`, way.replace('google', '%00')]) {
    assert.equal(await desk.comeBack(back), '/connect/failed?reason=expired', back)
  }
  const known = await desk.answered(await desk.start())
  assert.equal(await desk.comeBack(`${known}&hint=%00`), '/connect')
})

test('too many ways back in a minute are those of an organization, whatever address its people have', async ({
  service,
  desk,
}) => {
  const way = `${at}/oauth/google/callback`
  const { token: another } = await makeOwner(service)
  const from = async (ip: string, token?: string) => {
    const headers = { 'x-forwarded-for': ip, ...(token && { cookie: `svc_session=${token}` }) }
    const answer = await service.call('GET', way, { redirect: 'manual', headers })
    return answer.headers.get('location')?.split('=').at(-1)
  }
  const office = '198.51.100.7'
  for (let nth = 0; nth < 60; nth++) assert.equal(await from(office, desk.token), 'expired')
  assert.equal(await from('198.51.100.8', desk.token), 'too_many')
  assert.deepEqual([await from(office, another), await from(office)], ['expired', 'expired'])
  for (let nth = 0; nth < 59; nth++) assert.equal(await from(office), 'expired')
  assert.deepEqual([await from(office), await from('198.51.100.8')], ['too_many', 'expired'])
  const page = await service.call('GET', '/connect/failed?reason=too_many')
  assert.match(page.body, /Wait a minute/)
  await service.clock.advance(60_000)
  assert.equal(await from(office, desk.token), 'expired')
})

test('an answer that is not what was asked for connects nothing', async ({ desk, google }) => {
  for (const tampered of [{ nonce: 'another' }, { iss: 'https://evil.example' }]) {
    google.oauth.consent.tampered = tampered
    assert.equal(
      await desk.travel(await desk.start()),
      '/connect/failed?reason=provider_error',
      JSON.stringify(tampered),
    )
  }
  google.oauth.consent.tampered = {}
  const wrongCode = new URL(await desk.answered(await desk.start()))
  wrongCode.searchParams.set('code', '4/none')
  assert.equal(await desk.comeBack(wrongCode.href), '/connect/failed?reason=provider_error')
  google.oauth.isClientInvalid = true
  assert.equal(await desk.travel(await desk.start()), '/connect/failed?reason=provider_error')
  assert.equal((await desk.ok('GET', at)).total, 0)
})

test('where our own store is away or full, the page says so and blames no provider', async ({
  service,
  desk,
  onTestFinished,
}) => {
  const unavailable = '/connect/failed?reason=unavailable'
  const way = await openWay(service.app.config.databaseUrl)
  const process = await openProcess(service, { config: { databaseUrl: way.url } })
  onTestFinished(async () => {
    await process.close()
    await way.close()
  })
  const { pathname, search } = new URL(await desk.answered(await desk.start()))
  way.treat('hang up')
  const headers = { cookie: `svc_session=${desk.token}` }
  const away = await process.call('GET', pathname + search, { redirect: 'manual', headers })
  assert.equal(away.headers.get('location'), service.baseUrl + unavailable)

  await service.app.sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'no room' using errcode = '53100'; end $$`
  await service.app
    .sql`create trigger full_disk before insert on calendar_connections for each row execute function refuse()`
  onTestFinished(() => service.app.sql`drop trigger if exists full_disk on calendar_connections`.then(() => undefined))
  assert.equal(await desk.travel(await desk.start()), unavailable)
  assert.match((await service.call('GET', unavailable)).body, /our fault/)
  await service.app.sql`drop trigger full_disk on calendar_connections`
  assert.equal(await desk.travel(await desk.start()), '/connect')
})

test('a provider that is unknown or not configured is not found, also on the way back', async ({ service, desk }) => {
  for (const name of ['microsoft', 'caldav', 'constructor']) {
    assertRefused(await desk.session('POST', `${at}/oauth/${name}/start`, {}), 404, 'not_found')
    const back = `${service.baseUrl}${at}/oauth/${name}/callback?code=a&state=b`
    assert.equal(await desk.comeBack(back), '/connect/failed?reason=expired')
  }
})

test('beyond the cap nobody is sent to a provider, and who comes back late is told', async ({
  service,
  desk,
  google,
}) => {
  await service.call('PATCH', `/v1/admin/orgs/${desk.orgId}`, { key: adminToken, body: { plan: 'free' } })
  await desk.connected()
  const [second, third] = [await desk.start(), await desk.start()]
  for (const nth of [2, 3]) google.addAccount(`more-${nth}-${desk.email}`)
  google.oauth.consent.email = `more-2-${desk.email}`
  assert.equal(await desk.travel(second), '/connect')
  google.oauth.consent.email = `more-3-${desk.email}`
  assert.equal(await desk.travel(third), '/connect/failed?reason=quota')
  assertRefused(await desk.session('POST', startPath, {}), 429, 'quota_exceeded')
})

test('a link is begun by the way to the provider, and goes on with the choice', async ({ service, desk }) => {
  const body = { capabilities: ['availability'] }
  const link = (
    await service.call('POST', `/v1/calendars/${desk.calendar.id}/connection-links`, { key: desk.key, body })
  ).body
  const other = { capabilities: ['publishing'], setup_link_id: link.id }
  assertRefused(await desk.session('POST', startPath, other), 400, 'validation_error', { param: 'capabilities' })
  const url = await desk.start({ setup_link_id: link.id })
  const statusOf = async () =>
    (await service.call('GET', `/v1/connection-links/${link.id}`, { key: desk.key })).body.status
  assert.equal(await statusOf(), 'in_progress')
  assert.equal(await desk.travel(url), `/connect/links/${link.id}`)
  const { data } = await desk.ok('GET', at)
  const { calendars } = await desk.read(data[0].id)
  await desk.ok('POST', `/connect/links/${link.id}`, { external_calendar_ids: [calendars[0].id] })
  assert.equal(await statusOf(), 'completed')
  const ended = await desk.session('POST', startPath, { setup_link_id: link.id })
  assertRefused(ended, 404, 'not_found', { param: 'setup_link_id' })
})

test('reauthorizing renews the tokens of the same account, and only of that', async ({ desk, google }) => {
  const connection = await desk.connected()
  const path = `${at}/${connection.id}/reauthorize`
  const more = await desk.ok('POST', path, { capabilities: ['publishing'] })
  assert.deepEqual(Object.keys(more), ['authorization_url'])
  assert.equal(await desk.travel(more.authorization_url), '/connect')
  assert.deepEqual((await desk.read(connection.id)).capabilities, ['availability', 'publishing'])
  await desk.ok('POST', `${at}/${connection.id}/pause`)
  assert.equal(await desk.travel((await desk.ok('POST', path, {})).authorization_url), '/connect')
  assert.equal((await desk.read(connection.id)).status, 'paused')
  google.addAccount(`other-${desk.email}`)
  google.oauth.consent.email = `other-${desk.email}`
  const { authorization_url } = await desk.ok('POST', path, {})
  assert.equal(await desk.travel(authorization_url), '/connect/failed?reason=account_mismatch')
  assert.equal((await desk.ok('GET', at)).total, 1)
  assertRefused(await desk.session('POST', path, { password: 'x' }), 400, 'validation_error', { param: 'password' })
})

test('what was granted can be given up and taken back without the provider', async ({ desk }) => {
  const connection = await desk.connected({ capabilities: ['availability', 'publishing'] })
  const path = `${at}/${connection.id}`
  await desk.ok('PATCH', path, { capabilities: ['availability'] })
  assert.deepEqual((await desk.read(connection.id)).capabilities, ['availability'])
  await desk.ok('PATCH', path, { capabilities: ['availability', 'publishing'] })
  assert.deepEqual((await desk.read(connection.id)).capabilities, ['availability', 'publishing'])
})
