// Writes `organizations`. Effects change the organization whose `id` the guard returned. Every change bumps the revision: a
// change that was decided at an older one matches nothing.
import { type Effect, effect } from '../commit/effect.ts'
import { guard, type Step, step } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { json, rowsOf } from '../stores/sql.ts'
import type { OrganizationRow } from './row.ts'

/** Matches nothing if somebody has signed up with the address already, unless the new one may share it. */
export const insertOrganizationGuard = (sql: Sql, row: OrganizationRow): Fragment => sql`
  insert into organizations (
    id, name, email, plan, limits, rate_limit_per_second,
    verification_status, signup_source, email_verified,
    is_waitlisted, waitlisted_at, accepted_terms_version, accepted_terms_at,
    shares_address, created_at, updated_at)
  values (
    ${row.id}, ${row.name}, ${row.email}, ${row.plan}, ${json(sql, row.limits)}, ${row.rateLimitPerSecond},
    ${row.verificationStatus}, ${row.signupSource}, ${row.emailVerified},
    ${row.isWaitlisted}, ${row.waitlistedAt}, ${row.acceptedTermsVersion}, ${row.acceptedTermsAt},
    ${row.sharesAddress}, ${row.createdAt}, ${row.updatedAt})
  on conflict (lower(email)) where signup_source <> 'admin' and not shares_address do nothing
  returning id`

/** One that a member makes. It shares the address of its owner, so that nothing is in its way. */
export const insertOrganization = (sql: Sql, row: OrganizationRow): Effect =>
  effect(
    'organization',
    sql`
    insert into organizations (
      id, name, email, plan, signup_source, email_verified, shares_address,
      accepted_terms_version, accepted_terms_at, created_at, updated_at)
    select
      ${row.id}::uuid, ${row.name}::text, ${row.email}::text, ${row.plan}::text, ${row.signupSource}::text, ${row.emailVerified}::boolean,
      ${row.sharesAddress}::boolean, ${row.acceptedTermsVersion}::text, ${row.acceptedTermsAt}::timestamptz,
      ${row.createdAt}::timestamptz, ${row.updatedAt}::timestamptz
    from ${guard}`,
  )

/** Matches if the organization has not changed since it was read. */
export const changeByMemberGuard = (sql: Sql, row: OrganizationRow): Fragment => sql`
  update organizations
  set name = ${row.name}, require_second_factor = ${row.requireSecondFactor}, updated_at = ${row.updatedAt},
    revision = revision + 1
  where id = ${row.id} and revision = ${row.revision}
  returning id`

/** A change by an administrator. Matches if the organization has not changed since it was read. */
export const changeOrganizationGuard = (sql: Sql, row: OrganizationRow): Fragment => sql`
  update organizations
  set plan = ${row.plan},
    limits = ${json(sql, row.limits)},
    rate_limit_per_second = ${row.rateLimitPerSecond},
    verification_status = ${row.verificationStatus},
    is_waitlisted = ${row.isWaitlisted},
    waitlisted_at = ${row.waitlistedAt},
    updated_at = ${row.updatedAt},
    revision = revision + 1
  where id = ${row.id} and revision = ${row.revision}
  returning id`

/** Changes nothing else. Matches if the organization has not changed since it was read, and returns its new `revision`. */
export const bumpRevisionGuard = (sql: Sql, id: Uuid, seen: number): Fragment => sql`
  update organizations
  set revision = revision + 1
  where id = ${id} and revision = ${seen}
  returning revision`

/** Matches an organization whose pages are not so yet. */
export const openPagesGuard = (sql: Sql, id: Uuid, closedAt: Date | null): Fragment => sql`
  update organizations
  set pages_closed_at = ${closedAt}::timestamptz, revision = revision + 1
  where id = ${id} and (pages_closed_at is null) = (${closedAt}::timestamptz is not null)
  returning id`

/** A step that does the same for many changes: `changes` has locked their organizations, `org_id`, each of which counts one. */
export const bumpRevisions = (sql: Sql, changes: Step): Step =>
  step(
    'bumped_organizations',
    sql`
    update organizations o
    set revision = o.revision + 1
    from (select distinct org_id from ${changes}) n
    where o.id = n.org_id`,
  )

/** Matches an organization that is on the waitlist. */
export const activateOrganizationGuard = (sql: Sql, id: Uuid, now: Date): Fragment => sql`
  update organizations
  set is_waitlisted = false, updated_at = ${now}, revision = revision + 1
  where id = ${id} and is_waitlisted
  returning id`

