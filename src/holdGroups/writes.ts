// Writes `hold_groups`.
import { type Effect, effect } from '../commit/effect.ts'
import { guard, type Step, step } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { json, rowsOf } from '../stores/sql.ts'
import type { GroupRow } from './queries.ts'

export const insertGroup = (sql: Sql, row: GroupRow): Effect =>
  effect(
    'hold_group',
    sql`
    insert into hold_groups (
      org_id, id, agent_id, title_sealed, description_sealed, metadata, start_time, end_time,
      status, hold_expires_at, hold_priority, require_free, renew_until,
      requirements, created_at, updated_at)
    select
      ${row.orgId}::uuid, ${row.id}::uuid, ${row.agentId}::uuid, ${row.titleSealed}::bytea, ${row.descriptionSealed}::bytea,
      ${json(sql, row.metadata)}, ${row.startTime}::timestamptz, ${row.endTime}::timestamptz,
      ${row.status}::text, ${row.holdExpiresAt}::timestamptz, ${row.holdPriority}::smallint, ${row.requireFree}::boolean,
      ${row.renewUntil}::timestamptz,
      ${json(sql, row.requirements)}, ${row.createdAt}::timestamptz, ${row.updatedAt}::timestamptz
    where exists (select from ${guard})`,
  )

/** A step that locks the groups that are held and as they were read. `condition`: what must hold before it locks any. */
export const lockSeenGroups = (
  sql: Sql,
  orgId: Uuid,
  groups: readonly Pick<GroupRow, 'id' | 'revision'>[],
  condition: Fragment,
): Step =>
  step(
    'locked_groups',
    sql`
    select g.id
    from ${rowsOf(sql, groups, { id: 'uuid', revision: 'bigint' }, 's')}
    join hold_groups g on g.org_id = ${orgId} and g.id = s.id
    where g.status = 'held' and g.revision = s.revision and ${condition}
    order by g.id
    for no key update of g`,
  )

const stateColumns = {
  id: 'uuid',
  status: 'text',
  reason: 'text',
  holdExpiresAt: 'timestamptz',
  updatedAt: 'timestamptz',
} as const

/** Gives groups, which a step has locked, the state of these rows. */
export const rewriteGroups = (sql: Sql, orgId: Uuid, rows: readonly GroupRow[]): Effect =>
  effect(
    'hold_groups',
    sql`
    update hold_groups g
    set status = s.status,
      reason = s.reason,
      hold_expires_at = s.hold_expires_at,
      updated_at = s.updated_at,
      revision = g.revision + 1
    from ${rowsOf(sql, rows, stateColumns, 's')}
    where g.org_id = ${orgId} and g.id = s.id and exists (select from ${guard})`,
  )

/** The guard of a change of a group that is held and as it was read. */
export const seenGroup = (
  sql: Sql,
  { orgId, id, revision }: Pick<GroupRow, 'orgId' | 'id' | 'revision'>,
): Fragment => sql`
  select g.id
  from hold_groups g
  where g.org_id = ${orgId} and g.id = ${id} and g.status = 'held' and g.revision = ${revision}
  for no key update of g`
