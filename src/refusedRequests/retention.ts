// A request is in the partition of the day on which it stops being kept, whatever the plan: past days are dropped as whole tables.
import type { App } from '../app.ts'
import { dayMs } from '../shapes/durations.ts'
import { dropPartitions, makePartitions } from './queries.ts'
import { maxRetentionMs } from './rules.ts'

export async function purgeRefusedRequests({ sql, clock }: App): Promise<void> {
  const now = clock.now()
  await makePartitions(sql, now, new Date(now.getTime() + maxRetentionMs + dayMs))
  await dropPartitions(sql, now)
}
