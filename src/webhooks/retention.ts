// How long deliveries are kept: 30 whole days. Those that have ended go with the day of their change. `now` is real time, whatever
// a test's clock says, because the day of a change is that of its id.
import type { App } from '../app.ts'
import { dayMs } from '../shapes/durations.ts'
import { firstIdAt } from '../shapes/ids.ts'
import { inBlocks } from '../stores/inBlocks.ts'
import { deleteParked, deleteStray, dropPartitions, makePartitions, oldestPending } from './retentionWrites.ts'

const keptDays = 30
const daysAhead = 3

export const makeDeliveryDays = async ({ sql }: App, now = new Date()): Promise<void> => {
  await makePartitions(sql, now, new Date(now.getTime() + daysAhead * dayMs))
}

/**
 * A delivery that waits for an attempt stays, however old it is. Returns the time of the oldest change that one waits for:
 * the payloads since then are needed.
 */
export async function purgeOldDeliveries({ sql }: App, now = new Date()): Promise<Date | undefined> {
  const before = new Date(now.getTime() - keptDays * dayMs)
  await dropPartitions(sql, before)
  await inBlocks(2_000, async (max) => {
    const [block] = await deleteStray(sql, firstIdAt(before), max)
    return { count: block?.deleted ?? 0 }
  })
  await inBlocks(2_000, (max) => deleteParked(sql, firstIdAt(before), max))
  const [oldest] = await oldestPending(sql)
  return oldest?.changedAt
}
