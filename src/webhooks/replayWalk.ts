// Upkeep walks a replay block by block. A block and its progress are one statement, so a worker that dies leaves either all of it
// or none, and another one goes on. It waits while the subscription has enough to do: what happens meanwhile is sent in between.

import type { App } from '../app.ts'
import { commit } from '../commit/commit.ts'
import { dayMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { inBlocks } from '../stores/inBlocks.ts'
import { sourceOfRows } from '../sweeps/source.ts'
import { jobs, wakeup } from '../wakeups/jobs.ts'
import {
  advanceReplayGuard,
  dueReplays,
  endReplay,
  lockedSubscription,
  nextOfReplay,
  postponeReplay,
  purgeReplays,
  type ReplayItem,
  replayEffects,
  type WalkRow,
} from './replayWrites.ts'

const blockSize = 200
/** So many due deliveries of a subscription are enough. */
const maxWaiting = 400
const pauseMs = 1_000
/** How often it is asked whether a stopped organization goes on. */
const stoppedForMs = 60_000

/**
 * Ends when the replay is done, or waits for the receiver: then it is due again a moment later. While its organization is stopped, it
 * sends nothing more.
 */
export async function walkReplay(app: App, { orgId, id }: { orgId: Uuid; id: Uuid }): Promise<void> {
  const { sql } = app
  for (;;) {
    const [row] = await nextOfReplay(sql, orgId, id, 2 * blockSize, maxWaiting)
    if (!row) return
    if (row.isStopped) return pause(app, row, stoppedForMs)
    if (row.waiting >= maxWaiting) return pause(app, row, pauseMs)
    if (!(await walkBlock(app, row))) return
  }
}

async function pause(app: App, { orgId, id }: WalkRow, ms: number): Promise<void> {
  const dueAt = new Date(app.clock.now().getTime() + ms)
  await postponeReplay(app.sql, orgId, id, dueAt)
  app.bell.ring([wakeup('replay', { orgId, id }, dueAt)])
}

/** False: it is done, or another worker is at it. */
async function walkBlock(app: App, row: WalkRow): Promise<boolean> {
  const items = blockOf(row)
  const to = row.progress + items.length
  const subscription = lockedSubscription(app.sql, row)
  const nextRunAt = new Date(app.clock.now().getTime() + pauseMs)
  const { matched } = await commit(app, {
    steps: [subscription],
    guard: advanceReplayGuard(app, row, subscription, { to, nextRunAt }),
    effects: replayEffects(app, row, items, jobs.deliver.leaseMs),
  })
  if (matched) {
    const missed = items.filter(({ deliveryId }) => deliveryId === null).length
    app.metrics.webhookReplayed.inc({ kind: 'again' }, items.length - missed)
    app.metrics.webhookReplayed.inc({ kind: 'missed' }, missed)
    return to < row.matched
  }
  const [now] = await nextOfReplay(app.sql, row.orgId, row.id, 1, 1)
  // No other worker has walked on, so its subscription was deleted.
  if (now?.progress === row.progress) await endReplay(app.sql, row.orgId, row.id)
  return false
}

/** A change is never divided: its deliveries get their order in one statement. */
function blockOf({ changeIds, positions, seqs, deliveryIds, matched, progress }: WalkRow): ReplayItem[] {
  const items = changeIds.map((changeId, nth) => ({
    changeId,
    position: positions[nth]!,
    seq: seqs[nth]!,
    deliveryId: deliveryIds[nth]!,
  }))
  if (progress + items.length >= matched && items.length <= blockSize) return items
  const last = items[Math.min(blockSize, items.length) - 1]!
  const end = items.findLastIndex(({ changeId }) => changeId === last.changeId) + 1
  return items.slice(0, end)
}

export const replaysDue = sourceOfRows({
  name: 'replays',
  job: 'replay',
  earliest: (sql) => sql`select min(next_run_at) from webhook_replays`,
  max: 100,
  find: ({ sql }, ...of) => dueReplays(sql, ...of),
})

const keptMs = 30 * dayMs

/** Removes replays that were done long ago. */
export async function purgeOldReplays(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - keptMs)
  await inBlocks(500, (max) => purgeReplays(app.sql, before, max))
}
