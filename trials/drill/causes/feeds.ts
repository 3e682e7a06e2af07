// External feeds that are not read, by our fault or by theirs.
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

export const feedCauses: readonly Cause[] = [
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
