// How long entries are kept: whole days, longer than a plan lets anybody read them, and longer than the deliveries that point to
// them. `now` is real time, whatever a test's clock says, because the day of an entry is that of its id.

import type { App } from '../app.ts'
import { dayMs } from '../shapes/durations.ts'
import { firstIdAt } from '../shapes/ids.ts'
import { inBlocks } from '../stores/inBlocks.ts'
import { dropPartitions, makePartitions } from './queries.ts'
import { deleteStray } from './writes.ts'

const keptDays = 31
/** Each poll looks into these as well. A day that was not made has its entries elsewhere, and loses none. */
const daysAhead = 3

export const makeChangeDays = async ({ sql }: App, now = new Date()): Promise<void> => {
  await makePartitions(sql, now, new Date(now.getTime() + daysAhead * dayMs))
}

/** After the deliveries that are too old: a delivery is not to outlive its payload. `neededSince`: the oldest that one waits for. */
export async function dropChangeDays({ sql }: App, now = new Date(), neededSince?: Date): Promise<void> {
  const kept = now.getTime() - keptDays * dayMs
  const before = new Date(Math.min(kept, neededSince?.getTime() ?? kept))
  await dropPartitions(sql, before)
  await inBlocks(5_000, (max) => deleteStray(sql, firstIdAt(before), max))
}
