// The publishing engine: one worker at a time writes through a connection. It compares each due event with its copy, and writes the
// difference. Killed, repeated or late, it comes to the same end.
import type { App } from '../app.ts'
import { commit } from '../commit/commit.ts'
import { finishEndedConnection } from '../connections/endedConnections.ts'
import { publishAll } from '../externalCopies/publish.ts'
import { encodeId } from '../shapes/ids.ts'
import { isPassing } from '../stores/failures.ts'
import { jobs, type Payload, wakeup } from '../wakeups/jobs.ts'
import {
  type DestinationStep,
  type DuePublication,
  type LeaseKey,
  leaseDueAt,
  nextPublication,
  nextStep,
} from './leaseQueries.ts'
import {
  claimLease,
  fillDestination,
  forgetAll,
  type Lease,
  releaseLease,
  removeEmpty,
  suspendDestination,
  suspendPublications,
  withdrawAll,
} from './leaseWrites.ts'
import { noteFailure } from './outcome.ts'
import { type WriteEnd, writeDifference } from './write.ts'

type Key = Payload<'publish'>

/**
 * Returns when nothing is due any more, or another worker has the lease: that one looks again when it lets go of it. False: this
 * process is ending.
 */
export async function publishThrough(app: App, lease: LeaseKey, key: Key): Promise<boolean> {
  for (;;) {
    const [claimed] = await claimLease(app.sql, lease, jobs.publish.leaseMs)
    if (!claimed) return true
    const end = await work(app, claimed).finally(() => releaseLease(app.sql, claimed))
    if (end !== 'idle') return end !== 'closed'
    const [next] = await leaseDueAt(app.sql, lease)
    if (!next?.dueAt) return true
    const now = app.clock.now()
    if (next.dueAt > now) {
      const isSoon = next.dueAt.getTime() - now.getTime() <= app.config.enqueueHorizonMs
      if (isSoon) app.bell.ring([wakeup('publish', key, next.dueAt)])
      return true
    }
  }
}

/** `lost`: the lease is another worker's. `closed`: this process is ending. */
async function work(app: App, lease: Lease): Promise<'idle' | 'lost' | 'closed'> {
  for (;;) {
    const [step] = await nextStep(app.sql, lease)
    const [due] = step ? [] : await nextPublication(app.sql, lease)
    if (step) await takeStep(app, step)
    else if (!due) break
    else if (due.access === 'open') {
      const end = await writeOrFail(app, lease, due)
      if (end === 'lost' || end === 'closed') return end
    } else {
      await suspendPublications(app.sql, lease, due.access === 'waiting' ? 'queued' : 'failed')
      if (due.access === 'broken') await suspendDestination(app.sql, due, null)
    }
  }
  await removeEmpty(app.sql, lease)
  const ended = await finishEndedConnection(app.sql, lease.orgId, lease.connectionId)
  app.bell.ring(ended.map(({ id, dueAt }) => wakeup('revoke', { orgId: lease.orgId, id }, dueAt)))
  return 'idle'
}

/** Our own faults count as failures too, so that what cannot be written is not tried for ever. */
async function writeOrFail(app: App, lease: Lease, due: DuePublication): Promise<WriteEnd> {
  try {
    return await writeDifference(app, lease, due)
  } catch (error) {
    if (isPassing(error)) throw error
    app.log.error({ err: error, event: encodeId('evt', due.eventId) }, 'the copy of an event could not be written')
    return (await noteFailure(app, lease, due, { category: 'provider_error' })) ? 'done' : 'lost'
  }
}

async function takeStep(app: App, step: DestinationStep): Promise<void> {
  if (step.endedAt !== null) {
    const isOver = step.keepsCopies || step.givesUpAt! <= app.clock.now()
    await (isOver ? forgetAll(app.sql, step) : withdrawAll(app.sql, step))
    return
  }
  const { block, guard, events } = fillDestination(app.sql, step)
  await commit(app, { steps: [block], guard, effects: [publishAll(app, events, app.sql`false`)] })
}
