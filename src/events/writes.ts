// Every change of the table `events`. The columns come from `columns.ts`.
import type { App } from '../app.ts'
import { type Effect, effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment } from '../stores/postgres.ts'
import { rowsOf, uuids } from '../stores/sql.ts'
import {
  assignments,
  columnList,
  columnTypes,
  detailedImportTypes,
  type EventRow,
  editableTypes,
  importedTypes,
  plainEditableTypes,
} from './columns.ts'
import { type DetailColumns, hasDetails } from './details.ts'
import type { EventState } from './rules.ts'
import type { Times } from './wholeDays.ts'

/**
 * Inserts the rows of a `from` clause whose alias `i` has these columns. Returns the columns that the timers of new events
 * need.
 */
const insertRows = ({ sql }: App, names: readonly string[], from: Fragment): Effect =>
  effect(
    'events',
    sql`
    insert into events (${columnList(names)})
    select ${columnList(names, 'i')}
    from ${from}
    returning org_id, id, calendar_id, start_time, end_time, status, reminders, hold_expires_at, recurrence_rule, created_at`,
  )

/** New events, from a clause whose alias `i` has every column of an event. */
export const insertEvents = (app: App, from: Fragment): Effect => insertRows(app, Object.keys(columnTypes), from)

/** Events as rows of a `from` clause, under the alias `i`. */
export const eventRows = ({ sql }: App, rows: readonly EventRow[]): Fragment => rowsOf(sql, rows, columnTypes, 'i')

/**
 * Writes every field that an edit can change, from a clause whose alias `i` has them, `org_id`, `id` and `deleted_at`; the details only
 * `withDetails`.
 */
export const rewriteEvents = ({ sql }: App, from: Fragment, { withDetails }: { withDetails: boolean }): Effect =>
  effect(
    'events',
    sql`
    update events e
    set ${assignments(Object.keys(withDetails ? editableTypes : plainEditableTypes), 'i')},
      deleted_at = i.deleted_at,
      sequence = e.sequence + (i.deleted_at is null)::integer
    from ${from}
    where e.org_id = i.org_id
      and e.id = i.id`,
  )

/**
 * Writes the rows of occurrences that differ from their series, which the guard's rows are: those that are there already get every
 * field that an edit can change, and are found again if they were hidden.
 */
export const writeOverrides = ({ sql }: App, rows: readonly EventRow[]): Effect =>
  effect(
    'overrides',
    sql`
    insert into events (${columnList(Object.keys(columnTypes))})
    select ${columnList(Object.keys(columnTypes), 'i')}
    from ${rowsOf(sql, rows, columnTypes, 'i')}
    join ${guard} g on g.org_id = i.org_id and g.id = i.series_id
    on conflict (org_id, id) do update
    set ${assignments(Object.keys(editableTypes), 'excluded')},
      deleted_at = null,
      sequence = events.sequence + 1`,
  )

/** Writes a series that ends before it did. */
export const rewriteSeries = ({ sql }: App, row: EventRow): Effect =>
  effect(
    'ended_series',
    sql`
    update events e
    set ${assignments(Object.keys(editableTypes), 'i')},
      sequence = e.sequence + 1
    from ${guard}, ${rowsOf(sql, [row], columnTypes, 'i')}
    where e.org_id = i.org_id
      and e.id = i.id`,
  )

/** Rows of occurrences go to another series. */
export const moveOverrides = ({ sql }: App, rows: readonly EventRow[]): Effect =>
  effect(
    'moved_overrides',
    sql`
    update events e
    set ${assignments([...Object.keys(editableTypes), 'seriesId', 'originalStart'], 'i')},
      sequence = e.sequence + 1
    from ${guard}, ${rowsOf(sql, rows, columnTypes, 'i')}
    where e.org_id = i.org_id
      and e.id = i.id`,
  )

/** As `removeOverrides`, of a series that the guard does not have. */
export const removeOverridesOf = ({ sql }: App, series: { orgId: Uuid; id: Uuid }, ids: readonly Uuid[]): Effect =>
  effect(
    'removed_overrides',
    sql`
    delete from events e using ${guard}
    where e.org_id = ${series.orgId}
      and e.series_id = ${series.id}
      and e.id = any (${uuids(sql, ids)})`,
  )

/** Hides rows of occurrences together with their series, which the guard deletes. */
export const hideOverrides = ({ sql }: App, ids: readonly Uuid[]): Effect =>
  effect(
    'hidden_overrides',
    sql`
    update events e set deleted_at = g.deleted_at
    from ${guard} g
    where e.org_id = g.org_id
      and e.series_id = g.id
      and e.id = any (${uuids(sql, ids)})`,
  )

/** Removes rows of occurrences: these are as their series has them again, or gone. */
export const removeOverrides = ({ sql }: App, ids: readonly Uuid[]): Effect =>
  effect(
    'removed_overrides',
    sql`
    delete from events e using ${guard} g
    where e.org_id = g.org_id
      and e.series_id = g.id
      and e.id = any (${uuids(sql, ids)})`,
  )

const timesTypes = {
  id: 'uuid',
  startTime: 'timestamptz',
  endTime: 'timestamptz',
  recurrenceRule: 'text',
  recurrenceExdates: 'timestamptz[]',
  recurrenceRdates: 'timestamptz[]',
  overriddenStarts: 'timestamptz[]',
  seriesLastStart: 'timestamptz',
  originalStart: 'timestamptz',
} as const

type MovedEvent = { id: Uuid } & Times & Pick<EventRow, 'originalStart'>

