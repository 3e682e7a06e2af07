// The statements behind a calendar's context. Each finds the few rows around a moment, whatever the size of the calendar.

import { eventUntil, isWide, seriesUntil } from '../recurrence/until.ts'
import type { Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { texts } from '../stores/sql.ts'
import { type EventRow, eventColumns } from './columns.ts'

export type Scope = { orgId: Uuid; calendarId: Uuid; now: Date }

/**
 * The series of a calendar that are neither cancelled nor over, then the last `maxEnded` of those that are over, newest
 * first. The index answers per status, so each is read by itself.
 */
export const seriesAround = (sql: Sql, { orgId, calendarId, now }: Scope, maxEnded: number) => {
  const ofStatus = sql`
    select ${eventColumns}, ${seriesUntil(sql, sql`e`)} as until
    from events e
    where e.org_id = ${orgId}
      and e.calendar_id = ${calendarId}
      and e.status = s.status
      and e.recurrence_rule is not null
      and e.deleted_at is null`
  return own<EventRow>(sql, orgId)`
    select e.*
    from unnest('{confirmed,tentative}'::text[]) as s (status)
    cross join lateral (${ofStatus} and ${seriesUntil(sql, sql`e`)} > ${now}) e
    union all (
      select e.*
      from unnest('{confirmed,tentative}'::text[]) as s (status)
      cross join lateral (
        ${ofStatus} and ${seriesUntil(sql, sql`e`)} <= ${now}
        order by ${seriesUntil(sql, sql`e`)} desc
        limit ${maxEnded}) e
      order by e.until desc
      limit ${maxEnded})`
}

/** Without cancelled and lapsed ones. */
const liveStatuses = ['confirmed', 'tentative', 'hold']
const isLive = (sql: Sql, now: Date): Fragment => sql`
  e.deleted_at is null and (e.status <> 'hold' or e.hold_expires_at > ${now})`

/** The index answers per status, so each is read by itself and the few rows are merged. */
const firstPerStatus = (sql: Sql, { orgId, calendarId, now }: Scope, where: Fragment, order: Fragment, max: number) =>
  own<EventRow>(sql, orgId)`
    select e.*
    from unnest(${texts(sql, liveStatuses)}) as s (status)
    cross join lateral (
      select ${eventColumns}
      from events e
      where e.org_id = ${orgId}
        and e.calendar_id = ${calendarId}
        and e.status = s.status
        and ${isLive(sql, now)}
        and ${where}
      order by ${order}
      limit ${max}) e
    order by ${order}
    limit ${max}`

/** Events that happen once and start after the moment. */
export const eventsAfter = (sql: Sql, scope: Scope, max: number) =>
  firstPerStatus(
    sql,
    scope,
    sql`e.recurrence_rule is null and e.start_time > ${scope.now}`,
    sql`e.start_time, e.id`,
    max,
  )

/** Events that have ended, the latest started first. A series counts by its first occurrence, if that was not cancelled. */
export const lastStartedAndEnded = (sql: Sql, scope: Scope, max: number) =>
  firstPerStatus(
    sql,
    scope,
    sql`e.start_time <= ${scope.now} and e.end_time <= ${scope.now} and e.start_time <> all (e.recurrence_exdates || e.overridden_starts)`,
    sql`e.start_time desc, e.id desc`,
    max,
  )

/** Events whose window contains the moment, the latest started first. */
export const eventsAround = (sql: Sql, scope: Scope, max: number) =>
  startedBefore(
    sql,
    scope,
    scope.now,
    { ends: sql`end_time > ${scope.now}`, order: sql`e.start_time desc, e.id desc` },
    max,
  )

/** Events that ended in `(after, now]`, the latest end first. */
export const endedAfter = (sql: Sql, scope: Scope, after: Date, max: number) =>
  startedBefore(
    sql,
    scope,
    after,
    {
      ends: sql`end_time > ${after} and end_time <= ${scope.now}`,
      order: sql`e.end_time desc, e.start_time desc, e.id desc`,
    },
    max,
  )

/**
 * Of the events that have started, those whose end lies as `ends` says, after `since` at least. One that began in the week
 * before `since` is found by its start, from the index alone; an older one among the few that stand apart.
 * They are few, whatever the planner believes, so each is read by itself (`limit 1` keeps the planner from another way).
 */
const startedBefore = (
  sql: Sql,
  { orgId, calendarId, now }: Scope,
  since: Date,
  { ends, order }: { ends: Fragment; order: Fragment },
  max: number,
) =>
  own<EventRow>(sql, orgId)`
    with found as materialized (
      -- those that began lately
      select id
      from events
      where org_id = ${orgId}
        and calendar_id = ${calendarId}
        and status in ('confirmed', 'tentative', 'hold')
        and deleted_at is null
        and start_time > ${since}::timestamptz - interval '7 days'
        and start_time <= ${now}
        and ${ends}
      union all
      -- those that began long ago
      select id
      from events e
      where org_id = ${orgId}
        and calendar_id = ${calendarId}
        and ${isWide(sql, sql`e`)}
        and ${eventUntil(sql, sql`e`)} > ${since}
        and start_time <= ${since}::timestamptz - interval '7 days'
        and ${ends}
    )
    select e.*
    from found
    cross join lateral (
      select ${eventColumns}
      from events e
      where e.org_id = ${orgId}
        and e.id = found.id
        and e.status <> 'cancelled'
        and e.recurrence_rule is null
        and ${isLive(sql, now)}
      limit 1) e
    order by ${order}
    limit ${max}`
