// The rows of occurrences that differ from their series.
import type { Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'
import { type EventRow, eventColumns } from './columns.ts'

type SeriesKey = { orgId: Uuid; id: Uuid }

export const overridesOf = (sql: Sql, { orgId, id }: SeriesKey) =>
  own<EventRow>(sql, orgId)`
    select ${eventColumns} from events e where e.org_id = ${orgId} and e.series_id = ${id}`

export const overrideAt = (sql: Sql, { orgId, id }: SeriesKey, originalStart: Date) =>
  own<EventRow>(sql, orgId)`
    select ${eventColumns} from events e
    where e.org_id = ${orgId} and e.series_id = ${id} and e.original_start = ${originalStart}`
