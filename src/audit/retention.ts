// The retention of the audit log. Days that no organization keeps are dropped as whole partitions; older entries of shorter
// plans are deleted in blocks. They are invisible in the meantime: reading stops at the plan's retention as well.

import type { App } from '../app.ts'
import { limitsOf } from '../plans/plans.ts'
import { dayMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { inBlocks } from '../stores/inBlocks.ts'
import { dropPartitions, type Keeper, keeperKinds, keepers, makePartitions } from './queries.ts'
import { keptSince } from './rules.ts'
import { deleteExpired } from './writes.ts'

const daysAhead = 14
const organizationsAtOnce = 500

export async function purgeAuditLog(app: App): Promise<void> {
  const now = app.clock.now()
  await makePartitions(app.sql, now, new Date(now.getTime() + daysAhead * dayMs))
  const longest = longestRetention(await keeperKinds(app.sql))
  if (longest !== null) await dropPartitions(app.sql, keptSince(longest, now))
  let last: Uuid | undefined
  for (;;) {
    const block = await keepers(app.sql, last, organizationsAtOnce)
    for (const [days, group] of Map.groupBy(block, retentionOf)) {
      if (days !== null) await deleteAll(app, group, keptSince(days, now))
    }
    if (block.length < organizationsAtOnce) return
    last = block.at(-1)!.id
  }
}

const retentionOf = ({ plan, limits }: Pick<Keeper, 'plan' | 'limits'>) => limitsOf(plan, limits).audit_retention_days

function longestRetention(kinds: readonly Pick<Keeper, 'plan' | 'limits'>[]): number | null {
  const days = kinds.map(retentionOf)
  return days.includes(null) ? null : Math.max(0, ...days.map(Number))
}

function deleteAll({ sql }: App, group: readonly Keeper[], before: Date): Promise<void> {
  const ids = group.map(({ id }) => id)
  return inBlocks(5_000, (max) => deleteExpired(sql, ids, before, max))
}
