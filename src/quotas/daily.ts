// What an organization may do only a few times per day (UTC). This is rare, so Postgres counts: exact under concurrency, and
// independent of Redis.
import type { App } from '../app.ts'
import { dayMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { takeUnit } from './writes.ts'

type DayTaking = {
  isTaken: boolean
  /** Until the next midnight. */
  secondsLeft: number
}

export async function takeOfDay({ sql, clock }: App, orgId: Uuid, metric: 'feedback', max: number): Promise<DayTaking> {
  const now = clock.now().getTime()
  const day = Math.floor(now / dayMs)
  const [taken] = await takeUnit(sql, orgId, new Date(day * dayMs), metric, max)
  return { isTaken: taken !== undefined, secondsLeft: Math.ceil(((day + 1) * dayMs - now) / 1000) }
}
