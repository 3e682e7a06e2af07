// An organization's epoch: whoever cached who may do what compares it with every request. Changing it makes a revoked
// key, a new plan or a paused agent count on every process with the next request.
import type { App } from '../app.ts'
import { newId, type Uuid } from '../shapes/ids.ts'

export const epochKey = (app: App, orgId: Uuid): string => `${app.config.redisPrefix}:{${orgId}}:epoch`

/**
 * While this process does not reach Redis its own requests are decided from Postgres, and so are those of every process
 * that does not; for the others the change is made up for as soon as Redis is back.
 */
export async function bumpEpoch(app: App, orgId: Uuid): Promise<void> {
  for (let tries = 0; tries < maxTries && app.redis.status === 'ready'; tries++) {
    try {
      await app.redis.set(epochKey(app, orgId), newId(), 'EX', 86_400)
      return
    } catch (error) {
      app.log.warn({ error: (error as Error).message }, 'an epoch could not be changed')
    }
  }
  bumpLater(app, orgId)
}

const maxTries = 3
const retryMs = 200
const missed = new WeakMap<App, Set<Uuid>>()

function bumpLater(app: App, orgId: Uuid) {
  const waiting = missed.get(app)
  if (waiting) {
    waiting.add(orgId)
    return
  }
  missed.set(app, new Set([orgId]))
  const catchUp = () => {
    const orgIds = missed.get(app) ?? []
    missed.delete(app)
    for (const id of orgIds) void bumpEpoch(app, id)
  }
  // A cluster stays ready while one of its nodes is away: nothing tells of that node's return.
  if (app.redis.status === 'ready') setTimeout(catchUp, retryMs).unref()
  else app.redis.once('ready', catchUp)
}
