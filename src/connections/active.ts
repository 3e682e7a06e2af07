// How many connections an organization has: the plan caps them.
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

/** A scalar query. */
export const activeConnections = (sql: Sql, orgId: Uuid): Fragment => sql`
  select count(*)
  from calendar_connections
  where org_id = ${orgId}`
