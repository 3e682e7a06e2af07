// Who acts, and by which request: resolved once by the gate, then passed to every use case.
import type { Period } from '../plans/period.ts'
import type { Limits, PlanId } from '../plans/plans.ts'
import type { Uuid } from '../shapes/ids.ts'

/** The request behind a change, for the audit log. */
export type RequestContext = {
  id: string
  method: string
  path: string
  ip: string | null
  userAgent: string | null
  startedAt: Date
  /** The status the route answers with when it succeeds: the audit log has it before there is an answer. */
  successStatus: number
}

/** Who acts by a request that a route answers with another status than its usual one. */
export const answeredWith = <T extends { request: RequestContext }>(actor: T, successStatus: number): T => ({
  ...actor,
  request: { ...actor.request, successStatus },
})

export type Actor = {
  orgId: Uuid
  plan: PlanId
  limits: Limits
  /** The billing period under way. */
  period: Period
  /** Set for an agent key: the one agent it may touch. */
  agentId?: Uuid
  keyPrefix: string | null
  /** Set for a console session, which may do what the organization's key may. */
  sessionId?: Uuid
  /** The address of the account whose session it is. */
  account?: string
  request: RequestContext
}
