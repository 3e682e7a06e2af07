// Reads and writes of revocations: a row is taken from a connection in the statement that removes it.
import { type Effect, effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { OauthProviderName } from '../providers/oauthProvider.ts'
import { dayMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { leaseEnd } from '../stores/claims.ts'
import { answersTo } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import type { ConnectionKey } from './queries.ts'

const keptMs = dayMs

/** The tokens of connections that go: `which` is a condition on them, as `n`; `at` is when they are revoked. */
const insertRevocations = (sql: Sql, which: Fragment, at: Fragment): Fragment => sql`
  insert into connection_revocations (
    org_id, id, provider, account_digest, credentials_sealed, next_run_at, ends_at)
  select
    n.org_id, n.id, n.provider, n.account_digest, n.credentials_sealed,
    ${at},
    app_now() + ${keptMs} * interval '1 millisecond'
  from calendar_connections n
  where n.provider <> 'caldav' and n.credentials_sealed is not null and ${which}
  on conflict do nothing`

/** `which` is a query of the `id` of connections. The events published through them are withdrawn first, until `givesUpAt`. */
export const revokeRemoved = (sql: Sql, orgId: Uuid, which: Fragment, givesUpAt: Date): Effect =>
  effect(
    'revocations',
    insertRevocations(
      sql,
      sql`n.org_id = ${orgId} and n.id in (${which}) and exists (select from ${guard})`,
      sql`case
      when exists (select from external_destinations d where d.org_id = n.org_id and d.connection_id = n.id)
      then ${givesUpAt}::timestamptz
      else app_now()
    end`,
    ),
  )

/** Of the organization whose `id` the guard returned. */
export const revokeOfOrganization = (sql: Sql): Effect =>
  effect('revocations', insertRevocations(sql, sql`n.org_id in (select id from ${guard})`, sql`app_now()`))

type Revocation = ConnectionKey & {
  provider: OauthProviderName
  accountDigest: Buffer
  credentialsSealed: Buffer
  attempts: number
  endsAt: Date
}

export const claimRevocation = (sql: Sql, { orgId, id }: ConnectionKey, leaseMs: number) =>
  answersTo<Revocation>(sql, (row) => row.orgId === orgId && row.id === id)`
  update connection_revocations
  set next_run_at = ${leaseEnd(sql, leaseMs)}, attempts = attempts + 1
  where org_id = ${orgId} and id = ${id} and next_run_at <= app_now()
  returning org_id, id, provider, account_digest, credentials_sealed, attempts, ends_at`

export const postponeRevocation = (sql: Sql, { orgId, id }: ConnectionKey, at: Date) => sql`
  update connection_revocations
  set next_run_at = ${at}
  where org_id = ${orgId} and id = ${id}`

/** Nothing of it is left here: its tokens go, and what could not be stopped ends by itself. */
export const endRevocation = (sql: Sql, { orgId, id }: ConnectionKey) => sql`
  with ended as (
    delete from connection_revocations
    where org_id = ${orgId} and id = ${id}
  ), departed as (
    delete from departing_connections
    where org_id = ${orgId} and id = ${id}
  )
  delete from connection_channels
  where org_id = ${orgId} and connection_id = ${id}`

type DueRevocation = ConnectionKey & { dueAt: Date }

/** Due after `from` (any time without it) and up to `until`, the earliest first; all of them without `max`. */
export const dueRevocations = (sql: Sql, from: Date | undefined, until: Date, max?: number) => sql<DueRevocation[]>`
  select org_id, id, next_run_at as due_at
  from connection_revocations
  where next_run_at <= ${until} ${from ? sql`and next_run_at > ${from}` : sql``}
  order by next_run_at
  limit ${max ?? null}`
