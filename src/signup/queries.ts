import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

/** Matches an organization in the sandbox. */
export const sandboxGuard = (sql: Sql, orgId: Uuid): Fragment => sql`
  select id
  from organizations
  where id = ${orgId} and verification_status = 'unverified'
  for no key update`
