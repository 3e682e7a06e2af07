import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, test } from 'vitest'
import { maxAtOnce } from '../../workers/pools.ts'
import { decodeId, type Uuid } from '../shapes/ids.ts'
import { makeAgent, makeCalendar, makeEvent, makeOrganization, makeWebhook } from '../testing/factories.ts'
import { type FeedServer, openFeedServer, vcalendar, vevent } from '../testing/feedServer.ts'
import { openTestService, type TestService, testStart } from '../testing/harness.ts'
import { openReceiver } from '../testing/receiver.ts'
import { syncsDue } from './due.ts'
import { openSyncer } from './syncer.ts'

let service: TestService
let feeds: FeedServer
let key: string
let agent: { id: string }
let calendar: { id: string; ical_url: string }

beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())
afterEach(() => feeds.close())
beforeEach(async () => {
  feeds = await openFeedServer()
  await service.clock.set(testStart)
  // What earlier tests left behind does not sync any more.
  await service.app.sql`delete from ical_subscriptions`
  ;({ key } = await makeOrganization(service))
  agent = await makeAgent(service, key)
  calendar = await makeCalendar(service, key, agent.id)
})

const minute = 60_000

async function subscribe(url = feeds.url()): Promise<string> {
  const path = `/v1/agents/${agent.id}/ical-subscriptions`
  const answer = await service.call('POST', path, { key, body: { calendar_id: calendar.id, url } })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.id
}

async function subscribed(url?: string): Promise<string> {
  const id = await subscribe(url)
  await service.drain()
  return id
}

const read = async (id: string) => (await service.call('GET', `/v1/ical-subscriptions/${id}`, { key })).body
const askSync = (id: string) => service.call('POST', `/v1/ical-subscriptions/${id}/sync`, { key })

async function syncedAgain(id: string) {
  assert.equal((await askSync(id)).status, 202)
  await service.drain()
  return read(id)
}

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
const events = async (query = ''): Promise<any[]> =>
  (await service.call('GET', `/v1/calendars/${calendar.id}/events?limit=200${query}`, { key })).body.data

const titles = async () => (await events()).map(({ title }) => title)

const at = (hour: number, summary: string, more: Record<string, string> = {}) => {
  const two = String(hour).padStart(2, '0')
  return { DTSTART: `20260303T${two}0000Z`, DTEND: `20260303T${two}3000Z`, SUMMARY: summary, ...more }
}

async function organizationOf(id: string): Promise<Uuid> {
  const [row] = await service.app.sql<{ orgId: Uuid }[]>`
    select org_id from ical_subscriptions where id = ${decodeId('ics', id)!}`
  return row!.orgId
}

async function revision(): Promise<number> {
  const [row] = await service.app.sql<{ revision: number }[]>`
    select revision from calendars where id = ${decodeId('cal', calendar.id)!}`
  return row!.revision
}

const rowVersions = async () =>
  new Map(
    (
      await service.app.sql<{ id: string; version: string }[]>`
        select id, xmin::text as version from events where calendar_id = ${decodeId('cal', calendar.id)!}`
    ).map(({ id, version }) => [id, version]),
  )

test('a new subscription is read at once, and its events are whole, external and read-only', async () => {
  feeds.body = vcalendar(
    vevent('one', at(9, 'Stand-up', { DESCRIPTION: 'Daily\\, short' })),
    vevent('two', at(11, 'Maybe', { STATUS: 'TENTATIVE' })),
    vevent('three', { 'DTSTART;VALUE=DATE': '20260305', SUMMARY: 'Holiday' }),
  )
  const id = await subscribed()
  const subscription = await read(id)
  assert.equal(subscription.status, 'active')
  assert.equal(subscription.last_synced_at, service.clock.now().toISOString())
  assert.equal(subscription.last_error, null)
  const [first, second, third] = await events()
  assert.deepEqual(first, {
    id: first.id,
    calendarId: calendar.id,
    orgId: first.orgId,
    title: 'Stand-up',
    description: 'Daily, short',
    startTime: '2026-03-03T09:00:00.000Z',
    endTime: '2026-03-03T09:30:00.000Z',
    allDay: false,
    status: 'confirmed',
    source: 'external_ical',
    metadata: {},
    reminders: null,
    holdExpiresAt: null,
    holdPriority: 0,
    recurrenceRule: null,
    recurrenceExdates: [],
    deletedAt: null,
    createdAt: service.clock.now().toISOString(),
    updatedAt: service.clock.now().toISOString(),
  })
  assert.deepEqual([second.title, second.status], ['Maybe', 'tentative'])
  assert.deepEqual(
    [third.allDay, third.startTime, third.endTime],
    [true, '2026-03-05T00:00:00.000Z', '2026-03-06T00:00:00.000Z'],
  )
  const answer = await service.call('PATCH', `/v1/calendars/${calendar.id}/events/${first.id}`, {
    key,
    body: { title: 'Mine' },
  })
  assert.deepEqual([answer.status, answer.body.error.code], [403, 'external_event_readonly'])
})

