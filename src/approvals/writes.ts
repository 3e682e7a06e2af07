// Writes `approvals`.
import type { App } from '../app.ts'
import { type Effect, effect } from '../commit/effect.ts'
import { guard, hasRun, type Step } from '../commit/step.ts'
import { releaseKeys } from '../keys/writes.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import type { ApprovalRow } from './queries.ts'
import type { ApprovalStatus } from './schema.ts'

export const insertApproval = (sql: Sql, row: ApprovalRow): Effect =>
  effect(
    'approval',
    sql`
    insert into approvals (
      org_id, id, key_id, key_prefix, agent_id, calendar_id, action, request_sealed, request_hash,
      approver, token_hash, expires_at, created_at)
    select
      ${row.orgId}::uuid, ${row.id}::uuid, ${row.keyId}::uuid, ${row.keyPrefix}::text, ${row.agentId}::uuid,
      ${row.calendarId}::uuid, ${row.action}::text, ${row.requestSealed}::bytea, ${row.requestHash}::bytea,
      ${row.approver}::text, ${row.tokenHash}::bytea, ${row.expiresAt}::timestamptz, ${row.createdAt}::timestamptz
    from ${guard}`,
  )

type Decision = { status: ApprovalStatus; resultSealed: Buffer | null; now: Date }

const decision = (
  sql: Sql,
  { orgId, id }: Pick<ApprovalRow, 'orgId' | 'id'>,
  { status, resultSealed, now }: Decision,
) => sql`
  update approvals a
  set status = ${status}, result_sealed = ${resultSealed}::bytea, decided_at = ${now}
  where a.org_id = ${orgId} and a.id = ${id} and a.status = 'pending' and a.expires_at > ${now}`

/** Matches an approval that waits. */
export const decideGuard = (sql: Sql, row: Pick<ApprovalRow, 'orgId' | 'id'>, made: Decision): Fragment =>
  sql`${decision(sql, row, made)} returning a.org_id, a.key_id, a.id as approval_id`

/**
 * Decides in the statement of the approved change, behind its step `after`. If somebody else was faster, the whole statement fails. An effect that locks a
 * row which other decisions lock, too, selects from `decided`: Postgres runs effects that nothing reads in any order.
 */
export function decideInChange(
  { sql }: App,
  row: Pick<ApprovalRow, 'orgId' | 'id'>,
  made: Decision,
  after: Step | undefined,
): { decided: Step; effects: Effect[] } {
  const decided = effect(
    'decided_approval',
    sql`${decision(sql, row, made)} and exists (select from ${guard}) and ${hasRun(sql, after)} returning a.org_id, a.key_id, a.id`,
  )
  const missed = effect(
    'missed_approval',
    sql`
    insert into missed_approvals (id)
    select ${row.id}::uuid
    where exists (select from ${guard}) and not exists (select from ${decided})`,
  )
  return { decided, effects: [decided, missed, releaseKeys(sql, decided)] }
}

/** Expires the approvals of the guard's rows, `org_id, subject_id`. */
export const expireGuarded = (sql: Sql, now: Date): Effect =>
  effect(
    'expired',
    sql`
    update approvals a
    set status = 'expired', decided_at = ${now}
    from ${guard}
    where a.org_id = ${guard}.org_id and a.id = ${guard}.subject_id`,
  )

/** At most `max` that ended by then. */
export const deleteDecided = (sql: Sql, before: Date, max: number) => sql`
  delete from approvals
  where (org_id, id) in (
    select org_id, id
    from approvals
    where decided_at <= ${before}
    order by decided_at
    limit ${max}
    for update skip locked)`
