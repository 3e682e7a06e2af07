// The reads of use cases before they decide.
import { isOpen } from '../calendars/writes.ts'
import { seriesUntil } from '../recurrence/until.ts'
import type { Uuid } from '../shapes/ids.ts'
import { answersTo, askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { rowsOf, uuids } from '../stores/sql.ts'
import { type EventRow, eventColumns, type RecurringRow, recurringColumns } from './columns.ts'
import type { LiveHold } from './rules.ts'
import type { Times } from './wholeDays.ts'

/** An event with what decides about it: the version of its row, and its calendar's reminders, zone and owner. */
export type EventWithCalendar = EventRow & {
  /** Another one after every change of the row. */
  version: string
  agentId: Uuid | null
  ownerStatus: string | null
  defaultReminders: number[] | null
  timezone: string
  /** Where its calendar is published to. */
  destinationId: Uuid | null
  /** A guest booked it. The metadata alone does not show that: an editor of the event may drop it. */
  isBooking: boolean
}

/** `calendarId` null: on any calendar. */
export type EventKey = { orgId: Uuid; id: Uuid; calendarId: Uuid | null }

/** Whether a guest booked an event `e`. */
export const isBookingColumn = (sql: Sql): Fragment =>
  sql`exists (select from bookings b where b.org_id = e.org_id and b.id = e.id) as is_booking`

/** Of an event `e`, its calendar `c` and the owner `a` of that. */
export const columnsWithCalendar = (sql: Sql): Fragment => sql`
      ${eventColumns}, e.xmin::text as version, c.default_reminders, c.timezone, c.destination_id, c.agent_id, a.status as owner_status,
      ${isBookingColumn(sql)}`

/**
 * Of several organizations. An event of a deleted calendar is not found, nor one of another calendar. Each row is read by its
 * key before anything else is asked of it (`offset 0`): while Postgres knows nothing of its tables, which takes it a minute after
 * their first rows, it believes that hardly a row is not deleted, and would read all calendars, or all events of an organization.
 */
export function eventsByKey(sql: Sql, keys: readonly EventKey[]) {
  const asked = new Set(keys.map(({ orgId, id }) => `${orgId} ${id}`))
  return answersTo<EventWithCalendar>(sql, ({ orgId, id }) => asked.has(`${orgId} ${id}`))`
    select ${columnsWithCalendar(sql)}
    from ${rowsOf(sql, keys, { orgId: 'uuid', id: 'uuid' }, 'k')}
    join lateral (select e.*, e.xmin from events e where e.org_id = k.org_id and e.id = k.id offset 0) e
      on e.deleted_at is null and e.series_id is null
    join lateral (select c.* from calendars c where c.org_id = e.org_id and c.id = e.calendar_id offset 0) c on c.deleted_at is null
    left join agents a on a.org_id = c.org_id and a.id = c.agent_id`
}

/** A calendar as a hold needs it. `nth`: for which of the holds that are wanted. */
export type HoldCalendar = {
  nth: number
  orgId: Uuid
  id: Uuid
  agentId: Uuid | null
  ownerStatus: string | null
  destinationId: Uuid | null
  revision: number
  holdsRevision: number
  /** How many holds it has. */
  holdEvents: number
  /** The active holds that overlap it, at that revision. */
  rivals: LiveHold[]
}

export type RequestedHold = Pick<EventRow, 'orgId' | 'calendarId' | 'startTime' | 'endTime'> & { now: Date }

const requestedColumns = {
  nth: 'integer',
  orgId: 'uuid',
  calendarId: 'uuid',
  startTime: 'timestamptz',
  endTime: 'timestamptz',
  now: 'timestamptz',
} as const

/** Of several organizations. Half-open, as `overlappingHolds`. */
export function calendarsWithRivals(sql: Sql, requested: readonly RequestedHold[]) {
  const asked = requested.map((one, nth) => ({ ...one, nth }))
  const isAsked = ({ nth, orgId, id }: HoldCalendar) =>
    orgId === requested[nth]?.orgId && id === requested[nth]?.calendarId
  return answersTo<HoldCalendar>(sql, isAsked)`
    select
      w.nth, c.org_id, c.id, c.agent_id, a.status as owner_status, c.destination_id, c.revision, c.holds_revision, c.hold_events,
      (
        select coalesce(jsonb_agg(jsonb_build_object('id', h.id, 'holdPriority', h.hold_priority, 'groupId', h.hold_group_id) order by h.start_time, h.id), '[]')
        from events h
        where h.org_id = w.org_id
          and h.calendar_id = w.calendar_id
          and h.status = 'hold'
          and h.deleted_at is null
          and h.hold_expires_at > w.now
          and h.start_time < w.end_time
          and h.end_time > w.start_time) as rivals
    from ${rowsOf(sql, asked, requestedColumns, 'w')}
    join calendars c on c.org_id = w.org_id and c.id = w.calendar_id and c.deleted_at is null
    left join agents a on a.org_id = c.org_id and a.id = c.agent_id`
}

/** An event with what a change of several calendars needs to know of its own one. */
export type CalendarEvent = EventRow & {
  agentId: Uuid | null
  /** The calendar can be written to. */
  isOpen: boolean
  /** The event, or its calendar, was deleted. */
  isRemoved: boolean
}

export const eventsWithCalendars = (sql: Sql, orgId: Uuid, ids: readonly Uuid[]) =>
  own<CalendarEvent>(sql, orgId)`
    select
      ${eventColumns}, c.agent_id, ${isOpen(sql, sql`c`)} as is_open,
      (e.deleted_at is not null or c.deleted_at is not null) as is_removed
    from events e
    join calendars c on c.org_id = e.org_id and c.id = e.calendar_id
    where e.org_id = ${orgId} and e.id = any (${uuids(sql, ids)})`

export type OverlappingHold = LiveHold & { startTime: Date; endTime: Date; holdExpiresAt: Date }

/** The zone of its calendar. */
export const eventZone = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<{ timezone: string }>(sql, orgId)`
    select e.org_id, c.timezone
    from events e
    join calendars c on c.org_id = e.org_id and c.id = e.calendar_id
    where e.org_id = ${orgId} and e.id = ${id}`

/** Half-open: a hold that ends at 10:00 does not meet one that starts at 10:00. */
export const overlappingHolds = (sql: Sql, orgId: Uuid, calendarId: Uuid, start: Date, end: Date, now: Date) =>
  own<OverlappingHold>(sql, orgId)`
    select org_id, id, hold_priority, hold_group_id as group_id, start_time, end_time, hold_expires_at
    from events
    where org_id = ${orgId}
      and calendar_id = ${calendarId}
      and status = 'hold'
      and deleted_at is null
      and hold_expires_at > ${now}
      and start_time < ${end}
      and end_time > ${start}
    order by start_time, id`

/** How many holds are active on the calendars of an agent. */
export const liveHolds = (sql: Sql, orgId: Uuid, agentId: Uuid, now: Date) =>
  own<{ count: number }>(sql, orgId)`
    select ${askedBy(sql, orgId)}, count(*)::integer as count
    from calendars c
    join events e on e.org_id = c.org_id and e.calendar_id = c.id
    where c.org_id = ${orgId} and c.agent_id = ${agentId} and c.deleted_at is null and c.hold_events > 0
      and e.status = 'hold' and e.deleted_at is null and e.hold_expires_at > ${now}`

export const liveAgentCalendars = (sql: Sql, orgId: Uuid, agentId: Uuid, only: readonly Uuid[] | undefined) =>
  own<{ id: Uuid }>(sql, orgId)`
    select org_id, id
    from calendars
    where org_id = ${orgId}
      and agent_id = ${agentId}
      and deleted_at is null
      ${only ? sql`and id = any (${uuids(sql, only)})` : sql``}`

type InheritingSeriesRow = RecurringRow & { id: Uuid }

/**
 * Whether the event `e` is a date of its calendar's zone. A booking keeps the time that its guest was told, a series with a zone of
 * its own its dates there.
 */
export const isWholeDay = (sql: Sql): Fragment => sql`(
  e.all_day and e.recurrence_timezone is null and not exists (select from bookings b where b.org_id = e.org_id and b.id = e.id))`

export type WholeDayRow = Times &
  Pick<EventRow, 'id' | 'status' | 'source' | 'reminders' | 'seriesId' | 'originalStart'>

/** Those of a calendar, past ones and cancelled ones too; at most `max`. */
export const wholeDaysOf = (sql: Sql, calendar: { orgId: Uuid; id: Uuid }, max: number) =>
  own<WholeDayRow>(sql, calendar.orgId)`
    select
      e.org_id, e.id, e.status, e.source, e.reminders, e.series_id, e.original_start,
      ${recurringColumns}, e.series_last_start
    from events e
    where e.org_id = ${calendar.orgId}
      and e.calendar_id = ${calendar.id}
      and e.deleted_at is null
      and ${isWholeDay(sql)}
    limit ${max}`

/** Confirmed series that take the calendar's reminders and are not over; `only`: those events `e` for which this holds, too. */
export const inheritingSeries = (sql: Sql, calendar: { orgId: Uuid; id: Uuid }, now: Date, only = sql`true`) =>
  own<InheritingSeriesRow>(sql, calendar.orgId)`
    select org_id, id, ${recurringColumns}
    from events e
    where org_id = ${calendar.orgId}
      and calendar_id = ${calendar.id}
      and recurrence_rule is not null
      and status = 'confirmed'
      and ${seriesUntil(sql, sql`e`)} > ${now}
      and reminders is null
      and deleted_at is null
      and ${only}`