test('imported events are busy', async () => {
  feeds.body = vcalendar(vevent('one', at(9, 'Busy')))
  await subscribed()
  const path = `/v1/calendars/${calendar.id}/availability?start=2026-03-03T08:00:00Z&end=2026-03-03T10:00:00Z&include_busy=true`
  const { body } = await service.call('GET', path, { key })
  assert.deepEqual(body.busy, [{ start: '2026-03-03T09:00:00.000Z', end: '2026-03-03T09:30:00.000Z' }])
})

test('a recurring source comes as its occurrences, 366 days ahead', async () => {
  feeds.body = vcalendar(vevent('daily', at(9, 'Daily', { RRULE: 'FREQ=DAILY' })))
  await subscribed()
  const [first, second] = await events()
  assert.deepEqual([first.startTime, second.startTime], ['2026-03-03T09:00:00.000Z', '2026-03-04T09:00:00.000Z'])
  const last = await service.app.sql<{ at: Date }[]>`
    select max(start_time) as at from events where calendar_id = ${decodeId('cal', calendar.id)!}`
  assert.equal(last[0]!.at.toISOString(), '2027-03-02T09:00:00.000Z')
})

test('what happens once is imported whenever it is', async () => {
  feeds.body = vcalendar(
    vevent('past', { DTSTART: '20190303T090000Z', DTEND: '20190303T093000Z', SUMMARY: 'Long ago' }),
    vevent('future', { DTSTART: '20310303T090000Z', DTEND: '20310303T093000Z', SUMMARY: 'Far ahead' }),
  )
  await subscribed()
  assert.deepEqual(await titles(), ['Long ago', 'Far ahead'])
})

test('a second reading writes only what is new, changed or gone; what changed keeps its id', async () => {
  feeds.body = vcalendar(
    vevent('same', at(9, 'Same')),
    vevent('moves', at(10, 'Moves')),
    vevent('goes', at(11, 'Goes')),
  )
  const id = await subscribed()
  const before = new Map((await events()).map((event) => [event.title, event]))
  const versions = await rowVersions()
  feeds.body = vcalendar(
    vevent('moves', at(14, 'Moved')),
    vevent('comes', at(15, 'Comes')),
    vevent('same', at(9, 'Same')),
  )
  await service.clock.advance(minute)
  await syncedAgain(id)
  assert.deepEqual(await titles(), ['Same', 'Moved', 'Comes'])
  const [same, moved] = await events()
  assert.deepEqual(same, before.get('Same'))
  assert.equal(moved.id, before.get('Moves').id)
  assert.equal(moved.createdAt, before.get('Moves').createdAt)
  assert.equal(moved.updatedAt, service.clock.now().toISOString())
  const sameUuid = decodeId('evt', same.id)!
  assert.equal((await rowVersions()).get(sameUuid), versions.get(sameUuid))
})

test('LAST-MODIFIED and DTSTAMP alone are no change', async () => {
  feeds.body = vcalendar(vevent('one', at(9, 'Same', { 'LAST-MODIFIED': '20260301T000000Z' })))
  const id = await subscribed()
  const [versions, seen] = [await rowVersions(), await revision()]
  feeds.body = vcalendar(vevent('one', at(9, 'Same', { 'LAST-MODIFIED': '20260302T000000Z' })))
  await syncedAgain(id)
  assert.deepEqual(await rowVersions(), versions)
  assert.equal(await revision(), seen)
})

