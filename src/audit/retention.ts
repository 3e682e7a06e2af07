// How long the audit log lasts. Days that no organization keeps go as whole partitions; what shorter plans let go of
// earlier is deleted in blocks. Nobody sees it in the meantime: reading stops at the plan's retention as well.

import type { App } from '../app.ts'
import { limitsOf } from '../plans/plans.ts'
import { dayMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { deleteExpired, dropPartitions, type Keeper, keeperKinds, keepers, makePartitions } from './queries.ts'
import { keptSince } from './rules.ts'

const daysAhead = 14
const organizationsAtOnce = 500
const block = 5_000

export async function purgeAuditLog(app: App): Promise<void> {
  const now = app.clock.now()
  await makePartitions(app.sql, now, new Date(now.getTime() + daysAhead * dayMs))
  const longest = longestRetention(await keeperKinds(app.sql))
  if (longest !== null) await dropPartitions(app.sql, keptSince(longest, now))
  let last: Uuid | undefined
  for (;;) {
    const some = await keepers(app.sql, last, organizationsAtOnce)
    for (const [days, group] of Map.groupBy(some, retentionOf)) {
      if (days !== null) await deleteAll(app, group, keptSince(days, now))
    }
    if (some.length < organizationsAtOnce) return
    last = some.at(-1)!.id
  }
}

const retentionOf = ({ plan, limits }: Pick<Keeper, 'plan' | 'limits'>) => limitsOf(plan, limits).audit_retention_days

function longestRetention(kinds: readonly Pick<Keeper, 'plan' | 'limits'>[]): number | null {
  const days = kinds.map(retentionOf)
  return days.includes(null) ? null : Math.max(0, ...days.map(Number))
}

async function deleteAll({ sql }: App, group: readonly Keeper[], before: Date) {
  const ids = group.map(({ id }) => id)
  for (;;) {
    const { count } = await deleteExpired(sql, ids, before, block)
    if (count < block) return
  }
}
