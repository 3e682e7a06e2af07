import { agentSources, type SourceRow, sourceJson } from '../connections/sources.ts'
import { eventUntil, isWide } from '../recurrence/until.ts'
import type { Uuid } from '../shapes/ids.ts'
import { askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { rowsOf, uuids } from '../stores/sql.ts'
import type { BusyCalendar } from './busy.ts'
import type { NamedCalendar } from './explained.ts'
import { livingHolidays } from './holidays.ts'
import type { Window } from './intervals.ts'
import type { RulesRow } from './present.ts'
import { type Along, type AlongRow, isGranted, packed, partsOf } from './sourceQueries.ts'

/** The calendars that a question is about. `calendarIds` narrows those of agents. */
export type Scope =
  | { kind: 'calendar'; orgId: Uuid; calendarId: Uuid }
  | { kind: 'agents'; orgId: Uuid; agentIds: readonly Uuid[]; calendarIds?: readonly Uuid[] }

/** Agents as `a`, their calendars that are not deleted as `c`. An agent without a calendar still has one row. */
const agentsWithCalendars = (sql: Sql, scope: Scope): Fragment => {
  if (scope.kind === 'calendar') {
    return sql`
      (select null::uuid as id) a
      join calendars c on c.org_id = ${scope.orgId} and c.id = ${scope.calendarId} and c.deleted_at is null`
  }
  return sql`
    (select id from agents where org_id = ${scope.orgId} and id = any (${uuids(sql, scope.agentIds)})) a
    left join calendars c on c.org_id = ${scope.orgId} and c.agent_id = a.id and c.deleted_at is null
      ${scope.calendarIds ? sql`and c.id = any (${uuids(sql, scope.calendarIds)})` : sql``}`
}

type Revisions = { revisions: string | null; sources?: SourceRow[] | null; isGranted?: boolean }

/**
 * The calendars and their revisions as a text: while it stays the same, so does everything on them. With the sources of their
 * agents, or whether the organization has granted any.
 */
export const revisionsOf = (sql: Sql, scope: Scope, withSources: boolean) =>
  own<Revisions>(sql, scope.orgId)`
  select
    ${askedBy(sql, scope.orgId)}, string_agg(c.id || ':' || c.revision, ' ' order by c.id) as revisions,
    ${withSources ? sourcesJson(sql, scope) : isGranted(sql, scope.orgId)}
  from calendars c
  where c.org_id = ${scope.orgId} and c.deleted_at is null and ${isInScope(sql, scope, sql`c`)}`

/** The sources of the agents that a question is about. */
export const sourcesOf = (sql: Sql, scope: Scope) =>
  own<{ sources: SourceRow[] | null }>(sql, scope.orgId)`
  select ${askedBy(sql, scope.orgId)}, ${sourcesJson(sql, scope)}`

const sourcesJson = (sql: Sql, scope: Scope): Fragment => sql`
  (select json_agg(${sourceJson(sql, sql`s`)}) from (${agentSources(sql, scope.orgId, agentsOf(sql, scope))}) s) as sources`

const agentsOf = (sql: Sql, scope: Scope): Fragment =>
  scope.kind === 'agents'
    ? sql`select unnest(${uuids(sql, scope.agentIds)}) as agent_id`
    : sql`
    select agent_id from calendars
    where org_id = ${scope.orgId} and id = ${scope.calendarId} and deleted_at is null and agent_id is not null`

const isInScope = (sql: Sql, scope: Scope, calendar: Fragment): Fragment => {
  if (scope.kind === 'calendar') return sql`${calendar}.id = ${scope.calendarId}`
  return sql`
    ${calendar}.agent_id = any (${uuids(sql, scope.agentIds)})
    ${scope.calendarIds ? sql`and ${calendar}.id = any (${uuids(sql, scope.calendarIds)})` : sql``}`
}

/** A calendar and what makes it busy in a window. An agent without a calendar has a row whose `revision` is null. */
export type CalendarTimes = BusyCalendar &
  AlongRow & {
    /** The calendar's owner. */
    agentId: Uuid | null
    calendarId: Uuid | null
    revision: number | null
    /** When the first of the holds lapses. */
    holdsUntil: Date | null
    /** Of the feeds of holidays, if its rules name any. */
    holidayVersion?: string
  }

/** With the identifiers of the events. */
export type NamedTimes = CalendarTimes & NamedCalendar

/**
 * Reads one snapshot in one statement. Events that began at most a week before the window are found by their start
 * (`by_start`); older ones, series and holds are in `apart`, because a bare `end_time > …` would read the calendar's whole
 * past. The read by start must stay index-only, so it includes the row of a series, as its first occurrence.
 */
export const calendarTimes = (sql: Sql, scope: Scope, window: Window, now: Date, along: Along) =>
  own<CalendarTimes>(sql, scope.orgId)`${timesOf(sql, scope, window, now, plain(sql), along)}`

/**
 * Like `calendarTimes`, with the identifiers of the events. Reads their rows, so it costs more. `omitted` events are left out.
 */
export const namedTimes = (sql: Sql, scope: Scope, window: Window, now: Date, omitted: Omitted, along: Along) =>
  own<NamedTimes>(sql, scope.orgId)`${timesOf(sql, scope, window, now, named(sql, only(sql, omitted)), along)}`

/** Left out of an answer: an event, and holds below a priority. `stays`: times of the event that count for daily limits all the same. */
export type Omitted = { eventId?: Uuid; holdsBelow?: number; stays?: readonly number[] }

/** A question about one calendar. */
export type Question = { calendarId: Uuid; window: Window; now: Date; omitted: Omitted }

const questionColumns = {
  nth: 'integer',
  calendarId: 'uuid',
  fromTime: 'timestamptz',
  toTime: 'timestamptz',
  now: 'timestamptz',
  eventId: 'uuid',
  holdsBelow: 'integer',
} as const

/**
 * Several questions of an organization as by `namedTimes`, without what humans are busy with: a row has the number of its question. One
 * about a calendar that is gone has none.
 */
export const namedTimesTogether = (sql: Sql, orgId: Uuid, questions: readonly Question[]) => {
  const items = questions.map(({ calendarId, window: { fromMs, toMs }, now, omitted }, nth) => ({
    ...{ nth, calendarId, fromTime: new Date(fromMs), toTime: new Date(toMs), now },
    ...omitted,
  }))
  const reading = named(
    sql,
    sql`and coalesce(series_id, id) is distinct from c.event_id and (status <> 'hold' or hold_priority >= coalesce(c.holds_below, 0))`,
  )
  return own<NamedTimes & { nth: number }>(sql, orgId)`
  with scope as materialized (
    select
      k.nth, k.now, k.event_id, k.holds_below, c.agent_id, c.id, c.revision,
      ${rulesOf(sql, sql`r`, sql`k.from_time`, sql`k.to_time`)}
    from ${rowsOf(sql, items, questionColumns, 'k')}
    join calendars c on c.org_id = ${orgId} and c.id = k.calendar_id and c.deleted_at is null
    left join availability_rules r on r.org_id = c.org_id and r.calendar_id = c.id
  )
  select ${askedBy(sql, orgId)}, c.nth, ${timesColumns(sql, sql`c`)}, ${isGranted(sql, orgId)}
  from scope c
  ${eventsOf(sql, orgId, sql`c`, sql`c.now`, reading)}`
}

/** The columns of an event that are read besides its times, and the events that are read. */
type Reading = { byStart: Fragment; apart: Fragment; onlyByStart: Fragment; only: Fragment }

const plain = (sql: Sql): Reading => ({ byStart: sql``, apart: sql``, onlyByStart: sql``, only: sql`` })

const named = (sql: Sql, only: Fragment): Reading => ({
  byStart: sql`, string_agg(uuid_send(coalesce(series_id, id)), '') as ids, string_agg(left(status, 1), '') as statuses,
      case when bool_or(series_id is not null) then json_agg(original_start) end as originals`,
  apart: sql`, json_agg(json_build_object(
        'id', coalesce(series_id, id), 'original', original_start, 'status', status, 'priority', hold_priority, 'expires', hold_expires_at, 'group', hold_group_id)) as apart_names`,
  onlyByStart: sql`and recurrence_rule is null`,
  only,
})

const only = (sql: Sql, { eventId, holdsBelow }: Omitted): Fragment => sql`
    ${eventId === undefined ? sql`` : sql`and coalesce(series_id, id) <> ${eventId}`}
    ${holdsBelow === undefined ? sql`` : sql`and (status <> 'hold' or hold_priority >= ${holdsBelow})`}`

function timesOf(sql: Sql, scope: Scope, window: Window, now: Date, reading: Reading, along: Along): Fragment {
  const { fromMs, toMs } = window
  const parts = partsOf(sql, scope.orgId, window, along)
  return sql`
  with scope as materialized (
    select
      coalesce(a.id, c.agent_id) as agent_id, c.id, c.revision,
      ${along.kind === 'none' ? sql`` : sql`row_number() over (partition by coalesce(a.id, c.agent_id) order by c.id) = 1 as is_first,`}
      ${rulesOf(sql, sql`r`, sql`${new Date(fromMs)}::timestamptz`, sql`${new Date(toMs)}::timestamptz`)}
    from ${agentsWithCalendars(sql, scope)}
    left join availability_rules r on r.org_id = c.org_id and r.calendar_id = c.id
  )${parts.step}
  select ${askedBy(sql, scope.orgId)}, ${timesColumns(sql, sql`c`)}, ${parts.columns}
  from scope c
  ${eventsOf(sql, scope.orgId, sql`c`, sql`${now}::timestamptz`, reading)}
  ${parts.joins}`
}

/** The rules of a calendar, and the window widened by what they count of the time around it. */
const rulesOf = (sql: Sql, rules: Fragment, from: Fragment, to: Fragment): Fragment => sql`
      coalesce(${rules}.buffer_before_minutes, 0) as buffer_before,
      coalesce(${rules}.buffer_after_minutes, 0) as buffer_after,
      ${rules}.working_hours::text as working_hours, ${rules}.timezone, ${rules}.more,
      ${from} - coalesce(${rules}.buffer_after_minutes, 0) * interval '1 minute' - ${beyondWindow(sql, rules)} as since,
      ${to} + coalesce(${rules}.buffer_before_minutes, 0) * interval '1 minute' + ${beyondWindow(sql, rules)} as until`

/** Daily limits count all of a local day, which no zone makes longer than two days. */
const beyondWindow = (sql: Sql, rules: Fragment): Fragment => sql`
      case when ${rules}.more ?| '{max_meetings_per_day,max_busy_minutes_per_day}' then interval '2 days' else interval '0' end`

/** From a row of the step `scope`, with its `eventsOf`. */
const timesColumns = (sql: Sql, calendar: Fragment): Fragment => sql`
    ${calendar}.agent_id, ${calendar}.id as calendar_id, ${calendar}.revision,
    ${calendar}.buffer_before as buffer_before_minutes, ${calendar}.buffer_after as buffer_after_minutes,
    ${calendar}.working_hours, ${calendar}.timezone, ${calendar}.more,
    by_start.*,
    apart.*`

/** Joins the busy times of a row of the step `scope`: `by_start` and `apart`. */
const eventsOf = (sql: Sql, orgId: Uuid, calendar: Fragment, now: Fragment, reading: Reading): Fragment => sql`
  left join lateral (
    select
      ${packed(sql, sql`start_time`)} as starts,
      ${packed(sql, sql`end_time`)} as ends ${reading.byStart}
    from events
    where org_id = ${orgId} and calendar_id = ${calendar}.id
      and status in ('confirmed', 'tentative') and deleted_at is null and not transparent
      and start_time > ${calendar}.since - interval '7 days' and start_time < ${calendar}.until
      and end_time > ${calendar}.since
      ${reading.onlyByStart} ${reading.only}) by_start on true
  left join lateral (
    select
      ${packed(sql, sql`start_time`)} as apart_starts,
      ${packed(sql, sql`end_time`)} as apart_ends,
      json_agg(recurrence_rule) as rules,
      json_agg(recurrence_exdates || overridden_starts) as cancelled,
      json_agg(case when recurrence_timezone is not null or recurrence_rdates <> '{}'
        then json_build_object('zone', recurrence_timezone, 'rdates', recurrence_rdates, 'skippedMs', recurrence_skipped_ms)
        end) as beside,
      min(hold_expires_at) filter (where status = 'hold') as holds_until
      ${reading.apart}
    from events e
    where org_id = ${orgId} and calendar_id = ${calendar}.id and ${isWide(sql, sql`e`)} and not transparent
      and ${eventUntil(sql, sql`e`)} > ${calendar}.since and start_time < ${calendar}.until
      and case
        when recurrence_rule is not null then true
        when status = 'hold' then hold_expires_at > ${now}
        else start_time <= ${calendar}.since - interval '7 days'
      end
      ${reading.only}) apart on true`

export const existingCalendarIds = (sql: Sql, orgId: Uuid, ids: readonly Uuid[]) =>
  own<{ id: Uuid }>(sql, orgId)`
  select org_id, id
  from calendars
  where org_id = ${orgId} and id = any (${uuids(sql, ids)}) and deleted_at is null`

const rulesColumns = (sql: Sql): Fragment => sql`
  org_id, calendar_id, id,
  buffer_before_minutes, buffer_after_minutes,
  working_hours, timezone, more, labels_sealed, ${livingHolidays(sql, sql`r`)},
  created_at, updated_at`

export const rulesOfCalendar = (sql: Sql, orgId: Uuid, calendarId: Uuid) =>
  own<RulesRow>(sql, orgId)`
  select ${rulesColumns(sql)}
  from availability_rules r
  where org_id = ${orgId} and calendar_id = ${calendarId}`