/** Matches if `condition` holds and, where a revision is given, the organization has not changed since it was read. */
export const acceptTermsGuard = (
  sql: Sql,
  { id, revision }: { id: Uuid; revision?: number },
  version: string,
  now: Date,
  condition: Fragment,
): Fragment => sql`
  update organizations
  set accepted_terms_version = ${version}, accepted_terms_at = ${now}, updated_at = ${now}, revision = revision + 1
  where id = ${id} ${revision === undefined ? sql`` : sql`and revision = ${revision}`}
    and ${condition}
  returning id`

export const verifyAddress = (sql: Sql, now: Date): Effect =>
  effect(
    'organization',
    sql`
    update organizations
    set email_verified = true, updated_at = ${now}, revision = revision + 1
    from ${guard}
    where organizations.id = ${guard}.id`,
  )

type Completion = { name: string | null; termsVersion: string | null; emailVerified: boolean }

/** Data that a sign-up adds to an existing organization. A null field stays unchanged. */
export const completeOrganization = (sql: Sql, { name, termsVersion, emailVerified }: Completion, now: Date): Effect =>
  effect(
    'organization',
    sql`
    update organizations
    set name = coalesce(${name}::text, name),
      accepted_terms_version = coalesce(${termsVersion}::text, accepted_terms_version),
      accepted_terms_at = case when ${termsVersion}::text is null then accepted_terms_at else ${now}::timestamptz end,
      email_verified = email_verified or ${emailVerified},
      updated_at = ${now},
      revision = revision + 1
    from ${guard}
    where organizations.id = ${guard}.id`,
  )

export const liftSandbox = (sql: Sql, now: Date): Effect =>
  effect(
    'organization',
    sql`
    update organizations
    set verification_status = 'verified', plan = 'free-agent', email_verified = true, updated_at = ${now},
      revision = revision + 1
    from ${guard}
    where organizations.id = ${guard}.id and verification_status = 'unverified'`,
  )

/**
 * Matches if the organization has not changed since it was read. Keys, memberships with their sessions, counters, feed subscriptions and
 * booking pages cascade, and so do accounts without another organization; acceptances of terms stay.
 */
export const deleteOrganizationGuard = (sql: Sql, { id, revision }: { id: Uuid; revision: number }): Fragment => sql`
  delete from organizations
  where id = ${id} and revision = ${revision}
  returning id`

/** For a change whose guard returns no organization: a change that depends on a count at this revision reads again. */
export const bumpRevision = (sql: Sql, id: Uuid): Effect =>
  effect(
    'revision',
    sql`
    update organizations
    set revision = revision + 1
    from ${guard}
    where organizations.id = ${id}`,
  )

/**
 * Matches while the organization has not changed since it was read. `email`: its new address, which is that of one of its owners and
 * may be that of other organizations, too; undefined: it stays.
 */
export const changePeopleGuard = (
  sql: Sql,
  { orgId, revision }: { orgId: Uuid; revision: number },
  email: string | undefined,
  now: Date,
): Fragment => sql`
  update organizations
  set revision = revision + 1
    ${email === undefined ? sql`` : sql`, email = ${email}, email_verified = true, shares_address = true, updated_at = ${now}`}
  where id = ${orgId} and revision = ${revision}
  returning id`

type Seen = { orgId: Uuid; revision: number }
const seenColumns = { orgId: 'uuid', revision: 'bigint' } as const

/** Locks those that have not changed since they were read. */
export const organizationsAt = (sql: Sql, seen: readonly Seen[]): Step =>
  step(
    'locked_organizations',
    sql`
    select o.id
    from ${rowsOf(sql, seen, seenColumns, 's')}
    join organizations o on o.id = s.org_id and o.revision = s.revision
    order by o.id
    for update of o`,
  )

/** A guard: matches if a step has found this many rows. */
export const allOf = (sql: Sql, found: Step, count: number): Fragment => sql`
  select from (select count(*) as found from ${found}) f where f.found = ${count}`

/** As `changePeopleGuard`, for several that are locked. A null address stays. */
export const changePeopleOf = (sql: Sql, of: readonly (Seen & { email: string | null })[], now: Date): Effect =>
  effect(
    'organizations',
    sql`
    update organizations o
    set revision = o.revision + 1,
      email = coalesce(s.email, o.email),
      email_verified = o.email_verified or s.email is not null,
      shares_address = o.shares_address or s.email is not null,
      updated_at = case when s.email is null then o.updated_at else ${now} end
    from ${guard}, ${rowsOf(sql, of, { ...seenColumns, email: 'text' }, 's')}
    where o.id = s.org_id
    returning o.id`,
  )
