// Busy time of Google calendars, from the human's change to what agents are told.
import assert from 'node:assert/strict'
import { accountOf } from '../connections/account.ts'
import { decodeId } from '../shapes/ids.ts'
import { googleError } from '../testing/providers/googleCalendarAnswers.ts'
import { googleTest } from '../testing/providers/googleConnections.ts'

const test = googleTest()
const minuteMs = 60_000
const at = '/v1/calendar-connections'

const asksOf = (google: { asked: { path: string }[] }, what: string) =>
  google.asked.filter(({ path }) => path.includes(what)).length

test('busy time is what freeBusy says, without words, over more than a year', async ({ service, desk, google }) => {
  google.addEvent(desk.email, '2026-03-03T10:00:00Z', '2026-03-03T11:00:00Z')
  google.addEvent(desk.email, '2026-03-04T10:00:00Z', '2026-03-04T11:00:00Z', { transparency: 'transparent' })
  google.addEvent(desk.email, '2026-03-05', '2026-03-06')
  google.addEvent(desk.email, '2027-03-20T10:00:00Z', '2027-03-20T11:00:00Z')
  const { connection } = await desk.granted()
  const [calendar] = (await desk.read(connection.id)).calendars
  assert.equal(calendar.sync.status, 'current')
  assert.ok(asksOf(google, 'freeBusy') >= 5)
  const busy = await service.app
    .sql`select start_time, end_time from external_busy where org_id = ${decodeId('org', desk.orgId)!} order by start_time`
  assert.deepEqual(
    busy.map((row) => [row.startTime.toISOString(), row.endTime.toISOString()]),
    [
      ['2026-03-03T10:00:00.000Z', '2026-03-03T11:00:00.000Z'],
      ['2026-03-04T23:00:00.000Z', '2026-03-05T23:00:00.000Z'],
      ['2027-03-20T10:00:00.000Z', '2027-03-20T11:00:00.000Z'],
    ],
  )
})

test('a slice that fails fails the whole read, and the copy stays', async ({ service, desk, google }) => {
  const { connection } = await desk.granted()
  let asked = 0
  google.quirk = ({ path }) =>
    path.includes('freeBusy') && ++asked % 5 === 3
      ? { kind: 'answer', answer: googleError(500, 'backendError') }
      : undefined
  google.addEvent(desk.email, '2026-03-03T10:00:00Z', '2026-03-03T11:00:00Z')
  await service.clock.advance(17 * minuteMs)
  await desk.drain()
  const [calendar] = (await desk.read(connection.id)).calendars
  assert.equal(calendar.sync.last_error_category, 'provider_error')
  assert.equal(calendar.sync.status, 'current')
})

test('a calendar that is gone is unavailable, the others are read', async ({ desk, google }) => {
  google.addCalendar(desk.email, `second-${desk.email}`)
  const connection = await desk.connected()
  const ids = connection.calendars.map(({ id }: { id: string }) => id)
  await desk.ok('PATCH', `${at}/${connection.id}`, { selected_external_calendar_ids: ids })
  google.dropCalendar(desk.email, `second-${desk.email}`)
  await desk.drain()
  const { calendars, status } = await desk.read(connection.id)
  assert.equal(status, 'active')
  assert.deepEqual(
    calendars.map((one: { sync: { status: string; last_error_category: string } }) => [
      one.sync.status,
      one.sync.last_error_category,
    ]),
    [
      ['current', null],
      ['unavailable', 'not_found'],
    ],
  )
})

for (const [trouble, category] of [
  ['forbidden', 'forbidden'],
  ['notFound', 'not_found'],
  ['groupTooBig', 'too_large'],
  ['internalError', 'provider_error'],
  ['aReasonOfTomorrow', 'provider_error'],
] as const) {
  test(`a calendar that freeBusy refuses (${trouble}) is unavailable at once, and the others are not`, async ({
    service,
    desk,
    google,
  }) => {
    const team = google.addCalendar(desk.email, `team-${desk.email}`)
    const { connection } = await desk.granted()
    const read = async () => (await desk.read(connection.id)).calendars
    const ids = { selected_external_calendar_ids: (await read()).map(({ id }: { id: string }) => id) }
    await desk.ok('PATCH', `${at}/${connection.id}`, ids)
    await desk.drain()
    const states = async () => {
      await desk.drain()
      return (await read()).map(({ sync }: { sync: Record<string, unknown> }) => [
        sync.status,
        sync.last_error_category,
      ])
    }
    const good = ['current', null]
    assert.deepEqual(await states(), [good, good])
    team.trouble = trouble
    await service.clock.advance(6 * minuteMs)
    assert.deepEqual(await states(), [good, ['unavailable', category]])
    delete team.trouble
    await service.clock.advance(6 * minuteMs)
    assert.deepEqual(await states(), [good, good])
  })
}

