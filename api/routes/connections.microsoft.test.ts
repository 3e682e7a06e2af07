// Microsoft accounts from consent to busy time, against the emulator.
import assert from 'node:assert/strict'
import { mailsTo } from '../../src/testing/mailbox.ts'
import { microsoftTest } from '../../src/testing/providers/microsoftConnections.ts'

const test = microsoftTest()
const at = '/v1/calendar-connections'
const both = { capabilities: ['availability', 'publishing'] }

test('the human is sent to the tenant with the scopes that are needed', async ({ service, desk, microsoft }) => {
  const url = new URL(await desk.start())
  assert.equal(url.origin + url.pathname, `${microsoft.origin}/common/oauth2/v2.0/authorize`)
  const query = Object.fromEntries(url.searchParams)
  assert.equal(query.redirect_uri, `${service.baseUrl}${at}/oauth/microsoft/callback`)
  assert.deepEqual(
    [query.client_id, query.response_type, query.code_challenge_method],
    ['calendar-client', 'code', 'S256'],
  )
  assert.equal(query.scope, 'openid offline_access Calendars.Read')
  const more = new URL(await desk.start(both))
  assert.equal(more.searchParams.get('scope'), 'openid offline_access Calendars.Read Calendars.ReadWrite')
})

test('coming back connects the account with its calendars', async ({ desk, microsoft }) => {
  microsoft.mailbox.addCalendar('holidays', { name: 'Holidays', canEdit: false })
  const { calendars, ...connection } = await desk.connected()
  assert.deepEqual(
    [connection.provider, connection.account_label, connection.capabilities, connection.status],
    ['microsoft', desk.account.email, ['availability'], 'active'],
  )
  const shown = calendars.map((one: Record<string, unknown>) => [
    one.name,
    one.access_role,
    one.primary,
    one.writable,
    one.availability_readable,
    one.timezone,
  ])
  assert.deepEqual(shown, [
    ['Calendar', 'owner', true, true, true, null],
    ['Holidays', 'owner', false, false, true, null],
    ['Team', 'writer', false, true, true, null],
  ])
})

test('the account is the subject of the ID token, whatever its address', async ({ desk, microsoft }) => {
  const first = await desk.connected()
  const account = { ...desk.account, email: `renamed-${desk.account.email}` }
  microsoft.identity.settings.consent = { kind: 'agree', account }
  const again = await desk.connected(both)
  assert.deepEqual([again.id, again.capabilities], [first.id, ['availability', 'publishing']])
  assert.equal((await desk.ok('GET', at)).total, 1)
})

test('an ID token of another tenant than it names connects nothing', async ({ desk, microsoft }) => {
  const { issuer } = microsoft.identity.settings
  microsoft.identity.settings.issuer = () => `${microsoft.origin}/somebody-else/v2.0`
  assert.equal(await desk.travel(await desk.start()), '/connect/failed?reason=provider_error')
  microsoft.identity.settings.issuer = issuer
  assert.equal((await desk.ok('GET', at)).total, 0)
})

test('a human who agrees to less', async ({ desk, microsoft }) => {
  const { account } = desk
  microsoft.identity.settings.consent = { kind: 'agree', account, scopes: ['Calendars.Read'] }
  assert.deepEqual((await desk.connected(both)).capabilities, ['availability'])
  const other = { ...account, sub: `${account.sub}-other` }
  microsoft.identity.settings.consent = { kind: 'agree', account: other, scopes: ['Calendars.ReadWrite'] }
  assert.equal(await desk.travel(await desk.start(both)), '/connect/failed?reason=scope_missing')
  microsoft.identity.settings.consent = { kind: 'deny' }
  assert.equal(await desk.travel(await desk.start()), '/connect/failed?reason=denied')
  assert.equal((await desk.ok('GET', at)).total, 1)
})

test('reauthorizing wants the same account', async ({ desk, microsoft }) => {
  const { id } = await desk.connected()
  const other = { ...desk.account, sub: `${desk.account.sub}-other` }
  microsoft.identity.settings.consent = { kind: 'agree', account: other }
  const path = `${at}/${id}/reauthorize`
  const { authorization_url } = await desk.ok('POST', path, {})
  assert.equal(await desk.travel(authorization_url), '/connect/failed?reason=account_mismatch')
  microsoft.identity.settings.consent = { kind: 'agree', account: desk.account }
  assert.equal(await desk.travel((await desk.ok('POST', path, {})).authorization_url), '/connect')
})

