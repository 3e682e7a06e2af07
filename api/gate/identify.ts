// Identifies the caller by an API key or a console session and asks the meter: one Redis call once this process knows
// the key. A session passes wherever a key does and spends the same; on routes for sessions alone it spends nothing, and what the
// console reads by its cookie is no API call.
import type { IncomingHttpHeaders } from 'node:http'
import { requireSession } from '../../src/accounts/sessions.ts'
import type { Actor, Member, RequestContext, SessionFacts } from '../../src/actors/actor.ts'
import { reauthenticationOf } from '../../src/actors/reauthentication.ts'
import type { App } from '../../src/app.ts'
import { recordFailure } from '../../src/audit/failures.ts'
import { ServiceError, unauthenticated } from '../../src/errors.ts'
import { sentPrefix } from '../../src/keys/mint.ts'
import { openPrincipals, type Principal } from '../../src/keys/principals.ts'
import { noteUse } from '../../src/keys/uses.ts'
import { isWithin, periodAt } from '../../src/plans/period.ts'
import type { Budget } from '../../src/quotas/budget.ts'
import type { Meter } from '../../src/quotas/meter.ts'
import type { FinalVerdict, Manner, Spender } from '../../src/quotas/spender.ts'
import type { Uuid } from '../../src/shapes/ids.ts'
import { type Gated, isRead } from '../http/route.ts'
import { type Credential, credentialOf, type SessionCredential } from './credential.ts'

/** Fields that only keys have. */
type OfKeys = 'keyId' | 'scope' | 'isAllowedFrom' | 'expiresAt' | 'lastUsedMs'

export type Caller = Omit<Principal, OfKeys | 'keyPrefix'> &
  Partial<Pick<Principal, OfKeys>> & {
    keyPrefix: string | null
    sessionId?: Uuid
    account?: string
    /** Set for a session. */
    member?: Member
    session?: SessionFacts
  }

/**
 * A caller and the verdict on it, both of one epoch. `isElsewhere`: the key is not allowed from the address of the request.
 * `isConsoleRead`: a read by the cookie of a session, which costs no call and is in no log.
 */
export type Identified = {
  caller: Caller
  spender: Spender
  verdict: FinalVerdict
  isElsewhere?: boolean
  isConsoleRead?: boolean
}

type Identify = (
  headers: IncomingHttpHeaders,
  request: RequestContext,
  route: Gated,
  /** In addition to the call. A dry run only looks whether a unit is left. */
  budget: Budget | undefined,
) => Promise<Identified>

/** The caller of a request by its key, read from Postgres: nothing is spent. */
type Recognize = (headers: IncomingHttpHeaders, request: RequestContext) => Promise<Omit<Identified, 'verdict'>>

