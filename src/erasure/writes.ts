// Writes `erasures`, and deletes the rows of an organization in the tables of other nouns.
import { type Effect, effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'

/** For the organization whose `id` the guard returned. */
export const insertErasure = (sql: Sql, now: Date, dueAt: Date): Effect =>
  effect(
    'erasure',
    sql`
    insert into erasures (org_id, erased_at, next_run_at)
    select id, ${now}::timestamptz, ${dueAt}::timestamptz
    from ${guard}`,
  )

/** Leases an erasure that is due until `until`. */
export const claimErasure = (sql: Sql, orgId: Uuid, now: Date, until: Date) =>
  own<{ orgId: Uuid }>(sql, orgId)`
  update erasures
  set next_run_at = ${until}
  where org_id = ${orgId} and next_run_at <= ${now}
  returning org_id`

export const extendErasure = (sql: Sql, orgId: Uuid, until: Date) => sql`
  update erasures
  set next_run_at = ${until}
  where org_id = ${orgId}`

export const endErasure = (sql: Sql, orgId: Uuid) => sql`
  delete from erasures
  where org_id = ${orgId}`

/** The tables with rows of a deleted organization, in an order in which no row refers to one that was deleted before it. */
export const remainders = [
  'answers',
  'key_days',
  'approvals',
  'timers',
  'webhook_subscriptions',
  'proposal_responses',
  'proposal_slots',
  'proposals',
  'hold_groups',
  'bookings',
  'events',
  'availability_rules',
  'external_busy',
  'external_objects',
  'publications',
  'external_destinations',
  'publication_lanes',
  'connection_channels',
  'calendars',
  'agents',
] as const

export const deleteBlock = (sql: Sql, table: (typeof remainders)[number], orgId: Uuid, max: number) => sql`
  delete from ${sql(table)}
  where ctid = any (array(select ctid from ${sql(table)} where org_id = ${orgId} limit ${max}))`
