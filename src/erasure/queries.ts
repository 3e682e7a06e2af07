import type { Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

/** The guard. Keys, sessions, sign-ins, counters, subscriptions and booking pages go with it; acceptances of terms stay. */
export const deleteOrganization = (sql: Sql, orgId: Uuid): Fragment =>
  sql`delete from organizations where id = ${orgId} returning id`

export const insertErasure = (sql: Sql, now: Date, dueAt: Date): Fragment => sql`
  insert into erasures (org_id, erased_at, next_run_at) select id, ${now}::timestamptz, ${dueAt}::timestamptz from guard`

/** Feeds find nothing from now on, timers come to nothing, and what was about to be written misses. */
export const closeCalendars = (sql: Sql, now: Date): Fragment => sql`
  update calendars c set deleted_at = ${now} from guard where c.org_id = guard.id and c.deleted_at is null`

/** No delivery of theirs is attempted any more. Locked in the one order (docs/decisions/lock-order.md). */
export const closeWebhooks = (sql: Sql, now: Date): Fragment => sql`
  update webhook_subscriptions s set deleted_at = ${now}, active = false
  from (
    select o.org_id, o.id from webhook_subscriptions o join guard on o.org_id = guard.id
    where o.deleted_at is null order by o.org_id, o.id for no key update of o) open
  where s.org_id = open.org_id and s.id = open.id`

export const dueErasures = (sql: Sql, from: Date | undefined, until: Date, most?: number) => sql<
  { orgId: Uuid; nextRunAt: Date }[]
>`
  select org_id, next_run_at from erasures
  where next_run_at <= ${until} ${from ? sql`and next_run_at > ${from}` : sql``}
  order by next_run_at limit ${most ?? null}`

export const claimErasure = (sql: Sql, orgId: Uuid, now: Date, until: Date) =>
  own<{ orgId: Uuid }>(sql, orgId)`
  update erasures set next_run_at = ${until} where org_id = ${orgId} and next_run_at <= ${now} returning org_id`

export const extendErasure = (sql: Sql, orgId: Uuid, until: Date) => sql`
  update erasures set next_run_at = ${until} where org_id = ${orgId}`

export const endErasure = (sql: Sql, orgId: Uuid) => sql`delete from erasures where org_id = ${orgId}`

/** What is left of an organization, in an order in which nothing hangs on anything that goes before it. */
export const remainders = [
  'timers',
  'webhook_deliveries',
  'webhook_subscriptions',
  'proposal_responses',
  'proposal_slots',
  'proposals',
  'events',
  'availability_rules',
  'calendars',
  'agents',
] as const

export const deleteBlock = (sql: Sql, table: (typeof remainders)[number], orgId: Uuid, most: number) => sql`
  delete from ${sql(table)} where ctid = any (array(select ctid from ${sql(table)} where org_id = ${orgId} limit ${most}))`

/** Partitioned: a place in one partition says nothing about the others. */
export const deleteEntries = (sql: Sql, orgId: Uuid, most: number) => sql`
  delete from audit_entries where (org_id, created_at, id) in (
    select org_id, created_at, id from audit_entries where org_id = ${orgId} limit ${most})`
