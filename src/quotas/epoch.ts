// An organization's epoch. Every process that has cached the rights of a key compares its epoch with each request, so that a
// revoked key, a new plan or a paused agent takes effect everywhere with the next request.
import type { App } from '../app.ts'
import { rouseCallers } from '../commit/notifyReaders.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import { gateHashOf } from './gateHash.ts'

/**
 * Processes that do not reach Redis decide from Postgres, so they need no epoch. If this process does not reach Redis, it
 * bumps the epoch for the others as soon as Redis is back.
 */
export async function bumpEpoch(app: App, orgId: Uuid): Promise<void> {
  for (let tries = 0; tries < maxTries && app.redis.status === 'ready'; tries++) {
    try {
      await gateHashOf(app).setEpoch(orgId, newId())
      rouseCallers(app, orgId)
      return
    } catch (error) {
      app.log.warn({ error: (error as Error).message }, 'an epoch could not be bumped')
    }
  }
  bumpLater(app, orgId)
}

const maxTries = 3
const retryMs = 200

/** The organizations whose epochs are still to be bumped; undefined: none, and nothing is scheduled. */
type Missed = { orgIds: Set<Uuid> | undefined }
const openMissed = (): Missed => ({ orgIds: undefined })

function bumpLater(app: App, orgId: Uuid) {
  const missed = app.memory(openMissed)
  if (missed.orgIds) {
    missed.orgIds.add(orgId)
    return
  }
  missed.orgIds = new Set([orgId])
  const catchUp = () => {
    const orgIds = missed.orgIds ?? []
    missed.orgIds = undefined
    for (const id of orgIds) void bumpEpoch(app, id)
  }
  // A cluster stays ready while one of its nodes is away, and gives no sign when that node returns.
  if (app.redis.status === 'ready') setTimeout(catchUp, retryMs).unref()
  else app.redis.once('ready', catchUp)
}
