// The pages on which a human connects calendars, as a browser without a script uses them.
import assert from 'node:assert/strict'
import { openPages } from '../../src/organizations/organizations.ts'
import { decodeId } from '../../src/shapes/ids.ts'
import { makeAccount, makeOwner, password } from '../../src/testing/accounts.ts'
import { connectionTest } from '../../src/testing/connections.ts'
import { newAddress } from '../../src/testing/guests.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = connectionTest({ env: { TRUSTED_PROXIES: '127.0.0.1' } }).extend('browser', async ({ service, desk }) => {
  const made = await service.call('POST', `/v1/calendars/${desk.calendar.id}/connection-links`, {
    key: desk.key,
    body: {},
  })
  const link = made.body
  const path = new URL(link.setup_url).pathname
  const address = newAddress()
  const visit = async (method: string, to: string, fields?: Record<string, string | string[]>, cookie = jar.cookie) => {
    const pairs = Object.entries(fields ?? {}).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    )
    const body = fields && new URLSearchParams(pairs)
    const answer = await fetch(service.baseUrl + to, {
      method,
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        'x-forwarded-for': address,
        ...(cookie && { cookie }),
        ...(body && { origin: 'null', 'sec-fetch-site': 'same-origin' }),
      },
      ...(body && { body }),
    })
    const set = answer.headers.get('set-cookie')
    if (set) jar.cookie = set.split(';')[0]!
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const jar = { cookie: '' }
  const signIn = (email = desk.email) => visit('POST', `${path}/signin`, { email, password })
  const tokenIn = (text: string) => /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const status = async () => (await service.call('GET', `/v1/connection-links/${link.id}`, { key: desk.key })).body
  return { link, path, visit, signIn, tokenIn, status, jar }
})

test('before signing in the page names nobody, and looking changes nothing', async ({ desk, browser }) => {
  const { status, headers, text } = await browser.visit('GET', browser.path)
  assert.equal(status, 200)
  assert.match(text, /Sign in/)
  for (const secret of [desk.email, 'Calendar<', desk.calendar.id, desk.agent.id])
    assert.ok(!text.includes(secret), secret)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('referrer-policy'), 'no-referrer')
  assert.match(headers.get('content-security-policy')!, /script-src 'none'.*form-action 'self'.*frame-ancestors 'none'/)
  assert.doesNotMatch(text, /<script/)
  assert.equal((await browser.status()).status, 'awaiting_human')
})

test('a human signs in, connects, chooses, and the agent sees when they are busy', async ({
  service,
  caldav,
  desk,
  browser,
}) => {
  assert.equal((await browser.signIn('nobody@example.com')).status, 401)
  const signedIn = await browser.signIn()
  assert.deepEqual([signedIn.status, signedIn.headers.get('location')], [303, `${service.baseUrl}${browser.path}`])
  const setup = await browser.visit('GET', browser.path)
  assert.match(setup.text, /See when you are busy, but not why, with whom or where\./)
  assert.equal((await browser.status()).status, 'awaiting_human')
  const form_token = browser.tokenIn(setup.text)
  const account = { form_token, provider: 'caldav', server_url: caldav.origin, username: 'ada', password: 'wrong' }
  const wrong = await browser.visit('POST', `${browser.path}/begin`, account)
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /refuses this user name and password/)
  assert.match(wrong.text, /value="ada"/)
  assert.doesNotMatch(wrong.text, /value="wrong"/)
  const begun = await browser.visit('POST', `${browser.path}/begin`, { ...account, password: caldav.password })
  const choicePath = `/connect/links/${browser.link.id}`
  assert.deepEqual([begun.status, begun.headers.get('location')], [303, `${service.baseUrl}${choicePath}`])
  assert.deepEqual([(await browser.status()).status, (await browser.status()).connection_id], ['in_progress', null])
  const choice = await browser.visit('GET', choicePath)
  assert.equal(choice.status, 200)
  assert.equal([...choice.text.matchAll(/ checked/g)].length, 1)
  const [personal, work] = [...choice.text.matchAll(/value="(xcl_\w+)"/g)].map(([, id]) => id!)
  const token = browser.tokenIn(choice.text)
  assert.equal((await browser.visit('POST', choicePath, { form_token: token })).status, 400)
  const saved = await browser.visit('POST', choicePath, {
    form_token: token,
    external_calendar_ids: [personal!, work!],
  })
  assert.deepEqual([saved.status, saved.headers.get('location')], [303, `${service.baseUrl}${choicePath}`])
  const done = await browser.status()
  assert.deepEqual([done.status, /^con_/.test(done.connection_id)], ['completed', true])
  await service.drain()
  const [grant] = (await desk.ok('GET', '/v1/availability-grants')).data
  assert.deepEqual([grant.audience, grant.agent_ids], ['selected_agents', [desk.agent.id]])
  assert.deepEqual(grant.external_calendar_ids.toSorted(), [personal, work].toSorted())
  const now = service.clock.now()
  const window = `start=${now.toISOString()}&end=${new Date(now.getTime() + 3_600_000).toISOString()}`
  const free = await service.call('GET', `/v1/agents/${desk.agent.id}/availability?${window}`, { key: desk.key })
  assert.deepEqual([free.body.availability_state, free.body.sources.external], ['complete', 'current'])
  const back = await browser.visit('GET', browser.path)
  assert.deepEqual([back.status, /is connected/.test(back.text)], [404, true])
  const stranger = await browser.visit('GET', browser.path, undefined, (await makeAccount(service)).cookie)
  assert.deepEqual([stranger.status, /does not work/.test(stranger.text)], [404, true])
  const visitor = await browser.visit('GET', browser.path, undefined, '')
  assert.deepEqual([visitor.status, /does not work/.test(visitor.text)], [404, true])
  assert.match((await browser.visit('GET', choicePath)).text, /is connected/)
  assert.match((await browser.visit('GET', '/connect')).text, /Agents respect when you are busy/)
})

