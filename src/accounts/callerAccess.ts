// Whether callers may go on: asked again for everything that outlives a request, and answered as the gate would. A paused agent may
// read, and whatever goes on without a request reads.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { accountWaitlisted, type ServiceError, unauthenticated } from '../errors.ts'
import { activeKeys } from '../keys/active.ts'
import type { Uuid } from '../shapes/ids.ts'
import { stillSignedIn } from './queries.ts'

type Caller = Pick<Actor, 'orgId' | 'keyId' | 'sessionId'>

/** `ended`: the key was revoked, its agent decommissioned, or the session is over. `stopped`: the organization waits. */
export type Refused = 'ended' | 'stopped'

/** Why each caller may not go on; undefined: it may. */
export async function accessOf(app: App, callers: readonly Caller[]): Promise<(caller: Caller) => Refused | undefined> {
  const keys = idsOf(callers, ({ keyId }) => keyId)
  const sessions = idsOf(callers, ({ sessionId }) => sessionId)
  const [inUse, signedIn] = await Promise.all([
    activeKeys(app, keys),
    sessions.length > 0 ? stillSignedIn(app.sql, sessions) : [],
  ])
  const known = new Map([...inUse, ...signedIn].map(({ id, isWaitlisted }) => [id, isWaitlisted]))
  return ({ keyId, sessionId }) => {
    const isWaitlisted = known.get((keyId ?? sessionId)!)
    if (isWaitlisted === undefined) return 'ended'
    return isWaitlisted ? 'stopped' : undefined
  }
}

export const refusalOf = (refused: Refused): ServiceError =>
  refused === 'stopped' ? accountWaitlisted() : unauthenticated('This key or session has ended.')

function idsOf(callers: readonly Caller[], idOf: (caller: Caller) => Uuid | undefined) {
  const each = new Map<Uuid, { orgId: Uuid; id: Uuid }>()
  for (const caller of callers) {
    const id = idOf(caller)
    if (id) each.set(id, { orgId: caller.orgId, id })
  }
  return [...each.values()]
}