/** Gives events of the guard's calendar other times. */
export const moveEvents = ({ sql }: App, orgId: Uuid, moved: readonly MovedEvent[], now: Date): Effect =>
  effect(
    'moved_events',
    sql`
    update events e
    set ${assignments(
      Object.keys(timesTypes).filter((name) => name !== 'id'),
      'i',
    )},
      sequence = e.sequence + 1,
      updated_at = ${now}
    from ${guard}
    cross join ${rowsOf(sql, moved, timesTypes, 'i')}
    where e.org_id = ${orgId}
      and e.id = i.id`,
  )

/** Names the overrides of series that have moved by their new starts. `moved` has those that `moveEvents` names. */
export const moveOriginalStarts = (
  { sql }: App,
  orgId: Uuid,
  series: readonly { id: Uuid; byMs: number }[],
  moved: readonly Uuid[],
): Effect =>
  effect(
    'moved_original_starts',
    sql`
    update events e
    set original_start = e.original_start + i.by_ms * interval '1 millisecond'
    from ${guard}
    cross join ${rowsOf(sql, series, { id: 'uuid', byMs: 'bigint' }, 'i')}
    where e.org_id = ${orgId}
      and e.series_id = i.id
      and e.id <> all (${uuids(sql, moved)})`,
  )

/** Cancels holds that are still holds. */
export const endHolds = (
  { sql }: App,
  orgId: Uuid,
  ids: readonly Uuid[],
  outcome: NonNullable<EventState['holdOutcome']>,
  now: Date,
): Effect =>
  effect(
    'ended_holds',
    sql`
    update events e
    set status = 'cancelled',
      hold_outcome = ${outcome},
      sequence = e.sequence + 1,
      updated_at = ${now}
    from ${guard}
    where e.org_id = ${orgId}
      and e.id = any (${uuids(sql, ids)})
      and e.status = 'hold'`,
  )

/** Gives holds, which a step has locked, another time at which they expire. */
export const postponeHolds = ({ sql }: App, orgId: Uuid, ids: readonly Uuid[], expiresAt: Date, now: Date): Effect =>
  effect(
    'postponed_holds',
    sql`
    update events e
    set hold_expires_at = ${expiresAt},
      sequence = e.sequence + 1,
      updated_at = ${now}
    where e.org_id = ${orgId} and e.id = any (${uuids(sql, ids)}) and exists (select from ${guard})`,
  )

/** Cancels the holds of the guard's rows, `org_id, subject_id`, which it has locked: their time is up. */
export const expireHoldRows = ({ sql }: App, now: Date): Effect =>
  effect(
    'expired_holds',
    sql`
    update events e
    set status = 'cancelled',
      hold_outcome = 'expired',
      sequence = e.sequence + 1,
      updated_at = ${now}
    from ${guard}
    where e.org_id = ${guard}.org_id
      and e.id = ${guard}.subject_id`,
  )

/** For a calendar that is removed: the plan caps active series, and their count does not look at calendars. */
export const removeSeriesOf = ({ sql }: App, calendar: { orgId: Uuid; id: Uuid }, now: Date): Effect =>
  effect(
    'series',
    sql`
    update events e
    set deleted_at = ${now},
      updated_at = ${now}
    from ${guard}
    where e.org_id = ${calendar.orgId}
      and e.calendar_id = ${calendar.id}
      and e.recurrence_rule is not null
      and e.deleted_at is null`,
  )

/** An event of a feed: `icalKey` identifies it there, `icalContent` stands for its content. Both are digests. */
export type ImportedRow = Pick<
  EventRow,
  'id' | 'titleSealed' | 'descriptionSealed' | 'startTime' | 'endTime' | 'allDay' | 'status' | keyof DetailColumns
> & { icalKey: Buffer; icalContent: Buffer }

const namesOfImports = ['orgId', 'calendarId', 'source', 'metadata', 'icalSubscriptionId', 'createdAt', 'updatedAt']

/** Events that a subscription has found; the guard returns `org_id, calendar_id`. */
export const insertImported = (app: App, subscriptionId: Uuid, rows: readonly ImportedRow[], now: Date): Effect => {
  const { sql } = app
  const types = rows.some(hasDetails) ? detailedImportTypes : importedTypes
  const whole = sql`
    select
      r.*,
      ${guard}.org_id, ${guard}.calendar_id,
      'external_ical' as source, '{}'::jsonb as metadata, ${subscriptionId}::uuid as ical_subscription_id,
      ${now}::timestamptz as created_at, ${now}::timestamptz as updated_at
    from ${guard}
    cross join ${rowsOf(sql, rows, types, 'r')}`
  return insertRows(app, [...Object.keys(types), ...namesOfImports], sql`(${whole}) i`)
}

/** Events that have changed in their feed; the guard returns `org_id`. */
export const rewriteImported = ({ sql }: App, rows: readonly ImportedRow[], now: Date): Effect =>
  effect(
    'rewritten_events',
    sql`
    update events e
    set ${assignments(
      Object.keys(detailedImportTypes).filter((name) => name !== 'id' && name !== 'icalKey'),
      'i',
    )},
      sequence = e.sequence + 1,
      updated_at = ${now}
    from ${guard}
    cross join ${rowsOf(sql, rows, detailedImportTypes, 'i')}
    where e.org_id = ${guard}.org_id
      and e.id = i.id`,
  )

/** Events that are gone from their feed; the guard returns `org_id`. */
export const removeImported = ({ sql }: App, ids: readonly Uuid[]): Effect =>
  effect(
    'removed_events',
    sql`
    delete from events e
    using ${guard}
    where e.org_id = ${guard}.org_id
      and e.id = any (${uuids(sql, ids)})`,
  )
