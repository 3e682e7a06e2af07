import type { Uuid } from '../shapes/ids.ts'
import type { Sql } from '../stores/postgres.ts'

type DueMail = { orgId: Uuid; id: Uuid; dueAt: Date }

/** Due after `from` (undefined: since ever) and up to `until`, the earliest first; at most `max` of them, if it is given. */
export const dueMails = (sql: Sql, from: Date | undefined, until: Date, max?: number) => sql<DueMail[]>`
  select org_id, id, next_attempt_at as due_at
  from mails
  where next_attempt_at <= ${until} ${from ? sql`and next_attempt_at > ${from}` : sql``}
  order by next_attempt_at
  limit ${max ?? null}`
