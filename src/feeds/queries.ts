import type { EventStatus } from '../events/rules.ts'
import type { Uuid } from '../shapes/ids.ts'
import { answersTo } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'
import { json } from '../stores/sql.ts'

export type FeedState = { tokenHash: string; orgId: Uuid; id: Uuid; revision: number; lapsedHolds: number }

/** By hashes in hexadecimal. Reads no event: lapsed holds are counted in the index of live holds, if there are any. */
export const feedsByToken = (sql: Sql, tokenHashes: readonly string[], now: Date) =>
  answersTo<FeedState>(sql, (row) => tokenHashes.includes(row.tokenHash))`
  select
    h.value as token_hash, c.org_id, c.id, c.revision,
    case when c.hold_events = 0 then 0 else (
      select count(*)::integer
      from events e
      where e.org_id = c.org_id and e.calendar_id = c.id
        and e.status = 'hold' and e.deleted_at is null and e.hold_expires_at <= ${now})
    end as lapsed_holds
  from jsonb_array_elements_text(${json(sql, tokenHashes)}) h
  join calendars c on c.feed_token_hash = decode(h.value, 'hex') and c.deleted_at is null`

/** A calendar and one of its events. A calendar without events has one row, with `id` null. */
export type FeedRow = {
  revision: number
  calendarName: string
  timezone: string
  defaultReminders: number[] | null
  id: Uuid | null
  titleSealed: Buffer
  descriptionSealed: Buffer | null
  startTime: Date
  endTime: Date
  allDay: boolean
  status: EventStatus
  source: 'internal' | 'external_ical'
  reminders: number[] | null
  holdExpiresAt: Date | null
  recurrenceRule: string | null
  recurrenceExdates: Date[]
  sequence: number
  createdAt: Date
  updatedAt: Date
}

/** Rows to unpack at once: then other work of the process gets a turn. */
const rowsAtOnce = 250

/** One statement, so that the revision and the events belong together. */
export async function feedRows(sql: Sql, orgId: Uuid, calendarId: Uuid): Promise<FeedRow[]> {
  const all: FeedRow[] = []
  await answersTo<FeedRow & { calendarId: Uuid }>(sql, (row) => row.calendarId === calendarId)`
    select
      c.id as calendar_id, c.revision, c.name as calendar_name, c.timezone, c.default_reminders,
      e.id, e.title_sealed, e.description_sealed, e.start_time, e.end_time, e.all_day,
      e.status, e.source, e.reminders, e.hold_expires_at,
      e.recurrence_rule, e.recurrence_exdates, e.sequence, e.created_at, e.updated_at
    from calendars c
    left join events e on e.org_id = c.org_id and e.calendar_id = c.id and e.deleted_at is null
    where c.org_id = ${orgId} and c.id = ${calendarId} and c.deleted_at is null
    order by e.start_time, e.id`.cursor(rowsAtOnce, (rows) => {
    all.push(...rows)
  })
  return all
}
