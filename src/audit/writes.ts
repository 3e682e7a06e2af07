// What is deleted from `audit_entries`. The table is partitioned: rows are named by their key, since a `ctid` is only unique
// within a partition.
import type { Uuid } from '../shapes/ids.ts'
import type { Sql } from '../stores/postgres.ts'
import { uuids } from '../stores/sql.ts'

/** Up to `max` entries of the organizations that are older than `before`. */
export const deleteExpired = (sql: Sql, orgIds: readonly Uuid[], before: Date, max: number) => sql`
  delete from audit_entries
  where (org_id, created_at, id) in (
    select org_id, created_at, id
    from audit_entries
    where org_id = any (${uuids(sql, orgIds)}) and created_at < ${before}
    limit ${max})`

/** Up to `max` entries of an organization. */
export const deleteEntries = (sql: Sql, orgId: Uuid, max: number) => sql`
  delete from audit_entries
  where (org_id, created_at, id) in (
    select org_id, created_at, id
    from audit_entries
    where org_id = ${orgId}
    limit ${max})`
