// Reading from CalDAV servers that do not keep to the book, against the scripted server.
import assert from 'node:assert/strict'
import { afterAll, test as plain } from 'vitest'
import { openForeign } from '../foreign/foreign.ts'
import { openHttp } from '../outbound/http.ts'
import { vcalendar, vevent } from '../testing/feedServer.ts'
import { openCaldavServer } from '../testing/providers/caldavServer.ts'
import { caldavProvider } from './caldav.ts'
import type { CalendarRead, Failed, ReadTask } from './provider.ts'

const foreign = openForeign()
afterAll(() => foreign.close())

type Known = NonNullable<ReadTask['known']>
type Asked = { method: string; url: string; body: string }

const event = (hour: number) => {
  const at = `20260303T${String(hour).padStart(2, '0')}`
  return vcalendar(vevent(`e${hour}`, { DTSTART: `${at}0000Z`, DTEND: `${at}3000Z` }))
}

const test = plain
  .extend('server', async ({ task: _ }, { onCleanup }) => {
    const server = await openCaldavServer()
    onCleanup(server.close)
    server.addCalendar('home', {})
    server.put('home', 'nine.ics', event(9))
    return server
  })
  .extend('provider', async ({ task: _ }, { onCleanup }) => {
    const http = openHttp({ trustedHosts: ['127.0.0.1'] })
    onCleanup(http.close)
    return caldavProvider(http, foreign.of(''))
  })
  .extend('desk', async ({ server, provider }) => {
    const { origin, username, password } = server
    const home = `${origin}/calendars/ada/`
    const account = {
      credentials: JSON.stringify({ username, password }),
      server: JSON.stringify({ origin, principal: `${origin}/`, home, inbox: null, addresses: [] }),
    }
    const busy = new Map<string, number[]>()
    let known: Known | undefined
    async function read(isCompared = true) {
      const task: ReadTask = {
        remote: `${home}home/`,
        zone: 'UTC',
        horizon: { from: new Date('2026-03-01T00:00:00Z'), until: new Date('2026-04-01T00:00:00Z') },
        known: known && { ...known, isCompared },
        digest: (text) => text,
      }
      const results: (CalendarRead | Failed)[] = []
      const outcome = await provider.read(account, [task], async (_, result) => void results.push(result))
      const [result] = results
      if (result?.kind === 'read') take(result)
      return result ?? outcome
    }
    function take({ isWhole, objects, removed, cursor }: CalendarRead) {
      const versions = new Map(isWhole ? [] : known!.versions)
      if (isWhole) busy.clear()
      for (const gone of removed) {
        versions.delete(gone)
        busy.delete(gone)
      }
      for (const one of objects) {
        versions.set(one.digest, one.version)
        busy.set(
          one.digest,
          one.busy.map(({ startMs }) => new Date(startMs).getUTCHours()),
        )
      }
      known = { cursor, versions, isCompared: true }
    }
    const hours = async (isCompared?: boolean) => {
      const result = await read(isCompared)
      assert.equal(result.kind, 'read', JSON.stringify(result))
      return [...busy.values()].flat().sort((a, b) => a - b)
    }
    return { read, hours }
  })

const isSync = ({ body }: Asked) => body.includes('sync-collection')
const isMultiget = ({ body }: Asked) => body.includes('calendar-multiget')

for (const status of [400, 403, 409, 412, 415, 500, 501, 502, 503, 507]) {
  test(`a token that is refused by ${status} leads to a listing`, async ({ server, desk }) => {
    assert.deepEqual(await desk.hours(), [9])
    server.put('home', 'ten.ics', event(10))
    server.remove('home', 'nine.ics')
    server.quirk = (asked) => (isSync(asked) ? { status } : undefined)
    assert.deepEqual(await desk.hours(), [10])
  })
}

const changes = (href: string, status: number, token: string, more = '') =>
  `<d:multistatus xmlns:d="DAV:"><d:response><d:href>${href}</d:href><d:status>HTTP/1.1 ${status} OK</d:status></d:response>${more}<d:sync-token>${token}</d:sync-token></d:multistatus>`

test('507 of the collection says that there is more: all pages are followed', async ({ server, desk }) => {
  await desk.hours()
  server.put('home', 'ten.ics', event(10))
  server.put('home', 'eleven.ics', event(11))
  const changed = (name: string) =>
    `<d:response><d:href>/calendars/ada/home/${name}</d:href><d:propstat><d:prop><d:getetag>"${name}"</d:getetag></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`
  server.quirk = (asked) => {
    if (!isSync(asked)) return undefined
    const isFirst = !asked.body.includes('page-2')
    const body = isFirst
      ? changes('/calendars/ada/home/', 507, 'page-2', changed('ten.ics'))
      : changes('/calendars/ada/home/', 200, 'end', changed('eleven.ics'))
    return { status: 207, body }
  }
  assert.deepEqual(await desk.hours(), [9, 10, 11])
})

test('pages that never end are given up', async ({ server, desk }) => {
  await desk.hours()
  let page = 0
  server.quirk = (asked) =>
    isSync(asked) ? { status: 207, body: changes('/calendars/ada/home/', 507, `page-${++page}`) } : undefined
  assert.equal(((await desk.read()) as Failed).category, 'too_large')
  server.quirk = (asked) =>
    isSync(asked) ? { status: 207, body: changes('/calendars/ada/home/', 507, 'same') } : undefined
  assert.deepEqual(await desk.hours(), [9])
})

test('a token that misses a change of its second is made good within the hour', async ({ server, desk }) => {
  await desk.hours()
  server.put('home', 'ten.ics', event(10))
  server.quirk = (asked) =>
    isSync(asked) ? { status: 207, body: changes('/calendars/ada/home/', 200, 'token-late') } : undefined
  assert.deepEqual(await desk.hours(), [9])
  assert.deepEqual(await desk.hours(false), [9, 10])
})

