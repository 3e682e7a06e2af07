// What deleted organizations leave behind is removed in short statements. If a worker dies, another one continues.
import type { App } from '../app.ts'
import { deleteEntries } from '../audit/writes.ts'
import type { Uuid } from '../shapes/ids.ts'
import { repeatOnDeadlock } from '../stores/deadlocks.ts'
import { type Coming, comingBy } from '../sweeps/sweeps.ts'
import { type Wakeup, wakeErasure } from '../wakeups/jobs.ts'
import { dueErasures } from './queries.ts'
import { claimErasure, deleteBlock, endErasure, extendErasure, remainders } from './writes.ts'

const maxAtOnce = 100
const leaseMs = 60_000
const blockSize = 5_000
/** For tables that others refer to: each deleted row costs a look for rows that refer to it. */
const parentBlockSize = 50
const parents = new Set<string>(['webhook_subscriptions', 'proposals', 'calendars', 'agents'])

export const erasureWakeups = async (app: App, until: Date, rescuedAt?: Date): Promise<Wakeup[]> =>
  (await dueErasures(app.sql, undefined, until, maxAtOnce)).map((row) =>
    wakeErasure(row.orgId, row.nextRunAt, rescuedAt),
  )

export const comingErasures = (app: App, from: Date, until: Date): Promise<Coming> =>
  comingBy(until, maxAtOnce, async (end, max) =>
    (await dueErasures(app.sql, from, end, max)).map((row) => wakeErasure(row.orgId, row.nextRunAt)),
  )

/** Does nothing if the erasure is not due or another worker has claimed it. */
export async function removeRemains(app: App, orgId: Uuid): Promise<void> {
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
  for (const table of remainders) {
    const max = parents.has(table) ? parentBlockSize : blockSize
    removed += await removeAll(app, orgId, max, () => deleteBlock(sql, table, orgId, max))
  }
  return removed + (await removeAll(app, orgId, blockSize, () => deleteEntries(sql, orgId, blockSize)))
}

const leaseEnd = (now: Date) => new Date(now.getTime() + leaseMs)

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
