// The cause of a change.
import type { Actor } from '../actors/actor.ts'
import { encodeId, type PublicId, type Uuid } from '../shapes/ids.ts'

export const causes = ['api', 'timer', 'booking', 'import', 'approval'] as const
export type Cause = (typeof causes)[number]

/** As the feed shows it. A console session has no key. */
type ChangeActor = { agent_id: PublicId<'agt'> | null; key_prefix: string | null }

export type Origin = { orgId: Uuid; cause: Cause; actor: ChangeActor | null }

export const byActor = ({
  orgId,
  agentId,
  keyPrefix,
  approvalId,
}: Pick<Actor, 'orgId' | 'agentId' | 'keyPrefix' | 'approvalId'>): Origin => ({
  orgId,
  cause: approvalId === undefined ? 'api' : 'approval',
  actor: { agent_id: agentId === undefined ? null : encodeId('agt', agentId), key_prefix: keyPrefix },
})

/** A change without an actor: a row came due, a guest booked, a feed was read. */
export const byItself = (orgId: Uuid, cause: Exclude<Cause, 'api'>): Origin => ({ orgId, cause, actor: null })
