// Which of the keys whose readers wait can still be used.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import { type KeyId, stillAlive } from './queries.ts'

export async function livingKeys({ sql }: App, keys: readonly KeyId[]): Promise<Set<Uuid>> {
  const each = [...new Map(keys.map((key) => [key.id, key])).values()]
  return new Set(each.length > 0 ? (await stillAlive(sql, each)).map(({ id }) => id) : [])
}