test('hrefs may be absolute, or escaped in another way than those that were asked for', async ({ server, desk }) => {
  server.put('home', 'a%20b.ics', event(10))
  server.hrefs = (href) => server.origin + href.replace('home', 'h%6Fme').replace('nine', '%6eine')
  assert.deepEqual(await desk.hours(), [9, 10])
  server.hrefs = (href) => href
  server.put('home', 'a%20b.ics', event(11))
  assert.deepEqual(await desk.hours(), [9, 11])
  server.hrefs = (href) => href.replace('nine', '%6Eine')
  server.remove('home', 'nine.ics')
  assert.deepEqual(await desk.hours(), [11])
})

test('the collection is no member of itself, however it is written', async ({ server, desk }) => {
  server.hrefs = (href) => (href.endsWith('/home/') ? '/calendars/ada/h%6fme' : href)
  assert.deepEqual(await desk.hours(), [9])
  server.put('home', 'ten.ics', event(10))
  assert.deepEqual(await desk.hours(), [9, 10])
})

test('an href of another host ends the read of the calendar, and nobody asks there', async ({ server, desk }) => {
  server.hrefs = () => `http://localhost:${new URL(server.origin).port}/calendars/ada/home/nine.ics`
  assert.equal(((await desk.read()) as Failed).category, 'malformed')
  assert.ok(server.asked.every(({ url }) => url.startsWith('/calendars/ada/home/')))
  assert.ok(!server.asked.some(isMultiget))
})

test('a redirect is not followed', async ({ server, desk }) => {
  await desk.hours()
  const before = server.asked.length
  server.quirk = ({ url }) => (url.includes('stolen') ? undefined : { status: 301, headers: { location: '/stolen/' } })
  assert.equal(((await desk.read()) as Failed).kind, 'failed')
  assert.ok(server.asked.slice(before).every(({ url }) => !url.includes('stolen')))
})

const open = '<d:multistatus xmlns:d="DAV:">'
for (const [what, body, category] of [
  ['a document type', `<!DOCTYPE d [<!ENTITY a "b">]>${open}</d:multistatus>`, 'malformed'],
  ['an entity of its own', `${open}&boom;</d:multistatus>`, 'malformed'],
  ['a depth of 10,000', open + '<d:a>'.repeat(10_000), 'malformed'],
  ['an end too soon', open, 'malformed'],
  ['bytes that are no XML', '\u0000\u0001', 'malformed'],
  [
    '6,000 responses',
    `${open}${'<d:response><d:href>/calendars/ada/home/x.ics</d:href></d:response>'.repeat(6_000)}</d:multistatus>`,
    'too_large',
  ],
  ['11 MB', open + ' '.repeat(11 * 1024 * 1024), 'too_large'],
] as const) {
  test(`an answer with ${what} is refused, and the copy stays`, async ({ server, desk }) => {
    await desk.hours()
    server.quirk = () => ({ status: 207, body })
    assert.equal(((await desk.read()) as Failed).category, category)
    server.quirk = () => undefined
    assert.deepEqual(await desk.hours(), [9])
  })
}

const noData = (href: string, status = '200 OK') =>
  `<d:multistatus xmlns:d="DAV:"><d:response><d:href>${href}</d:href><d:propstat><d:prop><d:getetag>"1"</d:getetag></d:prop><d:status>HTTP/1.1 ${status}</d:status></d:propstat></d:response></d:multistatus>`
const nine = '/calendars/ada/home/nine.ics'

for (const status of [400, 403, 404, 410, 500]) {
  for (const answered of ['200 OK', '404 Not Found']) {
    test(`an object that is listed, has no data (${answered}) and answers ${status}, is not known`, async ({
      server,
      desk,
    }) => {
      server.quirk = (asked) => {
        if (isMultiget(asked)) return { status: 207, body: noData(nine, answered) }
        return asked.method === 'GET' ? { status } : undefined
      }
      const read = (await desk.read()) as CalendarRead
      const [object] = read.objects
      assert.deepEqual([object?.busy, object?.unread], [[], { object: 1 }])
      assert.equal(object?.knownUntilMs, Date.parse('2026-03-01T00:00:00Z'))
      // It is asked for again, and read once it is given.
      server.quirk = () => undefined
      assert.deepEqual(await desk.hours(), [9])
    })
  }
}

test('an object that is listed, and gone when it is asked for, is gone', async ({ server, desk }) => {
  server.put('home', 'ten.ics', event(10))
  server.quirk = (asked) => {
    if (isMultiget(asked)) server.remove('home', 'nine.ics')
    return undefined
  }
  assert.deepEqual(await desk.hours(), [10])
})

test('an object in another character set, or none that is known', async ({ server, desk }) => {
  const answer = { type: 'text/calendar; charset=utf-16', body: event(9) }
  server.quirk = (asked) => {
    if (isMultiget(asked)) return { status: 207, body: noData(nine) }
    return asked.method === 'GET'
      ? { status: 200, headers: { 'content-type': answer.type }, body: answer.body }
      : undefined
  }
  answer.type = 'text/calendar; charset="iso-8859-2"'
  assert.deepEqual(await desk.hours(), [9])
  answer.type = 'text/calendar; charset=x-none'
  server.put('home', 'nine.ics', event(10))
  assert.deepEqual(((await desk.read()) as CalendarRead).objects[0]?.unread, { object: 1 })
})

test('a server that hangs costs one deadline', { timeout: 40_000 }, async ({ server, desk }) => {
  server.quirk = () => ({ status: 200, hang: true })
  assert.equal(((await desk.read()) as Failed).category, 'unreachable')
  assert.equal(server.asked.length, 1)
})
