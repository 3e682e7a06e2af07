// The emulator of Microsoft behaves as its documentation and its users say.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test as plain } from 'vitest'
import { type MicrosoftServer, openMicrosoftServer } from './providers/microsoftCalendarServer.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into field by field
type Body = any

const ada = { sub: 'ada-sub', tid: 'tenant', email: 'ada@example.com' }
const redirect = 'https://calendar.example.com/callback'
const verifier = 'v'.repeat(43)

const test = plain.extend<{ server: MicrosoftServer; clock: { ms: number } }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names
  clock: async ({}, use) => use({ ms: Date.parse('2026-03-02T09:00:00Z') }),
  server: async ({ clock }, use) => {
    const server = await openMicrosoftServer(() => clock.ms)
    server.identity.settings.redirectUris.push(redirect)
    server.identity.settings.consent = { kind: 'agree', account: ada }
    server.mailbox.addCalendar('home', { name: 'Calendar' })
    await use(server)
    await server.close()
  },
})

async function consent(server: MicrosoftServer, scope = 'openid offline_access Calendars.Read', more: object = {}) {
  const query = new URLSearchParams({
    client_id: 'calendar-client',
    response_type: 'code',
    redirect_uri: redirect,
    scope,
    state: 'state',
    nonce: 'nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  })
  const answer = await fetch(`${server.origin}/common/oauth2/v2.0/authorize?${query}`, { redirect: 'manual' })
  return { status: answer.status, query: new URL(answer.headers.get('location') ?? redirect).searchParams }
}

async function ask(server: MicrosoftServer, form: Record<string, string>) {
  const body = new URLSearchParams({ client_id: 'calendar-client', client_secret: 'calendar-secret', ...form })
  const answer = await fetch(`${server.origin}/common/oauth2/v2.0/token`, { method: 'POST', body })
  return { status: answer.status, body: (await answer.json()) as Body }
}

const redeem = (server: MicrosoftServer, code: string, more: object = {}) =>
  ask(server, { grant_type: 'authorization_code', code, redirect_uri: redirect, code_verifier: verifier, ...more })

const renew = (server: MicrosoftServer, refresh_token: string) =>
  ask(server, { grant_type: 'refresh_token', refresh_token })

async function graph(server: MicrosoftServer, scope?: string) {
  const { query } = await consent(server, scope)
  const { body } = await redeem(server, query.get('code')!)
  return async (method: string, path: string, sent?: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(path.startsWith('http') ? path : server.apiUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${body.access_token}`,
        prefer: 'IdType="ImmutableId", odata.maxpagesize=100',
        ...(sent && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent && { body: JSON.stringify(sent) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? undefined : (JSON.parse(text) as Body) }
  }
}

const write = 'openid offline_access Calendars.Read Calendars.ReadWrite'
const window = 'startDateTime=2026-03-01T00:00:00Z&endDateTime=2026-04-01T00:00:00Z'
const view = '/me/calendars/home/calendarView/delta'

test('a code works once, with its verifier and its address', async ({ server }) => {
  const { query } = await consent(server)
  assert.equal(query.get('state'), 'state')
  const code = query.get('code')!
  const first = await redeem(server, code)
  assert.equal(first.status, 200)
  assert.equal(first.body.scope, 'openid Calendars.Read')
  const claims = JSON.parse(Buffer.from(first.body.id_token.split('.')[1], 'base64url').toString())
  assert.deepEqual([claims.sub, claims.nonce, claims.iss], ['ada-sub', 'nonce', `${server.origin}/tenant/v2.0`])
  assert.deepEqual((await redeem(server, code)).body.error_codes, [54005])
  for (const [wrong, aadsts] of [
    [{ code_verifier: 'w'.repeat(43) }, 501481],
    [{ redirect_uri: `${redirect}/` }, 500112],
  ] as const) {
    const other = await consent(server)
    assert.deepEqual((await redeem(server, other.query.get('code')!, wrong)).body.error_codes, [aadsts])
  }
})

test('the human denies, agrees to less, or an address is wrong', async ({ server }) => {
  server.identity.settings.consent = { kind: 'deny' }
  assert.equal((await consent(server)).query.get('error'), 'access_denied')
  server.identity.settings.consent = { kind: 'agree', account: ada, scopes: ['Calendars.Read'] }
  const { query } = await consent(server, write)
  assert.equal((await redeem(server, query.get('code')!)).body.scope, 'openid Calendars.Read')
  assert.equal((await consent(server, write, { redirect_uri: 'https://evil.example.com' })).status, 400)
})

test('refresh tokens rotate; a grant ends; a wrong secret is our fault', async ({ server }) => {
  const { query } = await consent(server)
  const { body } = await redeem(server, query.get('code')!)
  const renewed = await renew(server, body.refresh_token)
  assert.equal(renewed.status, 200)
  assert.notEqual(renewed.body.refresh_token, body.refresh_token)
  assert.equal((await renew(server, body.refresh_token)).status, 200)
  server.identity.settings.keepsUsedTokens = false
  assert.deepEqual((await renew(server, body.refresh_token)).body.error_codes, [70000])
  server.identity.end('ada-sub', 53003)
  const over = await renew(server, renewed.body.refresh_token)
  assert.deepEqual([over.status, over.body.error, over.body.error_codes], [400, 'invalid_grant', [53003]])
  const secret = await ask(server, { grant_type: 'refresh_token', refresh_token: 'x', client_secret: 'old' })
  assert.deepEqual([secret.status, secret.body.error], [401, 'invalid_client'])
})

test('an access token lives as long as it says', async ({ server, clock }) => {
  const call = await graph(server)
  assert.equal((await call('GET', '/me/calendars')).status, 200)
  clock.ms += 3_601_000
  assert.equal((await call('GET', '/me/calendars')).body.error.code, 'InvalidAuthenticationToken')
})

test('a delta gives masters at their first date, bare occurrences, and pages, some of them empty', async ({
  server,
}) => {
  const call = await graph(server)
  const { mailbox } = server
  const recurrence = {
    pattern: { type: 'weekly', interval: 1, daysOfWeek: ['monday'], firstDayOfWeek: 'sunday' },
    range: { type: 'noEnd', startDate: '2012-01-02' },
  }
  const zone = 'Europe/Berlin'
  const series = mailbox.add('home', { start: '2012-01-02T08:00:00Z', end: '2012-01-02T09:00:00Z', zone, recurrence })
  mailbox.removeOccurrence(series, '2026-03-09T08:00:00Z')
  mailbox.moveOccurrence(series, '2026-03-16T08:00:00Z', '2026-03-17T08:00:00Z', '2026-03-17T09:00:00Z')
  mailbox.add('home', { start: '2026-03-04', end: '2026-03-05', isAllDay: true, zone: 'Asia/Tokyo' })
  mailbox.add('home', { start: '2025-01-01T10:00:00Z', end: '2025-01-01T11:00:00Z' })
  Object.assign(server.delta, { emptyPages: 1, isDoubled: true })
  const paged = { prefer: 'IdType="ImmutableId", odata.maxpagesize=3' }
  const pages: Body[] = []
  let at: string | undefined = `${view}?${window}`
  while (at !== undefined) {
    const { body }: { body: Body } = await call('GET', at, undefined, paged)
    pages.push(body)
    at = body['@odata.nextLink']
  }
  assert.deepEqual(
    pages.map(({ value }) => value.length),
    [0, 3, 4],
  )
  const items = pages.flatMap(({ value }) => value)
  const shown = items.map((one: Body) => [one.type, one.start.dateTime.slice(0, 16), one.showAs])
  assert.deepEqual(shown, [
    ['seriesMaster', '2012-01-02T08:00', 'busy'],
    ['exception', '2026-03-17T08:00', 'busy'],
    ['occurrence', '2026-03-02T08:00', undefined],
    ['occurrence', '2026-03-23T08:00', undefined],
    ['occurrence', '2026-03-30T07:00', undefined],
    ['singleInstance', '2026-03-04T00:00', 'busy'],
    ['seriesMaster', '2012-01-02T08:00', 'busy'],
  ])
  const tokyo = items.find((one: Body) => one.isAllDay)
  assert.deepEqual([tokyo.start.timeZone, tokyo.originalStartTimeZone], ['UTC', 'Tokyo Standard Time'])
  assert.deepEqual(Object.keys(items[2]).sort(), [
    '@odata.etag',
    '@odata.type',
    'end',
    'id',
    'seriesMasterId',
    'start',
    'type',
  ])
})

test('a delta says what changed, also of what lies outside its window, and its tokens are forgotten', async ({
  server,
}) => {
  const call = await graph(server)
  const first = await call('GET', `${view}?${window}`)
  const link = first.body['@odata.deltaLink']
  const inside = server.mailbox.add('home', { start: '2026-03-05T10:00:00Z', end: '2026-03-05T11:00:00Z' })
  const outside = server.mailbox.add('home', { start: '2020-01-01T10:00:00Z', end: '2020-01-01T11:00:00Z' })
  const { body } = await call('GET', link)
  assert.deepEqual(
    body.value.map((one: Body) => [one.id, one['@removed']?.reason]),
    [
      [inside, undefined],
      [outside, 'deleted'],
    ],
  )
  server.forgetSyncStates()
  const lost = await call('GET', body['@odata.deltaLink'])
  assert.deepEqual([lost.status, lost.body.error.code], [410, 'SyncStateNotFound'])
  assert.equal((await call('GET', `${view}?${window}&$select=start`)).status, 400)
  const mutable = await call('GET', `${view}?${window}`, undefined, { prefer: '' })
  assert.notEqual(mutable.body.value[0].id, inside)
})

const sent = {
  subject: 'Copy',
  start: { dateTime: '2026-03-05T10:00:00', timeZone: 'UTC' },
  end: { dateTime: '2026-03-05T11:00:00', timeZone: 'UTC' },
  singleValueExtendedProperties: [{ id: 'String {guid} Name key', value: 'k1' }],
  transactionId: 't1',
}

test('a transaction is one event while its window lasts; the extended property finds it later', async ({
  server,
  clock,
}) => {
  const call = await graph(server, write)
  const path = '/me/calendars/home/events'
  const one = await call('POST', path, sent)
  assert.equal(one.status, 201)
  assert.equal((await call('POST', path, sent)).body.id, one.body.id)
  assert.equal((await call('POST', path, { ...sent, subject: 'Other' })).body.error.code, 'ErrorDuplicateTransactionId')
  const filter = encodeURIComponent(
    "singleValueExtendedProperties/Any(ep: ep/id eq 'String {guid} Name key' and ep/value eq 'k1')",
  )
  assert.deepEqual(
    (await call('GET', `${path}?$filter=${filter}`)).body.value.map(({ id }: Body) => id),
    [one.body.id],
  )
  clock.ms += 300_000
  assert.notEqual((await call('POST', path, sent)).body.id, one.body.id)
})

test('writes compare If-Match, and all-day events need midnights', async ({ server }) => {
  const call = await graph(server, write)
  const { body } = await call('POST', '/me/calendars/home/events', sent)
  const path = `/me/events/${body.id}`
  const match = { 'if-match': body['@odata.etag'] }
  assert.equal((await call('PATCH', path, { subject: 'New' }, match)).status, 200)
  assert.equal((await call('PATCH', path, { subject: 'Newer' }, match)).status, 412)
  assert.equal((await call('DELETE', path, undefined, match)).status, 412)
  assert.equal((await call('PATCH', path, { isAllDay: true })).status, 400)
  assert.equal((await call('DELETE', path)).status, 204)
  assert.equal((await call('DELETE', path)).status, 404)
  const read = await graph(server)
  assert.equal((await read('POST', '/me/calendars/home/events', sent)).status, 403)
})

test('a mailbox takes four requests at once', async ({ server }) => {
  const call = await graph(server)
  server.delayMs = 300
  const answers = await Promise.all(Array.from({ length: 6 }, () => call('GET', '/me/calendars')))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 429, 429])
})

test('what goes wrong: answers, slowness, and silence', async ({ server }) => {
  const call = await graph(server)
  for (const wait of ['7', undefined]) {
    const headers: Record<string, string> = wait === undefined ? {} : { 'retry-after': wait }
    server.quirk = () => ({ kind: 'answer', answer: { status: 429, headers } })
    assert.equal((await call('GET', '/me/calendars')).status, 429)
  }
  server.quirk = () => ({ kind: 'slow', ms: 50 })
  const before = performance.now()
  assert.equal((await call('GET', '/me/calendars')).status, 200)
  assert.ok(performance.now() - before >= 45)
  server.quirk = () => ({ kind: 'hang' })
  await assert.rejects(fetch(`${server.apiUrl}/me/calendars`, { signal: AbortSignal.timeout(100) }))
})

test('an answer is lost after the write', async ({ server }) => {
  const call = await graph(server, write)
  server.quirk = ({ method }) => (method === 'POST' ? { kind: 'drop' } : undefined)
  await assert.rejects(call('POST', '/me/calendars/home/events', sent))
  assert.equal(server.mailbox.events.size, 1)
})

test('a subscription is validated at both addresses, notified, renewed and over', async ({ server, clock }) => {
  const heard: { path: string; body: Body }[] = []
  let reply = (token: string) => token
  const listener = createServer(async (request, to) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const token = new URL(request.url!, 'http://x').searchParams.get('validationToken')
    if (token === null) heard.push({ path: request.url!, body: JSON.parse(text) })
    to.writeHead(token === null ? 202 : 200, { 'content-type': 'text/plain' }).end(token === null ? '' : reply(token))
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const here = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  server.reachable.set('https://calendar.example.com', here)
  const call = await graph(server)
  const wanted = (minutes: number) => ({
    changeType: 'created,updated,deleted',
    resource: 'me/calendars/home/events',
    notificationUrl: 'https://calendar.example.com/push',
    lifecycleNotificationUrl: 'https://calendar.example.com/life',
    clientState: 'secret',
    expirationDateTime: new Date(clock.ms + minutes * 60_000).toISOString(),
  })
  try {
    reply = (token) => encodeURIComponent(token)
    assert.equal((await call('POST', '/subscriptions', wanted(4230))).status, 400)
    reply = (token) => token
    assert.equal((await call('POST', '/subscriptions', wanted(4231))).status, 400)
    const { status, body } = await call('POST', '/subscriptions', wanted(4230))
    assert.equal(status, 201)
    server.mailbox.add('home', { start: '2026-03-05T10:00:00Z', end: '2026-03-05T11:00:00Z' })
    server.subscriptions.sendLifecycle('missed')
    await server.subscriptions.settled()
    const order = heard.toSorted((a, b) => a.path.localeCompare(b.path))
    assert.deepEqual(
      order.map(({ path, body: { value } }) => [
        path,
        value[0].clientState,
        value[0].lifecycleEvent ?? value[0].changeType,
      ]),
      [
        ['/life', 'secret', 'missed'],
        ['/push', 'secret', 'created'],
      ],
    )
    heard.length = 0
    const change = (pushes: 'doubled' | 'dropped' | 'held') => {
      server.subscriptions.settings.pushes = pushes
      server.mailbox.add('home', { start: '2026-03-06T10:00:00Z', end: '2026-03-06T11:00:00Z' })
      return server.subscriptions.settled()
    }
    await change('doubled')
    assert.equal(heard.length, 2)
    await change('dropped')
    await change('held')
    assert.equal(heard.length, 2)
    await server.subscriptions.release()
    assert.equal(heard.length, 3)
    clock.ms += 60_000
    const expirationDateTime = wanted(4230).expirationDateTime
    assert.equal((await call('PATCH', `/subscriptions/${body.id}`, { expirationDateTime })).status, 200)
    clock.ms += 4230 * 60_000
    assert.equal(server.subscriptions.living().length, 0)
    const narrow = await graph(server, 'openid Calendars.ReadWrite')
    assert.equal((await narrow('POST', '/subscriptions', wanted(10))).status, 403)
  } finally {
    listener.closeAllConnections()
    await new Promise((resolve) => listener.close(resolve))
  }
})
