import type { Role } from '../actors/roles.ts'
import type { Uuid } from '../shapes/ids.ts'
import { answersTo } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'

export type FactorRow = {
  accountId: Uuid
  email: string
  passwordHash: string | null
  /** The secret; null: the factor is off. */
  totpSealed: Buffer | null
  totpEnabledAt: Date | null
  factorRevision: number
  /** A secret that was shown lately and is not confirmed. */
  pendingSealed: Buffer | null
  recoveryCodesLeft: number
}

export const factorOf = (sql: Sql, accountId: Uuid) =>
  answersTo<FactorRow>(sql, (row) => row.accountId === accountId)`
  select
    a.id as account_id, a.email, a.password_hash, a.totp_sealed, a.totp_enabled_at, a.factor_revision,
    case when a.totp_pending_expires_at > app_now() then a.totp_pending_sealed end as pending_sealed,
    (select count(*)::integer from recovery_codes r where r.account_id = a.id) as recovery_codes_left
  from accounts a
  where a.id = ${accountId}`

type OrganizationOfAccount = {
  accountId: Uuid
  orgId: Uuid
  memberId: Uuid
  role: Role
  requiresFactor: boolean
}

export const organizationsOf = (sql: Sql, accountId: Uuid) =>
  answersTo<OrganizationOfAccount>(sql, (row) => row.accountId === accountId)`
  select m.account_id, m.org_id, m.id as member_id, m.role, o.require_second_factor as requires_factor
  from memberships m
  join organizations o on o.id = m.org_id
  where m.account_id = ${accountId}
  order by m.joined_at, m.id`

/** The account that a living challenge is for. */
export const challengedAccount = (sql: Sql, hash: Buffer) =>
  answersTo<{ hash: Buffer; accountId: Uuid }>(sql, (row) => hash.equals(row.hash))`
  select c.hash, c.account_id
  from sign_in_challenges c
  join accounts a on a.id = c.account_id and a.generation = c.generation
  where c.hash = ${hash} and c.expires_at > app_now()`
