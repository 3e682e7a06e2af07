// Copies in real CalDAV servers: written, changed, removed, and what a human does to them meanwhile.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'vitest'
import { openForeign } from '../foreign/foreign.ts'
import { openHttp } from '../outbound/http.ts'
import { type RealCaldav, realCaldavs } from '../testing/providers/realCaldav.ts'
import { caldavProvider } from './caldav.ts'
import type { CopyTarget, EventCopy } from './provider.ts'

const key = '0123456789abcdefghijklmnop'

const lines = (title: string) => [
  ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', 'BEGIN:VEVENT', `UID:${key}@agent-calendar`],
  ...['DTSTAMP:20260302T090000Z', 'DTSTART:20260303T090000Z', 'DTEND:20260303T100000Z', `SUMMARY:${title}`],
  ...['TRANSP:OPAQUE', 'STATUS:CONFIRMED', 'END:VEVENT', 'END:VCALENDAR', ''],
]

const copyOf = (title: string): EventCopy => ({
  title,
  description: null,
  isTentative: false,
  times: { kind: 'instants', start: new Date('2026-03-03T09:00:00Z'), end: new Date('2026-03-03T10:00:00Z') },
  recurrence: null,
  ical: lines(title).join('\r\n'),
})

async function openDesk(open: () => Promise<RealCaldav>, { onTestFinished }: TestContext) {
  const server = await open()
  onTestFinished(server.close)
  const http = openHttp({ trustedHosts: ['127.0.0.1'] })
  onTestFinished(() => http.close())
  const foreign = openForeign()
  onTestFinished(() => foreign.close())
  const { home, login } = server
  const provider = caldavProvider(http, foreign.of(''))
  const { origin } = new URL(login.server_url)
  const account = {
    credentials: JSON.stringify(login),
    server: JSON.stringify({ origin, principal: `${origin}/ada/`, home: origin + home, inbox: null, addresses: [] }),
  }
  await server.write('MKCALENDAR', `${home}team/`)
  const target = (kept: string | null): CopyTarget => ({ remote: `${origin}${home}team/`, key, kept })
  const put = (title: string, kept: string | null) => provider.put(account, target(kept), copyOf(title))
  const written = async (title: string, kept: string | null): Promise<string> => {
    const answer = await put(title, kept)
    assert.equal(answer.kind, 'written', JSON.stringify(answer))
    return (answer as { kept: string }).kept
  }
  const stored = async () => (await server.objects('team')).get(`${key}.ics`)
  const remove = (kept: string | null) => provider.remove(account, target(kept))
  return { server, path: `${home}team/${key}.ics`, put, written, stored, remove }
}

for (const { name, skip, open } of realCaldavs) {
  const options = { skip, timeout: 60_000 }

  test(`${name}: a copy is made, found again without its answer, changed and removed`, options, async (context) => {
    const { written, stored, remove } = await openDesk(open, context)
    const first = await written('One', null)
    assert.match((await stored())!, /SUMMARY:One/)
    assert.equal(JSON.parse(await written('One', null)).isMerged, false)
    await written('Two', first)
    assert.match((await stored())!, /SUMMARY:Two/)
    assert.deepEqual(await remove(null), { kind: 'removed' })
    assert.equal(await stored(), undefined)
    assert.deepEqual(await remove(first), { kind: 'removed' })
  })

  test(`${name}: what the human added stays, and what is ours is ours`, options, async (context) => {
    const { server, path, written, stored, remove } = await openDesk(open, context)
    const kept = await written('One', null)
    const alarm = 'BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:x\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\n'
    const changed = (await stored())!
      .replace(/SUMMARY:One/, 'SUMMARY:Mine\r\nCOLOR:red')
      .replace('OPAQUE', 'TRANSPARENT')
      .replace('DTSTART:20260303T09', 'DTSTART:20260303T08')
      .replace(/END:VEVENT/, `${alarm}END:VEVENT`)
    await server.write('PUT', path, changed)
    const merged = await written('Two', kept)
    for (let round = 0; round < 2; round++) {
      const text = (await stored())!
      for (const line of ['SUMMARY:Two', 'COLOR:red', 'TRIGGER:-PT5M', 'TRANSP:TRANSPARENT', 'DTSTART:20260303T09']) {
        assert.ok(text.includes(line), `${line} in ${text}`)
      }
      for (const line of ['SUMMARY:Mine', 'OPAQUE', 'T08']) assert.ok(!text.includes(line), `${line} in ${text}`)
      if (round === 0) await written('Two', merged)
    }
    assert.deepEqual(await remove(kept), { kind: 'removed' })
  })

  test(
    `${name}: a copy that the human deleted stays deleted, and a calendar that is gone is lost`,
    options,
    async (context) => {
      const { server, path, put, written, stored } = await openDesk(open, context)
      const kept = await written('One', null)
      await server.write('DELETE', path)
      assert.deepEqual(await put('Two', kept), { kind: 'deleted' })
      assert.equal(await stored(), undefined)
      await server.write('DELETE', path.slice(0, path.lastIndexOf('/') + 1))
      assert.deepEqual(await put('Two', kept), { kind: 'lost', category: 'not_found' })
      assert.deepEqual(await put('Two', null), { kind: 'lost', category: 'not_found' })
    },
  )
}

for (const { name, skip, open } of realCaldavs.filter(({ hasRights }) => hasRights)) {
  for (const left of ['read', 'nothing'] as const) {
    test(`${name}: the right to write is taken away (${left} is left)`, { skip, timeout: 60_000 }, async (context) => {
      const { server, put, written, stored, remove } = await openDesk(open, context)
      const kept = await written('One', null)
      server.allow!('team', left)
      const forbidden = { kind: 'lost', category: 'forbidden' }
      assert.deepEqual([await put('Two', kept), await put('Two', null)], [forbidden, forbidden])
      assert.deepEqual([await remove(kept), await remove(null)], [forbidden, forbidden])
      if (left === 'read') assert.match((await stored())!, /SUMMARY:One/)
    })
  }
}
