// Writes `mails`.
import { type Effect, effect, ringing } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import { leaseEnd } from '../stores/claims.ts'
import { answersTo } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'
import type { BookingMail } from './bookingMails.ts'
import { mailsRing } from './ring.ts'

type MailRow = {
  id: Uuid
  kind: string
  contentSealed: Buffer
  nextAttemptAt: Date
  expiresAt: Date | null
  createdAt: Date
}

const mailColumns = {
  id: 'uuid',
  kind: 'text',
  contentSealed: 'bytea',
  nextAttemptAt: 'timestamptz',
  expiresAt: 'timestamptz',
  createdAt: 'timestamptz',
} as const

/** `orgId` undefined: for the organization whose `id` the guard returned. */
export const insertMails = (sql: Sql, rows: readonly MailRow[], orgId?: Uuid): Effect =>
  ringing(
    mailsRing,
    sql`
    insert into mails (org_id, id, kind, content_sealed, next_attempt_at, expires_at, created_at)
    select
      ${orgId === undefined ? sql`${guard}.id` : sql`${orgId}::uuid`},
      r.id, r.kind, r.content_sealed, r.next_attempt_at, r.expires_at, r.created_at
    from ${guard}, ${rowsOf(sql, rows, mailColumns, 'r')}
    returning org_id, id, next_attempt_at`,
  )

/** Those of the organization whose `id` the guard returned. */
export const deleteMails = (sql: Sql): Effect =>
  effect(
    'deleted_mails',
    sql`
    delete from mails
    using ${guard}
    where org_id = ${guard}.id`,
  )

/** Held mails are due, except those that a worker has just claimed. The sweeper finds them. */
export const sendWaiting = (sql: Sql, orgId: Uuid, now: Date, leaseMs: number): Effect =>
  effect(
    'held_mails',
    sql`
    update mails
    set next_attempt_at = ${now}
    from ${guard}
    where org_id = ${orgId} and about ? 'isHeld' and next_attempt_at > ${new Date(now.getTime() + leaseMs)}`,
  )

/** It has either a content or a subject. */
export type ClaimedMail = Omit<MailRow, 'contentSealed'> & {
  orgId: Uuid
  attempts: number
  contentSealed: Buffer | null
  about: BookingMail | null
}

/** Claims a mail that is due: counts the attempt and leases the row until the attempt must have ended. */
export const claimMail = (sql: Sql, orgId: Uuid, id: Uuid, leaseMs: number) =>
  answersTo<ClaimedMail>(sql, (row) => row.orgId === orgId && row.id === id)`
  update mails
  set attempts = attempts + 1, next_attempt_at = ${leaseEnd(sql, leaseMs)}
  where org_id = ${orgId} and id = ${id} and next_attempt_at <= app_now()
  returning org_id, id, kind, content_sealed, about, attempts, next_attempt_at, expires_at, created_at`

/** `attempts` names the claim: an attempt that ends after its lease changes nothing. */
export const removeMail = (sql: Sql, { orgId, id, attempts }: ClaimedMail) => sql`
  delete from mails
  where org_id = ${orgId} and id = ${id} and attempts = ${attempts}`

/** As `removeMail`: only while the claim holds. `isCounted`: `mark`: of a mail without content. */
export const postponeMail = (
  sql: Sql,
  { orgId, id, attempts }: ClaimedMail,
  until: Date,
  mark?: 'isCounted' | 'isHeld',
) => sql`
  update mails
  set next_attempt_at = ${until}${mark ? sql`, about = about || jsonb_build_object(${mark}::text, true)` : sql``}
  where org_id = ${orgId} and id = ${id} and attempts = ${attempts}`

/** As `postponeMail`, and the attempt is not counted. */
export const giveBackMail = (sql: Sql, { orgId, id, attempts }: ClaimedMail, until: Date) => sql`
  update mails
  set attempts = attempts - 1, next_attempt_at = ${until}
  where org_id = ${orgId} and id = ${id} and attempts = ${attempts}`
