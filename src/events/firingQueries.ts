// What is read of the events whose timers are due.
import type { Uuid } from '../shapes/ids.ts'
import { answersTo, isOneOf } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'
import type { EventRow } from './columns.ts'

export type FiringRow = Pick<
  EventRow,
  'id' | 'calendarId' | 'titleSealed' | 'startTime' | 'endTime' | 'recurrenceRule' | 'recurrenceExdates'
> & {
  /** Another one after every change of the row. */
  version: string
}

type DueSubject = { orgId: Uuid; subjectId: Uuid }

const remaining = (sql: Sql, due: readonly DueSubject[], status: 'confirmed' | 'hold'): Fragment => sql`
  from ${rowsOf(sql, due, { orgId: 'uuid', subjectId: 'uuid' }, 'd')}
  join events e on e.org_id = d.org_id and e.id = d.subject_id and e.status = ${status} and e.deleted_at is null
  join calendars c on c.org_id = e.org_id and c.id = e.calendar_id and c.deleted_at is null`

/** The events of due timers that are still to fire; one that is missing here has been cancelled or deleted. */
export const firingEvents = (sql: Sql, due: readonly DueSubject[]) =>
  answersTo<FiringRow>(sql, isOneOf(due.map(({ subjectId }) => subjectId)))`
    select distinct
      e.id, e.calendar_id, e.title_sealed,
      e.start_time, e.end_time, e.recurrence_rule, e.recurrence_exdates,
      e.xmin::text as version
    ${remaining(sql, due, 'confirmed')}`

/** The events of due timers that are still holds. */
export const remainingHolds = (sql: Sql, due: readonly DueSubject[]) =>
  answersTo<{ id: Uuid }>(sql, isOneOf(due.map(({ subjectId }) => subjectId)))`
    select e.id ${remaining(sql, due, 'hold')}`
