// A feed of 10,000 events and an import of 10 MB against the packages alone; a 304 against an empty GET.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { ICalCalendar } from 'ical-generator'
import nodeIcal from 'node-ical'
import { openSyncer } from '../../src/imports/syncer.ts'
import { minuteMs } from '../../src/shapes/durations.ts'
import { decodeId, encodeId, newId } from '../../src/shapes/ids.ts'
import { openFeedServer } from '../../src/testing/feedServer.ts'
import { callOf, made } from '../world/client.ts'
import { median } from '../world/report.ts'
import { copyEvents } from './copyEvents.ts'
import { interleaved, millis, perSecond, type Row, rowOf } from './figures.ts'
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
  // Every request comes from another address: a single one may ask sixty times a minute.
  const api = await world.start('api/main.ts', { env: { TRUSTED_PROXIES: 'loopback' } })
  const port = api.ready.port!
  const bare = await world.start('trials/bench/processes/bareExpress.ts', { env: { ORG_UUID: '' } })
  const calendar = await fillCalendar(world)
  const path = new URL(calendar.ical_url).pathname
  const read = (nth: number) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-forwarded-for': `10.9.0.${nth}` } })
  let nth = 0
  const readOnce = () => timed(async () => (await read(nth++)).arrayBuffer())
  // Other default reminders change the lines of every event.
  const readWhole = async () => {
    await changeCalendar(world, calendar.id, 10 + (nth % 2))
    return readOnce()
  }
  const written = await interleaved(rounds, { ours: readWhole, baseline: () => timed(async () => generated().length) })
  const changed = await interleaved(rounds, {
    async ours() {
      await calendar.changeOne()
      return readOnce()
    },
    baseline: readWhole,
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
    rowOf({ bench: 'ical', name: 'feed of 10,000 ÷ ical-generator', target: { atMost: 1.5 } }, written, millis),
    rowOf({ bench: 'ical', name: 'feed after one change ÷ written whole', target: { atMost: 0.4 } }, changed, millis),
    rowOf({ bench: 'ical', name: '304 against an empty GET', target: { atLeast: 0.3 } }, unchanged, perSecond),
  ]
}

type FilledCalendar = {
  id: string
  ical_url: string
  /** Gives another one of its events another title. */
  changeOne(): Promise<unknown>
}

async function fillCalendar(world: World): Promise<FilledCalendar> {
  const organization = await world.makeOrganization()
  const { id, ical_url } = await organization.create('/v1/calendars', { name: 'Feed', timezone: 'UTC' })
  const place = { orgId: decodeId('org', organization.id)!, calendarId: decodeId('cal', id)! }
  const events = Array.from({ length: feedEvents }, (_, nth) => {
    const startMs = startOf(nth).getTime()
    return { id: newId(), title: title(nth), description, startMs, endMs: startMs + 10 * minuteMs }
  })
  await copyEvents(world, place, events)
  const call = callOf(world.baseUrls[0])
  let changes = 0
  const changeOne = () => {
    const event = events[(++changes * 997) % feedEvents]!
    const path = `/v1/calendars/${id}/events/${encodeId('evt', event.id)}`
    return made(call('PATCH', path, { key: organization.key, body: { title: `Changed ${changes}` } }))
  }
  return { id, ical_url, changeOne }
}

const changeCalendar = ({ app }: World, calendarId: string, reminder: number) =>
  app.sql`
    update calendars set revision = revision + 1, default_reminders = ${[reminder]}::integer[]
    where id = ${decodeId('cal', calendarId)!}`

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
  const texts = [foreign('Meeting'), foreign('Moved')]
  const server = await openFeedServer()
  server.body = texts[0]!
  const sync = await subscribe(world, server.url())
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const delays: number[] = []
  let nth = 0
  const baseline = () => timed(async () => void nodeIcal.sync.parseICS(server.body))
  const all = await interleaved(rounds, {
    async ours() {
      server.body = texts[nth++ % 2]!
      delay.reset()
      delay.enable()
      const ms = await timed(sync)
      delay.disable()
      delays.push(delay.percentile(99) / 1e6)
      return ms
    },
    baseline,
  })
  const again = await interleaved(rounds, { ours: () => timed(sync), baseline })
  await server.close()
  const size = `${(Buffer.byteLength(server.body) / 1024 / 1024).toFixed(1)} MB`
  return [
    rowOf({ bench: 'ical', name: `import ${size}, all changed ÷ node-ical`, target: { atMost: 2.5 } }, all, millis),
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

/** Subscribes an agent to the feed. Returns a function that reads the feed once, in this process. */
async function subscribe({ app, makeOrganization }: World, url: string): Promise<() => Promise<void>> {
  const organization = await makeOrganization()
  const agent = await organization.create('/v1/agents', { name: 'Importer', type: 'ai' })
  const calendar = await organization.create(`/v1/agents/${agent.id}/calendars`, { name: 'Import', timezone: 'UTC' })
  const path = `/v1/agents/${agent.id}/ical-subscriptions`
  const { id } = await organization.create(path, { calendar_id: calendar.id, url })
  const { sync } = openSyncer(app)
  const key = { orgId: decodeId('org', organization.id)!, id: decodeId('ics', id)! }
  return async () => {
    await app.sql`update ical_subscriptions set next_sync_at = now(), claim = claim + 1 where id = ${key.id}`
    await sync(key)
  }
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
