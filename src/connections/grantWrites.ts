// Guards and effects on grants.
import { type Effect, effect } from '../commit/effect.ts'
import { guard, type Step } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { uuids } from '../stores/sql.ts'
import type { GrantRow } from './grantQueries.ts'

export const insertGrant = (sql: Sql, row: GrantRow): Effect =>
  effect(
    'grant',
    sql`
    insert into availability_grants (org_id, id, audience, audience_cutoff_at, active, created_at)
    select
      ${row.orgId}::uuid, ${row.id}::uuid, ${row.audience}::text, ${row.audienceCutoffAt}::timestamptz,
      ${row.active}::boolean, ${row.createdAt}::timestamptz
    from ${guard}`,
  )

/** Matches if the grant has not changed since it was read and `lockedOrganization` has a row. */
export const updateGrantGuard = (sql: Sql, row: GrantRow, lockedOrganization: Step): Fragment => sql`
  update availability_grants
  set audience = ${row.audience}, audience_cutoff_at = ${row.audienceCutoffAt}, active = ${row.active},
    revision = revision + 1
  where org_id = ${row.orgId} and id = ${row.id} and revision = ${row.revision} and exists (select from ${lockedOrganization})
  returning org_id, id`

export const removeGrantGuard = (sql: Sql, orgId: Uuid, id: Uuid): Fragment => sql`
  delete from availability_grants
  where org_id = ${orgId} and id = ${id}
  returning org_id, id`

/** Makes the calendars of a grant these and no others. */
export const grantCalendars = (sql: Sql, grant: GrantRow): Effect[] =>
  grantItems(sql, grant, 'calendars', sql`external_calendar_id`, grant.calendarIds)

export const grantAgents = (sql: Sql, grant: GrantRow): Effect[] =>
  grantItems(sql, grant, 'agents', sql`agent_id`, grant.agentIds)

function grantItems(
  sql: Sql,
  { orgId, id }: GrantRow,
  noun: 'calendars' | 'agents',
  column: Fragment,
  ids: readonly Uuid[],
): Effect[] {
  const table = sql(`availability_grant_${noun}`)
  return [
    effect(
      `withdrawn_${noun}`,
      sql`
      delete from ${table} g
      using (select from ${guard} limit 1) one
      where g.org_id = ${orgId} and g.grant_id = ${id} and g.${column} <> all (${uuids(sql, ids)})`,
    ),
    effect(
      `granted_${noun}`,
      sql`
      insert into ${table} (org_id, grant_id, ${column})
      select ${orgId}::uuid, ${id}::uuid, unnest(${uuids(sql, ids)})
      from (select from ${guard} limit 1) one
      on conflict do nothing`,
    ),
  ]
}

/** The active connections of these calendars are read at once. */
export const makeDue = (sql: Sql, orgId: Uuid, calendarIds: readonly Uuid[], now: Date): Effect =>
  effect(
    'due_connections',
    sql`
    update calendar_connections n
    set next_read_at = greatest(n.held_until, least(n.next_read_at, ${now}))
    from (select from ${guard} limit 1) one
    where n.org_id = ${orgId} and n.status = 'active' and n.id in (
      select x.connection_id from external_calendars x
      where x.org_id = ${orgId} and x.id = any (${uuids(sql, calendarIds)}))
    returning n.id`,
  )
