import { seriesUntil } from '../recurrence/until.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Page } from '../shapes/lists.ts'
import { askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

export type CalendarRow = {
  orgId: Uuid
  id: Uuid
  agentId: Uuid | null
  /** Of the owner, null for a calendar of the organization. */
  ownerStatus: string | null
  name: string
  timezone: string
  agentStatus: string
  defaultReminders: number[] | null
  metadata: Record<string, unknown>
  externalId: Uuid | null
  provider: string | null
  feedTokenSealed: Buffer
  revision: number
  /** Counts the changes to the calendar's holds. */
  holdsRevision: number
  createdAt: Date
  updatedAt: Date
}

const calendarColumns = (sql: Sql) => sql`
  c.org_id, c.id, c.agent_id, a.status as owner_status, c.name, c.timezone, c.agent_status, c.default_reminders, c.metadata,
  c.external_id, c.provider, c.feed_token_sealed, c.revision, c.holds_revision, c.created_at, c.updated_at`

const withOwner = (sql: Sql) => sql`calendars c left join agents a on a.org_id = c.org_id and a.id = c.agent_id`

export const calendarById = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<CalendarRow>(sql, orgId)`
  select ${calendarColumns(sql)} from ${withOwner(sql)}
  where c.org_id = ${orgId} and c.id = ${id} and c.deleted_at is null`

/** Whose calendars a list shows. */
export type Owner = { kind: 'all' } | { kind: 'organization' } | { kind: 'agent'; agentId: Uuid }

const ownedBy = (sql: Sql, owner: Owner): Fragment => {
  if (owner.kind === 'all') return sql``
  return owner.kind === 'organization' ? sql`and c.agent_id is null` : sql`and c.agent_id = ${owner.agentId}`
}

export const calendarsPage = (sql: Sql, orgId: Uuid, owner: Owner, page: Page) =>
  own<CalendarRow>(sql, orgId)`
  select ${calendarColumns(sql)} from ${withOwner(sql)}
  where c.org_id = ${orgId} and c.deleted_at is null ${ownedBy(sql, owner)}
  order by c.id desc limit ${page.limit} offset ${page.offset}`

export const calendarTotal = (sql: Sql, orgId: Uuid, owner: Owner) =>
  own<{ total: number }>(sql, orgId)`
  select ${askedBy(sql, orgId)}, count(*)::integer as total from calendars c
  where c.org_id = ${orgId} and c.deleted_at is null ${ownedBy(sql, owner)}`

/** What the plan caps. */
export const livingCalendars = (sql: Sql, orgId: Uuid): Fragment =>
  sql`select count(*) from calendars where org_id = ${orgId} and deleted_at is null`

export const insertCalendar = (sql: Sql, row: CalendarRow, feedTokenHash: Buffer): Fragment => sql`
  insert into calendars (org_id, id, agent_id, name, timezone, agent_status, default_reminders, metadata,
    feed_token_hash, feed_token_sealed, created_at, updated_at)
  select ${row.orgId}::uuid, ${row.id}::uuid, ${row.agentId}::uuid, ${row.name}::text, ${row.timezone}::text,
    ${row.agentStatus}::text, ${row.defaultReminders}::integer[], ${sql.json(row.metadata)}::jsonb,
    ${feedTokenHash}::bytea, ${row.feedTokenSealed}::bytea, ${row.createdAt}::timestamptz, ${row.updatedAt}::timestamptz
  from guard`

/** The guard of an update: matches while nothing on the calendar changed since it was read. */
export const changeCalendar = (sql: Sql, row: CalendarRow): Fragment => sql`
  update calendars set name = ${row.name}, timezone = ${row.timezone}, agent_status = ${row.agentStatus},
    default_reminders = ${row.defaultReminders}::integer[], metadata = ${sql.json(row.metadata)},
    updated_at = ${row.updatedAt}, revision = revision + 1
  where org_id = ${row.orgId} and id = ${row.id} and revision = ${row.revision} and deleted_at is null
  returning revision`

export const deletedCalendar = (sql: Sql, orgId: Uuid, id: Uuid, now: Date): Fragment => sql`
  update calendars set deleted_at = ${now}, updated_at = ${now}, revision = revision + 1
  where org_id = ${orgId} and id = ${id} and deleted_at is null
  returning revision`

/** The series of a deleted calendar: they count no more, and the count does not look at them. */
export const deletedSeries = (sql: Sql, orgId: Uuid, calendarId: Uuid, now: Date): Fragment => sql`
  update events e set deleted_at = ${now}, updated_at = ${now} from guard
  where e.org_id = ${orgId} and e.calendar_id = ${calendarId} and e.recurrence_rule is not null and e.deleted_at is null`

type InheritingSeriesRow = {
  id: Uuid
  startTime: Date
  endTime: Date
  recurrenceRule: string
  recurrenceExdates: Date[]
}

/** Confirmed series that take the calendar's reminders and are not over. */
export const inheritingSeries = (sql: Sql, calendar: { orgId: Uuid; id: Uuid }, now: Date) =>
  own<InheritingSeriesRow>(sql, calendar.orgId)`
  select org_id, id, start_time, end_time, recurrence_rule, recurrence_exdates from events
  where org_id = ${calendar.orgId} and calendar_id = ${calendar.id} and recurrence_rule is not null
    and status = 'confirmed' and ${seriesUntil(sql)} > ${now} and reminders is null and deleted_at is null`
