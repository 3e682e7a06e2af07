import type { Uuid } from '../shapes/ids.ts'
import type { Page } from '../shapes/lists.ts'
import { askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { holdsPart, likeness, uuids } from '../stores/sql.ts'

export type CalendarRow = {
  orgId: Uuid
  id: Uuid
  agentId: Uuid | null
  /** The owner's; null for a calendar of the organization. */
  ownerStatus: string | null
  name: string
  timezone: string
  agentStatus: string
  defaultReminders: number[] | null
  metadata: Record<string, unknown>
  externalId: Uuid | null
  provider: string | null
  /** Where its events are published to. */
  destinationId: Uuid | null
  feedTokenSealed: Buffer
  /** Of its busy feed; null without one. */
  busyTokenSealed: Buffer | null
  revision: number
  /** Counts the changes in which a hold came. */
  holdsRevision: number
  createdAt: Date
  updatedAt: Date
}

/** Of `calendarsWithOwner`. */
const calendarColumns = (sql: Sql) => sql`
  c.org_id, c.id, c.agent_id, a.status as owner_status,
  c.name, c.timezone, c.agent_status, c.default_reminders, c.metadata,
  c.external_id, c.provider, c.destination_id, c.feed_token_sealed, c.busy_token_sealed,
  c.revision, c.holds_revision, c.created_at, c.updated_at`

/** Calendars as `c`, their owners as `a`. */
const calendarsWithOwner = (sql: Sql) => sql`
  calendars c
  left join agents a on a.org_id = c.org_id and a.id = c.agent_id`

export const calendarById = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<CalendarRow>(sql, orgId)`
  select ${calendarColumns(sql)}
  from ${calendarsWithOwner(sql)}
  where c.org_id = ${orgId} and c.id = ${id} and c.deleted_at is null`

export const calendarsThatExist = (sql: Sql, orgId: Uuid, ids: readonly Uuid[]) =>
  own<Pick<CalendarRow, 'id'>>(sql, orgId)`
  select org_id, id
  from calendars
  where org_id = ${orgId} and id = any (${uuids(sql, ids)}) and deleted_at is null`

/** Also of a deleted one. */
export const calendarZone = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<{ timezone: string }>(sql, orgId)`
  select org_id, timezone
  from calendars
  where org_id = ${orgId} and id = ${id}`

/** Whose calendars a list shows. */
export type Owner = { kind: 'all' } | { kind: 'organization' } | { kind: 'agent'; agentId: Uuid }

/** `only`: none but these. `part`: of the name. */
type Shown = Owner & { only?: readonly Uuid[] | undefined; part?: string | undefined }

const ownedBy = (sql: Sql, shown: Shown): Fragment => {
  const named = shown.part ? sql`and ${holdsPart(sql, sql`c.name`, shown.part)}` : sql``
  const listed = shown.only ? sql`and c.id = any (${uuids(sql, shown.only)}) ${named}` : named
  if (shown.kind === 'all') return listed
  return shown.kind === 'organization'
    ? sql`and c.agent_id is null ${named}`
    : sql`and c.agent_id = ${shown.agentId} ${listed}`
}

export const calendarsPage = (sql: Sql, orgId: Uuid, owner: Shown, page: Page) =>
  own<CalendarRow>(sql, orgId)`
  select ${calendarColumns(sql)}
  from ${calendarsWithOwner(sql)}
  where c.org_id = ${orgId} and c.deleted_at is null ${ownedBy(sql, owner)}
  order by c.id desc
  limit ${page.limit} offset ${page.offset}`

export const calendarTotal = (sql: Sql, orgId: Uuid, owner: Shown) =>
  own<{ total: number }>(sql, orgId)`
  select ${askedBy(sql, orgId)}, count(*)::integer as total
  from calendars c
  where c.org_id = ${orgId} and c.deleted_at is null ${ownedBy(sql, owner)}`

export const existingCalendarsOf = (sql: Sql, orgId: Uuid) =>
  own<CalendarRow>(sql, orgId)`
  select ${calendarColumns(sql)}
  from ${calendarsWithOwner(sql)}
  where c.org_id = ${orgId} and c.deleted_at is null
  order by c.id`

export const calendarsNamed = (sql: Sql, orgId: Uuid, owner: Shown, part: string, max: number) =>
  own<Pick<CalendarRow, 'id' | 'name' | 'timezone'>>(sql, orgId)`
  select c.org_id, c.id, c.name, c.timezone
  from calendars c
  where c.org_id = ${orgId} and c.deleted_at is null ${ownedBy(sql, owner)}
    and ${holdsPart(sql, sql`c.name`, part)}
  order by ${likeness(sql, sql`c.name`)} = ${likeness(sql, sql`${part}::text`)} desc, c.id desc
  limit ${max}`

export const zonesOfAgents = (
  sql: Sql,
  orgId: Uuid,
  agentIds: readonly Uuid[],
  calendarIds: readonly Uuid[] | undefined,
) =>
  own<Pick<CalendarRow, 'id' | 'timezone'>>(sql, orgId)`
  select c.org_id, c.id, c.timezone
  from calendars c
  where c.org_id = ${orgId} and c.deleted_at is null and c.agent_id = any (${uuids(sql, agentIds)})
    ${calendarIds ? sql`and c.id = any (${uuids(sql, calendarIds)})` : sql``}
  order by c.id`
