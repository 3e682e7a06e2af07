// The emulator of Google behaves as its documentation and its users say.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test as plain } from 'vitest'
import { clientId, clientSecret } from './providers/googleCalendarOauth.ts'
import { googleScopes, openGoogleServer } from './providers/googleCalendarServer.ts'

type GoogleServer = Awaited<ReturnType<typeof openGoogleServer>>
// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into field by field
type Body = any

const ada = 'ada@gmail.com'
const redirect = 'https://calendar.example.com/callback'
const verifier = 'v'.repeat(43)
const all = ['openid', ...Object.values(googleScopes)].join(' ')
const minuteMs = 60_000

const test = plain.extend<{ google: GoogleServer; clock: { ms: number } }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names
  clock: async ({}, use) => use({ ms: Date.parse('2026-03-02T09:00:00Z') }),
  google: async ({ clock }, use) => {
    const google = await openGoogleServer()
    google.setClock(() => clock.ms)
    google.oauth.redirectUris = [redirect]
    google.addAccount(ada, { timeZone: 'Europe/Berlin' })
    google.oauth.consent.email = ada
    await use(google)
    await google.close()
  },
})

async function consent(google: GoogleServer, more: object = {}) {
  const query = new URLSearchParams({
    ...{
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirect,
      scope: all,
      state: 'state',
      nonce: 'nonce',
    },
    ...{ access_type: 'offline', prompt: 'consent', code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    ...more,
  })
  const answer = await fetch(`${google.settings.authorization_url}?${query}`, { redirect: 'manual' })
  return { status: answer.status, query: new URL(answer.headers.get('location') ?? redirect).searchParams }
}

async function ask(url: string, form: Record<string, string>) {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(form) })
  return { status: answer.status, body: (await answer.json()) as Body }
}

const secret = { client_id: clientId, client_secret: clientSecret }
const redeem = (google: GoogleServer, code: string, more: object = {}) =>
  ask(google.settings.token_url, {
    ...{ ...secret, grant_type: 'authorization_code', code, redirect_uri: redirect, code_verifier: verifier },
    ...more,
  })
const renew = (google: GoogleServer, refresh_token: string) =>
  ask(google.settings.token_url, { ...secret, grant_type: 'refresh_token', refresh_token })

