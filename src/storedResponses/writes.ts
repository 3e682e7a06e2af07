import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'

export type ResponseRow = {
  orgId: Uuid
  id: Uuid
  fingerprint: Buffer
  status: number
  answerSealed: Buffer
  requestId: Uuid
  createdAt: Date
  /** The `id` of the guard's row, where many changes share a statement. */
  belongsTo: Uuid | null
}

const answerColumns = {
  orgId: 'uuid',
  id: 'uuid',
  fingerprint: 'bytea',
  status: 'smallint',
  answerSealed: 'bytea',
  requestId: 'uuid',
  createdAt: 'timestamptz',
  belongsTo: 'uuid',
} as const

/**
 * Of requests with one key the second fails with the primary key, and so does its whole change. Under the alias `a`, in one
 * order, so that two statements do not wait for each other.
 */
export const insertResponses = (sql: Sql, rows: readonly ResponseRow[], condition: Fragment): Fragment => sql`
  insert into answers (org_id, id, fingerprint, status, answer_sealed, request_id, created_at)
  select a.org_id, a.id, a.fingerprint, a.status, a.answer_sealed, a.request_id, a.created_at
  from ${rowsOf(sql, rows, answerColumns, 'a')}
  where ${condition}
  order by a.org_id, a.id`

/** An answer that is too old to count. */
export const deleteResponse = (sql: Sql, orgId: Uuid, id: Uuid, before: Date) => sql`
  delete from answers
  where org_id = ${orgId} and id = ${id} and created_at < ${before}`

/** At most `max` of those that are older; the rest has its turn in the next statement. */
export const deleteResponses = (sql: Sql, before: Date, max: number) => sql`
  delete from answers
  where (org_id, id) in (
    select org_id, id
    from answers
    where created_at < ${before}
    limit ${max}
    for update skip locked)`
