// Connections that are removed: what was published through them is withdrawn before their consent is revoked.
import assert from 'node:assert/strict'
import { googleTest } from '../testing/providers/googleConnections.ts'
import { at } from '../testing/publishing.ts'

const minuteMs = 60_000

const test = googleTest().extend('departing', async ({ service, desk, google }) => {
  const { connection, calendarId } = await desk.granted({ capabilities: ['availability', 'publishing'] })
  const destination = `/v1/calendars/${desk.calendar.id}/external-destination`
  await desk.ok('PUT', destination, { external_calendar_id: calendarId })
  const path = `/v1/calendar-connections/${connection.id}`
  const create = async (hour: number) => {
    const body = { title: 'Tea', start_time: at(hour), end_time: at(hour + 1) }
    const made = await service.call('POST', `/v1/calendars/${desk.calendar.id}/events`, { key: desk.key, body })
    assert.equal(made.status, 201)
    await service.drain()
  }
  for (const hour of [10, 12]) await create(hour)
  const copies = () =>
    [...google.calendarOf(desk.email)!.events.values()].filter(({ status }) => status !== 'cancelled').length
  assert.equal(copies(), 2)
  const remove = async (query = '') => {
    google.asked.length = 0
    await desk.ok('DELETE', `${path}${query}`, undefined, 204)
    await service.drain()
  }
  const rows = async () => {
    const [left] = await service.app.sql`
      select
        (select count(*) from departing_connections)::integer as departing,
        (select count(*) from connection_revocations)::integer as revocations,
        (select count(*) from external_destinations)::integer as destinations`
    return left
  }
  const asked = () => google.asked.map(({ method, path: to }) => `${method} ${to}`)
  return { path, destination, copies, remove, rows, asked }
})

const nothing = { departing: 0, revocations: 0, destinations: 0 }

test('tokens that have ended are renewed, the copies are withdrawn, then the last token is revoked', async ({
  service,
  google,
  departing,
}) => {
  google.oauth.isRotating = true
  await service.clock.advance(58 * minuteMs)
  const living = google.oauth.refreshTokens().length
  await departing.remove()
  assert.equal(departing.copies(), 0)
  const asked = departing.asked()
  const last = asked.findLastIndex((one) => one.startsWith('DELETE') && one.includes('/events/'))
  assert.ok(asked.findIndex((one) => one.startsWith('POST /token')) < last, asked.join('\n'))
  assert.ok(asked.findIndex((one) => one.startsWith('POST /revoke')) > last, asked.join('\n'))
  assert.equal(google.oauth.refreshTokens().length, living - 1)
  assert.deepEqual(await departing.rows(), nothing)
})

test('a token that ended early is renewed, too', async ({ google, departing }) => {
  google.oauth.expireTokens()
  await departing.remove()
  assert.deepEqual([departing.copies(), await departing.rows()], [0, nothing])
})

test('a provider that fails is given ten minutes, then nothing is left here', async ({
  service,
  google,
  departing,
}) => {
  google.quirk = ({ method, path }) =>
    method === 'DELETE' && path.includes('/events/') ? { kind: 'answer', answer: { status: 503 } } : undefined
  await departing.remove()
  for (let minute = 0; minute < 9; minute++) {
    await service.clock.advance(minuteMs)
    await service.drain()
  }
  assert.deepEqual(await departing.rows(), { departing: 1, revocations: 1, destinations: 1 })
  assert.ok(!departing.asked().some((one) => one.startsWith('POST /revoke')))
  await service.clock.advance(minuteMs)
  await service.drain()
  assert.deepEqual([departing.copies(), await departing.rows()], [2, nothing])
  assert.ok(departing.asked().some((one) => one.startsWith('POST /revoke')))
})

test('a consent that has ended meanwhile ends the withdrawal at once', async ({ google, desk, departing }) => {
  google.oauth.revokeGrants(desk.email)
  await departing.remove()
  assert.deepEqual([departing.copies(), await departing.rows()], [2, nothing])
})

test('copies that are kept delay nothing', async ({ departing }) => {
  await departing.remove('?keep_published=true')
  assert.deepEqual([departing.copies(), await departing.rows()], [2, nothing])
})

test('what waited for a paused connection is withdrawn when it is removed', async ({ service, desk, departing }) => {
  await desk.ok('POST', `${departing.path}/pause`)
  await desk.ok('DELETE', departing.destination, undefined, 204)
  await service.drain()
  assert.equal(departing.copies(), 2)
  await departing.remove()
  assert.deepEqual([departing.copies(), await departing.rows()], [0, nothing])
})
