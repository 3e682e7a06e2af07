// How many approvals wait, and how many were decided lately, for the gauge. Counting stops at `maxCounted` rows of each kind.
import type { App } from '../app.ts'
import { hourMs } from '../shapes/durations.ts'
import { type ApprovalStatus, approvalStatuses } from './schema.ts'

const maxCounted = 10_000
const latelyMs = 24 * hourMs

/** By status: all that wait, and those that ended within a day. */
export async function approvalCounts({ sql, clock }: App): Promise<Record<ApprovalStatus, number>> {
  const since = new Date(clock.now().getTime() - latelyMs)
  const rows = await sql<{ status: ApprovalStatus; count: number }[]>`
    select status, count(*)::integer as count
    from (
      (select status from approvals where status = 'pending' limit ${maxCounted})
      union all
      (select status from approvals where decided_at > ${since} order by decided_at desc limit ${maxCounted})
    ) counted
    group by status`
  const counts = new Map(rows.map(({ status, count }) => [status, count]))
  return Object.fromEntries(approvalStatuses.map((status) => [status, counts.get(status) ?? 0])) as Record<
    ApprovalStatus,
    number
  >
}
