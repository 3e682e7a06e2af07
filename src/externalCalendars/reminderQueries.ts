// Reads connections that need their human.

import type { ConnectionKey } from '../connections/queries.ts'
import type { Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'

export const troubledConnection = (sql: Sql, { orgId, id }: ConnectionKey, now: Date) =>
  own<{ brokenAt: Date }>(sql, orgId)`
  select org_id, broken_at
  from calendar_connections
  where org_id = ${orgId} and id = ${id} and status = 'reauthorization_required' and attention_at <= ${now}`

/** The address of the console account, which is that of the human. */
export const humanOf = (sql: Sql, orgId: Uuid) =>
  own<{ email: string }>(sql, orgId)`
  select org_id, email
  from accounts
  where org_id = ${orgId}`