async function agreed(google: GoogleServer, more: object = {}) {
  const { query } = await consent(google, more)
  const { status, body } = await redeem(google, query.get('code')!)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

const caller =
  (google: GoogleServer, token: string) =>
  async (method: string, path: string, sent?: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(google.settings.api_url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(sent && { body: JSON.stringify(sent) }),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      body: text === '' ? undefined : (JSON.parse(text) as Body),
    }
  }
const calls = (google: GoogleServer, scopes = all) => caller(google, google.oauth.tokenFor(ada, scopes))

test('a code works once, for ten minutes, with its verifier and its address', async ({ google, clock }) => {
  const { query } = await consent(google)
  assert.deepEqual([query.get('state'), query.get('iss')], ['state', google.origin])
  const first = await redeem(google, query.get('code')!)
  const claims = JSON.parse(Buffer.from(first.body.id_token.split('.')[1], 'base64url').toString())
  assert.deepEqual([claims.nonce, claims.iss, claims.aud], ['nonce', google.origin, clientId])
  assert.equal(claims.sub, google.accounts.get(ada)!.sub)
  assert.equal((await redeem(google, query.get('code')!)).body.error, 'invalid_grant')
  for (const wrong of [{ code_verifier: 'w'.repeat(43) }, { redirect_uri: `${redirect}/` }]) {
    const other = await consent(google)
    assert.equal((await redeem(google, other.query.get('code')!, wrong)).body.error, 'invalid_grant')
  }
  const late = await consent(google)
  clock.ms += 10 * minuteMs
  assert.equal((await redeem(google, late.query.get('code')!)).body.error, 'invalid_grant')
  const unknown = await redeem(google, 'x', { client_secret: 'old' })
  assert.deepEqual([unknown.status, unknown.body.error], [401, 'invalid_client'])
})

test('the human denies, agrees to less, or is somebody else; an address must be registered', async ({ google }) => {
  google.oauth.consent.isDenied = true
  assert.deepEqual([...(await consent(google)).query.keys()], ['state', 'iss', 'error'])
  google.oauth.consent.isDenied = false
  google.oauth.consent.without = [googleScopes.publishing]
  assert.ok(!(await agreed(google)).scope.includes(googleScopes.publishing))
  google.addAccount('bob@gmail.com')
  google.oauth.consent.email = 'bob@gmail.com'
  const call = caller(google, (await agreed(google)).access_token)
  const { body } = await call('GET', '/users/me/calendarList')
  assert.deepEqual(
    body.items.map(({ id }: Body) => id),
    ['bob@gmail.com'],
  )
  assert.equal((await consent(google, { redirect_uri: `${redirect}?x` })).status, 400)
  assert.equal((await consent(google, { client_id: 'other' })).status, 401)
})

test('what was allowed before is allowed again, if that is asked for', async ({ google }) => {
  const narrow = { scope: googleScopes.publishing }
  await agreed(google, { scope: googleScopes.availability })
  assert.equal((await agreed(google, narrow)).scope, googleScopes.publishing)
  const { scope } = await agreed(google, { ...narrow, include_granted_scopes: 'true' })
  assert.deepEqual(scope.split(' ').sort(), [googleScopes.availability, googleScopes.publishing].sort())
  google.oauth.revokeGrants(ada)
  assert.equal((await agreed(google, { ...narrow, include_granted_scopes: 'true' })).scope, googleScopes.publishing)
})

test('a refresh token comes only for offline and consent', async ({ google }) => {
  assert.match((await agreed(google)).refresh_token, /^1\/\//)
  assert.equal((await agreed(google, { prompt: 'select_account' })).refresh_token, undefined)
  assert.equal((await agreed(google, { access_type: 'online' })).refresh_token, undefined)
})

test('access tokens live as long as they say; what was revoked is over everywhere', async ({ google, clock }) => {
  google.oauth.tokenSeconds = 5
  const one = await agreed(google)
  const other = await agreed(google)
  const call = caller(google, one.access_token)
  assert.equal((await call('GET', '/users/me/calendarList')).status, 200)
  clock.ms += 5_000
  assert.equal((await call('GET', '/users/me/calendarList')).status, 401)
  const renewed = await renew(google, one.refresh_token)
  assert.deepEqual([renewed.status, renewed.body.refresh_token], [200, undefined])
  google.oauth.isRotating = true
  const rotated = await renew(google, one.refresh_token)
  assert.equal((await renew(google, one.refresh_token)).body.error, 'invalid_grant')
  assert.equal((await ask(google.settings.revocation_url, { token: other.refresh_token })).status, 200)
  assert.equal((await renew(google, rotated.body.refresh_token)).body.error, 'invalid_grant')
  assert.equal((await caller(google, renewed.body.access_token)('GET', '/users/me/calendarList')).status, 401)
  assert.equal((await ask(google.settings.revocation_url, { token: other.refresh_token })).body.error, 'invalid_token')
})

test('each call needs its scope', async ({ google }) => {
  const none = calls(google, 'openid')
  const path = `/calendars/${encodeURIComponent(ada)}/events`
  for (const [method, to] of [
    ['GET', '/users/me/calendarList'],
    ['POST', '/freeBusy'],
    ['POST', `${path}/watch`],
    ['POST', path],
  ] as const) {
    const { status, body } = await none(method, to, method === 'POST' ? {} : undefined)
    assert.deepEqual([status, body.error.errors[0].reason], [403, 'insufficientPermissions'], to)
  }
  // Under `calendar.events.owned` only calendars that the human owns are written to.
  google.addCalendar(ada, 'shared', { accessRole: 'writer' })
  assert.equal((await calls(google)('POST', '/calendars/shared/events', {})).status, 403)
})

test('the list of calendars has pages, some of them empty', async ({ google }) => {
  for (const id of ['a', 'b', 'c', 'd']) google.addCalendar(ada, id)
  google.pageSize = 2
  const call = calls(google)
  const pages: number[] = []
  const names: string[] = []
  let token: string | undefined = ''
  while (token !== undefined) {
    const { body }: { body: Body } = await call('GET', `/users/me/calendarList${token && `?pageToken=${token}`}`)
    pages.push(body.items.length)
    names.push(...body.items.map(({ id }: Body) => id))
    token = body.nextPageToken
  }
  assert.deepEqual(pages, [2, 0, 2, 0, 1])
  assert.deepEqual(names, [ada, 'a', 'b', 'c', 'd'])
})

const days = (from: string, count: number, ids: readonly string[]) => ({
  timeMin: from,
  timeMax: new Date(Date.parse(from) + count * 24 * 60 * minuteMs).toISOString(),
  items: ids.map((id) => ({ id })),
})

test('freeBusy merges, judges whole days in the zone of the calendar, and leaves out what is free', async ({
  google,
}) => {
  const add = (start: string, end: string, more: object = {}) => google.addEvent(ada, start, end, more)
  add('2026-03-03T09:00:00Z', '2026-03-03T10:00:00Z')
  add('2026-03-03T09:30:00Z', '2026-03-03T10:30:00Z', { status: 'tentative' })
  add('2026-03-03T10:30:00Z', '2026-03-03T11:00:00Z', { eventType: 'outOfOffice' })
  add('2026-03-03T12:00:00Z', '2026-03-03T13:00:00Z', { transparency: 'transparent' })
  add('2026-03-03T12:00:00Z', '2026-03-03T13:00:00Z', { attendees: [{ self: true, responseStatus: 'declined' }] })
  add('2026-03-03T12:00:00Z', '2026-03-03T13:00:00Z', { eventType: 'workingLocation' })
  google.removeEvent(ada, add('2026-03-03T12:00:00Z', '2026-03-03T13:00:00Z'))
  add('2026-03-05', '2026-03-06')
  google.addEvent(ada, '2026-03-06T07:00:00Z', '2026-03-06T08:00:00Z', { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'] })
  const { status, body } = await calls(google)('POST', '/freeBusy', days('2026-03-03T09:15:00Z', 11, [ada]))
  assert.equal(status, 200)
  assert.deepEqual(body.calendars[ada].busy, [
    { start: '2026-03-03T09:15:00Z', end: '2026-03-03T11:00:00Z' },
    { start: '2026-03-04T23:00:00Z', end: '2026-03-05T23:00:00Z' },
    { start: '2026-03-06T07:00:00Z', end: '2026-03-06T08:00:00Z' },
    { start: '2026-03-13T07:00:00Z', end: '2026-03-13T08:00:00Z' },
  ])
})

test('freeBusy takes 90 days and 50 calendars, and has errors of single calendars in a 200', async ({ google }) => {
  const call = calls(google)
  const from = '2026-03-01T00:00:00Z'
  const many = (count: number) => Array.from({ length: count }, (_, nth) => `none-${nth}`)
  const reasonOf = async (body: object) => (await call('POST', '/freeBusy', body)).body.error?.errors[0].reason
  assert.equal(await reasonOf(days(from, 90, [ada])), undefined)
  assert.equal(await reasonOf(days(from, 91, [ada])), 'timeRangeTooLong')
  assert.equal(await reasonOf(days(from, 0, [ada])), 'timeRangeEmpty')
  assert.equal(await reasonOf(days(from, 1, many(51))), 'tooManyCalendarsRequested')
  google.addCalendar(ada, 'ill', { trouble: 'internalError' })
  const { status, body } = await call('POST', '/freeBusy', days(from, 1, [ada, 'ill', 'gone']))
  assert.equal(status, 200)
  const reasons = Object.entries<Body>(body.calendars).map(([id, one]) => [id, one.errors?.[0].reason])
  assert.deepEqual(reasons, [
    [ada, undefined],
    ['ill', 'internalError'],
    ['gone', 'notFound'],
  ])
})

const copy = {
  id: 'abcdefghij0123456789klmnop',
  summary: 'Copy',
  start: { dateTime: '2026-03-05T10:00:00Z' },
  end: { dateTime: '2026-03-05T11:00:00Z' },
}

test('an identifier is used once, also by what was deleted; etags are compared', async ({ google }) => {
  const call = calls(google)
  const events = `/calendars/${encodeURIComponent(ada)}/events`
  const path = `${events}/${copy.id}`
  assert.equal((await call('POST', events, { ...copy, id: 'UPPER' })).status, 400)
  const made = await call('POST', events, copy)
  assert.deepEqual([made.status, made.body.iCalUID], [200, `${copy.id}@google.com`])
  assert.equal((await call('POST', events, copy)).status, 409)
  const match = { 'if-match': made.body.etag }
  const changed = await call('PATCH', path, { summary: 'New', description: 'Words' }, match)
  assert.deepEqual([changed.status, changed.body.sequence], [200, 1])
  assert.notEqual(changed.body.etag, made.body.etag)
  assert.equal((await call('PATCH', path, { summary: 'Newer' }, match)).status, 412)
  assert.equal((await call('DELETE', path, undefined, match)).status, 412)
  assert.equal((await call('PATCH', path, { description: null })).body.description, undefined)
  assert.equal((await call('DELETE', path)).status, 204)
  assert.equal((await call('GET', path)).body.status, 'cancelled')
  assert.equal((await call('DELETE', path)).status, 410)
  assert.equal((await call('POST', events, copy)).status, 409)
  assert.equal((await call('PATCH', path, { summary: 'Back' })).status, 403)
  assert.equal((await call('GET', `${events}/nothing0`)).status, 404)
})

test('only its owner writes to a calendar; a reader sees its events, and whoever sees busy time sees none', async ({
  google,
}) => {
  const call = calls(google)
  const events = `/calendars/${encodeURIComponent(ada)}/events`
  const path = `${events}/${copy.id}`
  await call('POST', events, copy)
  for (const [role, seen] of [
    ['writer', 200],
    ['reader', 200],
    ['freeBusyReader', 404],
  ] as const) {
    google.calendarOf(ada)!.accessRole = role
    const written = [
      await call('POST', events, { ...copy, id: 'another0' }),
      await call('PATCH', path, { summary: 'New' }),
      await call('DELETE', path),
    ]
    for (const { status, body } of written) {
      assert.deepEqual([status, body.error.errors[0].reason], [403, 'requiredAccessLevel'])
    }
    assert.equal((await call('GET', path)).status, seen)
    assert.equal((await call('GET', `${events}/another0`)).status, 404)
    const entry = await call('GET', `/users/me/calendarList/${encodeURIComponent(ada)}`)
    assert.deepEqual([entry.status, entry.body.accessRole], [200, role])
  }
})

test('what goes wrong: answers, rate limits, slowness, and answers that are lost after the write', async ({
  google,
}) => {
  const call = calls(google)
  const events = `/calendars/${encodeURIComponent(ada)}/events`
  for (const [status, wait] of [
    [429, '7'],
    [403, null],
    [503, null],
  ] as const) {
    const headers: Record<string, string> = wait === null ? {} : { 'retry-after': wait }
    google.quirk = () => ({ kind: 'answer', answer: { status, body: {}, headers } })
    const answer = await call('GET', '/users/me/calendarList')
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [status, wait])
  }
  google.quirk = ({ method }) => (method === 'POST' ? { kind: 'drop' } : undefined)
  await assert.rejects(call('POST', events, copy))
  assert.deepEqual([...google.calendarOf(ada)!.events.keys()], [copy.id])
  google.quirk = () => ({ kind: 'slow', ms: 50 })
  const before = performance.now()
  assert.equal((await call('GET', '/users/me/calendarList')).status, 200)
  assert.ok(performance.now() - before >= 45)
  google.quirk = () => ({ kind: 'hang' })
  const hung = fetch(`${google.settings.api_url}/users/me/calendarList`, { signal: AbortSignal.timeout(100) })
  await assert.rejects(hung)
})

test('a channel says that it lives, then that something changed, in headers alone; it ends by itself', async ({
  google,
  clock,
  onTestFinished,
}) => {
  const heard: { headers: IncomingHttpHeaders; body: string }[] = []
  const listener = createServer(async (request, to) => {
    let body = ''
    for await (const chunk of request) body += chunk
    heard.push({ headers: request.headers, body })
    to.end()
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    listener.closeAllConnections()
    listener.close()
  })
  google.channels.reachable.set(
    'https://calendar.example.com',
    `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
  )
  const call = calls(google)
  const watch = `/calendars/${encodeURIComponent(ada)}/events/watch`
  const channel = { id: 'one', type: 'web_hook', address: 'https://calendar.example.com/push', token: 'secret' }
  const states = async () => {
    await google.channels.settled()
    return heard.splice(0).map(({ headers, body }) => {
      assert.deepEqual([headers['x-goog-channel-id'], headers['x-goog-channel-token'], body], ['one', 'secret', ''])
      return headers['x-goog-resource-state']
    })
  }
  const change = () => google.addEvent(ada, '2026-03-05T10:00:00Z', '2026-03-05T11:00:00Z')

  assert.equal((await call('POST', watch, { ...channel, address: 'http://calendar.example.com/' })).status, 400)
  const { body: made } = await call('POST', watch, channel)
  assert.equal(Number(made.expiration), clock.ms + 7 * 24 * 60 * minuteMs)
  assert.equal((await call('POST', watch, channel)).body.error.errors[0].reason, 'channelIdNotUnique')
  assert.deepEqual(await states(), ['sync'])
  change()
  assert.deepEqual(await states(), ['exists'])
  google.channels.delivery = 'twice'
  change()
  assert.deepEqual(await states(), ['exists', 'exists'])
  google.channels.delivery = 'never'
  change()
  assert.deepEqual(await states(), [])
  google.channels.delivery = 'held'
  change()
  assert.deepEqual(await states(), [])
  google.channels.release()
  assert.deepEqual(await states(), ['exists'])
  google.channels.delivery = 'once'
  // The writes of an application are announced, too.
  await call('POST', `/calendars/${encodeURIComponent(ada)}/events`, copy)
  assert.deepEqual(await states(), ['exists'])
  clock.ms = Number(made.expiration)
  change()
  assert.deepEqual(await states(), [])
  assert.equal((await call('POST', '/channels/stop', { id: 'one', resourceId: 'wrong' })).status, 401)
  const later = calls(google)
  assert.equal((await later('POST', '/channels/stop', { id: 'one', resourceId: 'wrong' })).status, 404)
  assert.equal((await later('POST', '/channels/stop', { id: 'one', resourceId: made.resourceId })).status, 204)
  await later('POST', watch, { ...channel, params: { ttl: '60' } })
  assert.deepEqual(await states(), ['sync'])
  google.channels.dieSilently()
  change()
  assert.deepEqual(await states(), [])
})