test('an unchanged calendar is read without a change of its copy', async ({ service, desk, google }) => {
  google.addEvent(desk.email, '2026-03-03T10:00:00Z', '2026-03-03T11:00:00Z')
  const { calendarId } = await desk.granted()
  const id = decodeId('xcl', calendarId)!
  const revision = async () =>
    (await service.app.sql`select revision::integer from external_calendars where id = ${id}`)[0]?.revision
  const before = await revision()
  await service.clock.advance(17 * minuteMs)
  await desk.drain()
  assert.equal(await revision(), before)
  google.addEvent(desk.email, '2026-03-03T12:00:00Z', '2026-03-03T13:00:00Z')
  await service.clock.advance(17 * minuteMs)
  await desk.drain()
  assert.equal(await revision(), before + 1)
})

test('tokens are renewed five minutes before they end; a rotated refresh token replaces the old one', async ({
  service,
  desk,
  google,
}) => {
  google.oauth.isRotating = true
  const { connection } = await desk.granted()
  const id = decodeId('con', connection.id)!
  const renewed = async () =>
    (await service.app.sql`select credentials_version::integer as count from calendar_connections where id = ${id}`)[0]
      ?.count
  assert.equal(await renewed(), 0)
  for (const nth of [1, 2]) {
    await service.clock.advance(56 * minuteMs)
    await desk.drain()
    assert.equal(await renewed(), nth)
  }
})

test('a token that ended early is renewed once; a consent that ended asks the human', async ({
  service,
  desk,
  google,
}) => {
  const { connection } = await desk.granted()
  google.oauth.expireTokens()
  await service.clock.advance(17 * minuteMs)
  await desk.drain()
  assert.equal((await desk.read(connection.id)).status, 'active')
  google.oauth.revokeGrants(desk.email)
  await service.clock.advance(17 * minuteMs)
  await desk.drain()
  const broken = await desk.read(connection.id)
  assert.deepEqual([broken.status, broken.reauthorization_reason], ['reauthorization_required', 'grant_revoked'])
  assert.equal(broken.calendars[0].sync.status, 'stale')
  const { authorization_url } = await desk.ok('POST', `${at}/${connection.id}/reauthorize`, {})
  assert.equal(await desk.travel(authorization_url), '/connect')
  await desk.drain()
  const mended = await desk.read(connection.id)
  assert.deepEqual([mended.status, mended.calendars[0].id], ['active', connection.calendars[0].id])
  assert.equal(mended.calendars[0].sync.status, 'current')
})

test('a client secret that ended is our trouble, not the human’s', async ({ service, desk, google }) => {
  const { connection } = await desk.granted()
  google.oauth.isClientInvalid = true
  google.oauth.expireTokens()
  await service.clock.advance(17 * minuteMs)
  await desk.drain()
  assert.equal((await desk.read(connection.id)).status, 'active')
})

test('two processes renew the tokens once', async ({ service, desk, google }) => {
  google.oauth.tokenSeconds = 60
  const { connection } = await desk.granted()
  google.asked.length = 0
  const [held] = await service.app.sql`
    select org_id, id, provider, credentials_sealed, credentials_version, server_sealed
    from calendar_connections where id = ${decodeId('con', connection.id)!}`
  await service.clock.advance(2 * minuteMs)
  const both = await Promise.all([1, 2, 3].map(() => accountOf(service.app, held as never)))
  assert.deepEqual(
    both.map(({ kind }) => kind),
    ['account', 'account', 'account'],
  )
  assert.equal(google.asked.filter(({ path }) => path === '/token').length, 1)
})
