// Actions that an organization may take only a few times per day (UTC). They are rare, so Postgres counts: exact under
// concurrency, and independent of Redis.
import type { App } from '../app.ts'
import { dayMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { usedCounter } from './queries.ts'
import { takeUnit } from './writes.ts'

type DayTaking = {
  isTaken: boolean
  /** Until the next midnight. */
  secondsLeft: number
}

export async function takeOfDay(app: App, orgId: Uuid, metric: 'feedback', max: number): Promise<DayTaking> {
  const { since, secondsLeft } = dayOf(app)
  const [taken] = await takeUnit(app.sql, orgId, since, metric, max)
  return { isTaken: taken !== undefined, secondsLeft }
}

/** The result that `takeOfDay` would return. Takes nothing. */
export async function seeOfDay(app: App, orgId: Uuid, metric: 'feedback', max: number): Promise<DayTaking> {
  const { since, secondsLeft } = dayOf(app)
  const [row] = await usedCounter(app.sql, orgId, since, metric)
  return { isTaken: (row?.used ?? 0) < max, secondsLeft }
}

function dayOf({ clock }: App) {
  const now = clock.now().getTime()
  const day = Math.floor(now / dayMs)
  return { since: new Date(day * dayMs), secondsLeft: Math.ceil(((day + 1) * dayMs - now) / 1000) }
}
