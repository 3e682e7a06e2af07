// External feeds that are not read, by our fault or by theirs, and events that are not published.
import { decodeId, newId } from '../../../src/shapes/ids.ts'
import { type FeedServer, openFeedServer } from '../../../src/testing/feedServer.ts'
import { restartAll } from '../../world/supervise.ts'
import type { Cause } from '../cause.ts'
import type { Site } from '../site.ts'

const failingFeeds = 24

let server: FeedServer | undefined
let subscribed: string[] = []

/** Subscribes an agent of its own to feeds of one server, which answers with this status. */
async function subscribe({ create }: Site, count: number, status: 200 | 503) {
  server = await openFeedServer()
  server.body = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//drill//EN\r\nEND:VCALENDAR\r\n'
  if (status === 503) server.answer = (_request, response) => response.writeHead(status).end()
  const urls = Array.from({ length: count }, (_, nth) => server!.url(String(nth)))
  const agent = await create('/v1/agents', { name: 'Feeds', type: 'ai' })
  const calendar = await create(`/v1/agents/${agent.id}/calendars`, { name: 'Feeds', timezone: 'UTC' })
  const path = `/v1/agents/${agent.id}/ical-subscriptions`
  const made = await Promise.all(urls.map((url) => create(path, { calendar_id: calendar.id, url })))
  subscribed = made.map(({ id }) => id)
}

/** In the drill a feed is stale before it is read again. */
async function unsubscribe({ call, key }: Site) {
  await Promise.all(subscribed.map((id) => call('DELETE', `/v1/ical-subscriptions/${id}`, { key })))
  await server?.close()
}

/** The destination of one calendar, with one event to write. Its provider need not exist. */
const publishOne = async ({ sql, create }: Site) => {
  const calendar = await create('/v1/calendars', { name: 'Drill', timezone: 'UTC' })
  const start = new Date(Date.now() + 3_600_000)
  const body = { title: 'Drill', start_time: start, end_time: new Date(start.getTime() + 3_600_000) }
  const event = await create(`/v1/calendars/${calendar.id}/events`, body)
  const [eventId, calendarId] = [decodeId('evt', event.id)!, decodeId('cal', calendar.id)!]
  await sql`
    insert into external_destinations (
      org_id, id, calendar_id, connection_id, external_calendar_id, remote_sealed, policy, created_at)
    select org_id, ${destinationId}, id, ${destinationId}, ${destinationId}, '', 'confirmed', now()
    from calendars where id = ${calendarId}`
  await sql`
    insert into publications (
      org_id, destination_id, event_id, calendar_id, state, changed_at, next_attempt_at)
    select org_id, ${destinationId}, ${eventId}, id, 'queued', now(), now()
    from calendars where id = ${calendarId}`
}

const destinationId = newId()

export const feedCauses: readonly Cause[] = [
  {
    what: 'no worker serves publishing, and an event has changed',
    alerts: ['PublicationsOld', 'NoWorker publishing'],
    async cause(site) {
      await restartAll(site.workers, { WORKER_POOLS: 'timers,deliveries,ical,connections,mail,upkeep' })
      await publishOne(site)
    },
    relieve: ({ workers }) => restartAll(workers),
    tidy: async ({ sql }) => {
      await sql`delete from publications where destination_id = ${destinationId}`
      await sql`delete from external_destinations where id = ${destinationId}`
    },
  },
  {
    what: 'no worker serves ical, and a feed is new',
    alerts: ['FeedsStale', 'NoWorker ical'],
    async cause(site) {
      await restartAll(site.workers, { WORKER_POOLS: 'timers,deliveries,mail,upkeep' })
      await subscribe(site, 1, 200)
    },
    relieve: ({ workers }) => restartAll(workers),
    tidy: unsubscribe,
  },
  {
    what: `the servers of ${failingFeeds} feeds fail`,
    alerts: ['FeedsFail'],
    cause: (site) => subscribe(site, failingFeeds, 503),
    async relieve({ create }) {
      server!.answer = (_request, response) => response.writeHead(200).end(server!.body)
      await Promise.all(subscribed.map((id) => create(`/v1/ical-subscriptions/${id}/sync`, {})))
    },
    tidy: unsubscribe,
  },
]
