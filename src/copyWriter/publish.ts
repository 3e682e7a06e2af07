// The publishing engine: one worker at a time writes through a connection. It compares each due event with its copy, and writes the
// difference. Killed, repeated or late, it comes to the same end.
import type { App } from '../app.ts'
import { commit } from '../commit/commit.ts'
import { endDeparture } from '../connections/endedConnections.ts'
import { publishAll } from '../externalCopies/publish.ts'
import { encodeId } from '../shapes/ids.ts'
import { isPassing } from '../stores/failures.ts'
import { jobs, type Payload, wakeup } from '../wakeups/jobs.ts'
import {
  type DestinationStep,
  type DuePublication,
  type Lane,
  laneDueAt,
  nextPublication,
  nextStep,
} from './leaseQueries.ts'
import {
  type ClaimedLane,
  claimLane,
  fillDestination,
  forgetAll,
  parkDestination,
  parkPublications,
  releaseLane,
  removeEmpty,
  withdrawAll,
} from './leaseWrites.ts'
import { noteFailure } from './outcome.ts'
import { type WriteEnd, writeDifference } from './write.ts'

type Key = Payload<'publish'>

/**
 * Returns when nothing is due any more, or another worker has the lane: that one looks again when it lets go of it. False: this
 * process is ending.
 */
export async function publishThrough(app: App, lane: Lane, key: Key): Promise<boolean> {
  for (;;) {
    const [claimed] = await claimLane(app.sql, lane, jobs.publish.leaseMs)
    if (!claimed) return true
    const end = await work(app, claimed).finally(() => releaseLane(app.sql, claimed))
    if (end !== 'idle') return end !== 'closed'
    const [next] = await laneDueAt(app.sql, lane)
    if (!next?.dueAt) return true
    const now = app.clock.now()
    if (next.dueAt > now) {
      const isSoon = next.dueAt.getTime() - now.getTime() <= app.config.enqueueHorizonMs
      if (isSoon) app.bell.ring([wakeup('publish', key, next.dueAt)])
      return true
    }
  }
}

/** `lost`: the lane is another worker's. `closed`: this process is ending. */
async function work(app: App, lane: ClaimedLane): Promise<'idle' | 'lost' | 'closed'> {
  for (;;) {
    const [step] = await nextStep(app.sql, lane)
    const [due] = step ? [] : await nextPublication(app.sql, lane)
    if (step) await takeStep(app, step)
    else if (!due) break
    else if (due.standing === 'open') {
      const end = await writeOrFail(app, lane, due)
      if (end === 'lost' || end === 'closed') return end
    } else {
      await parkPublications(app.sql, lane, due.standing === 'waiting' ? 'queued' : 'failed')
      if (due.standing === 'broken') await parkDestination(app.sql, due, null)
    }
  }
  await removeEmpty(app.sql, lane)
  const ended = await endDeparture(app.sql, lane.orgId, lane.connectionId)
  app.bell.ring(ended.map(({ id, dueAt }) => wakeup('revoke', { orgId: lane.orgId, id }, dueAt)))
  return 'idle'
}

/** Our own faults count as failures too, so that what cannot be written is not tried for ever. */
async function writeOrFail(app: App, lane: ClaimedLane, due: DuePublication): Promise<WriteEnd> {
  try {
    return await writeDifference(app, lane, due)
  } catch (error) {
    if (isPassing(error)) throw error
    app.log.error({ err: error, event: encodeId('evt', due.eventId) }, 'the copy of an event could not be written')
    return (await noteFailure(app, lane, due, { category: 'provider_error' })) ? 'done' : 'lost'
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
