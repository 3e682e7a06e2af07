// What changes grants: guards and effects.
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

/** Matches if the grant has not changed since it was read and `standing` has a row. */
export const updateGrantGuard = (sql: Sql, row: GrantRow, standing: Step): Fragment => sql`
  update availability_grants
  set audience = ${row.audience}, audience_cutoff_at = ${row.audienceCutoffAt}, active = ${row.active},
    revision = revision + 1
  where org_id = ${row.orgId} and id = ${row.id} and revision = ${row.revision} and exists (select from ${standing})
  returning org_id, id`

export const removeGrantGuard = (sql: Sql, orgId: Uuid, id: Uuid): Fragment => sql`
  delete from availability_grants
  where org_id = ${orgId} and id = ${id}
  returning org_id, id`

/** Makes the calendars of a grant these and no others. */
export const grantCalendars = (sql: Sql, { orgId, id, calendarIds }: GrantRow): Effect[] => [
  effect(
    'withdrawn_calendars',
    sql`
    delete from availability_grant_calendars gc
    using (select from ${guard} limit 1) one
    where gc.org_id = ${orgId} and gc.grant_id = ${id} and gc.external_calendar_id <> all (${uuids(sql, calendarIds)})`,
  ),
  effect(
    'granted_calendars',
    sql`
    insert into availability_grant_calendars (org_id, grant_id, external_calendar_id)
    select ${orgId}::uuid, ${id}::uuid, unnest(${uuids(sql, calendarIds)})
    from (select from ${guard} limit 1) one
    on conflict do nothing`,
  ),
]

export const grantAgents = (sql: Sql, { orgId, id, agentIds }: GrantRow): Effect[] => [
  effect(
    'withdrawn_agents',
    sql`
    delete from availability_grant_agents ga
    using (select from ${guard} limit 1) one
    where ga.org_id = ${orgId} and ga.grant_id = ${id} and ga.agent_id <> all (${uuids(sql, agentIds)})`,
  ),
  effect(
    'granted_agents',
    sql`
    insert into availability_grant_agents (org_id, grant_id, agent_id)
    select ${orgId}::uuid, ${id}::uuid, unnest(${uuids(sql, agentIds)})
    from (select from ${guard} limit 1) one
    on conflict do nothing`,
  ),
]

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
