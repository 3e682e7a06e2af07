// Channels of Microsoft: how they are validated, what they hasten, what becomes of them, and who may use them.
import assert from 'node:assert/strict'
import type { MicrosoftServer } from '../testing/providers/microsoftCalendarServer.ts'
import { microsoftTest } from '../testing/providers/microsoftConnections.ts'

const publicUrl = 'https://calendar.example.com'
const test = microsoftTest({ BASE_URL: publicUrl })
const minuteMs = 60_000
const pushPath = '/v1/calendar-connections/push/microsoft'

const reads = ({ asked }: MicrosoftServer) => asked.filter(({ path }) => path.includes('calendarView')).length
const living = ({ subscriptions }: MicrosoftServer) => subscriptions.living()

test('each selected calendar has a subscription that both addresses confirmed; a change is read at once', async ({
  service,
  desk,
  microsoft,
}) => {
  await desk.granted()
  const [subscription, ...more] = living(microsoft)
  assert.deepEqual([subscription!.calendar, more.length], ['home', 0])
  const { notificationUrl, lifecycleNotificationUrl, clientState, expiresMs } = subscription!
  assert.match(notificationUrl, new RegExp(`^${publicUrl}${pushPath}/[0-9a-f-]{36}$`))
  assert.equal(lifecycleNotificationUrl, notificationUrl)
  assert.ok(clientState!.length >= 43)
  const minutes = (expiresMs - service.clock.now().getTime()) / minuteMs
  assert.ok(minutes > 4_220 && minutes <= 4_230, String(minutes))
  const before = reads(microsoft)
  microsoft.mailbox.add('home', { start: '2026-03-03T10:00:00Z', end: '2026-03-03T11:00:00Z' })
  await microsoft.subscriptions.settled()
  await desk.drain()
  assert.equal(reads(microsoft), before + 1)
})

test('a push in the middle of a read is followed by another read', async ({ desk, microsoft }) => {
  await desk.granted()
  const before = reads(microsoft)
  let isLate = true
  microsoft.quirk = ({ path }) => {
    if (isLate && path.includes('delta')) {
      isLate = false
      microsoft.mailbox.add('team', { start: '2026-03-03T10:00:00Z', end: '2026-03-03T11:00:00Z' })
      microsoft.mailbox.add('home', { start: '2026-03-03T12:00:00Z', end: '2026-03-03T13:00:00Z' })
      return { kind: 'slow', ms: 300 }
    }
    return undefined
  }
  microsoft.mailbox.add('home', { start: '2026-03-03T10:00:00Z', end: '2026-03-03T11:00:00Z' })
  await microsoft.subscriptions.settled()
  await desk.drain()
  assert.ok(reads(microsoft) >= before + 2)
})

