import type { Counter } from '../quotas/budget.ts'

export const countProposals: Counter = {
  rows: (sql, made) => sql`from proposals where ${made}`,
}
