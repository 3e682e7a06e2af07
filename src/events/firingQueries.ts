// The due timers with their events.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { uuids } from '../stores/sql.ts'
import { type BlockOf, dueBlock, dueTimerColumns } from '../timers/dueBlock.ts'
import type { DueTimer } from '../timers/timers.ts'
import { type EventRow, type RecurringRow, recurringColumns } from './columns.ts'

type FiringEvent = RecurringRow &
  Pick<EventRow, 'status' | 'titleSealed' | 'seriesId' | 'originalStart'> & {
    /** Another one after every change of the row. */
    version: string
  }

/** A due timer with its event. All of `FiringEvent` is null if the event or its calendar is gone, and for a timer of a proposal. */
export type DueEventTimer<Event = FiringEvent | Record<keyof FiringEvent, null>> = DueTimer & Event
export type LiveEventTimer = DueEventTimer<FiringEvent>

/** A block of due timers with their events, the longest overdue first. */
export const dueWithEvents = ({ sql }: App, asked: BlockOf) =>
  sql<DueEventTimer[]>`${withEvents(sql, dueBlock(sql, asked))}`

/** The due timers of these events alone. */
export const dueOfEvents = ({ sql }: App, orgId: Uuid, ids: readonly Uuid[]) =>
  own<DueEventTimer>(sql, orgId)`${withEvents(
    sql,
    sql`
    select ${dueTimerColumns(sql)}
    from timers
    where org_id = ${orgId} and subject_id = any (${uuids(sql, ids)}) and due_at <= app_now()`,
  )}`

const withEvents = (sql: Sql, due: Fragment): Fragment => sql`
  with due as materialized (${due})
  select due.*,
    e.status, e.title_sealed, e.series_id, e.original_start,
    ${recurringColumns},
    e.version
  from due
  left join lateral (
    select e.*, e.xmin::text as version
    from events e
    join calendars c on c.org_id = e.org_id and c.id = e.calendar_id and c.deleted_at is null
    where e.org_id = due.org_id and e.id = due.subject_id and e.deleted_at is null
    offset 0
  ) e on true
  order by due.due_at`
