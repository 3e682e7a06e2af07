import { type Counter, isMadeSince } from '../quotas/budget.ts'

export const countProposals: Counter = (sql, orgId, periodStart) => sql`
  select count(*)
  from proposals
  where ${isMadeSince(sql, orgId, periodStart)}`
