// Reads connections that need their human.

import type { ConnectionKey } from '../connections/queries.ts'
import { own } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'

export const troubledConnection = (sql: Sql, { orgId, id }: ConnectionKey, now: Date) =>
  own<{ brokenAt: Date }>(sql, orgId)`
  select org_id, broken_at
  from calendar_connections
  where org_id = ${orgId} and id = ${id} and status = 'reauthorization_required' and attention_at <= ${now}`

/** The address of the member who connected the account. */
export const humanOf = (sql: Sql, { orgId, id }: ConnectionKey) =>
  own<{ email: string }>(sql, orgId)`
  select n.org_id, a.email
  from calendar_connections n
  join memberships m on m.org_id = n.org_id and m.id = n.member_id
  join accounts a on a.id = m.account_id
  where n.org_id = ${orgId} and n.id = ${id}`