test('a double click on the choice is one; another choice comes too late', async ({ caldav, desk, browser }) => {
  await browser.signIn()
  const path = `/connect/links/${browser.link.id}`
  const login = { ...desk.login, setup_link_id: browser.link.id, password: caldav.password }
  const { calendars } = await desk.ok('POST', '/v1/calendar-connections/caldav', login, 201)
  const [first, second] = calendars.map(({ id }: { id: string }) => id)
  const form_token = browser.tokenIn((await browser.visit('GET', path)).text)
  const choose = async (ids: string[]) =>
    (await browser.visit('POST', path, { form_token, external_calendar_ids: ids })).status
  const clicks = [1, 2, 3, 4].map(() => choose([first, second]))
  assert.deepEqual(await Promise.all(clicks), [303, 303, 303, 303])
  assert.deepEqual([await choose([second, first]), await choose([first])], [303, 409])
  assert.equal((await desk.ok('GET', '/v1/availability-grants')).total, 1)
})

test('a program with a session completes by JSON', async ({ caldav, desk, service, browser }) => {
  const path = `/connect/links/${browser.link.id}`
  const connection = await desk.ok(
    'POST',
    '/v1/calendar-connections/caldav',
    { ...desk.login, setup_link_id: browser.link.id, password: caldav.password },
    201,
  )
  const post = (body: object, key?: string) =>
    service.call('POST', path, { ...(key && { key }), body, headers: { 'x-forwarded-for': newAddress() } })
  const ids = [connection.calendars[0].id]
  assert.equal((await post({ external_calendar_ids: ids })).status, 401)
  assert.equal((await post({}, desk.token)).status, 400)
  assert.equal((await post({ external_calendar_ids: [] }, desk.token)).status, 400)
  const both = { external_calendar_ids: ids, destination_external_calendar_id: ids[0] }
  assert.equal((await post(both, desk.token)).status, 400)
  const stranger = await makeOwner(service)
  assert.equal((await post({ external_calendar_ids: ids }, stranger.token)).status, 404)
  const done = await post({ external_calendar_ids: ids }, desk.token)
  assert.deepEqual([done.status, done.body.status, done.body.connection_id], [200, 'completed', connection.id])
  assert.equal((await post({ external_calendar_ids: ids }, desk.token)).status, 409)
})

test('a decommissioned agent is granted nothing', async ({ desk, service, browser }) => {
  const made = { ...desk.login, setup_link_id: browser.link.id }
  const { id, calendars } = await desk.ok('POST', '/v1/calendar-connections/caldav', made, 201)
  await service.call('DELETE', `/v1/agents/${desk.agent.id}`, { key: desk.key })
  const body = { external_calendar_ids: [calendars[0].id] }
  const done = await service.call('POST', `/connect/links/${browser.link.id}`, { key: desk.token, body })
  assertRefused(done, 409, 'conflict', { code: 'agent_decommissioned' })
  assert.equal((await desk.ok('GET', '/v1/availability-grants')).total, 0)
  assert.equal((await desk.ok('GET', `/v1/calendar-connections/${id}`)).selected_calendar_count, 0)
})

test('a connection of a link that ends unfinished is gone', async ({ desk, service, browser }) => {
  const connection = await desk.ok(
    'POST',
    '/v1/calendar-connections/caldav',
    { ...desk.login, setup_link_id: browser.link.id },
    201,
  )
  assert.equal((await desk.connect({ setup_link_id: 'csl_none' })).status, 404)
  assert.equal((await desk.connect({ setup_link_id: browser.link.id, capabilities: ['publishing'] })).status, 400)
  await service.call('DELETE', `/v1/connection-links/${browser.link.id}`, { key: desk.key })
  assert.equal((await desk.session('GET', `/v1/calendar-connections/${connection.id}`)).status, 404)
})

