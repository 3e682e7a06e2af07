import type { EventStatus } from '../events/rules.ts'
import { isStopped } from '../organizations/standing.ts'
import type { Uuid } from '../shapes/ids.ts'
import { answersTo } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { json } from '../stores/sql.ts'

/** `busy`: the feed that says when a calendar is busy, and nothing else. */
export type FeedKind = 'whole' | 'busy'

export type FeedState = {
  kind: FeedKind
  tokenHash: string
  orgId: Uuid
  id: Uuid
  revision: number
  lapsedHolds: number
}

/** By hashes in hexadecimal. Reads no event: lapsed holds are counted in the index of live holds, if there are any. */
export const feedsByToken = (sql: Sql, tokenHashes: readonly string[], now: Date) =>
  answersTo<FeedState>(sql, (row) => tokenHashes.includes(row.tokenHash))`
  select
    c.kind, h.value as token_hash, c.org_id, c.id, c.revision,
    case when c.hold_events = 0 then 0 else (
      select count(*)::integer
      from events e
      where e.org_id = c.org_id and e.calendar_id = c.id
        and e.status = 'hold' and e.deleted_at is null and e.hold_expires_at <= ${now})
    end as lapsed_holds
  from jsonb_array_elements_text(${json(sql, tokenHashes)}) h
  join lateral (
    select 'whole' as kind, w.org_id, w.id, w.revision, w.hold_events, w.deleted_at
    from calendars w
    where w.feed_token_hash = decode(h.value, 'hex')
    union all
    select 'busy', b.org_id, b.id, b.revision, b.hold_events, b.deleted_at
    from calendars b
    where b.busy_token_hash = decode(h.value, 'hex')) c on c.deleted_at is null
  join organizations o on o.id = c.org_id and not ${isStopped(sql, sql`o`)}`

export type FeedCalendar = {
  revision: number
  calendarName: string
  timezone: string
  defaultReminders: number[] | null
  /** One of its events may repeat in UTC: all-day ones by days or weeks are written as dates. */
  hasSeries: boolean
  /** The zones by which series repeat, each with the start of the first of them, an ISO datetime; null without any. */
  zones: Record<string, string> | null
  /** The versions of all its events in the order of the feed, in the form of `versions.ts`; null without events. */
  versions: Buffer | null
}

export type FeedRow = {
  id: Uuid
  titleSealed: Buffer
  descriptionSealed: Buffer | null
  detailsSealed: Buffer | null
  transparent: boolean
  startTime: Date
  endTime: Date
  allDay: boolean
  status: EventStatus
  source: 'internal' | 'external_ical'
  reminders: number[] | null
  holdExpiresAt: Date | null
  recurrenceRule: string | null
  recurrenceExdates: Date[]
  recurrenceTimezone: string | null
  recurrenceRdates: Date[]
  recurrenceSkippedMs: number
  overriddenStarts: Date[]
  /** Of a row that stands for one occurrence: its series, its original start, and how that writes its times. */
  seriesId: Uuid | null
  originalStart: Date | null
  seriesTimezone: string | null
  seriesAllDay: boolean | null
  seriesStart: Date | null
  seriesRule: string | null
  seriesSkippedMs: number | null
  sequence: number
  createdAt: Date
  updatedAt: Date
  /** In the busy feed, of a series: its occurrences with rows of their own that block no time. */
  idleStarts?: Date[]
}

/** Rows to unpack at once: then other work of the process gets a turn. */
const rowsAtOnce = 500

type FeedContent = { calendar: FeedCalendar | undefined; rows: FeedRow[] }
type Wanted = { kind: FeedKind; now: Date; since?: Date | undefined }

/**
 * A calendar and its events, or of these only its holds and those that changed at `since` or later. One statement, so that
 * the revision, the versions and the events belong together. A lapsed hold has the version that its timer will leave.
 */
export async function readFeed(
  sql: Sql,
  orgId: Uuid,
  calendarId: Uuid,
  { kind, now, since }: Wanted,
): Promise<FeedContent> {
  const isBusy = kind === 'busy'
  const found: FeedContent = { calendar: undefined, rows: [] }
  const existing = sql`e.org_id = ${orgId} and e.calendar_id = ${calendarId} and e.deleted_at is null`
  const hasLapsed = sql`(e.status = 'hold' and e.hold_expires_at <= ${now})`
  // The calendar is one row, each event another one.
  await answersTo<{ calendarId: Uuid; revision: number | null }>(sql, (row) => row.calendarId === calendarId)`
    select
      coalesce(c.id, e.calendar_id) as calendar_id,
      c.revision, c.calendar_name, c.timezone, c.default_reminders, c.has_series, c.zones, c.versions,
      e.id, e.title_sealed, e.description_sealed, e.details_sealed, e.transparent, e.start_time, e.end_time, e.all_day,
      e.status, e.source, e.reminders, e.hold_expires_at,
      e.recurrence_rule, e.recurrence_exdates, e.recurrence_timezone, e.recurrence_rdates, e.recurrence_skipped_ms,
      e.series_id, e.original_start, e.series_timezone, e.series_all_day, e.series_start, e.series_rule,
      e.series_skipped_ms, e.overridden_starts,
      e.sequence, e.created_at, e.updated_at
      ${isBusy ? sql`, e.idle_starts` : sql``}
    from (
      select
        c.id, c.revision, c.name as calendar_name, c.timezone, c.default_reminders,
        (
          select string_agg(
            uuid_send(e.id)
              || int4send(e.sequence + case when ${hasLapsed} then 1 else 0 end)
              || timestamptz_send(case when ${hasLapsed} then e.hold_expires_at else e.updated_at end),
            '' order by e.start_time, e.id)
          from events e
          where ${existing}
        ) as versions,
        exists (
          select from events e
          where ${existing} and e.recurrence_rule is not null and e.recurrence_timezone is null
            and (not e.all_day or e.recurrence_rule ~ '(MONTHLY|YEARLY)')
        ) as has_series,
        (
          select jsonb_object_agg(z.recurrence_timezone, z.since)
          from (
            select e.recurrence_timezone, min(e.start_time) as since
            from events e
            where ${existing} and e.recurrence_rule is not null and e.recurrence_timezone is not null
            group by e.recurrence_timezone
          ) z
        ) as zones
      from calendars c
      where c.org_id = ${orgId} and c.id = ${calendarId} and c.deleted_at is null
    ) c
    full join (
      select e.*,
        s.recurrence_timezone as series_timezone, s.all_day as series_all_day, s.start_time as series_start,
        s.recurrence_rule as series_rule,
        s.recurrence_skipped_ms as series_skipped_ms
        ${isBusy ? sql`, ${idleStarts(sql)} as idle_starts` : sql``}
      from events e
      left join events s on s.org_id = e.org_id and s.id = e.series_id
      where ${existing} ${since ? sql`and (e.updated_at >= ${since} or e.status = 'hold')` : sql``}
    ) e on false`.cursor(rowsAtOnce, (rows) => {
    for (const row of rows) {
      if (row.revision === null) found.rows.push(row as unknown as FeedRow)
      else found.calendar = row as unknown as FeedCalendar
    }
  })
  return found
}

/** Of event `e`. */
const idleStarts = (sql: Sql): Fragment => sql`
  array(
    select o.original_start
    from events o
    where o.org_id = e.org_id and o.series_id = e.id and o.deleted_at is null
      and (o.status = 'cancelled' or o.transparent))`
