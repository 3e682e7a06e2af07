// Changes of a connection's calendars that the human did not choose: the list of its provider, and our own copies in them.
import { type Effect, effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import { resumeInto } from '../externalCopies/writes.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { rowsOf, uuids } from '../stores/sql.ts'
import type { ExternalCalendarRow } from './queries.ts'

export type ListedCalendar = Pick<
  ExternalCalendarRow,
  | 'id'
  | 'remoteDigest'
  | 'remoteSealed'
  | 'nameSealed'
  | 'accessRole'
  | 'isPrimary'
  | 'isFeed'
  | 'timezone'
  | 'isReadable'
  | 'isWritable'
>

/** The calendars of a connection are these; one that is in use stays, although its provider no longer lists it. */
export const replaceCalendars = (
  sql: Sql,
  { orgId, id }: { orgId: Uuid; id: Uuid },
  calendars: readonly ListedCalendar[],
  now: Date,
): Effect[] => [
  effect(
    'listed_calendars',
    sql`
    insert into external_calendars (
      org_id, id, connection_id, remote_digest, remote_sealed, name_sealed, access_role,
      is_primary, is_feed, timezone, is_readable, is_writable, created_at)
    select
      ${orgId}::uuid, c.id, ${id}::uuid, c.remote_digest, c.remote_sealed, c.name_sealed, c.access_role,
      c.is_primary, c.is_feed, c.timezone, c.is_readable, c.is_writable, ${now}::timestamptz
    from ${rowsOf(
      sql,
      calendars,
      {
        id: 'uuid',
        remoteDigest: 'bytea',
        remoteSealed: 'bytea',
        nameSealed: 'bytea',
        accessRole: 'text',
        isPrimary: 'boolean',
        isFeed: 'boolean',
        timezone: 'text',
        isReadable: 'boolean',
        isWritable: 'boolean',
      },
      'c',
    )}
    where exists (select from ${guard})
    on conflict (org_id, id) do update set
      name_sealed = excluded.name_sealed, access_role = excluded.access_role, is_primary = excluded.is_primary,
      is_feed = excluded.is_feed, timezone = excluded.timezone, is_readable = excluded.is_readable,
      is_writable = excluded.is_writable`,
  ),
  ...resumeInto(
    sql,
    orgId,
    sql`
    select x.id from external_calendars x
    where x.org_id = ${orgId} and x.connection_id = ${id} and not x.is_writable
      and x.id = any (${listedIds(
        sql,
        calendars.filter(({ isWritable }) => isWritable),
      )})`,
  ),
  effect(
    'unlisted_calendars',
    sql`
    delete from external_calendars x
    using (select from ${guard} limit 1) one
    where x.org_id = ${orgId} and x.connection_id = ${id} and not x.is_selected and not ${isDestination(sql)}
      and x.id <> all (${listedIds(sql, calendars)})`,
  ),
  effect(
    'unwritable_calendars',
    sql`
    update external_calendars x
    set is_writable = false
    from (select from ${guard} limit 1) one
    where x.org_id = ${orgId} and x.connection_id = ${id} and (x.is_selected or ${isDestination(sql)})
      and x.id <> all (${listedIds(sql, calendars)})`,
  ),
]

const listedIds = (sql: Sql, calendars: readonly { id: Uuid }[]): Fragment =>
  uuids(
    sql,
    calendars.map((one) => one.id),
  )

/** Events are published into the calendar `x`. */
const isDestination = (sql: Sql): Fragment => sql`exists (
  select from external_destinations d
  where d.org_id = x.org_id and d.external_calendar_id = x.id and d.ended_at is null)`

/** The cached busy time of the calendar is out of date. */
export const touchCalendar = (sql: Sql, orgId: Uuid, id: Uuid): Effect =>
  effect(
    'touched_calendar',
    sql`
    update external_calendars x
    set revision = x.revision + 1
    from (select from ${guard} limit 1) one
    where x.org_id = ${orgId} and x.id = ${id}`,
  )
