// The commands of the guide to humans' calendars run, against a calendar server.
import assert from 'node:assert/strict'
import { afterAll, beforeAll, test } from 'vitest'
import { vcalendar, vevent } from '../src/testing/feedServer.ts'
import { type CaldavServer, openCaldavServer } from '../src/testing/providers/caldavServer.ts'
import { blocksOf, read, section } from './documents/markdown.ts'
import { openReader, type Reader } from './documents/shell.ts'

const guide = read('docs/guide/humans-calendars.md')

let reader: Reader
let caldav: CaldavServer
beforeAll(async () => {
  reader = await openReader()
  caldav = await openCaldavServer()
})
afterAll(() => Promise.all([reader.close(), caldav.close()]))

const commandsOf = (text: string) =>
  blocksOf(text)
    .map((block) => block.text.replaceAll('http://127.0.0.1:5232', caldav.origin))
    .join('\n')

test('the guide asks, connects, grants, and publishes', async () => {
  const { service } = reader
  await service.clock.set(new Date('2026-11-30T09:00:00Z'))
  caldav.addCalendar('personal', { name: 'Personal' })
  const dentist = { DTSTART: '20261201T090000Z', DTEND: '20261201T100000Z', SUMMARY: 'Dentist' }
  caldav.put('personal', 'dentist.ics', vcalendar(vevent('dentist', dentist)))
  const run = async (name: string, before = '') => {
    const text = (await reader.run(`API=http://localhost:3000\n${before}\n${commandsOf(section(guide, name))}`)).split(
      '\n',
    )
    await service.drain()
    return text.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
  }
  const field = `field() { node -p "JSON.parse(require('fs').readFileSync(0)).$1"; }`
  const start = blocksOf(guide)[0]!.text
  const [link] = await run('## Ask with a link', `${field}\n${start}`)
  assert.equal(link.status, 'awaiting_human')
  const [selected, grant] = await run('## Connect, choose and grant without a page')
  assert.deepEqual([selected.status, grant.audience, grant.active], ['active', 'all_org_agents', true])

  const [free] = await run('## What agents get')
  assert.deepEqual([free.availability_state, free.sources.external], ['complete', 'current'])
  const [busy] = Object.values<unknown>(free.per_agent_busy)
  assert.deepEqual(busy, [{ start: '2026-12-01T09:00:00.000Z', end: '2026-12-01T10:00:00.000Z' }])
  assert.doesNotMatch(JSON.stringify(free), /Dentist/)

  const [destination, event] = await run("## Publish into the human's calendar")
  assert.deepEqual([destination.active, event.external_sync], [true, { status: 'queued' }])
  assert.deepEqual([...caldav.objects('personal').keys()], ['dentist.ics'])
})
