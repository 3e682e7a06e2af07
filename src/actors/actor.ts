// The caller and the request: resolved once by the gate, then passed to every use case.
import type { Effect } from '../commit/effect.ts'
import type { Step } from '../commit/step.ts'
import type { Period } from '../plans/period.ts'
import type { Limits, PlanId } from '../plans/plans.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Guardrails } from './guardrails.ts'
import type { OutsideView } from './outsideText.ts'
import type { Reauthentication } from './reauthentication.ts'
import type { Role } from './roles.ts'

/** The request behind a change, for the audit log. */
export type RequestContext = {
  id: string
  method: string
  path: string
  ip: string | null
  userAgent: string | null
  startedAt: Date
  /** The status with which the route answers if it succeeds: the audit entry is written before there is an answer. */
  successStatus: number
  /** The zone of `view=local`, if that was asked for. */
  localZone?: string
  /** How it asks to be shown text from outside. */
  outsideText?: OutsideView
  /** Under which its answer is stored, if the caller sent a key. */
  responseKey?: ResponseKey
  /** The stored form of its answer, for a door that shows more than the body. */
  toStoredBody?: (body: unknown, extras: object | undefined) => unknown
  /** The value of `If-Match`, where the route goes by it. */
  ifMatch?: string
  /** The caller wants to make something, and not to replace it. */
  mustBeNew?: true
  /** Set if the request runs because a person approved it: the effects of the decision, for its change. They come behind `after`. */
  approval?: { isDryRun: boolean; effects(status: number, body: unknown, after?: Step): readonly Effect[] }
  /** Set for a dry run: nothing may happen. */
  dryRun?: DryRun
}

/** The state of a dry run until it is answered. */
export type DryRun = {
  /** The units of monthly budgets that the request would take. */
  spends: Record<string, number>
  /** Whether the change got an effect that ends the dry run. */
  hasEnd: boolean
}

/** Names the answer of a request: asked again with the same key, it gets the same answer. */
export type ResponseKey = {
  orgId: Uuid
  /** A hash of the key, and of whose key it is. */
  id: Uuid
  /** A hash of the request. */
  fingerprint: Buffer
}

/** The same actor, in a request that the route answers with another status than its usual one. */
export const answeredWith = <T extends { request: RequestContext }>(actor: T, successStatus: number): T => ({
  ...actor,
  request: { ...actor.request, successStatus },
})

/** Who acts by a console session: a member of the organization, and the account behind it. */
export type Member = { id: Uuid; accountId: Uuid; role: Role }

/** The facts by which re-authentication decides. */
export type SessionFacts = {
  /** The session's own organization. */
  ownOrgId: Uuid
  hasPassword: boolean
  /** Whether the account has a second factor. */
  hasFactor: boolean
  /** It was opened with a second factor. */
  secondFactor: boolean
  /** When the person last showed that they are who signed in. */
  reauthenticatedAt: Date | null
  expiresAt: Date
  /** Whether the organization has another member. */
  hasCompany: boolean
  /** Whether the organization requires a second factor. */
  requiresFactor: boolean
}

export type Actor = {
  orgId: Uuid
  plan: PlanId
  limits: Limits
  /** The current billing period. */
  period: Period
  /** Set for an agent key: the only agent that it has access to. */
  agentId?: Uuid
  keyPrefix: string | null
  /** Set for a key. */
  keyId?: Uuid
  /** Set for a key that may only read. */
  isReadOnly?: true
  /** The approval under which its request runs. */
  approvalId?: Uuid
  /** Set for an agent key that has some. */
  guardrails?: Guardrails
  /** Set for a console session, which may do what the organization's key may, as far as the role of its member goes. */
  sessionId?: Uuid
  /** The address of the account of that session. */
  account?: string
  /** Set for a console session. */
  member?: Member
  /** Set for a console session: what its person has shown of late. */
  reauthentication?: Reauthentication
  /** Set for a console session that the gate admitted. */
  session?: SessionFacts
  /** Set for a read of the console by the cookie of its session. */
  isConsoleRead?: true
  request: RequestContext
}
