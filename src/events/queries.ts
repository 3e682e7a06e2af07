import { seriesUntil } from '../recurrence/until.ts'
import type { Uuid } from '../shapes/ids.ts'
import { answersTo, isOneOf, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { apartUntil, isApart } from './apart.ts'
import type { EventState, LiveHold } from './rules.ts'

export type EventRow = EventState & {
  orgId: Uuid
  id: Uuid
  calendarId: Uuid
  titleSealed: Buffer
  descriptionSealed: Buffer | null
  startTime: Date
  endTime: Date
  allDay: boolean
  /** Without `booking`, which stands beside it. */
  metadata: Record<string, unknown>
  bookingSealed: Buffer | null
  reminders: number[] | null
  holdPriority: number
  recurrenceRule: string | null
  recurrenceExdates: Date[]
  /** Null for an event that happens once, and for a series without end. */
  seriesLastStart: Date | null
  createdAt: Date
  updatedAt: Date
}

export const eventColumns = (sql: Sql) => sql`
  e.org_id, e.id, e.calendar_id, e.title_sealed, e.description_sealed, e.start_time, e.end_time, e.all_day, e.status,
  e.source, e.metadata, e.booking_sealed, e.reminders, e.hold_expires_at, e.hold_priority, e.hold_outcome, e.recurrence_rule,
  e.recurrence_exdates, e.series_last_start, e.created_at, e.updated_at`

/** An event with what decides about it: the version of its row, and its calendar's reminders and owner. */
export type PlacedEventRow = EventRow & {
  /** Another one after every change of the row. */
  version: string
  agentId: Uuid | null
  ownerStatus: string | null
  defaultReminders: number[] | null
}

/** `calendarId` undefined: wherever it is. Events of deleted calendars are gone. */
export const eventById = (sql: Sql, orgId: Uuid, id: Uuid, calendarId: Uuid | undefined) =>
  own<PlacedEventRow>(sql, orgId)`
  select ${eventColumns(sql)}, e.xmin::text as version, c.default_reminders, c.agent_id, a.status as owner_status
  from events e
  join calendars c on c.org_id = e.org_id and c.id = e.calendar_id and c.deleted_at is null
  left join agents a on a.org_id = c.org_id and a.id = c.agent_id
  where e.org_id = ${orgId} and e.id = ${id} and e.deleted_at is null
    ${calendarId === undefined ? sql`` : sql`and e.calendar_id = ${calendarId}`}`

/** Half-open: a hold that ends at 10:00 does not meet one that starts at 10:00. */
export const overlappingHolds = (sql: Sql, orgId: Uuid, calendarId: Uuid, start: Date, end: Date, now: Date) =>
  own<LiveHold>(sql, orgId)`
  select org_id, id, hold_priority from events
  where org_id = ${orgId} and calendar_id = ${calendarId} and status = 'hold' and deleted_at is null
    and hold_expires_at > ${now} and start_time < ${end} and end_time > ${start}
  order by start_time, id`

/** Holds that have not ended, on calendars that live. */
export const liveHoldCount = (sql: Sql, orgId: Uuid, now: Date): Fragment => sql`
  select count(*) from events e join calendars c on c.org_id = e.org_id and c.id = e.calendar_id and c.deleted_at is null
  where e.org_id = ${orgId} and e.status = 'hold' and e.deleted_at is null and e.hold_expires_at > ${now}`

/** What the plan caps: series that are not cancelled and whose last occurrence has not started yet. */
export const activeSeries = (sql: Sql, orgId: Uuid, now: Date): Fragment => sql`
  select count(*) from events e join calendars c on c.org_id = e.org_id and c.id = e.calendar_id and c.deleted_at is null
  where e.org_id = ${orgId} and e.recurrence_rule is not null and e.deleted_at is null and e.status <> 'cancelled'
    and coalesce(e.series_last_start, 'infinity') > ${now}`

export const insertEvent = (sql: Sql, row: EventRow): Fragment => sql`
  insert into events (org_id, id, calendar_id, title_sealed, description_sealed, start_time, end_time, all_day, status,
    source, metadata, booking_sealed, reminders, hold_expires_at, hold_priority, recurrence_rule, series_last_start,
    created_at, updated_at)
  select ${row.orgId}::uuid, ${row.id}::uuid, ${row.calendarId}::uuid, ${row.titleSealed}::bytea,
    ${row.descriptionSealed}::bytea, ${row.startTime}::timestamptz, ${row.endTime}::timestamptz, ${row.allDay}::boolean,
    ${row.status}::text, ${row.source}::text, ${sql.json(row.metadata)}::jsonb, ${row.bookingSealed}::bytea,
    ${row.reminders}::integer[],
    ${row.holdExpiresAt}::timestamptz, ${row.holdPriority}::smallint, ${row.recurrenceRule}::text, ${row.seriesLastStart}::timestamptz,
    ${row.createdAt}::timestamptz, ${row.updatedAt}::timestamptz
  from guard`

type NewEventItem = {
  row: EventRow
  /** Set: the calendar must be this agent's. */
  agentId: Uuid | null
  shard: number
  traceparent: string | null
}

/** New events that happen once, as rows `did_items` of their statement; only those whose calendar the actor may touch. */
export const newEventItems = (sql: Sql, items: readonly NewEventItem[]): Fragment => {
  const rows = items.map(({ row, agentId, shard, traceparent }) => ({
    org_id: row.orgId,
    id: row.id,
    calendar_id: row.calendarId,
    agent_id: agentId,
    shard,
    traceparent,
    title: row.titleSealed.toString('base64'),
    description: row.descriptionSealed?.toString('base64') ?? null,
    start_time: row.startTime,
    end_time: row.endTime,
    all_day: row.allDay,
    status: row.status,
    metadata: row.metadata,
    booking: row.bookingSealed?.toString('base64') ?? null,
    reminders: row.reminders,
    created_at: row.createdAt,
  }))
  return sql`
    select i.* from jsonb_to_recordset(${sql.json(rows)}) as i
      (org_id uuid, id uuid, calendar_id uuid, agent_id uuid, shard smallint, title text, description text,
       start_time timestamptz, end_time timestamptz, all_day boolean, status text, metadata jsonb, booking text,
       reminders integer[], created_at timestamptz, traceparent text)
    join calendars c on c.org_id = i.org_id and c.id = i.calendar_id and (i.agent_id is null or i.agent_id = c.agent_id)`
}

export const insertNewEvents = (sql: Sql): Fragment => sql`
  insert into events (org_id, id, calendar_id, title_sealed, description_sealed, start_time, end_time, all_day, status,
    source, metadata, booking_sealed, reminders, created_at, updated_at)
  select i.org_id, i.id, i.calendar_id, decode(i.title, 'base64'), decode(i.description, 'base64'), i.start_time, i.end_time,
    i.all_day, i.status, 'internal', i.metadata, decode(i.booking, 'base64'), i.reminders, i.created_at, i.created_at
  from guard join did_items i on i.id = guard.id`

/** Writes every field that an edit can change. */
export const rewriteEvent = (sql: Sql, row: EventRow): Fragment => sql`
  update events e set title_sealed = ${row.titleSealed}, description_sealed = ${row.descriptionSealed},
    start_time = ${row.startTime}, end_time = ${row.endTime}, all_day = ${row.allDay}, status = ${row.status},
    metadata = ${sql.json(row.metadata)}, booking_sealed = ${row.bookingSealed}, reminders = ${row.reminders}::integer[],
    hold_outcome = ${row.holdOutcome}, recurrence_rule = ${row.recurrenceRule},
    recurrence_exdates = ${row.recurrenceExdates.map((at) => at.toISOString())}::timestamptz[],
    series_last_start = ${row.seriesLastStart}, sequence = e.sequence + 1, updated_at = ${row.updatedAt}
  from guard where e.org_id = ${row.orgId} and e.id = ${row.id}`

export const endHolds = (sql: Sql, orgId: Uuid, ids: readonly Uuid[], outcome: string, now: Date): Fragment => sql`
  update events e set status = 'cancelled', hold_outcome = ${outcome}, sequence = e.sequence + 1, updated_at = ${now}
  from guard where e.org_id = ${orgId} and e.id = any (${ids}::uuid[]) and e.status = 'hold'`

export const removedEvent = (sql: Sql, orgId: Uuid, id: Uuid, now: Date): Fragment => sql`
  update events e set deleted_at = ${now}, updated_at = ${now}
  from guard where e.org_id = ${orgId} and e.id = ${id} and e.deleted_at is null`

export const liveAgentCalendars = (sql: Sql, orgId: Uuid, agentId: Uuid) =>
  own<{ id: Uuid }>(sql, orgId)`
  select org_id, id from calendars where org_id = ${orgId} and agent_id = ${agentId} and deleted_at is null`

export type FiringRow = Pick<
  EventRow,
  'id' | 'calendarId' | 'titleSealed' | 'startTime' | 'endTime' | 'recurrenceRule' | 'recurrenceExdates'
> & {
  /** Another one after every change of the row. */
  version: string
}

type DueSubject = { orgId: Uuid; subjectId: Uuid }

const stillThere = (sql: Sql, due: readonly DueSubject[], status: string): Fragment => sql`
  from jsonb_to_recordset(${sql.json(due.map(({ orgId, subjectId }) => ({ orgId, subjectId })))}) as d
    ("orgId" uuid, "subjectId" uuid)
  join events e on e.org_id = d."orgId" and e.id = d."subjectId" and e.status = ${status} and e.deleted_at is null
  join calendars c on c.org_id = e.org_id and c.id = e.calendar_id and c.deleted_at is null`

/** The events of due timers that are still to fire; one that is missing here has been cancelled or deleted. */
export const firingEvents = (sql: Sql, due: readonly DueSubject[]) =>
  answersTo<FiringRow>(sql, isOneOf(due.map(({ subjectId }) => subjectId)))`
  select distinct e.id, e.calendar_id, e.title_sealed, e.start_time, e.end_time, e.recurrence_rule, e.recurrence_exdates,
    e.xmin::text as version ${stillThere(sql, due, 'confirmed')}`

export const livingHolds = (sql: Sql, due: readonly DueSubject[]) =>
  answersTo<{ id: Uuid }>(sql, isOneOf(due.map(({ subjectId }) => subjectId)))`
  select e.id ${stillThere(sql, due, 'hold')}`

/** The series of a calendar that are neither cancelled nor over, then the last `maxEnded` of those that are over, newest first. */
export const seriesAround = (sql: Sql, { orgId, calendarId, now }: Placed, maxEnded: number) => {
  const ofStatus = sql`
    select ${eventColumns(sql)}, ${seriesUntil(sql)} as until from events e
    where e.org_id = ${orgId} and e.calendar_id = ${calendarId} and e.status = s.status and e.recurrence_rule is not null
      and e.deleted_at is null`
  return own<EventRow>(sql, orgId)`
    select e.* from unnest('{confirmed,tentative}'::text[]) as s (status)
    cross join lateral (${ofStatus} and ${seriesUntil(sql)} > ${now}) e
    union all (
      select e.* from unnest('{confirmed,tentative}'::text[]) as s (status)
      cross join lateral (
        ${ofStatus} and ${seriesUntil(sql)} <= ${now} order by ${seriesUntil(sql)} desc limit ${maxEnded}) e
      order by e.until desc limit ${maxEnded})`
}

/** Cancelled and lapsed ones left out. */
const liveStatuses = ['confirmed', 'tentative', 'hold']
const isLive = (sql: Sql, now: Date): Fragment => sql`
  e.deleted_at is null and (e.status <> 'hold' or e.hold_expires_at > ${now})`

export type Placed = { orgId: Uuid; calendarId: Uuid; now: Date }

/** The index answers per status, so each is read for itself and the few rows are merged. */
const firstPerStatus = (sql: Sql, { orgId, calendarId, now }: Placed, where: Fragment, order: Fragment, most: number) =>
  own<EventRow>(sql, orgId)`
  select e.* from unnest(${liveStatuses}::text[]) as s (status)
  cross join lateral (
    select ${eventColumns(sql)} from events e
    where e.org_id = ${orgId} and e.calendar_id = ${calendarId} and e.status = s.status and ${isLive(sql, now)} and ${where}
    order by ${order} limit ${most}) e
  order by ${order} limit ${most}`

export const eventsAfter = (sql: Sql, placed: Placed, most: number) =>
  firstPerStatus(
    sql,
    placed,
    sql`e.recurrence_rule is null and e.start_time > ${placed.now}`,
    sql`e.start_time, e.id`,
    most,
  )

/** A series by its first occurrence, if that was not cancelled. */
export const lastStartedAndEnded = (sql: Sql, placed: Placed, most: number) =>
  firstPerStatus(
    sql,
    placed,
    sql`e.start_time <= ${placed.now} and e.end_time <= ${placed.now} and e.start_time <> all (e.recurrence_exdates)`,
    sql`e.start_time desc, e.id desc`,
    most,
  )

/** Whose window contains the moment, the latest started first. */
export const eventsAround = (sql: Sql, placed: Placed, most: number) =>
  startedBefore(sql, placed, placed.now, sql`end_time > ${placed.now}`, sql`e.start_time desc, e.id desc`, most)

/** Those that ended in `(after, now]`, the latest end first. */
export const endedAfter = (sql: Sql, placed: Placed, after: Date, most: number) =>
  startedBefore(
    sql,
    placed,
    after,
    sql`end_time > ${after} and end_time <= ${placed.now}`,
    sql`e.end_time desc, e.start_time desc, e.id desc`,
    most,
  )

/**
 * Of the events that have started, those whose end lies as `ends` says, after `since` at least. One that began in the week
 * before `since` is found by its start, from the index alone; an older one among the few that stand apart.
 * They are few, whatever the planner believes, so each is read for itself (`limit` keeps it from another way).
 */
const startedBefore = (
  sql: Sql,
  { orgId, calendarId, now }: Placed,
  since: Date,
  ends: Fragment,
  order: Fragment,
  most: number,
) =>
  own<EventRow>(sql, orgId)`
  with found as materialized (
    select id from events
    where org_id = ${orgId} and calendar_id = ${calendarId} and status in ('confirmed', 'tentative', 'hold')
      and deleted_at is null and start_time > ${since}::timestamptz - interval '7 days' and start_time <= ${now} and ${ends}
    union all
    select id from events
    where org_id = ${orgId} and calendar_id = ${calendarId} and ${isApart(sql)}
      and ${apartUntil(sql)} > ${since} and start_time <= ${since}::timestamptz - interval '7 days' and ${ends}
  )
  select e.* from found cross join lateral (
    select ${eventColumns(sql)} from events e
    where e.org_id = ${orgId} and e.id = found.id and e.status <> 'cancelled' and e.recurrence_rule is null
      and ${isLive(sql, now)} limit 1) e
  order by ${order} limit ${most}`