test('so is one of a link that is declined or expires', async ({ desk, service, browser }) => {
  const connect = async (setup_link_id: string) => {
    const body = { ...desk.login, setup_link_id }
    const connection = await desk.ok('POST', '/v1/calendar-connections/caldav', body, 201)
    const { status } = (await service.call('GET', `/v1/connection-links/${setup_link_id}`, { key: desk.key })).body
    assert.equal(status, 'in_progress')
    return connection
  }
  const first = await connect(browser.link.id)
  await browser.signIn()
  const form_token = browser.tokenIn((await browser.visit('GET', browser.path)).text)
  assert.equal((await browser.visit('POST', `${browser.path}/decline`, { form_token })).status, 200)
  assert.equal((await desk.session('GET', `/v1/calendar-connections/${first.id}`)).status, 404)
  const cancelled = await service.call('DELETE', `/v1/connection-links/${browser.link.id}`, { key: desk.key })
  assert.deepEqual([cancelled.status, cancelled.body.error.type], [409, 'conflict'])

  const links = `/v1/calendars/${desk.calendar.id}/connection-links`
  const late = (await service.call('POST', links, { key: desk.key, body: {} })).body
  const second = await connect(late.id)
  // The session ends with the link.
  const isThere = async () => {
    const id = decodeId('con', second.id)!
    const rows = await service.app.sql`select from calendar_connections where id = ${id}`
    return rows.length === 1
  }
  for (const [ms, expected] of [
    [24 * 3_600_000 - 1, true],
    [1, false],
  ] as const) {
    await service.clock.advance(ms)
    await service.drain()
    assert.equal(await isThere(), expected)
  }
})

test('a human declines', async ({ browser }) => {
  await browser.signIn()
  const form_token = browser.tokenIn((await browser.visit('GET', browser.path)).text)
  const declined = await browser.visit('POST', `${browser.path}/decline`, { form_token })
  assert.equal(declined.status, 200)
  assert.equal((await browser.status()).status, 'declined')
  assert.equal((await browser.visit('GET', browser.path)).status, 404)
})

test('somebody else is refused, and a form without its token', async ({ service, browser }) => {
  const { cookie } = await makeAccount(service)
  const refused = await browser.visit('GET', browser.path, undefined, cookie)
  assert.equal(refused.status, 403)
  assert.match(refused.text, /Sign out/)
  await browser.signIn()
  for (const form_token of ['', 'wrong']) {
    assert.equal((await browser.visit('POST', `${browser.path}/decline`, { form_token })).status, 403)
  }
  assert.equal((await browser.status()).status, 'awaiting_human')
})

test('unknown and ended links are one page', async ({ service, browser }) => {
  const unknown = await browser.visit('GET', `/connect/${'x'.repeat(43)}`)
  await service.clock.advance(24 * 3_600_000)
  const ended = await browser.visit('GET', browser.path)
  assert.deepEqual([unknown.status, ended.status], [404, 404])
  assert.equal(unknown.text, ended.text)
})

test('the human pauses, resumes and disconnects without a script', async ({ service, desk, browser }) => {
  const { connection } = await desk.granted()
  await browser.signIn()
  const listed = await browser.visit('GET', '/connect')
  assert.match(listed.text, /seen by Agent/)
  const form_token = browser.tokenIn(listed.text)
  const act = (action: string, token = form_token) =>
    browser.visit('POST', `/connect/connections/${connection.id}/${action}`, { form_token: token })
  assert.equal((await act('pause', 'wrong')).status, 403)
  assert.deepEqual([(await act('pause')).status, (await desk.read(connection.id)).status], [303, 'paused'])
  assert.deepEqual([(await act('resume')).status, (await desk.read(connection.id)).status], [303, 'active'])
  assert.equal((await act('disconnect')).status, 303)
  assert.match((await browser.visit('GET', '/connect')).text, /Nothing is connected/)
  assert.equal((await browser.visit('GET', '/connect', undefined, '')).status, 401)
  assert.ok(service)
})

