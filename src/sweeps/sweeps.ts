// How far ahead each source of due rows has been rung, kept in Postgres. One process at a time moves a source on.
import type { App } from '../app.ts'
import { newId } from '../shapes/ids.ts'
import { rowsOf } from '../stores/sql.ts'
import { type PoolName, queuePrefix } from '../wakeups/jobs.ts'
import type { Source } from './source.ts'

export type Sweep = {
  /** Where the last one stopped; undefined if everything inside the horizon must be rung again. */
  from: Date | undefined
}

/** A source, and the name of its Redis' memory (`redisIncarnation`). */
type Swept = { source: string; incarnation: string }

export type Asked = Swept & Pick<Source, 'earliest'>

/**
 * Takes the next stretch of each source up to `until`, in one statement; those that another process takes are missing in the
 * result. If the process dies before it has rung, its rows are overdue soon, and overdue rows are always found.
 */
export async function takeSweeps({ sql }: App, swept: readonly Swept[], until: Date): Promise<Map<string, Sweep>> {
  if (swept.length === 0) return new Map()
  // The final select sees `sweeps` before the insert.
  const rows = await sql<{ source: string; rungUntil: Date | null; isKnown: boolean }[]>`
    with
    turn as materialized (
      select source, incarnation, pg_try_advisory_xact_lock(hashtext('sweep ' || source)) as mine
      from ${rowsOf(sql, swept, { source: 'text', incarnation: 'text' }, 's')}
    ),
    moved as (
      insert into sweeps (source, rung_until, incarnation)
      select source, ${until}::timestamptz, incarnation
      from turn
      where mine
      on conflict (source) do update
      set rung_until = excluded.rung_until, incarnation = excluded.incarnation
    )
    select turn.source, s.rung_until, s.incarnation is not distinct from turn.incarnation as is_known
    from turn
    left join sweeps s on s.source = turn.source
    where turn.mine`
  return new Map(
    rows.map(({ source, rungUntil, isKnown }) => [source, { from: isKnown ? (rungUntil ?? undefined) : undefined }]),
  )
}

/** The sources that may have something due by `until`, and those whose Redis has lost its memory, in one statement. */
export async function searchedSources({ sql }: App, asked: readonly Asked[], until: Date): Promise<Set<string>> {
  if (asked.length === 0) return new Set()
  const each = asked.map(
    ({ source, incarnation, earliest }) =>
      sql`select ${source}::text as source, ${incarnation}::text as incarnation, (${earliest(sql)}) as at`,
  )
  const rows = await sql<{ source: string }[]>`
    select source
    from (${each.reduce((all, one) => sql`${all} union all ${one}`)}) e
    left join sweeps s using (source)
    where e.at <= ${until} or s.incarnation is distinct from e.incarnation`
  return new Set(rows.map(({ source }) => source))
}

/**
 * Gives back the part of a stretch after `reached`. If another process took it in the meantime, its wake-ups are sent twice, to
 * no effect.
 */
export const endSweep = ({ sql }: App, source: string, reached: Date) => sql`
  update sweeps
  set rung_until = ${reached}
  where source = ${source} and rung_until > ${reached}`

/**
 * Names the memory of a queue's Redis: if the name has changed, Redis lost its wake-ups. It is kept where the queue is, because
 * one node of a cluster may lose its memory, or be away, alone. Undefined while Redis is out of reach.
 */
export async function redisIncarnation({ redis, config }: App, queue: PoolName): Promise<string | undefined> {
  if (redis.status !== 'ready') return undefined
  const key = `${queuePrefix(config.redisPrefix, queue)}:incarnation`
  try {
    const known = await redis.get(key)
    if (known !== null) return known
    await redis.set(key, newId(), 'NX')
    return (await redis.get(key)) ?? undefined
  } catch {
    return undefined
  }
}
