// A feed of 10,000 events, and an import of 10 MB, beside the packages alone; a 304 beside an empty GET.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { ICalCalendar } from 'ical-generator'
import nodeIcal from 'node-ical'
import { descriptionPlace, titlePlace } from '../../src/events/present.ts'
import { openSyncer } from '../../src/imports/syncer.ts'
import { minuteMs } from '../../src/shapes/durations.ts'
import { decodeId, newId } from '../../src/shapes/ids.ts'
import { interleaved, median, millis, perSecond, type Row, rowOf } from './figures.ts'
import { type World, wireRequest } from './world.ts'

const rounds = 5
const roundMs = 2_000
const connections = 48
const feedEvents = 10_000
const importEvents = 24_000
const begin = Date.now()

const title = (nth: number) => `Meeting number ${nth}`
const description = 'Agenda: what was, what is, what comes. '.repeat(3)
const startOf = (nth: number) => new Date(begin + nth * 10 * minuteMs)

export const benchIcal = async (world: World): Promise<Row[]> => [
  ...(await feedRows(world)),
  ...(await importRows(world)),
]

async function feedRows(world: World): Promise<Row[]> {
  // Every request from another address: one alone may ask sixty times a minute.
  const api = await world.start('api/main.ts', { env: { TRUSTED_PROXIES: 'loopback' } })
  const port = api.ready.port!
  const bare = await world.start('trials/bench/processes/bareExpress.ts', { env: { ORG_UUID: '' } })
  const calendar = await filledCalendar(world)
  const path = new URL(calendar.ical_url).pathname
  const read = (nth: number) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-forwarded-for': `10.9.0.${nth}` } })
  let nth = 0
  const written = await interleaved(rounds, {
    async ours() {
      await changed(world, calendar.id)
      return timed(async () => (await read(nth++)).arrayBuffer())
    },
    baseline: () => timed(async () => generated().length),
  })
  const etag = (await read(nth)).headers.get('etag')!
  const asking = (address: number) =>
    wireRequest('GET', path).replace(
      '\r\n\r\n',
      `\r\nif-none-match: ${etag}\r\nx-forwarded-for: 10.${address >> 8}.${address & 255}.1\r\n\r\n`,
    )
  const known = Array.from({ length: 8_000 }, (_, address) => asking(address))
  const ask = async (to: number, requests: string[], status: number) =>
    (await world.load({ port: to, connections, requests, status, until: { ms: roundMs } })).perSecond
  const unchanged = await interleaved(rounds, {
    ours: () => ask(port, known, 304),
    baseline: () => ask(bare.ready.port!, [wireRequest('GET', '/empty')], 200),
  })
  await Promise.all([api.stop(), bare.stop()])
  return [
    rowOf({ bench: 'ical', name: 'feed of 10,000 ÷ ical-generator', target: { atMost: 3 } }, written, millis),
    rowOf({ bench: 'ical', name: '304 against an empty GET', target: { atLeast: 0.3 } }, unchanged, perSecond),
  ]
}

async function filledCalendar({ app, makeOrganization }: World): Promise<{ id: string; ical_url: string }> {
  const organization = await makeOrganization()
  const calendar = await organization.make('/v1/calendars', { name: 'Feed', timezone: 'UTC' })
  const rows = Array.from({ length: feedEvents }, (_, nth) => {
    const id = newId()
    return {
      id,
      title: app.sealer.seal(titlePlace(id), title(nth)).toString('hex'),
      description: app.sealer.seal(descriptionPlace(id), description).toString('hex'),
      start_time: startOf(nth),
    }
  })
  await app.sql`
    insert into events (org_id, id, calendar_id, title_sealed, description_sealed, start_time, end_time, status, metadata,
      created_at, updated_at)
    select ${decodeId('org', organization.id)!}::uuid, id, ${decodeId('cal', calendar.id)!}::uuid, decode(title, 'hex'),
      decode(description, 'hex'), start_time, start_time + interval '10 minutes', 'confirmed', '{}', now(), now()
    from jsonb_to_recordset(${app.sql.json(rows as never)}) as r
      (id uuid, title text, description text, start_time timestamptz)`
  return calendar
}

