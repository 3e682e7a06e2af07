import type { App } from '../app.ts'
import { type Change, commit } from './commit.ts'
import { again } from './decide.ts'

/** For a decision: commits its change, and returns `value`; `again` if the guard matched no row. */
export async function commitOrAgain<T = undefined>(app: App, change: Change, value?: T): Promise<T | typeof again> {
  const { matched } = await commit(app, change)
  return matched ? (value as T) : again
}