test('an unchanged feed is asked for conditionally and costs no event write: by 304, and by the same body', async () => {
  feeds.body = vcalendar(vevent('one', at(9, 'Same')))
  feeds.answer = (request, response) => {
    const known = request.headers['if-none-match'] === '"v1"'
    const headers = { etag: '"v1"', 'last-modified': 'Mon, 02 Mar 2026 08:00:00 GMT' }
    response.writeHead(known ? 304 : 200, headers).end(known ? undefined : feeds.body)
  }
  const id = await subscribed()
  const [versions, seen] = [await rowVersions(), await revision()]
  await service.clock.advance(minute)
  const again = await syncedAgain(id)
  assert.equal(again.last_synced_at, service.clock.now().toISOString())
  assert.equal(feeds.asked[1]!.headers['if-none-match'], '"v1"')
  assert.equal(feeds.asked[1]!.headers['if-modified-since'], 'Mon, 02 Mar 2026 08:00:00 GMT')
  feeds.answer = (_request, response) => response.end(feeds.body)
  await syncedAgain(id)
  assert.deepEqual(await rowVersions(), versions)
  assert.equal(await revision(), seen)
})

test('an unchanged feed is read anew after a day, so that its series reach as far ahead as before', async () => {
  feeds.body = vcalendar(vevent('daily', at(9, 'Daily', { RRULE: 'FREQ=DAILY' })))
  feeds.answer = (request, response) => {
    const known = request.headers['if-none-match'] !== undefined
    response.writeHead(known ? 304 : 200, { etag: '"v1"' }).end(known ? undefined : feeds.body)
  }
  const id = await subscribed()
  await service.clock.advance(25 * 60 * minute)
  await syncedAgain(id)
  const [last] = await service.app.sql<{ at: Date }[]>`
    select max(start_time) as at from events where calendar_id = ${decodeId('cal', calendar.id)!}`
  assert.equal(last!.at.toISOString(), '2027-03-04T09:00:00.000Z')
})

test("a change of the calendar's zone moves what has no zone of its own", async () => {
  feeds.body = vcalendar(vevent('day', { 'DTSTART;VALUE=DATE': '20260305', SUMMARY: 'Day' }))
  const id = await subscribed()
  await service.call('PATCH', `/v1/calendars/${calendar.id}`, { key, body: { timezone: 'Europe/Berlin' } })
  await syncedAgain(id)
  assert.equal((await events())[0].startTime, '2026-03-04T23:00:00.000Z')
})

test('the feed is read every fifteen minutes, give or take ten percent', async () => {
  feeds.body = vcalendar()
  await subscribed()
  await service.clock.advance(13 * minute)
  await service.drain()
  assert.equal(feeds.asked.length, 1)
  await service.clock.advance(4 * minute)
  await service.drain()
  assert.equal(feeds.asked.length, 2)
})

test('failures back off from fifteen minutes to six hours, tell why in one line, and keep the events; a success ends them', async () => {
  feeds.body = vcalendar(vevent('one', at(9, 'Kept')))
  const id = await subscribed()
  const synced = (await read(id)).last_synced_at
  feeds.answer = (_request, response) => response.writeHead(500).end('no')
  await syncedAgain(id)
  const waits: number[] = []
  for (let failure = 1; failure <= 7; failure++) {
    const [row] = await service.app.sql<{ at: Date }[]>`
      select next_sync_at as at from ical_subscriptions where id = ${decodeId('ics', id)!}`
    waits.push((row!.at.getTime() - service.clock.now().getTime()) / minute)
    await service.clock.set(row!.at)
    await service.drain()
  }
  for (const [nth, usual] of [15, 30, 60, 120, 240, 360, 360].entries()) {
    assert.ok(waits[nth]! >= usual * 0.9 && waits[nth]! <= usual * 1.1, `${waits}`)
  }
  const failing = await read(id)
  assert.equal(failing.status, 'error')
  assert.equal(failing.last_error, 'The feed answered with status 500.')
  assert.equal(failing.last_synced_at, synced)
  assert.deepEqual(await titles(), ['Kept'])
  feeds.answer = (_request, response) => response.end(feeds.body)
  const healed = await syncedAgain(id)
  assert.deepEqual([healed.status, healed.last_error], ['active', null])
  assert.equal(healed.last_synced_at, service.clock.now().toISOString())
})

