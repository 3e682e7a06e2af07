// Writes `memberships`.
import type { Role } from '../actors/roles.ts'
import { type Effect, effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Sql } from '../stores/postgres.ts'

export const setRole = (sql: Sql, orgId: Uuid, id: Uuid, role: Role): Effect =>
  effect(
    'role',
    sql`
    update memberships
    set role = ${role}
    from ${guard}
    where org_id = ${orgId} and memberships.id = ${id}`,
  )

/** The account is an admin of these organizations from now on. */
export const demoteOwner = (sql: Sql, accountId: Uuid, organizations: Effect): Effect =>
  effect(
    'role',
    sql`
    update memberships m
    set role = 'admin'
    from ${organizations} o
    where m.org_id = o.id and m.account_id = ${accountId}`,
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
