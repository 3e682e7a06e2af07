// Which keys can still be used.
import type { App } from '../app.ts'
import { type KeyId, stillAlive } from './queries.ts'

/** Each key once; one that is missing from the answer has ended. */
export const activeKeys = async ({ sql }: App, keys: readonly KeyId[]) => (keys.length > 0 ? stillAlive(sql, keys) : [])
