import type { Uuid } from '../shapes/ids.ts'
import { answersTo } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

type MailRow = {
  id: Uuid
  kind: string
  contentSealed: Buffer
  nextAttemptAt: Date
  expiresAt: Date | null
  createdAt: Date
}

/** For the organization that the guard returned as `id`. */
export const insertMail = (sql: Sql, row: MailRow): Fragment => sql`
  insert into mails (org_id, id, kind, content_sealed, next_attempt_at, expires_at, created_at)
  select guard.id, ${row.id}::uuid, ${row.kind}::text, ${row.contentSealed}::bytea, ${row.nextAttemptAt}::timestamptz,
    ${row.expiresAt}::timestamptz, ${row.createdAt}::timestamptz
  from guard
  returning org_id, id, attempts, next_attempt_at`

export type ClaimedMail = MailRow & { orgId: Uuid; attempts: number }

/** Takes a mail that is due: counts the attempt, and leases the row until the attempt can't be under way any more. */
export const claimMail = (sql: Sql, orgId: Uuid, id: Uuid, leaseMs: number) =>
  answersTo<ClaimedMail>(sql, (row) => row.orgId === orgId && row.id === id)`
  update mails set attempts = attempts + 1, next_attempt_at = app_now() + ${leaseMs} * interval '1 millisecond'
  where org_id = ${orgId} and id = ${id} and next_attempt_at <= app_now()
  returning org_id, id, kind, content_sealed, attempts, next_attempt_at, expires_at, created_at`

/** `attempts` names the claim: one that came to its end too late changes nothing. */
export const removeMail = (sql: Sql, { orgId, id, attempts }: ClaimedMail) => sql`
  delete from mails where org_id = ${orgId} and id = ${id} and attempts = ${attempts}`

export const postponeMail = (sql: Sql, { orgId, id, attempts }: ClaimedMail, until: Date) => sql`
  update mails set next_attempt_at = ${until} where org_id = ${orgId} and id = ${id} and attempts = ${attempts}`

type DueMail = { orgId: Uuid; id: Uuid; attempts: number; dueAt: Date }

/** Due after `from` (undefined: since ever) and up to `until`, the earliest first; all of them unless told how many. */
export const dueMails = (sql: Sql, from: Date | undefined, until: Date, most?: number) => sql<DueMail[]>`
  select org_id, id, attempts, next_attempt_at as due_at from mails
  where next_attempt_at <= ${until} ${from ? sql`and next_attempt_at > ${from}` : sql``}
  order by next_attempt_at limit ${most ?? null}`