/** Where `publicUrl` is in the test. */
let here = ''
test.beforeEach(({ service }) => {
  here = service.baseUrl
})
const post = (url: string, body: string | object, query = '') =>
  fetch(url.replace(publicUrl, here) + query, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

test('a message of a stranger, or with a wrong secret, is answered alike and changes nothing', async ({
  service,
  desk,
  microsoft,
}) => {
  await desk.granted()
  const [subscription] = living(microsoft)
  const { notificationUrl: url, clientState } = subscription!
  const unknown = url.replace(/[0-9a-f]{12}$/, '000000000000')
  const before = reads(microsoft)
  for (const [address, body] of [
    [url, ''],
    [url, '{"not": "json'],
    [url, '[]'],
    [url, { value: [] }],
    [url, { value: [{ clientState: 'wrong' }] }],
    [url, { value: [{ clientState: 7 }] }],
    [url, { value: Array.from({ length: 101 }, () => ({ clientState })) }],
    [url, { value: [{ clientState }], padding: 'x'.repeat(70_000) }],
    [unknown, { value: [{ clientState }] }],
    [`${service.baseUrl}${pushPath}/nobody`, { value: [{ clientState }] }],
    [`${service.baseUrl}${pushPath}/%00`, { value: [{ clientState }] }],
    [`${unknown}?validationToken=%00`, ''],
    [`${unknown}?name=%00`, ''],
  ] as [string, string | object][]) {
    const answer = await post(address, body)
    assert.deepEqual([answer.status, await answer.text()], [202, ''], JSON.stringify(body).slice(0, 80))
  }
  await desk.drain()
  assert.equal(reads(microsoft), before)
  assert.equal((await post(url, { value: [{ clientState }] })).status, 202)
  await desk.drain()
  assert.equal(reads(microsoft), before + 1)
})

test('a validation token is answered only while its channel is being made', async ({ service, desk, microsoft }) => {
  const seen: [number, string, string | null, string | null][] = []
  const ask = async (url: string, token: string) => {
    const answer = await post(url, '', `?validationToken=${encodeURIComponent(token)}`)
    const { headers } = answer
    seen.push([answer.status, await answer.text(), headers.get('content-type'), headers.get('x-content-type-options')])
  }
  let address = ''
  microsoft.onSubscribe = async (url) => {
    address = url
    await ask(url, '<b>Validation: a+b %41</b>')
    await ask(url, 'x'.repeat(1_024))
    await ask(url, 'x'.repeat(1_025))
    await ask(url.replace(/[0-9a-f]{12}$/, '000000000000'), 'token')
    await ask(`${service.baseUrl}${pushPath}/nobody`, 'token')
  }
  await desk.granted()
  await ask(address, 'token')
  const text = 'text/plain; charset=utf-8'
  assert.deepEqual(
    seen.map(([status, body, type]) => [status, body, type]),
    [
      [200, '<b>Validation: a+b %41</b>', text],
      [200, 'x'.repeat(1_024), text],
      [202, '', null],
      [202, '', null],
      [202, '', null],
      [202, '', null],
    ],
  )
  assert.equal(seen[0]![3], 'nosniff')
})

test('a channel is renewed at half its life; the old one is stopped after the new one lives', async ({
  service,
  desk,
  microsoft,
}) => {
  await desk.granted()
  const [first] = living(microsoft)
  await service.clock.advance(2_116 * minuteMs)
  await desk.drain()
  const [second, ...more] = living(microsoft)
  assert.equal(more.length, 0)
  assert.notEqual(second!.id, first!.id)
  const writes = microsoft.asked.filter(({ path }) => path.includes('/subscriptions'))
  const made = writes.findLastIndex(({ method }) => method === 'POST')
  const stopped = writes.findIndex(({ method, path }) => method === 'DELETE' && path.endsWith(first!.id))
  assert.ok(stopped > made, `${made} ${stopped}`)
})

for (const [event, isReplaced, isRead] of [
  ['missed', false, true],
  ['subscriptionRemoved', true, true],
  ['reauthorizationRequired', true, false],
] as const) {
  test(`${event} ${isReplaced ? 'makes another channel' : 'keeps the channel'}`, async ({ desk, microsoft }) => {
    await desk.granted()
    const [first] = living(microsoft)
    const before = reads(microsoft)
    microsoft.subscriptions.sendLifecycle(event)
    await microsoft.subscriptions.settled()
    await desk.drain()
    const now = living(microsoft)
    assert.equal(now.length, 1)
    assert.equal(now[0]!.id !== first!.id, isReplaced)
    assert.equal(reads(microsoft) > before, isRead)
  })
}

test('unselecting a calendar stops its channel', async ({ desk, microsoft }) => {
  const { connection } = await desk.granted()
  const path = `/v1/calendar-connections/${connection.id}`
  await desk.ok('PATCH', path, { selected_external_calendar_ids: [] })
  await desk.drain()
  assert.equal(living(microsoft).length, 0)
})

test('a channel that cannot be made is asked for again, and reading goes on by the clock', async ({
  service,
  desk,
  microsoft,
}) => {
  microsoft.quirk = ({ path, method }) =>
    path.includes('/subscriptions') && method === 'POST'
      ? { kind: 'answer', answer: { status: 400, body: { error: { code: 'ValidationError' } } } }
      : undefined
  await desk.granted()
  assert.equal(living(microsoft).length, 0)
  const before = reads(microsoft)
  await service.clock.advance(6 * minuteMs)
  microsoft.quirk = () => undefined
  await desk.drain()
  assert.equal(living(microsoft).length, 1)
  assert.ok(reads(microsoft) > before)
})

test('no subscription is made where no message can arrive', async ({ service, desk, microsoft, onTestFinished }) => {
  const { config } = service.app
  onTestFinished(() => void Object.assign(config, { baseUrl: publicUrl }))
  const connection = await desk.connected()
  config.baseUrl = service.baseUrl
  const calendar = connection.calendars[0]
  const ids = { selected_external_calendar_ids: [calendar.id] }
  await desk.ok('PATCH', `/v1/calendar-connections/${connection.id}`, ids)
  await desk.drain()
  assert.equal(living(microsoft).length, 0)
  assert.equal(
    microsoft.asked.filter(({ method, path }) => method === 'POST' && path.includes('/subscriptions')).length,
    0,
  )
  assert.equal((await desk.read(connection.id)).calendars[0].sync.status, 'current')
})
