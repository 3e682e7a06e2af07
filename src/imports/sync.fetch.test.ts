import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { vcalendar, vevent } from '../testing/feedServer.ts'
import { at, importTest, minute } from '../testing/imports.ts'
import { syncsDue } from './due.ts'
import { openSyncer } from './syncer.ts'

const test = importTest()

test('an unchanged feed costs no write of an event, whether it answers 304 or the same body', async ({
  service,
  desk,
  feeds,
}) => {
  feeds.body = vcalendar(vevent('one', at(9, 'Same')))
  feeds.answer = (request, response) => {
    const known = request.headers['if-none-match'] === '"v1"'
    const headers = { etag: '"v1"', 'last-modified': 'Mon, 02 Mar 2026 08:00:00 GMT' }
    response.writeHead(known ? 304 : 200, headers).end(known ? undefined : feeds.body)
  }
  const id = await desk.subscribed()
  const [versions, seen] = [await desk.rowVersions(), await desk.revision()]
  await service.clock.advance(minute)
  const again = await desk.syncedAgain(id)
  assert.equal(again.last_synced_at, service.clock.now().toISOString())
  assert.equal(feeds.asked[1]!.headers['if-none-match'], '"v1"')
  assert.equal(feeds.asked[1]!.headers['if-modified-since'], 'Mon, 02 Mar 2026 08:00:00 GMT')
  feeds.answer = (_request, response) => response.end(feeds.body)
  await desk.syncedAgain(id)
  assert.deepEqual(await desk.rowVersions(), versions)
  assert.equal(await desk.revision(), seen)
})

test('an unchanged feed is read again after a day, so that its series reach as far ahead as before', async ({
  service,
  desk,
  feeds,
}) => {
  feeds.body = vcalendar(vevent('daily', at(9, 'Daily', { RRULE: 'FREQ=DAILY' })))
  feeds.answer = (request, response) => {
    const known = request.headers['if-none-match'] !== undefined
    response.writeHead(known ? 304 : 200, { etag: '"v1"' }).end(known ? undefined : feeds.body)
  }
  const id = await desk.subscribed()
  await service.clock.advance(25 * 60 * minute)
  await desk.syncedAgain(id)
  assert.equal(await desk.lastStart(), '2027-03-04T09:00:00.000Z')
})

test('a new address is read at once and in full, and its events replace those of the old one', async ({
  service,
  desk,
  feeds,
}) => {
  feeds.body = vcalendar(vevent('one', at(9, 'First')))
  feeds.answer = (request, response) =>
    response
      .setHeader('etag', '"same"')
      .end(request.url === '/feed.ics' ? feeds.body : vcalendar(vevent('two', at(10, 'Second'))))
  const id = await desk.subscribed()
  await service.call('PATCH', `/v1/ical-subscriptions/${id}`, { key: desk.key, body: { url: feeds.url('other') } })
  await service.drain()
  assert.equal(feeds.asked.at(-1)!.headers['if-none-match'], undefined)
  assert.deepEqual(await desk.titles(), ['Second'])
})

test('a body that is not a calendar is an error and removes nothing', async ({ desk, feeds }) => {
  feeds.body = vcalendar(vevent('one', at(9, 'Kept')))
  const id = await desk.subscribed()
  const whole = vcalendar(vevent('one', at(9, 'Kept')), vevent('two', at(10, 'New')))
  const cut = ['END:VCALENDAR', 'BEGIN:VEVENT\r\nUID:two', 'END:VEVENT\r\nEND:VCALENDAR', '00Z\r\nSUMMARY:New'].map(
    (mark) => whole.slice(0, whole.indexOf(mark)),
  )
  for (const body of ['', '<html>Sign in</html>', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:x\r\n', ...cut]) {
    feeds.body = body
    const failing = await desk.syncedAgain(id)
    assert.equal(failing.status, 'error', body)
    assert.match(failing.last_error, /^[^\n]{5,200}$/)
    assert.deepEqual(await desk.titles(), ['Kept'])
  }
})

test('a body that is shorter than it says, or half of what was packed, is an error and removes nothing', async ({
  desk,
  feeds,
}) => {
  feeds.body = vcalendar(vevent('one', at(9, 'Kept')))
  const id = await desk.subscribed()
  const packed = gzipSync(feeds.body)
  for (const answer of [
    (response: ServerResponse) =>
      response.writeHead(200, { 'content-length': 10_000 }).write(feeds.body, () => response.destroy()),
    (response: ServerResponse) => response.writeHead(200).write(feeds.body.slice(0, 90), () => response.destroy()),
    (response: ServerResponse) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed.subarray(0, -20)),
  ]) {
    feeds.answer = (_request, response) => void answer(response)
    assert.equal((await desk.syncedAgain(id)).status, 'error')
    assert.deepEqual(await desk.titles(), ['Kept'])
  }
})

