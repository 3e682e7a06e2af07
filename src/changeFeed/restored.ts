// After a restore. A backup knows nothing of what came after it, so every cursor that was given out is refused from now on.
import type { App } from '../app.ts'
import { settleTransactions } from '../changeLog/writes.ts'
import { newIncarnation } from './writes.ts'

/** Every reader gets `cursor_gone` once, lists everything, and goes on. */
export async function declareRestored({ sql }: App): Promise<void> {
  await newIncarnation(sql)
  await settleTransactions(sql)
}