test('what is no calendar is an error and removes nothing', async () => {
  feeds.body = vcalendar(vevent('one', at(9, 'Kept')))
  const id = await subscribed()
  for (const body of ['', '<html>Sign in</html>', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:x\r\n']) {
    feeds.body = body
    const failing = await syncedAgain(id)
    assert.equal(failing.status, 'error', body)
    assert.match(failing.last_error, /^[^\n]{5,200}$/)
    assert.deepEqual(await titles(), ['Kept'])
  }
})

test('an empty calendar is a calendar: everything is gone', async () => {
  feeds.body = vcalendar(vevent('one', at(9, 'Goes')))
  const id = await subscribed()
  feeds.body = vcalendar()
  assert.equal((await syncedAgain(id)).status, 'active')
  assert.deepEqual(await events(), [])
})

test('another address is read at once, from the beginning, and takes the place of the first', async () => {
  feeds.body = vcalendar(vevent('one', at(9, 'First')))
  feeds.answer = (request, response) =>
    response
      .setHeader('etag', '"same"')
      .end(request.url === '/feed.ics' ? feeds.body : vcalendar(vevent('two', at(10, 'Second'))))
  const id = await subscribed()
  await service.call('PATCH', `/v1/ical-subscriptions/${id}`, { key, body: { url: feeds.url('other') } })
  await service.drain()
  assert.equal(feeds.asked.at(-1)!.headers['if-none-match'], undefined)
  assert.deepEqual(await titles(), ['Second'])
})

test('two subscriptions of one calendar do not touch each other', async () => {
  feeds.body = vcalendar(vevent('one', at(9, 'Both')))
  const first = await subscribed()
  await subscribed(feeds.url('again'))
  assert.deepEqual(await titles(), ['Both', 'Both'])
  feeds.body = vcalendar()
  await syncedAgain(first)
  assert.deepEqual(await titles(), ['Both'])
})

test('redirects are followed three times, and no further', async () => {
  feeds.body = vcalendar(vevent('one', at(9, 'Found')))
  feeds.answer = (request, response) => {
    const left = Number(/\d+/.exec(request.url!)?.[0] ?? 0)
    if (left === 0) response.end(feeds.body)
    else response.writeHead([301, 302, 307, 308][left % 4]!, { location: `hop${left - 1}.ics` }).end()
  }
  await subscribed(feeds.url('hop3'))
  assert.deepEqual(await titles(), ['Found'])
  const id = await subscribed(feeds.url('hop4'))
  assert.equal((await read(id)).last_error, 'The feed redirects more than 3 times.')
})

test('a redirect to an inward address is refused, and never connected to', async () => {
  let reached = 0
  const inward = createServer((_request, response) => {
    reached++
    response.end(vcalendar())
  }).listen(0, '127.0.0.2')
  await new Promise((resolve) => inward.once('listening', resolve))
  const { port } = inward.address() as AddressInfo
  for (const location of [
    `http://127.0.0.2:${port}/`,
    `https://127.0.0.2:${port}/`,
    'https://169.254.169.254/latest/',
    'https://localhost/',
    'file:///etc/passwd',
  ]) {
    feeds.answer = (_request, response) => response.writeHead(302, { location }).end()
    const id = await subscribed(feeds.url(`to${location.length}`))
    const { status, last_error: error } = await read(id)
    assert.deepEqual(
      [status, error],
      ['error', 'The feed leads to an address that is not on the public internet or not HTTPS.'],
    )
  }
  assert.equal(reached, 0)
  inward.close()
})

test('gzip is asked for and unpacked', async () => {
  feeds.answer = (request, response) => {
    assert.equal(request.headers['accept-encoding'], 'gzip')
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(vcalendar(vevent('one', at(9, 'Packed')))))
  }
  await subscribed()
  assert.deepEqual(await titles(), ['Packed'])
})

test('a feed larger than 10 MB is refused, also one that is so only when it is unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024, 'x'))
  feeds.answer = (request, response) => {
    if (request.url === '/plain.ics') response.end(Buffer.alloc(10 * 1024 * 1024 + 1, 'x'))
    else response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
  }
  for (const name of ['plain', 'packed']) {
    const id = await subscribed(feeds.url(name))
    assert.equal((await read(id)).last_error, 'The feed is larger than 10 MB.')
  }
})

