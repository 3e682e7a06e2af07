// Whether callers may go on: asked again for everything that outlives a request, and answered as the gate would. A paused agent may
// read, and whatever goes on without a request reads.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { accountWaitlisted, notFound, ownFactorRequired, type ServiceError, unauthenticated } from '../errors.ts'
import { activeKeys } from '../keys/active.ts'
import type { Uuid } from '../shapes/ids.ts'
import { stillSignedIn } from './queries.ts'
import { organizationHeader } from './sessions.ts'

type Caller = Pick<Actor, 'orgId' | 'keyId' | 'sessionId'>

/**
 * `ended`: the key was revoked, its agent decommissioned, or the session is over. `removed`: the person is no longer a member.
 * `factorless`: its organization requires a second factor that the person does not have. `stopped`: the organization waits.
 */
const refusals = ['ended', 'removed', 'factorless', 'stopped'] as const
export type Refused = (typeof refusals)[number]

export const isRefused = (outcome: string): outcome is Refused => refusals.some((refused) => refused === outcome)

/** Why each caller may not go on; undefined: it may. */
export async function accessOf(app: App, callers: readonly Caller[]): Promise<(caller: Caller) => Refused | undefined> {
  const keys = idsOf(callers, ({ keyId }) => keyId)
  const sessions = idsOf(callers, ({ sessionId }) => sessionId)
  const [inUse, signedIn] = await Promise.all([
    activeKeys(app, keys),
    sessions.length > 0 ? stillSignedIn(app.sql, sessions) : [],
  ])
  const ofKeys = new Map(inUse.map((key) => [key.id, key]))
  const ofSessions = new Map(signedIn.map((session) => [placeOf(session), session]))
  return ({ orgId, keyId, sessionId }) => {
    if (keyId) return standing(ofKeys.get(keyId))
    const session = sessionId && ofSessions.get(placeOf({ orgId, id: sessionId }))
    if (session && !session.isMember) return 'removed'
    return standing(session) ?? (session?.lacksFactor ? 'factorless' : undefined)
  }
}

const standing = (known: { isWaitlisted: boolean } | undefined): Refused | undefined => {
  if (!known) return 'ended'
  return known.isWaitlisted ? 'stopped' : undefined
}

/** A session may act in several organizations at once. */
const placeOf = ({ orgId, id }: { orgId: Uuid; id: Uuid }): string => `${orgId} ${id}`

export const refusalOf = (refused: Refused): ServiceError => {
  if (refused === 'stopped') return accountWaitlisted()
  if (refused === 'factorless') return ownFactorRequired()
  if (refused === 'removed') return notFound('organization', organizationHeader)
  return unauthenticated('This key or session has ended.')
}

function idsOf(callers: readonly Caller[], idOf: (caller: Caller) => Uuid | undefined) {
  const each = new Map<string, { orgId: Uuid; id: Uuid }>()
  for (const caller of callers) {
    const id = idOf(caller)
    if (id) each.set(`${caller.orgId} ${id}`, { orgId: caller.orgId, id })
  }
  return [...each.values()]
}
