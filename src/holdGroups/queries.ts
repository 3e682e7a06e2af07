import type { Uuid } from '../shapes/ids.ts'
import type { Page } from '../shapes/lists.ts'
import { answersTo, askedBy, isOneOf, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { rowsOf, uuids } from '../stores/sql.ts'
import type { GroupReason, GroupStatus, Requirement } from './rules.ts'

export type GroupRow = {
  orgId: Uuid
  id: Uuid
  /** The owner of all its calendars; null if they have several, or none. */
  agentId: Uuid | null
  titleSealed: Buffer
  descriptionSealed: Buffer | null
  metadata: Record<string, unknown>
  startTime: Date
  endTime: Date
  status: GroupStatus
  reason: GroupReason | null
  holdExpiresAt: Date | null
  holdPriority: number
  requireFree: boolean
  /** Null: it cannot be renewed. */
  renewUntil: Date | null
  requirements: Requirement[]
  revision: number
  createdAt: Date
  updatedAt: Date
}

/** Of `hold_groups` as `g`. */
const groupColumns = (sql: Sql): Fragment => sql`
  g.org_id, g.id, g.agent_id, g.title_sealed, g.description_sealed, g.metadata, g.start_time, g.end_time,
  g.status, g.reason, g.hold_expires_at, g.hold_priority, g.require_free, g.renew_until,
  g.requirements, g.revision, g.created_at, g.updated_at`

export const groupById = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<GroupRow>(sql, orgId)`
  select ${groupColumns(sql)}
  from hold_groups g
  where g.org_id = ${orgId} and g.id = ${id}`

export const groupsById = (sql: Sql, orgId: Uuid, ids: readonly Uuid[]) =>
  own<GroupRow>(sql, orgId)`
  select ${groupColumns(sql)}
  from hold_groups g
  where g.org_id = ${orgId} and g.id = any (${uuids(sql, ids)})
  order by g.id`

/** `only`: the agent whose key asks. `listed`: the only calendars that the key sees. */
type GroupFilter = {
  status: GroupStatus | undefined
  only: Uuid | undefined
  listed: readonly Uuid[] | undefined
  now: Date
}

/** A lapsed group shows as expired, whether or not its timer has fired. */
const shownAs = (sql: Sql, { status, now }: GroupFilter): Fragment => {
  if (status === 'held') return sql`and status = 'held' and hold_expires_at > ${now}`
  if (status === 'expired') return sql`and (status = 'expired' or (status = 'held' and hold_expires_at <= ${now}))`
  return status ? sql`and status = ${status}` : sql``
}

const matching = (sql: Sql, orgId: Uuid, filter: GroupFilter): Fragment => sql`
  org_id = ${orgId}
  ${shownAs(sql, filter)}
  ${filter.only ? sql`and agent_id = ${filter.only}` : sql``}
  ${
    filter.listed
      ? sql`and not exists (
        select from events e
        where e.org_id = hold_groups.org_id and e.hold_group_id = hold_groups.id
          and e.calendar_id <> all (${uuids(sql, filter.listed)}))`
      : sql``
  }`

/** Newest first. */
export const groupsPage = (sql: Sql, orgId: Uuid, filter: GroupFilter, page: Page) =>
  own<GroupRow>(sql, orgId)`
  select ${groupColumns(sql)}
  from hold_groups g
  where g.org_id = ${orgId} and g.id = any (array(
    select id
    from hold_groups
    where ${matching(sql, orgId, filter)}
    order by id desc
    limit ${page.limit} offset ${page.offset}))
  order by g.id desc`

export const groupTotal = (sql: Sql, orgId: Uuid, filter: GroupFilter) =>
  own<{ total: number }>(sql, orgId)`
  select ${askedBy(sql, orgId)}, count(*)::integer as total
  from hold_groups
  where ${matching(sql, orgId, filter)}`

/** A member as a group shows it. */
export type MemberRow = {
  id: Uuid
  calendarId: Uuid
  agentId: Uuid | null
  startTime: Date
  endTime: Date
  status: 'confirmed' | 'tentative' | 'cancelled' | 'hold'
  holdExpiresAt: Date | null
  holdFence: number | null
  renewUntil: Date | null
  /** The event, or its calendar, was deleted. */
  isRemoved: boolean
}

export const membersById = (sql: Sql, orgId: Uuid, ids: readonly Uuid[]) =>
  own<MemberRow & { orgId: Uuid }>(sql, orgId)`
  select
    e.org_id, e.id, e.calendar_id, c.agent_id, e.start_time, e.end_time, e.status, e.hold_expires_at, e.hold_fence, e.renew_until,
    (e.deleted_at is not null or c.deleted_at is not null) as is_removed
  from events e
  join calendars c on c.org_id = e.org_id and c.id = e.calendar_id
  where e.org_id = ${orgId} and e.id = any (${uuids(sql, ids)})`

/** Groups that are held, of several organizations. */
export const heldGroups = (sql: Sql, due: readonly { orgId: Uuid; subjectId: Uuid }[]) =>
  answersTo<GroupRow>(sql, isOneOf(due.map(({ subjectId }) => subjectId)))`
  select ${groupColumns(sql)}
  from ${rowsOf(sql, due, { orgId: 'uuid', subjectId: 'uuid' }, 'd')}
  join hold_groups g on g.org_id = d.org_id and g.id = d.subject_id and g.status = 'held'`
