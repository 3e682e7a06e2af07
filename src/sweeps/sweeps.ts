// How far ahead each source of due rows has been rung, kept in Postgres. One process at a time moves a source on.
import type { App } from '../app.ts'
import { newId } from '../shapes/ids.ts'
import { queuePrefix } from '../wakeups/bell.ts'
import type { PoolName, Wakeup } from '../wakeups/jobs.ts'

type Sweep = {
  /** Where the last one stopped; undefined when everything inside the horizon must be rung again. */
  from: Date | undefined
}

/**
 * Takes the next stretch of a source up to `until`; undefined while another process does. Whoever takes it and dies before
 * it rang leaves rows that are overdue soon, and those are always found.
 */
export async function takeSweep(
  { sql }: App,
  source: string,
  until: Date,
  incarnation: string,
): Promise<Sweep | undefined> {
  const [row] = await sql<{ mine: boolean; rungUntil: Date | null; incarnation: string | null }[]>`
    with turn as materialized (select pg_try_advisory_xact_lock(hashtext('sweep ' || ${source})) as mine),
    moved as (
      insert into sweeps (source, rung_until, incarnation)
      select ${source}, ${until}::timestamptz, ${incarnation} from turn where mine
      on conflict (source) do update set rung_until = excluded.rung_until, incarnation = excluded.incarnation
    )
    select turn.mine, s.rung_until, s.incarnation from turn left join sweeps s on s.source = ${source}`
  if (!row?.mine) return undefined
  return { from: row.incarnation === incarnation ? (row.rungUntil ?? undefined) : undefined }
}

/** Gives back what of a stretch is after `reached`. What another process took meanwhile is rung twice then, to no effect. */
export const endSweep = ({ sql }: App, source: string, reached: Date) => sql`
  update sweeps set rung_until = ${reached} where source = ${source} and rung_until > ${reached}`

/** All that comes due in a stretch, which for a crowd ends earlier than was asked for. */
export type Coming = { wakeups: Wakeup[]; until: Date }

/**
 * The first `most` of what comes due up to `until`, and what shares the last one's millisecond, for that is as much as a
 * `Date` tells apart: who goes on from there misses nobody, and gets on through a crowd of one moment too.
 */
export async function comingBy(
  until: Date,
  most: number,
  /** The earliest first; all of them unless told how many. */
  find: (until: Date, most?: number) => Promise<Wakeup[]>,
): Promise<Coming> {
  const wakeups = await find(until, most)
  const last = wakeups[most - 1]
  if (!last) return { wakeups, until }
  const end = new Date(Math.min(last.dueAt.getTime() + 1, until.getTime()))
  return { wakeups: await find(end), until: end }
}

/**
 * The name that the memory of a queue goes by; another one than last time means that Redis lost what was rung. It lies where
 * the queue lies: of a cluster one node may forget, or be away.
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
