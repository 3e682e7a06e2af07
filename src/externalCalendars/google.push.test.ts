// Channels of Google: what they hasten, how long they live, and who may use them.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { decodeId } from '../shapes/ids.ts'
import { googleError } from '../testing/providers/googleCalendarAnswers.ts'
import { googleTest } from '../testing/providers/googleConnections.ts'

const publicUrl = 'https://calendar.example.com'
const test = googleTest({ BASE_URL: publicUrl })
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const at = '/v1/calendar-connections'
const pushPath = `${at}/push/google`

type Asked = { path: string; body: string }
const freeBusyCount = ({ asked }: { asked: Asked[] }, { email }: { email: string }) =>
  asked.filter(({ path, body }) => path.includes('freeBusy') && body.includes(email)).length

type Channels = {
  channels: {
    living: Map<string, { calendarId: string; id: string; address: string; token: string; expiresMs: number }>
  }
}
const livingOf = ({ channels }: Channels, { email }: { email: string }) =>
  [...channels.living.values()].filter(({ calendarId }) => calendarId === email)

test('each selected calendar has a channel for a week, and a change is read at once', async ({
  desk,
  google,
  service,
}) => {
  await desk.granted()
  const [channel] = livingOf(google, desk)
  assert.equal(livingOf(google, desk).length, 1)
  assert.equal(channel?.address, `${publicUrl}${pushPath}`)
  assert.equal(channel?.calendarId, desk.email)
  assert.ok(channel!.token.length >= 43)
  assert.equal(channel?.expiresMs, service.clock.now().getTime() + 7 * dayMs)
  await google.channels.settled()
  await desk.drain()
  google.asked.length = 0
  google.addEvent(desk.email, '2026-03-03T10:00:00Z', '2026-03-03T11:00:00Z')
  await google.channels.settled()
  await desk.drain()
  assert.equal(freeBusyCount(google, desk), 5)
})

test('with a channel it is read every fifteen minutes, without one every five', async ({ service, desk, google }) => {
  google.quirk = ({ path }) =>
    path.endsWith('/watch') ? { kind: 'answer', answer: googleError(500, 'backendError') } : undefined
  const { connection } = await desk.granted()
  const nextMs = async () => {
    const [row] = await service.app.sql`
      select next_read_at from calendar_connections where id = ${decodeId('con', connection.id)!}`
    return row?.nextReadAt.getTime() - service.clock.now().getTime()
  }
  assert.ok((await nextMs()) <= 5.5 * minuteMs)
  google.quirk = () => undefined
  await service.clock.advance(6 * minuteMs)
  await desk.drain()
  await google.channels.settled()
  const wait = await nextMs()
  assert.ok(wait >= 13.5 * minuteMs && wait <= 16.5 * minuteMs, String(wait))
})

test('a message of a stranger, or with a wrong secret, is answered alike and changes nothing', async ({
  service,
  desk,
  google,
}) => {
  await desk.granted()
  await google.channels.settled()
  await desk.drain()
  const [channel] = livingOf(google, desk)
  google.asked.length = 0
  const send = (headers: Record<string, string>, body?: string, query = '') =>
    fetch(`${service.baseUrl}${pushPath}${query}`, { method: 'POST', headers, ...(body && { body }) })
  const named = { 'x-goog-channel-id': channel!.id, 'x-goog-resource-state': 'exists' }
  for (const [headers, body] of [
    [{}, undefined],
    [named, undefined],
    [{ ...named, 'x-goog-channel-token': 'wrong' }, '{"not": "json'],
    [{ ...named, 'x-goog-channel-id': 'nobody', 'x-goog-channel-token': channel!.token }, 'x'.repeat(200_000)],
    [{ ...named, 'x-goog-resource-state': 'sync', 'x-goog-channel-token': channel!.token }, undefined],
  ] as [Record<string, string>, string | undefined][]) {
    const answer = await send(headers, body)
    assert.deepEqual([answer.status, await answer.text()], [202, ''])
  }
  assert.equal((await send({}, undefined, '?name=%00')).status, 202)
  await desk.drain()
  assert.equal(freeBusyCount(google, desk), 0)
  assert.equal((await send({ ...named, 'x-goog-channel-token': channel!.token })).status, 202)
  await desk.drain()
  assert.equal(freeBusyCount(google, desk), 5)
})

