// Writes `memberships`. A change of the people of an organization bumps its revision in its guard, so that of two changes that were
// decided at one revision only the first happens.
import type { Role } from '../actors/roles.ts'
import { type Effect, effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

type Seen = { orgId: Uuid; revision: number }

/**
 * Matches while the organization has not changed since it was read. `email`: its new address, which is that of one of its owners and
 * may be that of other organizations, too; undefined: it stays.
 */
export const changePeopleGuard = (
  sql: Sql,
  { orgId, revision }: Seen,
  email: string | undefined,
  now: Date,
): Fragment => sql`
  update organizations
  set revision = revision + 1
    ${email === undefined ? sql`` : sql`, email = ${email}, email_verified = true, shares_address = true, updated_at = ${now}`}
  where id = ${orgId} and revision = ${revision}
  returning id`

export const setRole = (sql: Sql, orgId: Uuid, id: Uuid, role: Role): Effect =>
  effect(
    'role',
    sql`
    update memberships
    set role = ${role}
    from ${guard}
    where org_id = ${orgId} and memberships.id = ${id}`,
  )

/** Sessions of the account in this organization end with it; without another membership the account goes, too. */
export const deleteMembership = (sql: Sql, orgId: Uuid, id: Uuid): Effect =>
  effect(
    'membership',
    sql`
    delete from memberships
    using ${guard}
    where org_id = ${orgId} and memberships.id = ${id}`,
  )

/** Matches while the account has not made another organization since it was read. Returns the `id` of the new one. */
export const countOrganizationGuard = (
  sql: Sql,
  { id, revision }: { id: Uuid; revision: number },
  orgId: Uuid,
): Fragment => sql`
  update accounts
  set revision = revision + 1
  where id = ${id} and revision = ${revision}
  returning ${orgId}::uuid as id`
