// The trash: events that were deleted and are kept for a while. Those of a deleted calendar are not found.
import type { Uuid } from '../shapes/ids.ts'
import type { Page } from '../shapes/lists.ts'
import { askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { type EventRow, eventColumns } from './columns.ts'
import { columnsWithCalendar, type EventWithCalendar, isBookingColumn } from './queries.ts'

/** A booking can be seen there and not restored. */
type DeletedRow = EventRow & { deletedAt: Date; isBooking: boolean }

type Trash = { orgId: Uuid; calendarId: Uuid; since: Date }

/** The index has the last condition word for word. */
const inTrash = (sql: Sql, { orgId, calendarId, since }: Trash): Fragment => sql`
  e.org_id = ${orgId} and e.calendar_id = ${calendarId} and e.deleted_at >= ${since}
  and e.deleted_at is not null and e.series_id is null and e.source = 'internal' and e.status <> 'hold'`

/** The latest first. The index alone answers which they are. */
export const deletedPage = (sql: Sql, trash: Trash, { limit, offset }: Page) =>
  own<DeletedRow>(sql, trash.orgId)`
  select
    ${eventColumns}, e.deleted_at,
    ${isBookingColumn(sql)}
  from (
    select e.org_id, e.id
    from events e
    where ${inTrash(sql, trash)}
    order by e.deleted_at desc, e.id desc
    limit ${limit} offset ${offset}) page
  join events e on e.org_id = page.org_id and e.id = page.id and e.deleted_at is not null
  order by e.deleted_at desc, e.id desc`

export const deletedTotal = (sql: Sql, trash: Trash) =>
  own<{ total: number }>(sql, trash.orgId)`
  select ${askedBy(sql, trash.orgId)}, count(*)::integer as total
  from events e
  where ${inTrash(sql, trash)}`

/** `deletedAt` null: it is there. */
export type FoundEvent = EventWithCalendar & { deletedAt: Date | null }

/** Deleted or not; no occurrence of a series. */
export const eventEvenDeleted = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<FoundEvent>(sql, orgId)`
  select ${columnsWithCalendar(sql)}, e.deleted_at
  from events e
  join calendars c on c.org_id = e.org_id and c.id = e.calendar_id and c.deleted_at is null
  left join agents a on a.org_id = c.org_id and a.id = c.agent_id
  where e.org_id = ${orgId} and e.id = ${id} and e.series_id is null`

/** Up to `max` events that were deleted before, of all organizations. Those of a series go along with it. */
export const purgeDeleted = (sql: Sql, before: Date, max: number) => sql`
  with gone as (
    delete from events e
    where (e.org_id, e.id) in (
      select d.org_id, d.id
      from events d
      where d.deleted_at < ${before}
      order by d.deleted_at
      limit ${max})
    returning e.org_id, e.id, e.overridden_starts
  ), occurrences as (
    delete from events o
    using gone
    where o.org_id = gone.org_id and o.series_id = gone.id and gone.overridden_starts <> '{}'
      and (o.deleted_at is null or o.deleted_at >= ${before})
  )
  select from gone`
