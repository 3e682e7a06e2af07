// How long answers are kept: a day, and until the next purge.

import type { App } from '../app.ts'
import { dayMs } from '../shapes/durations.ts'
import { inBlocks } from '../stores/inBlocks.ts'
import { deleteResponses } from './writes.ts'

/** Removes them in short statements. */
export async function purgeResponses({ sql, clock }: App): Promise<void> {
  const before = new Date(clock.now().getTime() - dayMs)
  await inBlocks(5_000, (max) => deleteResponses(sql, before, max))
}
