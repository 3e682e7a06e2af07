// Copies in a CalDAV calendar that is gone, or may no longer be written to, against the scripted server.
import assert from 'node:assert/strict'
import { test as plain } from 'vitest'
import { openForeign } from '../foreign/foreign.ts'
import { openHttp } from '../outbound/http.ts'
import { vcalendar, vevent } from '../testing/feedServer.ts'
import { openCaldavServer } from '../testing/providers/caldavServer.ts'
import { caldavProvider } from './caldav.ts'
import type { CopyTarget, EventCopy } from './provider.ts'

const key = '0123456789abcdefghijklmnop'
const uid = `${key}@agent-calendar`
const copy: EventCopy = {
  ...{ title: 'Tea', description: null, isTentative: false, recurrence: null },
  times: { kind: 'instants', start: new Date('2026-03-03T09:00:00Z'), end: new Date('2026-03-03T10:00:00Z') },
  ical: vcalendar(vevent(uid, { DTSTART: '20260303T090000Z', DTEND: '20260303T100000Z' })),
}
const forbidden = { kind: 'lost', category: 'forbidden' }
const readOnly = '<d:current-user-privilege-set><d:privilege><d:read/></d:privilege></d:current-user-privilege-set>'

const test = plain.extend('desk', async ({ task: _ }, { onCleanup }) => {
  const server = await openCaldavServer()
  const http = openHttp({ trustedHosts: ['127.0.0.1'] })
  onCleanup(async () => {
    await http.close()
    await foreign.close()
    await server.close()
  })
  server.addCalendar('home')
  const { origin, username, password } = server
  const foreign = openForeign()
  const provider = caldavProvider(http, foreign.of(''))
  const account = {
    credentials: JSON.stringify({ username, password }),
    server: JSON.stringify({
      origin,
      principal: `${origin}/`,
      home: `${origin}/calendars/ada/`,
      inbox: null,
      addresses: [],
    }),
  }
  const target = (kept: string | null): CopyTarget => ({ remote: `${origin}/calendars/ada/home/`, key, kept })
  const put = (kept: string | null) => provider.put(account, target(kept), copy)
  const remove = (kept: string | null) => provider.remove(account, target(kept))
  const written = async () => {
    const answer = await put(null)
    assert.equal(answer.kind, 'written')
    return (answer as { kept: string }).kept
  }
  /** `status` instead of the answers to these methods. */
  const refuse = (status: number, ...methods: string[]) => {
    server.quirk = ({ method }) => (methods.includes(method) ? { status } : undefined)
  }
  return { server, put, remove, written, refuse }
})

for (const status of [403, 405]) {
  test(`${status} of a write: the calendar may not be written to`, async ({
    desk: { put, remove, written, refuse },
  }) => {
    const kept = await written()
    refuse(status, 'PUT', 'DELETE')
    assert.deepEqual([await put(null), await put(kept), await remove(kept)], [forbidden, forbidden, forbidden])
    refuse(status, 'GET')
    assert.deepEqual(await remove(null), forbidden)
  })
}

test('a copy that is gone was deleted by its human only where the calendar may be written to', async ({ desk }) => {
  const { server, put, remove, written, refuse } = desk
  const kept = await written()
  server.remove('home', `${key}.ics`)
  const tried = async () => [await put(kept), await remove(kept), await remove(null)]
  refuse(403, 'PROPFIND')
  assert.deepEqual(await tried(), [forbidden, forbidden, forbidden])
  refuse(500, 'PROPFIND')
  assert.deepEqual(
    (await tried()).map(({ kind }) => kind),
    ['failed', 'failed', 'failed'],
  )
  const notFound = { kind: 'lost', category: 'not_found' }
  refuse(404, 'PROPFIND')
  assert.deepEqual(await tried(), [notFound, notFound, notFound])
  refuse(0)
  assert.deepEqual(await tried(), [{ kind: 'deleted' }, { kind: 'removed' }, { kind: 'removed' }])
  server.addCalendar('home', { props: readOnly })
  assert.deepEqual(await tried(), [forbidden, forbidden, forbidden])
})