test('an address that guesses channels has no look at the database after 600 a minute; a known channel still counts', async ({
  service,
  desk,
  google,
}) => {
  await desk.granted()
  await google.channels.settled()
  const [channel] = livingOf(google, desk)
  const looks = async () => {
    const { values } = await service.app.metrics.postgresStatementDuration.get()
    return values
      .filter(
        ({ metricName, labels }) =>
          metricName?.endsWith('_count') && labels.statement === 'externalCalendars.channelNamed',
      )
      .reduce((sum, { value }) => sum + value, 0)
  }
  const send = async (id: string, secret: string) => {
    const headers = { 'x-goog-channel-id': id, 'x-goog-channel-token': secret, 'x-goog-resource-state': 'exists' }
    const answer = await fetch(service.baseUrl + pushPath, { method: 'POST', headers })
    assert.deepEqual([answer.status, await answer.text()], [202, ''])
  }
  const microsoft = async (id: string) => {
    const answer = await fetch(`${service.baseUrl}${at}/push/microsoft/${id}`, { method: 'POST', body: '{}' })
    assert.deepEqual([answer.status, await answer.text()], [202, ''])
  }
  await send(channel!.id, channel!.token)
  for (let from = 0; from < 600; from += 50) {
    await Promise.all(
      Array.from({ length: 50 }, (_, nth) =>
        nth % 3 === 0 ? microsoft(randomUUID()) : send(nth % 2 ? randomUUID() : channel!.id, `wrong ${from + nth}`),
      ),
    )
  }
  const before = await looks()
  assert.ok(before >= 600)
  await Promise.all(
    Array.from({ length: 50 }, (_, nth) => (nth % 2 ? microsoft(randomUUID()) : send(randomUUID(), 'x'))),
  )
  assert.equal(await looks(), before)
  const notified = async () => {
    const [row] = await service.app.sql`select sum(notified)::integer as notified from calendar_connections`
    return row?.notified
  }
  const seen = await notified()
  await send(channel!.id, channel!.token)
  assert.equal(await notified(), seen + 1)
  await service.clock.advance(minuteMs)
  await send(randomUUID(), 'x')
  assert.equal(await looks(), before + 2)
})

test('what is announced during a read is read again after it', async ({ service, desk, google }) => {
  const { connection } = await desk.granted()
  await google.channels.settled()
  await desk.drain()
  let isFirst = true
  google.quirk = ({ path, body }) => {
    if (!path.includes('freeBusy') || !body.includes(desk.email) || !isFirst) return undefined
    isFirst = false
    google.addEvent(desk.email, '2026-03-03T10:00:00Z', '2026-03-03T11:00:00Z')
    return { kind: 'slow', ms: 300 }
  }
  await service.clock.advance(17 * minuteMs)
  google.asked.length = 0
  await desk.drain()
  await google.channels.settled()
  await desk.drain()
  assert.equal(freeBusyCount(google, desk), 10)
  const [row] = await service.app.sql`
    select notified_at from calendar_connections where id = ${decodeId('con', connection.id)!}`
  assert.equal(row?.notifiedAt, null)
})

test('what a read has seen is no longer unread, whatever is announced meanwhile', async ({ service, desk, google }) => {
  await desk.granted()
  await google.channels.settled()
  await desk.drain()
  const state = async () => {
    const path = `/v1/agents/${desk.agent.id}/availability?start=2026-03-04T10:00:00Z&end=2026-03-04T12:00:00Z`
    return (await service.call('GET', path, { key: desk.key })).body.availability_state
  }
  google.addEvent(desk.email, '2026-03-03T10:00:00Z', '2026-03-03T11:00:00Z')
  await google.channels.settled()
  await service.clock.advance(50_000)
  let requests = 0
  google.quirk = ({ path, body }) => {
    if (!path.includes('freeBusy') || !body.includes(desk.email)) return undefined
    requests++
    if (requests === 1) google.addEvent(desk.email, '2026-03-03T12:00:00Z', '2026-03-03T13:00:00Z')
    // The read after it is told to wait.
    const later = { status: 429, body: {}, headers: { 'retry-after': '600' } }
    return requests <= 5 ? { kind: 'slow', ms: 300 } : { kind: 'answer', answer: later }
  }
  await desk.drain()
  await google.channels.settled()
  await desk.drain()
  assert.ok(requests > 5)
  await service.clock.advance(15_000)
  assert.equal(await state(), 'complete')
  await service.clock.advance(50_000)
  assert.equal(await state(), 'stale')
})

test('a channel is renewed at half of its life, and the old one is stopped', async ({ service, desk, google }) => {
  await desk.granted()
  const [first] = livingOf(google, desk)
  await service.clock.advance(3.6 * dayMs)
  await desk.drain()
  const now = livingOf(google, desk)
  assert.equal(now.length, 1)
  assert.notEqual(now[0]!.id, first!.id)
})

