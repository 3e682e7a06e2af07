// What remains of deleted organizations is removed in short statements. Whoever dies at it is followed by somebody else.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import { repeatOnDeadlock } from '../stores/deadlocks.ts'
import { claimErasure, deleteBlock, deleteEntries, endErasure, extendErasure, remainders } from './queries.ts'

const leaseMs = 60_000
const block = 5_000
/** Rows that others hang on: each of them costs a look for those. */
const parentBlock = 50
const parents = new Set<string>(['webhook_subscriptions', 'proposals', 'calendars', 'agents'])

/** Does nothing while it is not due, or somebody else is at it. */
export async function removeRemains(app: App, orgId: Uuid): Promise<void> {
  const { sql, clock } = app
  const now = clock.now()
  const [mine] = await claimErasure(sql, orgId, now, leaseEnd(now))
  if (!mine) return
  // Whoever met another one at it may have passed over a block: over when a whole round found nothing.
  while ((await removeRound(app, orgId)) > 0);
  await endErasure(sql, orgId)
}

async function removeRound(app: App, orgId: Uuid): Promise<number> {
  const { sql } = app
  let removed = 0
  for (const table of remainders) {
    const most = parents.has(table) ? parentBlock : block
    removed += await removeAll(app, orgId, most, () => deleteBlock(sql, table, orgId, most))
  }
  return removed + (await removeAll(app, orgId, block, () => deleteEntries(sql, orgId, block)))
}

const leaseEnd = (now: Date) => new Date(now.getTime() + leaseMs)

async function removeAll(
  { sql, clock }: App,
  orgId: Uuid,
  most: number,
  remove: () => PromiseLike<{ count: number }>,
): Promise<number> {
  for (let removed = 0; ; ) {
    // The purge of old records may be at the same rows.
    const { count } = await repeatOnDeadlock(remove)
    removed += count
    if (count < most) return removed
    await extendErasure(sql, orgId, leaseEnd(clock.now()))
  }
}
