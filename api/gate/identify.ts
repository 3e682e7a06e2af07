// Identifies the caller by an API key or a console session and asks the meter: one Redis call once this process knows
// the key. A session passes wherever a key does and spends the same; on routes for sessions alone it spends nothing.
import type { IncomingHttpHeaders } from 'node:http'
import { requireSession, type SessionFacts } from '../../src/accounts/sessions.ts'
import type { Actor, Member, RequestContext } from '../../src/actors/actor.ts'
import type { App } from '../../src/app.ts'
import { recordFailure } from '../../src/audit/failures.ts'
import { ServiceError, unauthenticated } from '../../src/errors.ts'
import { sentPrefix } from '../../src/keys/mint.ts'
import { openPrincipals, type Principal } from '../../src/keys/principals.ts'
import { isWithin, periodAt } from '../../src/plans/period.ts'
import type { Budget } from '../../src/quotas/budget.ts'
import type { Meter } from '../../src/quotas/meter.ts'
import type { FinalVerdict, Spender } from '../../src/quotas/spender.ts'
import type { Uuid } from '../../src/shapes/ids.ts'
import type { Gated } from '../http/route.ts'
import { type Credential, credentialOf, type SessionCredential } from './credential.ts'

export type Caller = Omit<Principal, 'keyId' | 'keyPrefix'> & {
  keyId?: Uuid
  keyPrefix: string | null
  sessionId?: Uuid
  account?: string
  /** Set for a session. */
  member?: Member
  session?: SessionFacts
}

/** A caller and the verdict on it, both of one epoch. */
export type Identified = { caller: Caller; spender: Spender; verdict: FinalVerdict }

type Identify = (
  headers: IncomingHttpHeaders,
  request: RequestContext,
  route: Gated,
  /** In addition to the call. */
  budget: Budget | undefined,
) => Promise<Identified>

/** The caller of a request by its key, read from Postgres: nothing is spent. */
type Recognize = (
  headers: IncomingHttpHeaders,
  request: RequestContext,
) => Promise<{ caller: Caller; spender: Spender }>

/** How often an epoch may change under one request before Postgres alone decides. */
const epochTries = 4