test('the human narrows what is read, by one calendar', async ({ desk, browser }) => {
  const { connection, grant } = await desk.granted()
  const [personal, work] = connection.calendars.map(({ id }: { id: string }) => id)
  const path = `/v1/calendar-connections/${connection.id}`
  await desk.ok('PATCH', path, { selected_external_calendar_ids: [personal, work] })
  await desk.ok('PATCH', `/v1/availability-grants/${grant.id}`, { external_calendar_ids: [personal, work] })
  await browser.signIn()
  const form_token = browser.tokenIn((await browser.visit('GET', '/connect')).text)
  const unselect = (external_calendar_id: string) =>
    browser.visit('POST', `/connect/connections/${connection.id}/unselect`, { form_token, external_calendar_id })
  const granted = async () => (await desk.ok('GET', '/v1/availability-grants')).data[0]?.external_calendar_ids
  for (const unknown of ['xcl_nothing', grant.id]) {
    assert.equal((await unselect(unknown)).status, 303)
    assert.deepEqual(await granted(), [personal, work])
  }
  for (const _ of ['once', 'twice']) {
    assert.equal((await unselect(personal)).status, 303)
    assert.deepEqual(await granted(), [work])
  }
  const { calendars } = await desk.read(connection.id)
  assert.deepEqual(
    calendars.map(({ id, selected }: { id: string; selected: boolean }) => [id, selected]),
    [
      [personal, false],
      [work, true],
    ],
  )
  await unselect(work)
  assert.equal(await granted(), undefined)
  assert.match((await browser.visit('GET', '/connect')).text, /No calendar is chosen/)
})

test('every reason of a failure has its page', async ({ browser }) => {
  for (const reason of ['denied', 'expired', 'scope_missing', 'account_mismatch', 'provider_error', 'quota']) {
    const { status, text } = await browser.visit('GET', `/connect/failed?reason=${reason}`)
    assert.equal(status, 200)
    assert.match(text, /not connected/)
  }
})

for (const how of ['waitlist', 'pages'] as const) {
  test(`the link of a stopped organization leads nowhere until it goes on (${how})`, async ({
    service,
    desk,
    browser,
  }) => {
    const request = {
      ...{ id: 'req_1', method: 'OPS', path: 'ops pages off', ip: null, userAgent: null },
      ...{ startedAt: service.clock.now(), successStatus: 200 },
    }
    const stop = (isStopped: boolean) =>
      how === 'pages'
        ? openPages(service.app, request, desk.orgId, !isStopped)
        : service.call('PATCH', `/v1/admin/orgs/${desk.orgId}`, {
            key: adminToken,
            body: { is_waitlisted: isStopped },
          })
    await stop(true)
    assert.equal((await browser.visit('GET', browser.path)).status, 404)
    assert.equal((await browser.signIn()).status, 404)
    await stop(false)
    assert.equal((await browser.signIn()).status, 303)
    await stop(true)
    const form_token = 'x'
    for (const [form, fields] of [
      ['begin', { form_token, provider: 'caldav' }],
      ['decline', { form_token }],
      ['signout', {}],
    ] as const)
      assert.equal((await browser.visit('POST', `${browser.path}/${form}`, fields)).status, 404, form)
    await stop(false)
    assert.equal((await browser.visit('GET', browser.path)).status, 200)
    assert.equal((await browser.status()).status, 'awaiting_human')
  })
}

test('pages and forms are limited per address', async ({ browser }) => {
  const looks = await Promise.all(Array.from({ length: 61 }, () => browser.visit('GET', '/connect')))
  assert.equal(looks.filter(({ status }) => status === 429).length, 1)
  const sent = await Promise.all(Array.from({ length: 11 }, () => browser.visit('POST', '/connect/signout', {})))
  assert.equal(sent.filter(({ status }) => status === 429).length, 1)
})

test('a link that asks for publishing sets the destination, and what lies ahead is published', async ({
  service,
  caldav,
  desk,
}) => {
  const event = { title: 'Ahead', start_time: '2026-03-04T09:00:00Z', end_time: '2026-03-04T10:00:00Z' }
  await service.call('POST', `/v1/calendars/${desk.calendar.id}/events`, { key: desk.key, body: event })
  const body = { capabilities: ['publishing'], publication_policy: 'confirmed_tentative' }
  const link = (
    await service.call('POST', `/v1/calendars/${desk.calendar.id}/connection-links`, { key: desk.key, body })
  ).body
  const login = { ...desk.login, setup_link_id: link.id }
  const { calendars } = await desk.ok('POST', '/v1/calendar-connections/caldav', login, 201)
  const complete = (choice: object) =>
    service.call('POST', `/connect/links/${link.id}`, {
      key: desk.token,
      body: choice,
      headers: { 'x-forwarded-for': newAddress() },
    })
  assert.equal((await complete({})).status, 400)
  assert.equal((await complete({ destination_external_calendar_id: 'xcl_nothing' })).status, 404)
  const completed = await complete({ destination_external_calendar_id: calendars[0].id })
  assert.deepEqual([completed.status, completed.body.status], [200, 'completed'])
  const { data } = await desk.ok('GET', `/v1/calendars/${desk.calendar.id}/external-destination`)
  assert.deepEqual([data.policy, data.external_calendar_id], ['confirmed_tentative', calendars[0].id])
  await desk.drain()
  assert.equal(caldav.objects('personal').size, 1)
})
