// Does everything that is due at the set time, and what follows from it, without waiting: fires timers, posts deliveries, reads feeds,
// publishes events, sends mails.
import { fireDue } from '../../workers/timers.ts'
import type { App } from '../app.ts'
import { composeGuestMail } from '../bookingPages/guestMail.ts'
import { publicationsDue } from '../copyWriter/due.ts'
import { publishDue } from '../copyWriter/publish.ts'
import { openDeliverer } from '../deliveries/deliver.ts'
import { attentionDue, readsDue, revocationsDue, watchesDue } from '../externalCalendars/due.ts'
import { openReader } from '../externalCalendars/reader.ts'
import { revokeConnection } from '../externalCalendars/revocations.ts'
import { syncsDue } from '../imports/due.ts'
import { openSyncer } from '../imports/syncer.ts'
import { mailsDue } from '../mails/due.ts'
import { sendMail } from '../mails/send.ts'
import { deliveriesDue } from '../webhooks/due.ts'
import { replaysDue, walkReplay } from '../webhooks/replayWalk.ts'

const maxRounds = 200

export function openDrain(app: App): () => Promise<void> {
  const deliverer = openDeliverer(app)
  const { sync } = openSyncer(app)
  const reader = openReader(app)
  return async function drain() {
    for (let round = 0; round < maxRounds; round++) {
      const done = await fireDue(app)
      const wakeups = await deliveriesDue.due(app, app.clock.now())
      for (const wakeup of wakeups) if (wakeup.name === 'deliver') await deliverer.deliver(wakeup.payload)
      await deliverer.settle()
      const syncs = await syncsDue.due(app, app.clock.now())
      await Promise.all(syncs.map(async (wakeup) => wakeup.name === 'sync' && sync(wakeup.payload)))
      const replays = await replaysDue.due(app, app.clock.now())
      for (const wakeup of replays) if (wakeup.name === 'replay') await walkReplay(app, wakeup.payload)
      const mails = await mailsDue.due(app, app.clock.now())
      await Promise.all(
        mails.map(async (wakeup) => wakeup.name === 'mail' && sendMail(app, wakeup.payload, composeGuestMail)),
      )
      const reads = await readsDue.due(app, app.clock.now())
      await Promise.all(reads.map(async (wakeup) => wakeup.name === 'read' && reader.read(wakeup.payload)))
      const published = await publicationsDue.due(app, app.clock.now())
      await Promise.all(published.map(async (wakeup) => wakeup.name === 'publish' && publishDue(app, wakeup.payload)))
      const troubled = await attentionDue.due(app, app.clock.now())
      await Promise.all(troubled.map(async (wakeup) => wakeup.name === 'attend' && reader.attend(wakeup.payload)))
      const watches = await watchesDue.due(app, app.clock.now())
      for (const wakeup of watches) if (wakeup.name === 'watch') await reader.watch(wakeup.payload)
      const ended = await revocationsDue.due(app, app.clock.now())
      for (const { name, payload } of ended) {
        if (name === 'revoke') await revokeConnection(app, { orgId: payload.orgId, id: payload.connectionId })
      }
      if (watches.length + ended.length + published.length > 0) continue
      if (done + reads.length + troubled.length + mails.length + wakeups.length + syncs.length + replays.length === 0)
        return
    }
    throw new Error(`still work to do after ${maxRounds} rounds`)
  }
}
