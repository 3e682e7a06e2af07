// How long answers are kept: a day, and until the next purge.
import type { App } from '../app.ts'
import { dayMs } from '../shapes/durations.ts'
import { deleteAnswers } from './writes.ts'

const blockSize = 5_000

/** Removes them in short statements. */
export async function purgeAnswers({ sql, clock }: App): Promise<void> {
  const before = new Date(clock.now().getTime() - dayMs)
  for (;;) {
    const { count } = await deleteAnswers(sql, before, blockSize)
    if (count < blockSize) return
  }
}
