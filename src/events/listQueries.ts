// The statements behind the lists of events. Whatever the offset, the index finds a page by starts and ids alone; whole rows
// are read only of the page.
import { eventUntil, isWide, seriesUntil } from '../recurrence/until.ts'
import type { Uuid } from '../shapes/ids.ts'
import { askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { type EventRow, eventColumns, type RecurringRow, recurringColumns } from './columns.ts'
import type { EventListQuery } from './schema.ts'

/** The stored statuses behind a status filter: a hold that lapsed counts as cancelled from that instant. */
const storedStatuses = {
  confirmed: ['confirmed'],
  tentative: ['tentative'],
  cancelled: ['cancelled', 'hold'],
  hold: ['hold'],
}
const allStatuses = ['confirmed', 'tentative', 'cancelled', 'hold']

/** `isActive`: without cancelled events. `after`: those that come later in the list. */
export type ListQuery = Omit<EventListQuery, 'label'> & {
  isActive?: boolean
  after?: ListKey | undefined
  /** Of events that have a label (`labels.ts`). */
  labelKey?: Buffer | undefined
}

export type ListScope = { orgId: Uuid; calendarIds: readonly Uuid[]; now: Date }

/** Spelled out, so that the index of imported events answers. */
const ofSource = (sql: Sql, source: 'internal' | 'external_ical'): Fragment =>
  source === 'internal' ? sql`and e.source = 'internal'` : sql`and e.source = 'external_ical'`

const afterKey = (sql: Sql, { after }: ListQuery): Fragment =>
  after ? sql`and (e.start_time, e.id) > (${after.startTime}::timestamptz, ${after.id}::uuid)` : sql``

const hasLabel = (sql: Sql, { labelKey }: ListQuery): Fragment =>
  labelKey ? sql`and e.label_keys @> array[${labelKey}::bytea]` : sql``

/** The events `e` that are listed. Those with a label are few, and are found by it before anything else. */
const listed = (sql: Sql, { orgId }: ListScope, query: ListQuery): Fragment =>
  query.labelKey
    ? sql`(select * from events e where e.org_id = ${orgId} ${hasLabel(sql, query)} offset 0) e`
    : sql`events e`

const matching = (sql: Sql, { now }: ListScope, query: ListQuery): Fragment => sql`
  ${query.start_after ? sql`and e.start_time >= ${query.start_after}` : sql``}
  ${query.start_before ? sql`and e.start_time < ${query.start_before}` : sql``}
  ${afterKey(sql, query)}
  ${query.source ? ofSource(sql, query.source) : sql``}
  ${hasLabel(sql, query)}
  ${query.isActive ? sql`and (e.status <> 'hold' or e.hold_expires_at > ${now})` : sql``}
  ${query.status === 'hold' ? sql`and e.hold_expires_at > ${now}` : sql``}
  ${query.status === 'cancelled' ? sql`and (e.status <> 'hold' or e.hold_expires_at <= ${now})` : sql``}`

function statusesOf({ status, isActive }: ListQuery): string[] {
  if (status) return storedStatuses[status]
  return isActive ? allStatuses.filter((one) => one !== 'cancelled') : allStatuses
}

/** Where an event stands in a list. */
export type ListKey = { startTime: Date; id: Uuid }

/** Where an occurrence does: `id` is that of its series. */
export type OccurrencePlace = ListKey & { originalStart: Date }

type Stretch = { limit: number; offset: number }

/**
 * The events of one calendar and status that are not deleted, without edited occurrences; the index returns them in order. `branch`
 * is an alias with both.
 */
const ofBranch = (sql: Sql, scope: ListScope, query: ListQuery, branch: Fragment): Fragment => sql`
  from events e
  where e.org_id = ${scope.orgId} and e.calendar_id = ${branch}.calendar_id and e.status = ${branch}.status
    and e.series_id is null and e.deleted_at is null ${matching(sql, scope, query)}`

const branchesOf = (sql: Sql, scope: ListScope, query: ListQuery): Fragment => sql`
  unnest(${scope.calendarIds}::uuid[]) as c (calendar_id)
  cross join unnest(${statusesOf(query)}::text[]) as s (status)
  cross join lateral (select c.calendar_id, s.status) branch`

/** Merges one index scan per branch, each no longer than the end of the page. */
const mergedByStart = (sql: Sql, scope: ListScope, query: ListQuery, { limit, offset }: Stretch): Fragment => sql`
  select e.start_time, e.id
  from ${branchesOf(sql, scope, query)}
  cross join lateral (
    select e.start_time, e.id ${ofBranch(sql, scope, query, sql`branch`)}
    order by e.start_time, e.id limit ${limit + offset}) e
  order by e.start_time, e.id limit ${limit} offset ${offset}`

/**
 * The same, of many branches: reads the first `head` of each. As many of these as the page needs end at a bound, and only branches
 * that have not reached it are read on, up to it.
 */
const boundedByStart = (
  sql: Sql,
  scope: ListScope,
  query: ListQuery,
  { limit, offset }: Stretch,
  head: number,
): Fragment => sql`
  with heads as materialized (
    select branch.*, e.*
    from ${branchesOf(sql, scope, query)}
    cross join lateral (
      select e.start_time, e.id, row_number() over (order by e.start_time, e.id) as nth
      ${ofBranch(sql, scope, query, sql`branch`)}
      order by e.start_time, e.id limit ${head}) e
  ),
  bound as materialized (
    (select start_time, id from heads order by start_time, id limit 1 offset ${limit + offset - 1})
    union all
    select 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    order by start_time, id limit 1
  ),
  found as (
    select start_time, id from heads
    union all
    select e.start_time, e.id
    from heads h
    join bound b on h.nth = ${head} and (h.start_time, h.id) < (b.start_time, b.id)
    cross join lateral (
      select e.start_time, e.id ${ofBranch(sql, scope, query, sql`h`)}
        and (e.start_time, e.id) > (h.start_time, h.id) and (e.start_time, e.id) <= (b.start_time, b.id)
      order by e.start_time, e.id limit ${limit + offset}) e
  )
  select start_time, id from found
  order by start_time, id limit ${limit} offset ${offset}`

/** With fewer branches the second look costs more than it saves. */
const manyBranches = 16

/** Events with a label need no branches. */
const labelledByStart = (sql: Sql, scope: ListScope, query: ListQuery, { limit, offset }: Stretch): Fragment => sql`
  select e.start_time, e.id
  from ${listedEvents(sql, scope, query)} and e.series_id is null
  order by e.start_time, e.id limit ${limit} offset ${offset}`

function firstByStart(sql: Sql, scope: ListScope, query: ListQuery, stretch: Stretch): Fragment {
  if (query.labelKey) return labelledByStart(sql, scope, query, stretch)
  const branches = scope.calendarIds.length * statusesOf(query).length
  if (branches < manyBranches) return mergedByStart(sql, scope, query, stretch)
  const head = Math.max(4, Math.ceil((2 * (stretch.limit + stretch.offset)) / branches))
  return boundedByStart(sql, scope, query, stretch, head)
}

export const keysOf = (sql: Sql, scope: ListScope, query: ListQuery, stretch: Stretch) =>
  own<ListKey>(
    sql,
    scope.orgId,
  )`select ${askedBy(sql, scope.orgId)}, p.* from (${firstByStart(sql, scope, query, stretch)}) p
    order by p.start_time, p.id`

export const eventsPage = (sql: Sql, scope: ListScope, query: ListQuery) =>
  own<EventRow>(sql, scope.orgId)`
  select e.* from (${firstByStart(sql, scope, query, query)}) p
  cross join lateral (
    select ${eventColumns} from events e where e.org_id = ${scope.orgId} and e.id = p.id limit 1) e
  order by e.start_time, e.id`

/** Those of these events that still exist. */
export const eventsById = (sql: Sql, orgId: Uuid, ids: readonly Uuid[]) =>
  own<EventRow>(sql, orgId)`
  select ${eventColumns} from events e
  where e.org_id = ${orgId} and e.id = any (${ids}::uuid[]) and e.deleted_at is null`

/** The place of an event that happens once; an edited occurrence stands under its series. */
export type ListedSingle = ListKey & Pick<EventRow, 'seriesId' | 'originalStart'>

export const singlesById = (sql: Sql, orgId: Uuid, ids: readonly Uuid[]) =>
  own<ListedSingle>(sql, orgId)`
  select e.org_id, e.id, e.start_time, e.series_id, e.original_start from events e
  where e.org_id = ${orgId} and e.id = any (${ids}::uuid[]) and e.deleted_at is null`

/** The part of a series that says when it happens. */
export type ListedSeries = RecurringRow & { id: Uuid }

/** The series that can have an occurrence in an expanded window. */
export const listedSeries = (sql: Sql, scope: ListScope, query: ListQuery) =>
  own<ListedSeries>(sql, scope.orgId)`
  select e.org_id, e.id, ${recurringColumns} from ${listed(sql, scope, query)}
  where e.org_id = ${scope.orgId} and e.calendar_id = any (${scope.calendarIds}::uuid[])
    and e.recurrence_rule is not null and e.deleted_at is null and e.status = any (${statusesOf(query)}::text[])
    and ${seriesUntil(sql, sql`e`)} > ${query.start_after!}::timestamptz and e.start_time < ${query.start_before!}
    ${query.source ? ofSource(sql, query.source) : sql``}`

/**
 * Events that happen once, began before the window and end in it. Those of the last week are found by their times, from the index
 * alone, and longer ones among the few that stand apart, where cancelled ones do not stand.
 */
const carried = (sql: Sql, scope: ListScope, query: ListQuery, from: Date, more: Fragment): Fragment => {
  const isCancelled = query.status === 'cancelled'
  const lately = sql`${from}::timestamptz - interval '7 days'`
  const condition = sql`
    from events e
    where e.org_id = ${scope.orgId} and e.calendar_id = any (${scope.calendarIds}::uuid[])
      and e.status = any (${statusesOf(query)}::text[]) and e.deleted_at is null
      and e.start_time < ${from} and e.end_time > ${from} ${afterKey(sql, query)} ${more}`
  return sql`
    with found as materialized (
      select e.start_time, e.id ${condition} ${isCancelled ? sql`` : sql`and e.start_time > ${lately}`}
      union all
      select e.start_time, e.id ${condition}
        and e.start_time <= ${lately} and ${isWide(sql, sql`e`)} and ${eventUntil(sql, sql`e`)} > ${from}
        ${isCancelled ? sql`and false` : sql``}
    )
    select e.*
    from (select * from found order by start_time, id) f
    cross join lateral (
      select e.org_id, e.start_time, e.id, e.series_id, e.original_start from events e
      where e.org_id = ${scope.orgId} and e.id = f.id and e.deleted_at is null and e.recurrence_rule is null
        ${matching(sql, scope, { ...query, start_after: undefined, start_before: undefined, after: undefined })}
      limit 1) e
    order by f.start_time, f.id`
}

export const carriedIn = (sql: Sql, scope: ListScope, query: ListQuery, from: Date) =>
  own<ListedSingle>(sql, scope.orgId)`${carried(sql, scope, query, from, sql``)}`

/** The first `max` of them, without edited occurrences. */
export const firstCarriedIn = (sql: Sql, scope: ListScope, query: ListQuery, from: Date, max: number) =>
  own<ListedSingle>(sql, scope.orgId)`${carried(sql, scope, query, from, sql`and e.series_id is null`)} limit ${max}`

/** The first `max` edited occurrences that overlap a window and come later than `after`. */
export const firstEdited = (
  sql: Sql,
  scope: ListScope,
  { start, end }: { start: Date; end: Date },
  after: OccurrencePlace | undefined,
  max: number,
) =>
  own<ListedSingle>(sql, scope.orgId)`
  select e.org_id, e.id, e.start_time, e.series_id, e.original_start
  from events e
  where e.org_id = ${scope.orgId} and e.calendar_id = any (${scope.calendarIds}::uuid[]) and e.series_id is not null
    and e.status <> 'cancelled' and e.deleted_at is null and e.start_time < ${end} and e.end_time > ${start}
    ${
      after
        ? sql`and (e.start_time, e.series_id, e.original_start)
            > (${after.startTime}::timestamptz, ${after.id}::uuid, ${after.originalStart}::timestamptz)`
        : sql``
    }
  order by e.start_time, e.series_id, e.original_start
  limit ${max}`

const listedEvents = (sql: Sql, scope: ListScope, query: ListQuery): Fragment => sql`
  ${listed(sql, scope, query)}
  where e.org_id = ${scope.orgId} and e.calendar_id = any (${scope.calendarIds}::uuid[])
    and e.status = any (${statusesOf(query)}::text[]) and e.deleted_at is null ${matching(sql, scope, query)}`

/** `overrides`: edited occurrences, which `events` does not count. */
export type DayCount = { day: Date; events: number; overrides: Uuid[] | null }

/** Of an expanded window, how many events start on each of its days, which are counted from its beginning; series by their first occurrence. */
export const eventsPerDay = (sql: Sql, scope: ListScope, query: ListQuery) =>
  own<DayCount>(sql, scope.orgId)`
  select ${askedBy(sql, scope.orgId)}, date_bin('1 day', e.start_time, ${query.start_after!}::timestamptz) as day,
    count(*) filter (where e.series_id is null)::integer as events,
    array_agg(e.id) filter (where e.series_id is not null) as overrides
  from ${listedEvents(sql, scope, query)} group by day`

export const eventTotal = (sql: Sql, scope: ListScope, query: ListQuery) =>
  own<{ total: number }>(sql, scope.orgId)`
  select ${askedBy(sql, scope.orgId)}, count(*)::integer as total
  from ${listedEvents(sql, scope, query)} and e.series_id is null`

type KeptCounts = Record<'confirmed' | 'tentative' | 'cancelled' | 'hold' | 'lapsed' | 'imported', number>

/** Living internal events by stored status, from the counts that every change keeps; the lapsed holds; the imported events. */
export const keptCounts = (sql: Sql, { orgId, calendarIds, now }: ListScope, query: ListQuery) =>
  own<KeptCounts>(sql, orgId)`
  select ${askedBy(sql, orgId)}, coalesce(sum(confirmed_events), 0)::integer as confirmed, coalesce(sum(tentative_events), 0)::integer as tentative,
    coalesce(sum(cancelled_events), 0)::integer as cancelled, coalesce(sum(hold_events), 0)::integer as hold,
    (select count(*)::integer from events
     where org_id = ${orgId} and calendar_id = any (${calendarIds}::uuid[]) and status = 'hold'
       and deleted_at is null and hold_expires_at <= ${now}) as lapsed,
    (select count(*)::integer from events
     where org_id = ${orgId} and calendar_id = any (${calendarIds}::uuid[])
       and status = any (${statusesOf(query)}::text[]) and source = 'external_ical' and deleted_at is null) as imported
  from calendars where org_id = ${orgId} and id = any (${calendarIds}::uuid[])`
