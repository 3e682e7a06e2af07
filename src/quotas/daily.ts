// What an organization may do so often in a day of UTC. Few and far between, so Postgres counts them itself: exact under
// concurrency, and whatever becomes of Redis.
import type { App } from '../app.ts'
import { dayMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { takeCounted } from './queries.ts'

type DayTaking = {
  isTaken: boolean
  /** Until the next midnight. */
  secondsLeft: number
}

export async function takeOfDay(
  { sql, clock }: App,
  orgId: Uuid,
  metric: 'feedback',
  most: number,
): Promise<DayTaking> {
  const now = clock.now().getTime()
  const day = Math.floor(now / dayMs)
  const [taken] = await takeCounted(sql, orgId, new Date(day * dayMs), metric, most)
  return { isTaken: taken !== undefined, secondsLeft: Math.ceil(((day + 1) * dayMs - now) / 1000) }
}