test('the character set of a feed is the one that its answer names', async ({ desk, feeds }) => {
  const text = vcalendar(vevent('one', at(9, 'Święto')))
  feeds.body = text
  const type = { current: 'text/calendar; charset=utf-8' }
  const answered = { bytes: Buffer.from(text) }
  feeds.answer = (_request, response) => response.writeHead(200, { 'content-type': type.current }).end(answered.bytes)
  const id = await desk.subscribed()
  assert.deepEqual(await desk.titles(), ['Święto'])
  answered.bytes = Buffer.from(text.replace('Ś', '\xa6').replace('ę', '\xea'), 'latin1')
  for (const [header, status, titles] of [
    ['text/calendar; method=PUBLISH; charset="ISO-8859-2"', 'active', ['Święto']],
    ['text/calendar; charset=x-unknown', 'error', ['Święto']],
    ['text/calendar; charset=iso-8859-1', 'active', ['¦wiêto']],
  ] as const) {
    type.current = header
    assert.equal((await desk.syncedAgain(id)).status, status)
    assert.deepEqual(await desk.titles(), titles)
  }
})

test('redirects are followed three times, and no further', async ({ desk, feeds }) => {
  feeds.body = vcalendar(vevent('one', at(9, 'Found')))
  feeds.answer = (request, response) => {
    const left = Number(/\d+/.exec(request.url!)?.[0] ?? 0)
    if (left === 0) response.end(feeds.body)
    else response.writeHead([301, 302, 307, 308][left % 4]!, { location: `hop${left - 1}.ics` }).end()
  }
  await desk.subscribed(feeds.url('hop3'))
  assert.deepEqual(await desk.titles(), ['Found'])
  const id = await desk.subscribed(feeds.url('hop4'))
  assert.equal((await desk.read(id)).last_error, 'The feed redirects more than 3 times.')
})

test('a redirect to an inward address is refused, and never connected to', async ({ desk, feeds, onTestFinished }) => {
  let reached = 0
  const inward = createServer((_request, response) => {
    reached++
    response.end(vcalendar())
  }).listen(0, '127.0.0.2')
  onTestFinished(() => void inward.close())
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
    const id = await desk.subscribed(feeds.url(`to${location.length}`))
    const { status, last_error: error } = await desk.read(id)
    assert.deepEqual(
      [status, error],
      ['error', 'The feed leads to an address that is not on the public internet or not HTTPS.'],
    )
  }
  assert.equal(reached, 0)
})

test('the request asks for gzip, and the answer is unpacked', async ({ desk, feeds }) => {
  feeds.answer = (request, response) => {
    assert.equal(request.headers['accept-encoding'], 'gzip')
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(vcalendar(vevent('one', at(9, 'Packed')))))
  }
  await desk.subscribed()
  assert.deepEqual(await desk.titles(), ['Packed'])
})

test('a feed larger than 10 MB is refused, even if it is that large only after it is unpacked', async ({
  desk,
  feeds,
}) => {
  const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024, 'x'))
  feeds.answer = (request, response) => {
    if (request.url === '/plain.ics') response.end(Buffer.alloc(10 * 1024 * 1024 + 1, 'x'))
    else response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
  }
  for (const name of ['plain', 'packed']) {
    const id = await desk.subscribed(feeds.url(name))
    assert.equal((await desk.read(id)).last_error, 'The feed is larger than 10 MB.')
  }
})

test('neither the log nor last_error contains a secret of the address', async ({ service, desk, feeds }) => {
  const written: string[] = []
  const log = new Writable({ write: (chunk, _encoding, done) => done(void written.push(String(chunk))) })
  const app = { ...service.app, log: pino({ level: 'trace' }, log) as never }
  const { sync } = openSyncer(app)
  const ids: string[] = []
  for (const url of [
    'http://user:secret-word@127.0.0.1:1/secret-word.ics',
    feeds.url('secret-word').replace('//', '//user:secret-word@'),
  ]) {
    ids.push(await desk.subscribe(url))
  }
  feeds.answer = (_request, response) => response.writeHead(403).end('secret-word')
  for (const wakeup of await syncsDue.due(app, service.clock.now())) {
    if (wakeup.name === 'sync') await sync(wakeup.payload)
  }
  for (const id of ids) assert.doesNotMatch((await desk.read(id)).last_error, /secret-word/)
  assert.doesNotMatch(written.join(''), /secret-word/)
})
