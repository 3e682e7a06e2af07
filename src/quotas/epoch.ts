// An organization's epoch: whoever cached who may do what compares it with every request. Changing it makes a revoked
// key, a new plan or a paused agent count on every process with the next request.
import type { App } from '../app.ts'
import { newId } from '../ids.ts'

export const epochKey = (app: App, orgId: string): string => `${app.config.redisPrefix}:{${orgId}}:epoch`

/** With Redis away there is nothing to change: every request is then decided from Postgres. */
export async function bumpEpoch(app: App, orgId: string): Promise<void> {
  try {
    await app.redis.set(epochKey(app, orgId), newId(), 'EX', 86_400)
  } catch (error) {
    app.log.warn({ error: (error as Error).message }, 'epoch not changed, caches expire by themselves')
  }
}