const tuesday = 'start=2026-03-03T00:00:00Z&end=2026-03-04T00:00:00Z&include_busy=true'

test('busy time, and nothing else, reaches the agent; a change is seen by the next read', async ({
  service,
  desk,
  microsoft,
}) => {
  const { mailbox } = microsoft
  const zone = 'Europe/Berlin'
  const event = mailbox.add('home', { start: '2026-03-03T09:00:00Z', end: '2026-03-03T10:00:00Z', subject: 'Marked' })
  mailbox.add('home', { start: '2026-03-03T12:00:00Z', end: '2026-03-03T13:00:00Z', showAs: 'workingElsewhere' })
  const recurrence = {
    pattern: { type: 'weekly', interval: 1, daysOfWeek: ['tuesday'], firstDayOfWeek: 'sunday' },
    range: { type: 'noEnd', startDate: '2020-01-07' },
  }
  mailbox.add('home', { start: '2020-01-07T14:00:00Z', end: '2020-01-07T15:00:00Z', zone, recurrence })
  await desk.granted()
  const ask = async () => {
    const path = `/v1/calendars/${desk.calendar.id}/availability?${tuesday}`
    const { body } = await service.call('GET', path, { key: desk.key })
    assert.equal(body.availability_state, 'complete', JSON.stringify(body))
    assert.doesNotMatch(JSON.stringify(body), /Marked|example[.]com|AAMk/)
    return body.busy.map((one: { start: string; end: string }) => [one.start.slice(11, 16), one.end.slice(11, 16)])
  }
  assert.deepEqual(await ask(), [
    ['09:00', '10:00'],
    ['14:00', '15:00'],
  ])
  mailbox.remove(event)
  mailbox.add('home', { start: '2026-03-03', end: '2026-03-04', isAllDay: true, zone, showAs: 'oof' })
  await service.clock.advance(17 * 60_000)
  await service.drain()
  assert.deepEqual(await ask(), [['00:00', '23:00']])
})

test('tokens are renewed in time, and the refresh token that follows is kept', async ({ service, desk, microsoft }) => {
  microsoft.identity.settings.keepsUsedTokens = false
  microsoft.identity.settings.accessSeconds = 60
  const { connection } = await desk.granted()
  for (let nth = 0; nth < 3; nth++) {
    await service.clock.advance(17 * 60_000)
    await service.drain()
  }
  const { status, calendars } = await desk.read(connection.id)
  assert.deepEqual([status, calendars[0].sync.status], ['active', 'current'])
})

for (const [code, reason] of [
  [50173, 'grant_revoked'],
  [700082, 'grant_revoked'],
  [65001, 'grant_revoked'],
  [53003, 'provider_policy'],
  [50076, 'provider_policy'],
] as const) {
  test(`AADSTS${code} asks for the human: ${reason}`, async ({ service, desk, microsoft }) => {
    const { connection, calendarId } = await desk.granted()
    microsoft.identity.end(desk.account.sub, code)
    await service.clock.advance(17 * 60_000)
    await service.drain()
    const broken = await desk.read(connection.id)
    assert.deepEqual([broken.status, broken.reauthorization_reason], ['reauthorization_required', reason])
    assert.equal((await mailsTo(service, desk.owner)).filter(({ subject }) => /calendar/i.test(subject)).length, 1)
    const asked = microsoft.asked.length
    await service.clock.advance(60 * 60_000)
    await service.drain()
    assert.equal(microsoft.asked.length, asked)
    const { authorization_url } = await desk.ok('POST', `${at}/${connection.id}/reauthorize`, {})
    assert.equal(await desk.travel(authorization_url), '/connect')
    await service.drain()
    const mended = await desk.read(connection.id)
    assert.deepEqual(
      [mended.status, mended.calendars[0].id, mended.calendars[0].sync.status],
      ['active', calendarId, 'current'],
    )
  })
}

test('a client secret that has ended is our trouble: nobody is asked for consent', async ({
  service,
  desk,
  microsoft,
}) => {
  const { connection } = await desk.granted()
  microsoft.identity.settings.clientSecret = 'a newer one'
  microsoft.identity.expireAccess()
  await service.clock.advance(17 * 60_000)
  await service.drain()
  const { status, calendars } = await desk.read(connection.id)
  assert.deepEqual([status, calendars[0].sync.last_error_category], ['active', 'provider_error'])
})
