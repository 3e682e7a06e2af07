// After a restore. A backup lacks everything that came after it, so every older cursor is refused from now on.
import type { App } from '../app.ts'
import { settleTransactions } from '../changeLog/writes.ts'
import { newIncarnation } from './writes.ts'

/** Every reader gets `cursor_gone` once, lists everything, and goes on. */
export async function declareRestored({ sql }: App): Promise<void> {
  await newIncarnation(sql)
  await settleTransactions(sql)
}
