// Does everything that is due at the set time, and what follows from it, without waiting: fires timers, posts deliveries, reads feeds,
// sends mails.
import { deliveryHandlers } from '../../workers/deliveries.ts'
import { icalHandlers } from '../../workers/ical.ts'
import { mailHandlers } from '../../workers/mail.ts'
import { fireDue } from '../../workers/timers.ts'
import type { App } from '../app.ts'
import { syncWakeups } from '../imports/syncer.ts'
import { mailWakeups } from '../mails/send.ts'
import { shardCount } from '../timers/timers.ts'
import { deliveryWakeups } from '../webhooks/due.ts'

const maxRounds = 200

export function openDrain(app: App): () => Promise<void> {
  const { deliver } = deliveryHandlers(app)
  const { sync } = icalHandlers(app)
  const { mail } = mailHandlers(app)
  return async function drain() {
    for (let round = 0; round < maxRounds; round++) {
      let done = 0
      for (let shard = 0; shard < shardCount; shard++) done += await fireDue(app, shard)
      const wakeups = await deliveryWakeups(app, app.clock.now())
      await Promise.all(wakeups.map(async (wakeup) => wakeup.name === 'deliver' && deliver(wakeup.payload)))
      const syncs = await syncWakeups(app, app.clock.now())
      await Promise.all(syncs.map(async (wakeup) => wakeup.name === 'sync' && sync(wakeup.payload)))
      const mails = await mailWakeups(app, app.clock.now())
      await Promise.all(mails.map(async (wakeup) => wakeup.name === 'mail' && mail(wakeup.payload)))
      if (done + mails.length + wakeups.length + syncs.length === 0) return
    }
    throw new Error(`still work to do after ${maxRounds} rounds`)
  }
}
