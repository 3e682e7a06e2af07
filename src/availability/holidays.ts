// The holidays of rules: the days that whole-day events of their iCal subscriptions cover, as dates of the calendar that these
// are imported into. They change without the calendar whose rules name them, so their version is a part of what is remembered.
import { wallDay } from '../localtime/words.ts'
import { dayMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { uuids } from '../stores/sql.ts'
import type { Window } from './intervals.ts'
import type { MoreRules } from './moreRules.ts'

/** The holiday subscriptions of a row of `availability_rules` that are not removed, in any order. */
export const livingHolidays = (sql: Sql, rules: Fragment): Fragment => sql`
  (select json_agg(s.id)
   from ical_subscriptions s
   where s.org_id = ${rules}.org_id and ${rules}.more -> 'holiday_subscription_ids' ? s.id::text) as living_holidays`

export const existingSubscriptionIds = (sql: Sql, orgId: Uuid, ids: readonly Uuid[]) =>
  own<{ id: Uuid }>(sql, orgId)`
  select org_id, id
  from ical_subscriptions
  where org_id = ${orgId} and id = any (${uuids(sql, ids)})`

type Version = { id: Uuid; revision: number; zone: string }

/** Subscriptions as `s`, the calendars that they are imported into as `c`. */
const feeds = (sql: Sql, orgId: Uuid, ids: readonly Uuid[]): Fragment => sql`
  ical_subscriptions s
  join calendars c on c.org_id = s.org_id and c.id = s.calendar_id
  where s.org_id = ${orgId} and s.id = any (${uuids(sql, ids)})
  order by s.id`

/** Whole days were read in the zone that their calendar had then. */
const versionColumns = (sql: Sql): Fragment =>
  sql`s.org_id, s.id, c.revision, coalesce(s.expanded_zone, c.timezone) as zone`

const holidayFeeds = (sql: Sql, orgId: Uuid, ids: readonly Uuid[], { fromMs, toMs }: Window) =>
  own<Version & { times: [start: string, end: string][] | null }>(sql, orgId)`
  select ${versionColumns(sql)}, (
    select json_agg(json_build_array(e.start_time, e.end_time))
    from events e
    where e.org_id = s.org_id and e.calendar_id = s.calendar_id and e.ical_subscription_id = s.id
      and e.all_day and e.status <> 'cancelled' and e.deleted_at is null
      and e.start_time < ${new Date(toMs)} and e.end_time > ${new Date(fromMs)}) as times
  from ${feeds(sql, orgId, ids)}`

/** While it stays the same, so do the holidays. */
export async function holidayVersions(sql: Sql, orgId: Uuid, ids: readonly Uuid[]): Promise<string> {
  if (ids.length === 0) return ''
  return versionText(await own<Version>(sql, orgId)`select ${versionColumns(sql)} from ${feeds(sql, orgId, ids)}`)
}

const versionText = (versions: readonly Version[]): string =>
  versions.map(({ id, revision, zone }) => `${id}:${revision}:${zone}`).join(' ')

/** `holidayVersion`: of all feeds that were read with the row. */
type Ruled = { more?: MoreRules | null; holidays?: readonly number[]; holidayVersion?: string }

export const holidayIdsOf = (rows: readonly Ruled[]): Uuid[] => [
  ...new Set(rows.flatMap(({ more }) => more?.holiday_subscription_ids ?? [])),
]

/** No zone is further from UTC. */
const reachMs = 3 * dayMs

/** Puts the holidays of their rules into rows. */
export async function takeHolidays(sql: Sql, orgId: Uuid, rows: readonly Ruled[], window: Window): Promise<void> {
  const ids = holidayIdsOf(rows)
  if (ids.length === 0) return
  const around = { fromMs: window.fromMs - reachMs, toMs: window.toMs + reachMs }
  const found = await holidayFeeds(sql, orgId, ids, around)
  const days = new Map(found.map(({ id, zone, times }) => [id, daysOf(times ?? [], zone, around)]))
  const holidayVersion = versionText(found)
  for (const row of rows) {
    const own = row.more?.holiday_subscription_ids
    if (own) Object.assign(row, { holidays: own.flatMap((id) => days.get(id) ?? []), holidayVersion })
  }
}

/** The numbers since 1970 of the days that the times cover in the zone, as far as they lie in the window. */
function daysOf(times: readonly (readonly [string, string])[], zone: string, { fromMs, toMs }: Window): number[] {
  return times.flatMap(([start, end]) => {
    const first = wallDay(Math.max(Date.parse(start), fromMs), zone)
    const last = wallDay(Math.min(Date.parse(end), toMs) - 1, zone)
    return Array.from({ length: last - first + 1 }, (_, nth) => first + nth)
  })
}
