// Counts of an organization's events, for caps and for its usage. Each is a scalar query.
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

/** Holds that have not ended, on calendars that live. */
export const liveHoldCount = (sql: Sql, orgId: Uuid, now: Date): Fragment => sql`
  select count(*)
  from events e
  join calendars c on c.org_id = e.org_id and c.id = e.calendar_id and c.deleted_at is null
  where e.org_id = ${orgId}
    and e.status = 'hold'
    and e.deleted_at is null
    and e.hold_expires_at > ${now}`

/** Series that are not cancelled and whose last occurrence has not started yet. */
export const activeSeriesCount = (sql: Sql, orgId: Uuid, now: Date): Fragment => sql`
  select count(*)
  from events e
  join calendars c on c.org_id = e.org_id and c.id = e.calendar_id and c.deleted_at is null
  where e.org_id = ${orgId}
    and e.recurrence_rule is not null
    and e.deleted_at is null
    and e.status <> 'cancelled'
    and coalesce(e.series_last_start, 'infinity') > ${now}`
