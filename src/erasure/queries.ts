import type { Uuid } from '../shapes/ids.ts'
import type { Sql } from '../stores/postgres.ts'

/** Due after `from` (undefined: since ever) and up to `until`, the earliest first; at most `max` of them, if it is given. */
export const dueErasures = (sql: Sql, from: Date | undefined, until: Date, max?: number) => sql<
  { orgId: Uuid; id: Uuid; dueAt: Date }[]
>`
  select org_id, org_id as id, next_run_at as due_at
  from erasures
  where next_run_at <= ${until} ${from ? sql`and next_run_at > ${from}` : sql``}
  order by next_run_at
  limit ${max ?? null}`
