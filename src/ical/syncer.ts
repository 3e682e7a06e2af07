// The import engine of one process: due subscriptions, their hosts' lines, one feed reader for all.
import { randomInt } from 'node:crypto'
import type { App } from '../app.ts'
import { type Payload, type Wakeup, wakeSync } from '../jobs.ts'
import { type Coming, comingBy } from '../sweeps.ts'
import { openHostLines } from './hostLines.ts'
import { type FeedReader, openFeedReader } from './parsing/readFeed.ts'
import { urlPlace } from './present.ts'
import { dueAddress, dueSubscriptions, parkSubscription, postponeSync } from './queries.ts'
import { syncFeed } from './syncFeed.ts'

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

const mostAtOnce = 5_000

export const syncWakeups = async (app: App, until: Date, rescuedAt?: Date): Promise<Wakeup[]> =>
  (await dueSubscriptions(app.sql, undefined, until, mostAtOnce)).map((row) => wakeSync(row, rescuedAt))

export const comingSyncs = (app: App, from: Date, until: Date): Promise<Coming> =>
  comingBy(until, mostAtOnce, async (end, most) =>
    (await dueSubscriptions(app.sql, from, end, most)).map((row) => wakeSync(row)),
  )
