// A standby has become the primary. Readers to whom nothing was lost go on.
import type { App } from '../app.ts'
import type { Position } from './cursor.ts'
import { goesOn } from './history.ts'
import { requirePrimary } from './page.ts'
import { knownTimelines } from './queries.ts'
import { insertTimeline } from './writes.ts'

/** Soon after a promotion: once the server has started anew it no longer knows where the old time line was left. */
export const recordTimeline = ({ sql }: App) => insertTimeline(sql)

/** The position on the history that the database is on now; undefined if it may mean nothing there. */
export async function afterPromotion(app: App, position: Position): Promise<Position | undefined> {
  await recordTimeline(app)
  const timelines = await knownTimelines(app.sql)
  const { database } = requirePrimary(timelines[0]!.database)
  return goesOn(position, { database }, timelines) ? { ...position, database } : undefined
}
