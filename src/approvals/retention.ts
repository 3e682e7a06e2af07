import type { App } from '../app.ts'
import { dayMs } from '../shapes/durations.ts'
import { inBlocks } from '../stores/inBlocks.ts'
import { deleteDecided } from './writes.ts'

/** As long as the change feed tells of a decision, on any plan. */
const keptMs = 30 * dayMs

/** Removes approvals that were decided, or expired, long ago. */
export function purgeApprovals({ sql, clock }: App): Promise<void> {
  const before = new Date(clock.now().getTime() - keptMs)
  return inBlocks(1_000, (max) => deleteDecided(sql, before, max))
}
