// How far ahead each source of due rows has been rung, kept in Postgres. One process at a time moves a source on.
import type { App } from '../app.ts'
import { newId } from '../shapes/ids.ts'
import { queuePrefix } from '../wakeups/bell.ts'
import type { PoolName } from '../wakeups/jobs.ts'

type Sweep = {
  /** Where the last one stopped; undefined if everything inside the horizon must be rung again. */
  from: Date | undefined
}

/**
 * Takes the next stretch of a source up to `until`; undefined while another process takes it. If the process dies before it
 * has rung, its rows are overdue soon, and overdue rows are always found.
 */
export async function takeSweep(
  { sql }: App,
  source: string,
  until: Date,
  incarnation: string,
): Promise<Sweep | undefined> {
  // The final select sees `sweeps` as it was before the insert.
  const [row] = await sql<{ mine: boolean; rungUntil: Date | null; incarnation: string | null }[]>`
    with
    turn as materialized (
      select pg_try_advisory_xact_lock(hashtext('sweep ' || ${source})) as mine
    ),
    moved as (
      insert into sweeps (source, rung_until, incarnation)
      select ${source}, ${until}::timestamptz, ${incarnation}
      from turn
      where mine
      on conflict (source) do update
      set rung_until = excluded.rung_until, incarnation = excluded.incarnation
    )
    select turn.mine, s.rung_until, s.incarnation
    from turn
    left join sweeps s on s.source = ${source}`
  if (!row?.mine) return undefined
  return { from: row.incarnation === incarnation ? (row.rungUntil ?? undefined) : undefined }
}

/** Gives back the part of a stretch after `reached`. What another process took in the meantime is rung twice, to no effect. */
export const endSweep = ({ sql }: App, source: string, reached: Date) => sql`
  update sweeps
  set rung_until = ${reached}
  where source = ${source} and rung_until > ${reached}`

/**
 * Names the memory of a queue's Redis: if the name has changed, Redis lost what was rung. It is kept where the queue is,
 * because one node of a cluster may lose its memory, or be away, alone. Undefined while Redis is out of reach.
 */
export async function redisIncarnation({ redis, config }: App, queue: PoolName): Promise<string | undefined> {
  if (redis.status !== 'ready') return undefined
  const key = `${queuePrefix(config.redisPrefix, queue)}:incarnation`
  try {
    await redis.set(key, newId(), 'NX')
    return (await redis.get(key)) ?? undefined
  } catch {
    return undefined
  }
}