/** Throws 401 for a missing, malformed or unknown credential; a refused attempt is counted and recorded. */
export function openIdentify(app: App, meter: Meter): { identify: Identify; recognize: Recognize } {
  const principals = openPrincipals(app)
  const spenderOf = openSpenderOf()

  const judge = (
    credential: Credential,
    route: Gated,
    request: RequestContext,
    budget: Budget | undefined,
  ): Promise<Identified> =>
    credential.kind === 'session'
      ? judgeSession(credential, route, request, budget)
      : judgeKey(credential.secret, route, request, budget)

  /** Every request reads its session from Postgres, so a session needs no epoch. */
  async function judgeSession(
    { token, organization }: SessionCredential,
    route: Gated,
    { startedAt }: RequestContext,
    budget: Budget | undefined,
  ): Promise<Identified> {
    const session = await requireSession(app, token, organization)
    const caller = { ...session, keyPrefix: null, agentId: null, isAgentPaused: false, guardrails: null }
    const spender = spenderOf(caller, 'read', startedAt)
    if (route.access === 'session') {
      const callsUsed = await meter.callsUsed(spender.orgId, spender.period)
      return { caller, spender, verdict: { kind: 'ok', callsUsed } }
    }
    const verdict = await meter.spend(spender, budget, route.isFree)
    if (verdict.kind === 'no_redis' || verdict.kind === 'stale')
      return judgeWithoutRedis(caller, route, startedAt, budget)
    return { caller, spender, verdict }
  }

  async function judgeKey(
    secret: string,
    route: Gated,
    { ip, startedAt }: RequestContext,
    budget: Budget | undefined,
  ): Promise<Identified> {
    const remembered = principals.recall(secret)
    let caller = remembered?.principal
    let epoch = remembered?.epoch
    for (let tries = 0; tries < epochTries; tries++) {
      caller ??= await principals.read(secret, ip)
      if (!caller) throw unknownKey()
      const spender = spenderOf(caller, epoch, startedAt)
      const verdict = await meter.spend(spender, budget, route.isFree)
      if (verdict.kind === 'no_redis') break
      if (verdict.kind !== 'stale') return { caller, spender, verdict }
      // A read after the epoch is known is at least as new as that epoch.
      epoch = verdict.epoch
      caller = await principals.read(secret, ip)
      if (caller) principals.remember(secret, caller, epoch)
    }
    const current = await principals.read(secret, ip)
    if (!current) throw unknownKey()
    return judgeWithoutRedis(current, route, startedAt, budget)
  }

  async function judgeWithoutRedis(
    caller: Caller,
    { isFree }: Gated,
    now: Date,
    budget: Budget | undefined,
  ): Promise<Identified> {
    app.metrics.gateWithoutRedis.inc()
    const spender = spenderOf(caller, undefined, now)
    return { caller, spender, verdict: await meter.spendWithoutRedis(spender, budget, isFree) }
  }

  async function readCaller(headers: IncomingHttpHeaders, { ip, startedAt }: RequestContext) {
    const credential = credentialOf(app, { access: 'key', method: 'post' }, headers)
    const caller = credential.kind === 'key' ? await principals.read(credential.secret, ip) : undefined
    if (!caller) throw unknownKey()
    return { caller, spender: spenderOf(caller, 'read', startedAt) }
  }

  const recordingFailures =
    <Rest extends unknown[], T>(
      look: (headers: IncomingHttpHeaders, request: RequestContext, ...rest: Rest) => Promise<T>,
    ) =>
    async (headers: IncomingHttpHeaders, request: RequestContext, ...rest: Rest): Promise<T> => {
      try {
        return await look(headers, request, ...rest)
      } catch (error) {
        if (error instanceof ServiceError && error.status === 401) recordUnauthenticated(app, headers, request)
        throw error
      }
    }

  return {
    identify: recordingFailures((headers, request, route, budget) =>
      judge(credentialOf(app, route, headers), route, request, budget),
    ),
    recognize: recordingFailures(readCaller),
  }
}

/** Counts and records a refused attempt. The organization of the prefix sees it in its audit log. */
export function recordUnauthenticated(app: App, headers: IncomingHttpHeaders, request: RequestContext): void {
  app.metrics.gateDecisions.inc({ plan: 'unknown', decision: 'unauthenticated' })
  recordFailure(app, { action: 'auth.failure', status: 401, request, keyPrefix: sentPrefix(headers.authorization) })
}

/** A remembered caller keeps its spender, so that its requests share one. */
function openSpenderOf() {
  const kept = new WeakMap<Caller, Spender>()
  return (caller: Caller, epoch: string | undefined, now: Date): Spender => {
    const last = kept.get(caller)
    if (last && last.epoch === epoch && isWithin(last.period, now)) return last
    const { orgId, keyId, requestsPerSecond, limits, orgCreatedAt } = caller
    const spender = {
      orgId,
      bucket: keyId ?? orgId,
      epoch,
      requestsPerSecond,
      limits,
      period: periodAt(orgCreatedAt, now),
    }
    kept.set(caller, spender)
    return spender
  }
}

const unknownKey = () => unauthenticated('This API key does not exist or has been revoked.')

export const actorOf = ({ caller, spender }: Identified, request: RequestContext): Actor => ({
  orgId: caller.orgId,
  plan: caller.plan,
  limits: caller.limits,
  period: spender.period,
  agentId: caller.agentId ?? undefined,
  keyPrefix: caller.keyPrefix,
  keyId: caller.keyId,
  ...(caller.guardrails && { guardrails: caller.guardrails }),
  sessionId: caller.sessionId,
  account: caller.account,
  ...(caller.member && { member: caller.member }),
  request,
})