test('neither the log nor last_error tells a secret of the address', async () => {
  const written: string[] = []
  const log = new Writable({ write: (chunk, _encoding, done) => done(void written.push(String(chunk))) })
  const { pino } = await import('pino')
  const app = { ...service.app, log: pino({ level: 'trace' }, log) as never }
  const { sync } = openSyncer(app)
  const ids: string[] = []
  for (const url of [
    'http://user:secret-word@127.0.0.1:1/secret-word.ics',
    feeds.url('secret-word').replace('//', '//user:secret-word@'),
  ]) {
    ids.push(await subscribe(url))
  }
  feeds.answer = (_request, response) => response.writeHead(403).end('secret-word')
  for (const wakeup of await syncsDue.due(app, service.clock.now())) {
    if (wakeup.name === 'sync') await sync(wakeup.payload)
  }
  for (const id of ids) assert.doesNotMatch((await read(id)).last_error, /secret-word/)
  assert.doesNotMatch(written.join(''), /secret-word/)
})

test('wake-ups that come twice, at once or late, lead to one reading', async () => {
  feeds.body = vcalendar(vevent('one', at(9, 'Once')))
  await subscribe()
  const wakeups = await syncsDue.due(service.app, service.clock.now())
  const workers = [openSyncer(service.app), openSyncer(service.app)]
  await Promise.all(
    wakeups.flatMap((wakeup) =>
      wakeup.name === 'sync' ? [...workers, ...workers].map(({ sync }) => sync(wakeup.payload)) : [],
    ),
  )
  assert.equal(feeds.asked.length, 1)
  assert.deepEqual(await titles(), ['Once'])
})

test('a sync that was lost with its worker comes due again', async () => {
  feeds.body = vcalendar(vevent('one', at(9, 'After all')))
  const id = await subscribe()
  await service.app.sql`
    update ical_subscriptions set claim = claim + 1, next_sync_at = ${new Date(service.clock.now().getTime() + 2 * minute)}
    where id = ${decodeId('ics', id)!}`
  await service.drain()
  assert.equal(feeds.asked.length, 0)
  await service.clock.advance(2 * minute)
  await service.drain()
  assert.deepEqual(await titles(), ['After all'])
})

test('a sync that waits for the feeds of everybody else at work stays the only one of its subscription', async () => {
  const body = vcalendar(vevent('one', at(9, 'At last')))
  let answer = () => {}
  const asked = new Promise<void>((resolve) => {
    feeds.answer = (_request, response) => {
      if (feeds.asked.length > 1) return response.end(body)
      answer = () => response.end(body)
      resolve()
    }
  })
  const id = await subscribe()
  const { sync } = openSyncer(service.app)
  const first = sync({ orgId: await organizationOf(id), subscriptionId: decodeId('ics', id)! })
  await asked
  const [fetchMs, readMs, writeMs] = [20_000, 5_000, minute]
  await service.clock.advance(fetchMs + maxAtOnce('ical') * readMs + writeMs)
  await service.drain()
  assert.equal(feeds.asked.length, 1)
  answer()
  await first
  assert.deepEqual(await titles(), ['At last'])
})

