// The import engine of one process: due subscriptions, their hosts' lines, one feed reader for all.
import { randomInt } from 'node:crypto'
import type { App } from '../app.ts'
import { type FeedReader, openFeedReader } from '../icalendar/readFeed.ts'
import { type Coming, comingBy } from '../sweeps/sweeps.ts'
import { type Payload, type Wakeup, wakeSync } from '../wakeups/jobs.ts'
import { openHostLines } from './hostLines.ts'
import { urlPlace } from './present.ts'
import { dueAddress, dueSubscriptions, parkSubscription, postponeSync } from './queries.ts'
import { syncFeed } from './sync.ts'

/** A burst for one host is spread over this much time. */
const spreadMs = 10 * 60_000

type Syncer = { sync(payload: Payload<'sync'>): Promise<void> }

export function openSyncer(app: App): Syncer {
  const lines = openHostLines()
  let reader: FeedReader | undefined
  return {
    async sync({ orgId, subscriptionId }) {
      const subscription = { orgId, id: subscriptionId }
      const [due] = await dueAddress(app.sql, subscription)
      if (!due) return
      if (due.paused) {
        await parkSubscription(app.sql, subscription)
        return
      }
      const { host } = new URL(app.sealer.unseal(urlPlace(subscriptionId), due.urlSealed))
      const taken = await lines.stand(host, subscription, async () => {
        reader ??= openFeedReader()
        try {
          return (await syncFeed(app, reader, subscription)) === 'done'
        } catch (error) {
          app.log.error({ err: error }, 'a sync could not be finished, it will be made again')
          return true
        }
      })
      if (!taken) await postponeSync(app.sql, subscription, randomInt(spreadMs / 10, spreadMs))
    },
  }
}

const maxAtOnce = 5_000

export const syncWakeups = async (app: App, until: Date, rescuedAt?: Date): Promise<Wakeup[]> =>
  (await dueSubscriptions(app.sql, undefined, until, maxAtOnce)).map((row) => wakeSync(row, rescuedAt))

export const comingSyncs = (app: App, from: Date, until: Date): Promise<Coming> =>
  comingBy(until, maxAtOnce, async (end, most) =>
    (await dueSubscriptions(app.sql, from, end, most)).map((row) => wakeSync(row)),
  )
