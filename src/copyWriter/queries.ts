import { type EventRow, eventColumns } from '../events/columns.ts'
import type { Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'

export type PublishedEvent = EventRow & { sequence: number; timezone: string }

/** As it is now; nothing if the event or its calendar is deleted. */
export const eventToPublish = (sql: Sql, orgId: Uuid, calendarId: Uuid, id: Uuid) =>
  own<PublishedEvent>(sql, orgId)`
  select ${eventColumns}, e.sequence, c.timezone
  from events e
  join calendars c on c.org_id = e.org_id and c.id = e.calendar_id and c.deleted_at is null
  where e.org_id = ${orgId} and e.id = ${id} and e.calendar_id = ${calendarId} and e.deleted_at is null`
