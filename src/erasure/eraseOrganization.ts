// Deletes the rows of deleted organizations in short statements. If a worker dies, another one continues.
import type { App } from '../app.ts'
import { deleteEntries } from '../audit/writes.ts'
import { deleteChanges } from '../changeLog/writes.ts'
import { deleteRefused } from '../refusedRequests/writes.ts'
import type { Uuid } from '../shapes/ids.ts'
import { repeatOnDeadlock } from '../stores/deadlocks.ts'
import { jobs } from '../wakeups/jobs.ts'
import { deleteDeliveries } from '../webhooks/retentionWrites.ts'
import { claimErasure, deleteBlock, endErasure, extendErasure, remainders } from './writes.ts'

const blockSize = 5_000
/** For tables that others refer to: each deleted row costs a look for rows that refer to it. */
const parentBlockSize = 50
const parents = new Set<string>(['webhook_subscriptions', 'proposals', 'calendars', 'agents'])

/** Does nothing if the erasure is not due or another worker has claimed it. */
export async function eraseOrganization(app: App, orgId: Uuid): Promise<void> {
  const { sql, clock } = app
  const now = clock.now()
  const [claimed] = await claimErasure(sql, orgId, now, leaseEnd(now))
  if (!claimed) return
  // Rows that were locked may have been skipped, so it ends after a round that found nothing.
  while ((await removeRound(app, orgId)) > 0);
  await endErasure(sql, orgId)
}

async function removeRound(app: App, orgId: Uuid): Promise<number> {
  const { sql } = app
  let removed = 0
  // These are partitioned. Deliveries go before their subscriptions.
  for (const remove of [deleteDeliveries, deleteChanges, deleteEntries, deleteRefused]) {
    removed += await removeAll(app, orgId, blockSize, () => remove(sql, orgId, blockSize))
  }
  for (const table of remainders) {
    const max = parents.has(table) ? parentBlockSize : blockSize
    removed += await removeAll(app, orgId, max, () => deleteBlock(sql, table, orgId, max))
  }
  return removed
}

const leaseEnd = (now: Date) => new Date(now.getTime() + jobs.erase.leaseMs)

async function removeAll(
  { sql, clock }: App,
  orgId: Uuid,
  max: number,
  remove: () => PromiseLike<{ count: number }>,
): Promise<number> {
  for (let removed = 0; ; ) {
    // The purge of old records may delete the same rows.
    const { count } = await repeatOnDeadlock(remove)
    removed += count
    if (count < max) return removed
    await extendErasure(sql, orgId, leaseEnd(clock.now()))
  }
}
