// What use cases of events read before they decide.
import { seriesUntil } from '../recurrence/until.ts'
import type { Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'
import { type EventRow, eventColumns } from './columns.ts'
import type { LiveHold } from './rules.ts'

/** An event with what decides about it: the version of its row, and its calendar's reminders, zone and owner. */
export type PlacedEventRow = EventRow & {
  /** Another one after every change of the row. */
  version: string
  agentId: Uuid | null
  ownerStatus: string | null
  defaultReminders: number[] | null
  timezone: string
  /** Where its calendar is published to. */
  destinationId: Uuid | null
}

/** `calendarId` undefined: on any calendar. An event of a deleted calendar is not found. */
export const eventById = (sql: Sql, orgId: Uuid, id: Uuid, calendarId: Uuid | undefined) =>
  own<PlacedEventRow>(sql, orgId)`
    select ${eventColumns}, e.xmin::text as version, c.default_reminders, c.timezone, c.destination_id, c.agent_id, a.status as owner_status
    from events e
    join calendars c on c.org_id = e.org_id and c.id = e.calendar_id and c.deleted_at is null
    left join agents a on a.org_id = c.org_id and a.id = c.agent_id
    where e.org_id = ${orgId}
      and e.id = ${id}
      and e.deleted_at is null
      ${calendarId === undefined ? sql`` : sql`and e.calendar_id = ${calendarId}`}`

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
    select org_id, id, hold_priority, start_time, end_time, hold_expires_at
    from events
    where org_id = ${orgId}
      and calendar_id = ${calendarId}
      and status = 'hold'
      and deleted_at is null
      and hold_expires_at > ${now}
      and start_time < ${end}
      and end_time > ${start}
    order by start_time, id`

export const liveAgentCalendars = (sql: Sql, orgId: Uuid, agentId: Uuid) =>
  own<{ id: Uuid }>(sql, orgId)`
    select org_id, id
    from calendars
    where org_id = ${orgId}
      and agent_id = ${agentId}
      and deleted_at is null`

type InheritingSeriesRow = Pick<EventRow, 'id' | 'startTime' | 'endTime' | 'recurrenceRule' | 'recurrenceExdates'>

/** Confirmed series that take the calendar's reminders and are not over. */
export const inheritingSeries = (sql: Sql, calendar: { orgId: Uuid; id: Uuid }, now: Date) =>
  own<InheritingSeriesRow>(sql, calendar.orgId)`
    select org_id, id, start_time, end_time, recurrence_rule, recurrence_exdates
    from events
    where org_id = ${calendar.orgId}
      and calendar_id = ${calendar.id}
      and recurrence_rule is not null
      and status = 'confirmed'
      and ${seriesUntil(sql)} > ${now}
      and reminders is null
      and deleted_at is null`