const changed = ({ app }: World, calendarId: string) =>
  app.sql`update calendars set revision = revision + 1 where id = ${decodeId('cal', calendarId)!}`

function generated(): string {
  const calendar = new ICalCalendar({ name: 'Feed' })
  for (let nth = 0; nth < feedEvents; nth++) {
    const start = startOf(nth)
    const end = new Date(start.getTime() + 10 * minuteMs)
    const event = calendar.createEvent({ id: `evt${nth}@bench`, start, end, summary: title(nth), description })
    event.createAlarm({ trigger: 600 })
  }
  return calendar.toString()
}

async function importRows(world: World): Promise<Row[]> {
  const { app } = world
  const texts = [foreign('Meeting'), foreign('Moved')]
  let served = texts[0]!
  const server = createServer((_request, response) => response.end(served))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const organization = await world.makeOrganization()
  const agent = await organization.make('/v1/agents', { name: 'Importer', type: 'ai' })
  const calendar = await organization.make(`/v1/agents/${agent.id}/calendars`, { name: 'Import', timezone: 'UTC' })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed.ics`
  const path = `/v1/agents/${agent.id}/ical-subscriptions`
  const { id } = await organization.make(path, { calendar_id: calendar.id, url })
  const { sync } = openSyncer(app)
  const key = { orgId: decodeId('org', organization.id)!, subscriptionId: decodeId('ics', id)! }
  const synced = () =>
    timed(async () => {
      await app.sql`update ical_subscriptions set next_sync_at = now(), claim = claim + 1 where id = ${key.subscriptionId}`
      await sync(key)
    })
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const delays: number[] = []
  let nth = 0
  const all = await interleaved(rounds, {
    async ours() {
      served = texts[nth++ % 2]!
      delay.reset()
      delay.enable()
      const ms = await synced()
      delay.disable()
      delays.push(delay.percentile(99) / 1e6)
      return ms
    },
    baseline: () => timed(async () => void nodeIcal.sync.parseICS(served)),
  })
  const again = await interleaved(rounds, {
    ours: synced,
    baseline: () => timed(async () => void nodeIcal.sync.parseICS(served)),
  })
  server.close()
  const size = `${(Buffer.byteLength(served) / 1024 / 1024).toFixed(1)} MB`
  return [
    rowOf({ bench: 'ical', name: `import ${size}, all changed ÷ node-ical`, target: { atMost: 3 } }, all, millis),
    rowOf({ bench: 'ical', name: `import ${size}, same again ÷ node-ical`, target: { atMost: 0.5 } }, again, millis),
    {
      bench: 'ical',
      name: 'event loop delay p99 while importing ÷ 20 ms',
      ours: millis(median(delays)),
      baseline: millis(20),
      ratios: delays.map((ms) => ms / 20),
      target: { atMost: 1 },
    },
  ]
}

const wireTime = (at: Date) => at.toISOString().replace(/[-:]|\.\d{3}/g, '')

function foreign(word: string): string {
  const events = Array.from({ length: importEvents }, (_, nth) => {
    const start = startOf(nth)
    return [
      'BEGIN:VEVENT',
      `UID:${nth}-4f1c9a52-6d0e-4b7a-9d83@calendar.example.com`,
      'DTSTAMP:20260101T000000Z',
      'CREATED:20260101T000000Z',
      'LAST-MODIFIED:20260101T000000Z',
      `DTSTART:${wireTime(start)}`,
      `DTEND:${wireTime(new Date(start.getTime() + 10 * minuteMs))}`,
      `SUMMARY:${word} ${nth}`,
      'DESCRIPTION:Agenda: what was\\, what is\\, what comes. Agenda: what was\\,',
      '  what is\\, what comes.',
      'LOCATION:Room 5',
      'SEQUENCE:1',
      'STATUS:CONFIRMED',
      'TRANSP:OPAQUE',
      'END:VEVENT',
    ].join('\r\n')
  })
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//bench//EN', ...events, 'END:VCALENDAR', ''].join('\r\n')
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}
