// The import engine of one process: due subscriptions, a queue by host.
import { randomInt } from 'node:crypto'
import type { App } from '../app.ts'
import { feedParser } from '../icalendar/feedParser.ts'
import type { Payload } from '../wakeups/jobs.ts'
import { openHostQueue } from './hostQueue.ts'
import { urlContext } from './present.ts'
import { dueAddress } from './queries.ts'
import { syncFeed } from './sync.ts'
import { suspendSubscription } from './unreported.ts'
import { postponeSync } from './writes.ts'

/** A burst for one host is spread over this much time. */
const spreadMs = 10 * 60_000

type Syncer = { sync(payload: Payload<'sync'>): Promise<void> }

export function openSyncer(app: App): Syncer {
  const queue = openHostQueue()
  return {
    async sync(subscription) {
      const [due] = await dueAddress(app.sql, subscription)
      if (!due) return
      if (due.paused) {
        await suspendSubscription(app, subscription)
        return
      }
      const { host } = new URL(app.sealer.unseal(urlContext(subscription.id), due.urlSealed))
      const isQueued = await queue.enter({ ...subscription, host }, async () => {
        try {
          return (await syncFeed(app, feedParser(app.foreign.of(subscription.orgId)), subscription)) === 'done'
        } catch (error) {
          app.log.error({ err: error }, 'a sync could not be finished, it will be made again')
          return true
        }
      })
      if (!isQueued) await postponeSync(app.sql, subscription, randomInt(spreadMs / 10, spreadMs))
    },
  }
}
