// The reads of a question about free time from the calendars of the humans behind agents: parts of its one statement. An
// organization without grants pays for one index lookup.
import { agentSources, type SourceRow, sourceJson } from '../connections/sources.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { texts } from '../stores/sql.ts'
import type { Window } from './intervals.ts'
import { maxBufferMinutes } from './schema.ts'

/**
 * `none`: whether the organization has no grants. `times`: all busy time in the window. `copies`: the busy time of each source
 * in a window that may be wider, except sources `known` at their revision.
 */
export type Along =
  | { kind: 'none' }
  | { kind: 'times' }
  | { kind: 'copies'; window: Window; known: readonly { id: Uuid; revision: number }[] }

/** The columns of a row for sources. An agent has them in one of its rows. */
export type AlongRow = {
  /** Of `none`. */
  isGranted?: boolean
  sources?: SourceRow[] | null
  /** The sources whose busy time in a window is the same for every question. */
  plainSources?: Uuid[] | null
  /** Of `copies`, one after another: how many starts and ends belong to each. */
  copies?: { id: Uuid; count: number }[] | null
  copyStarts?: Buffer | null
  copyEnds?: Buffer | null
}

type Parts = { step: Fragment; columns: Fragment; joins: Fragment }

/** They stand in a statement whose step `scope` has the calendars, of which `c` is one. */
export function partsOf(sql: Sql, orgId: Uuid, window: Window, along: Along): Parts {
  if (along.kind === 'none') {
    return { step: sql``, columns: isGranted(sql, orgId), joins: sql`` }
  }
  const isEchoing = along.kind === 'copies' ? sql`and o.echoes` : sql``
  return {
    step: sql`,
  sources as materialized (
    select s.*, s.id in (
      select d.external_calendar_id
      from external_destinations d
      where d.org_id = ${orgId} and d.calendar_id in (select id from scope)) as echoes
    from (${agentSources(sql, orgId, sql`select distinct agent_id from scope where agent_id is not null`)}) s)`,
    columns: sql`external.*, external_times.* ${along.kind === 'copies' ? sql`, copies.*` : sql``}`,
    joins: sql`
  -- The busy time of a human lies on the agent, so it is read once for all its calendars.
  left join lateral (
    select
      json_agg(${sourceJson(sql, sql`s`)}) as sources,
      json_agg(s.id) filter (where not s.echoes) as plain_sources
    from sources s
    where c.is_first and s.agent_id = c.agent_id
    having count(*) > 0) external on true
  left join lateral (
    select ${packed(sql, sql`b.start_time`)} as external_starts, ${packed(sql, sql`b.end_time`)} as external_ends
    from sources o
    join external_busy b on b.org_id = ${orgId} and b.external_calendar_id = o.id
    where external.sources is not null and o.agent_id = c.agent_id ${isEchoing}
      and ${isWithin(sql, sql`b`, window)}
      and not (o.echoes and ${isEcho(sql, orgId, { source: sql`o`, busy: sql`b` })})) external_times on true
  ${along.kind === 'copies' ? copies(sql, orgId, along) : sql``}`,
  }
}

export const isGranted = (sql: Sql, orgId: Uuid): Fragment => sql`
  exists (select from availability_grants where org_id = ${orgId} and active) as is_granted`

const copies = (sql: Sql, orgId: Uuid, { window, known }: Along & { kind: 'copies' }): Fragment => sql`
  left join lateral (
    select
      json_agg(json_build_object('id', t.id, 'count', t.count)) as copies,
      string_agg(t.starts, '') as copy_starts,
      string_agg(t.ends, '') as copy_ends
    from (
      select o.id, times.*
      from sources o
      cross join lateral (
        select count(*) as count, ${packed(sql, sql`b.start_time`)} as starts, ${packed(sql, sql`b.end_time`)} as ends
        from external_busy b
        where b.org_id = ${orgId} and b.external_calendar_id = o.id and ${isWithin(sql, sql`b`, window)}) times
      where o.agent_id = c.agent_id and not o.echoes
        and o.id || ' ' || o.revision <> all (${texts(
          sql,
          known.map(({ id, revision }) => `${id} ${revision}`),
        )})) t
    where external.sources is not null) copies on true`

/** Whether a busy time lies in a window, widened by what buffers can be. */
const isWithin = (sql: Sql, busy: Fragment, { fromMs, toMs }: Window): Fragment => {
  const widest = sql`${maxBufferMinutes}::integer * interval '1 minute'`
  return sql`
    ${busy}.start_time < ${new Date(toMs)}::timestamptz + ${widest}
    and ${busy}.end_time > ${new Date(fromMs)}::timestamptz - ${widest}`
}

/** The copy of an event whose own calendar is in the step `scope`: the event itself counts. */
const isEcho = (sql: Sql, orgId: Uuid, { source, busy }: { source: Fragment; busy: Fragment }): Fragment => sql`(
  exists (
    select from publications p
    where p.org_id = ${orgId} and p.object_digest = ${busy}.object_digest and p.calendar_id in (select id from scope))
  -- An occurrence of a series that we published: its version names the series.
  or exists (
    select from external_objects v
    join publications p on p.org_id = v.org_id and p.object_digest = v.version_digest
    where v.org_id = ${orgId} and v.external_calendar_id = ${source}.id and v.object_digest = ${busy}.object_digest
      and p.calendar_id in (select id from scope)))`

export const packed = (sql: Sql, column: Fragment): Fragment => sql`string_agg(timestamptz_send(${column}), '')`