test('the result of a sync is dropped when the address changed, or the subscription went, while it ran', async () => {
  const releases: (() => void)[] = []
  feeds.answer = (request, response) => {
    const body = vcalendar(vevent(request.url!, at(9, request.url!)))
    if (request.url === '/slow.ics') releases.push(() => response.end(body))
    else response.end(body)
  }
  const untilAsked = async (times: number) => {
    while (releases.length < times) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const { sync } = openSyncer(service.app)
  const id = await subscribe(feeds.url('slow'))
  const first = sync({ orgId: await organizationOf(id), subscriptionId: decodeId('ics', id)! })
  await untilAsked(1)
  await service.call('PATCH', `/v1/ical-subscriptions/${id}`, { key, body: { url: feeds.url('quick') } })
  releases[0]!()
  await first
  assert.deepEqual(await titles(), [])
  assert.equal((await read(id)).last_synced_at, null)
  await service.drain()
  assert.deepEqual(await titles(), ['/quick.ics'])
  const gone = await subscribe(feeds.url('slow'))
  const second = service.drain()
  await untilAsked(2)
  await service.call('DELETE', `/v1/ical-subscriptions/${gone}`, { key })
  releases[1]!()
  await second
  assert.deepEqual(await titles(), ['/quick.ics'])
})

test('an import emits nothing, sets no timer and costs no event of the quota', async () => {
  const receiver = await openReceiver()
  await makeWebhook(service, key, receiver.url, [
    'event.created',
    'event.updated',
    'event.deleted',
    'event.reminder',
    'event.started',
  ])
  feeds.body = vcalendar(vevent('one', at(9, 'Silent')))
  const id = await subscribed()
  feeds.body = vcalendar(vevent('one', at(10, 'Still silent')))
  await syncedAgain(id)
  feeds.body = vcalendar()
  await syncedAgain(id)
  assert.deepEqual(receiver.received, [])
  const [timers] = await service.app.sql<{ count: number }[]>`
    select count(*) as count from timers where calendar_id = ${decodeId('cal', calendar.id)!}`
  assert.equal(timers!.count, 0)
  assert.equal((await service.call('GET', '/v1/usage', { key })).body.events.used, 0)
  await receiver.close()
})

test('a feed of two thousand events is written in few statements, and again in none', async () => {
  const many = Array.from({ length: 2_000 }, (_, nth) => vevent(`n${nth}`, at(nth % 24, `Event ${nth}`)))
  feeds.body = vcalendar(...many)
  const before = await revision()
  const id = await subscribed()
  assert.equal((await revision()) - before, 1)
  const path = `/v1/calendars/${calendar.id}/events?limit=1`
  assert.equal((await service.call('GET', path, { key })).body.total, 2_000)
  feeds.body = vcalendar(...many.slice(1).reverse())
  await syncedAgain(id)
  assert.equal((await revision()) - before, 2)
  assert.equal((await service.call('GET', path, { key })).body.total, 1_999)
})

test('what was imported is in the feed of its calendar without alarms, and is not imported from there again', async () => {
  feeds.body = vcalendar(vevent('one', at(9, 'From afar')))
  await subscribed()
  await makeEvent(service, key, calendar.id, { title: 'Own' })
  const text = (await service.call('GET', new URL(calendar.ical_url).pathname)).body
  assert.equal(text.match(/BEGIN:VEVENT/g).length, 2)
  assert.equal(text.match(/BEGIN:VALARM/g).length, 1)
  await subscribed(calendar.ical_url)
  for (let round = 0; round < 3; round++) {
    await service.clock.advance(17 * minute)
    await service.drain()
  }
  assert.deepEqual((await titles()).sort(), ['From afar', 'Own', 'Own'])
})

test('a host that answers slowly is asked twice at once for one organization, and holds nobody else up', {
  timeout: 60_000,
}, async (t) => {
  const other = await openFeedServer()
  t.onTestFinished(() => other.close())
  other.body = vcalendar()
  const waiting: { path: string; answer: () => void }[] = []
  feeds.answer = (request, response) =>
    waiting.push({ path: request.url ?? '', answer: () => response.end(vcalendar()) })
  for (let nth = 0; nth < 10; nth++) await subscribe(feeds.url(`slow${nth}`))
  const quick = await subscribe(other.url())
  const { sync } = openSyncer(service.app)
  const syncDue = async (passed: ReadonlySet<string>) => {
    const wakeups = await syncsDue.due(service.app, service.clock.now())
    const rung = wakeups.filter(({ id }) => !passed.has(id))
    return {
      ids: new Set(wakeups.map(({ id }) => id)),
      all: Promise.all(rung.map((one) => one.name === 'sync' && sync(one.payload))),
    }
  }
  const first = await syncDue(new Set())
  while ((await read(quick)).last_synced_at === null) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal(feeds.asked.length, 2)
  // Three further organizations, on the same host: two have a place at once, the last one has the next.
  const urls: string[] = []
  for (const name of ['a', 'b', 'c']) {
    ;({ key } = await makeOrganization(service))
    agent = await makeAgent(service, key)
    calendar = await makeCalendar(service, key, agent.id)
    urls.push(new URL(feeds.url(name)).pathname)
    await subscribe(feeds.url(name))
  }
  const second = await syncDue(first.ids)
  while (feeds.asked.length < 4) await new Promise((resolve) => setTimeout(resolve, 5))
  waiting.shift()!.answer()
  while (feeds.asked.length < 5) await new Promise((resolve) => setTimeout(resolve, 5))
  const paths = () => [...feeds.asked.map(({ url }) => url)]
  assert.deepEqual(paths().slice(2).toSorted(), urls)
  for (let answered = 1; answered < 13; answered++) {
    while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    waiting.shift()!.answer()
  }
  await Promise.all([first.all, second.all])
  assert.equal(feeds.asked.length, 13)
})