/** The rate of what one session reads by its cookie: a screen asks for several things at once. */
const consoleRate = { requestsPerSecond: 20, burst: 100 }

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
    { token, organization, isCookie }: SessionCredential,
    route: Gated,
    request: RequestContext,
    budget: Budget | undefined,
  ): Promise<Identified> {
    const { startedAt } = request
    const session = await requireSession(app, token, organization)
    const caller = { ...session, keyPrefix: null, agentId: null, isAgentPaused: false, guardrails: null }
    const own = spenderOf(caller, 'read', startedAt)
    const isConsoleRead = isCookie && isRead(route)
    if (route.access === 'session' && !isConsoleRead) {
      const callsUsed = await meter.callsUsed(own.orgId, own.period)
      return { caller, spender: own, verdict: { kind: 'ok', callsUsed } }
    }
    const spender = isConsoleRead ? { ...own, bucket: session.sessionId, ...consoleRate } : own
    const manner = { ...mannerOf(route, request), ...(isConsoleRead && { isFree: true }) }
    const verdict = await meter.spend(spender, budget, manner)
    if (verdict.kind !== 'no_redis' && verdict.kind !== 'stale') return { caller, spender, verdict, isConsoleRead }
    return { ...(await judgeWithoutRedis(caller, spender, budget, manner)), isConsoleRead }
  }

  async function judgeKey(
    secret: string,
    route: Gated,
    request: RequestContext,
    budget: Budget | undefined,
  ): Promise<Identified> {
    const { ip, startedAt } = request
    const manner = mannerOf(route, request)
    const remembered = principals.recall(secret, startedAt)
    let caller = remembered?.principal
    let epoch = remembered?.epoch
    for (let tries = 0; tries < epochTries; tries++) {
      caller ??= await principals.read(secret, ip, startedAt)
      if (!caller) throw unknownKey()
      const spender = spenderOf(caller, epoch, startedAt)
      const isElsewhere = caller.isAllowedFrom?.(ip) === false
      const verdict = isElsewhere
        ? await meter.spend(elsewhereOf(spender), undefined, free)
        : await meter.spend(spender, budget, manner)
      if (verdict.kind === 'no_redis') break
      if (verdict.kind !== 'stale') {
        noteUse(app, caller, startedAt)
        return { caller, spender, verdict, isElsewhere }
      }
      // A read after the epoch is known is at least as new as that epoch.
      epoch = verdict.epoch
      caller = await principals.read(secret, ip, startedAt)
      if (caller) principals.remember(secret, caller, epoch)
    }
    const current = await principals.read(secret, ip, startedAt)
    if (!current) throw unknownKey()
    noteUse(app, current, startedAt)
    const spender = spenderOf(current, undefined, startedAt)
    if (current.isAllowedFrom?.(ip) !== false) return judgeWithoutRedis(current, spender, budget, manner)
    const verdict = await meter.spendWithoutRedis(elsewhereOf(spender), undefined, free)
    return { caller: current, spender, verdict, isElsewhere: true }
  }

  async function judgeWithoutRedis(
    caller: Caller,
    spender: Spender,
    budget: Budget | undefined,
    manner: Manner,
  ): Promise<Identified> {
    app.metrics.gateWithoutRedis.inc()
    return { caller, spender, verdict: await meter.spendWithoutRedis(spender, budget, manner) }
  }

  async function readCaller(headers: IncomingHttpHeaders, { ip, startedAt }: RequestContext) {
    const credential = credentialOf(app, { access: 'key', method: 'post' }, headers)
    const caller = credential.kind === 'key' ? await principals.read(credential.secret, ip, startedAt) : undefined
    if (!caller) throw unknownKey()
    noteUse(app, caller, startedAt)
    const isElsewhere = caller.isAllowedFrom?.(ip) === false
    return { caller, spender: spenderOf(caller, 'read', startedAt), isElsewhere }
  }

  const recordingFailures =
    <Rest extends unknown[], T>(
      look: (headers: IncomingHttpHeaders, request: RequestContext, ...rest: Rest) => Promise<T>,
    ) =>
    async (headers: IncomingHttpHeaders, request: RequestContext, ...rest: Rest): Promise<T> => {
      try {
        return await look(headers, request, ...rest)
      } catch (error) {
        if (error instanceof ServiceError && error.status === 401) {
          recordUnauthenticated(app, headers, request)
          if (error.detail.code === 'key_expired') app.metrics.keyRefusals.inc({ reason: 'key_expired' })
        }
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

/**
 * A request from an address that its key does not allow spends nothing, and takes tokens of a bucket of its own: whoever found
 * the key cannot slow down those who use it.
 */
const elsewhereOf = (spender: Spender): Spender => ({ ...spender, bucket: `${spender.bucket}:elsewhere` })

const free: Manner = { isFree: true }

const mannerOf = ({ isFree }: Gated, { dryRun }: RequestContext): Manner => ({ isFree, isDry: dryRun !== undefined })

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

export const actorOf = ({ caller, spender, isConsoleRead }: Identified, request: RequestContext): Actor => ({
  orgId: caller.orgId,
  plan: caller.plan,
  limits: caller.limits,
  period: spender.period,
  agentId: caller.agentId ?? undefined,
  keyPrefix: caller.keyPrefix,
  keyId: caller.keyId,
  ...(caller.guardrails && { guardrails: caller.guardrails }),
  ...(caller.scope === 'read_only' && { isReadOnly: true }),
  sessionId: caller.sessionId,
  account: caller.account,
  ...(caller.member && { member: caller.member, session: caller.session }),
  ...(caller.session && { reauthentication: reauthenticationOf(caller.session) }),
  ...(isConsoleRead && { isConsoleRead }),
  request,
})