test('a calendar that is unselected has no channel; a paused one is not read', async ({ service, desk, google }) => {
  const { connection } = await desk.granted()
  await google.channels.settled()
  await desk.drain()
  await desk.ok('POST', `${at}/${connection.id}/pause`)
  google.asked.length = 0
  google.addEvent(desk.email, '2026-03-03T10:00:00Z', '2026-03-03T11:00:00Z')
  await google.channels.settled()
  await service.clock.advance(20 * minuteMs)
  await desk.drain()
  assert.equal(freeBusyCount(google, desk), 0)
  await desk.ok('POST', `${at}/${connection.id}/resume`)
  await desk.ok('PATCH', `${at}/${connection.id}`, { selected_external_calendar_ids: [] })
  await desk.drain()
  assert.equal(livingOf(google, desk).length, 0)
})

test('disconnecting stops the channels and revokes the consent', async ({ service, desk, google }) => {
  const { connection } = await desk.granted()
  const tokens = google.oauth.refreshTokens().length
  await desk.ok('DELETE', `${at}/${connection.id}`, undefined, 204)
  await desk.drain()
  assert.equal(livingOf(google, desk).length, 0)
  assert.equal(google.oauth.refreshTokens().length, tokens - 1)
  const left = await service.app.sql`select 1 from connection_revocations union all select 1 from connection_channels c
    where c.connection_id = ${decodeId('con', connection.id)!}`
  assert.equal(left.length, 0)
})

test('a provider that is away delays the revocation for a day at most', async ({ service, desk, google }) => {
  const { connection } = await desk.granted()
  await desk.ok('DELETE', `${at}/${connection.id}`, undefined, 204)
  google.quirk = ({ path }) => (path === '/revoke' ? { kind: 'answer', answer: { status: 503 } } : undefined)
  await desk.drain()
  const rows = () => service.app.sql`select 1 from connection_revocations`
  assert.equal((await rows()).length, 1)
  await service.clock.advance(dayMs + minuteMs)
  await desk.drain()
  assert.equal((await rows()).length, 0)
})

test('an account that is connected again before that keeps its consent', async ({ desk, google }) => {
  const { connection } = await desk.granted()
  await desk.ok('DELETE', `${at}/${connection.id}`, undefined, 204)
  const again = await desk.connected()
  await desk.drain()
  assert.notEqual(again.id, connection.id)
  assert.equal(google.asked.filter(({ path }) => path === '/revoke').length, 0)
})

test('deleting the organization revokes, too', async ({ service, desk, google }) => {
  await desk.granted()
  const tokens = google.oauth.refreshTokens().length
  await desk.ok('DELETE', '/v1/auth/account', undefined, 204)
  await desk.drain()
  assert.equal(google.oauth.refreshTokens().length, tokens - 1)
  assert.equal((await service.app.sql`select 1 from connection_revocations`).length, 0)
})

for (const address of [
  'http://calendar.example.com',
  'https://127.0.0.1',
  'https://calendar.internal',
  'https://10.0.0.7',
]) {
  test(`no channel lives where no message can arrive (${address}), and reads go on by the clock`, async ({
    service,
    desk,
    google,
    onTestFinished,
  }) => {
    const { config } = service.app
    const { trustedHosts } = config
    onTestFinished(() => void Object.assign(config, { baseUrl: publicUrl, trustedHosts }))
    const { connection } = await desk.granted()
    assert.equal(livingOf(google, desk).length, 1)
    const { hostname } = new URL(address)
    Object.assign(config, { baseUrl: address, trustedHosts: [...trustedHosts, hostname] })
    const nextMs = async () => {
      const [row] = await service.app.sql`
        select next_read_at from calendar_connections where id = ${decodeId('con', connection.id)!}`
      return row?.nextReadAt.getTime() - service.clock.now().getTime()
    }
    await service.clock.advance(17 * minuteMs)
    await desk.drain()
    assert.ok((await nextMs()) <= 5.5 * minuteMs)
    assert.equal((await desk.read(connection.id)).calendars[0].sync.status, 'current')
    await service.clock.advance(3.6 * dayMs)
    google.asked.length = 0
    await desk.drain()
    assert.equal(livingOf(google, desk).length, 0)
    assert.equal(google.asked.filter(({ path }) => path.endsWith('/watch')).length, 0)
    assert.ok((await nextMs()) <= 5.5 * minuteMs)
  })
}
