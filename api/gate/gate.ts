// The gate of every route for keys and sessions: it identifies the caller, sets the headers of its organization, asks
// each refusal in turn, and lets the call through with its actor.
import type { Request, Response } from 'express'
import { flushUses } from '../../src/accounts/lastSeen.ts'
import type { Actor, RequestContext } from '../../src/actors/actor.ts'
import { guardrailNames } from '../../src/actors/guardrails.ts'
import { roles } from '../../src/actors/roles.ts'
import type { App } from '../../src/app.ts'
import { flushFailures, recordFailure } from '../../src/audit/failures.ts'
import { ServiceError } from '../../src/errors.ts'
import { writeUses } from '../../src/keys/uses.ts'
import type { Tally } from '../../src/observability/metricFactory.ts'
import { type PlanId, planIds } from '../../src/plans/plans.ts'
import type { Meter } from '../../src/quotas/meter.ts'
import { throttle } from '../../src/quotas/throttle.ts'
import { flushRefused, refusedOutcomes } from '../../src/refusedRequests/record.ts'
import { exchangeOf } from '../http/exchange.ts'
import type { Gated } from '../http/route.ts'
import { requireSentKey } from './credential.ts'
import { setQuotaHeaders, setTermsHeader } from './headers.ts'
import { actorOf, type Caller, openIdentify, recordUnauthenticated } from './identify.ts'
import { meterOf } from './meter.ts'
import { budgetExhausted, notFromHere, refusals } from './refusals.ts'

export type Admission = {
  actor: Actor
  /**
   * Gives back the spending of a refused request, once: the route's budget, and the call itself after a refusal for its rate.
   */
  refund(error: unknown): void
  /** Takes the route's budget, if it was not taken at once. Throws `quota_exceeded`. */
  spendBudget(): Promise<void>
  /** The request costs no API call after all. */
  giveBackCall(): void
  /** Takes one more API call; false if none is left. */
  takeCall(): Promise<boolean>
}

export type Gate = {
  /** `later`: `spendBudget` takes the route's budget, because the answer may be a stored one. */
  admit(route: Gated, req: Request, res: Response, request: RequestContext, later: boolean): Promise<Admission>
  /** Throws 401 unless the request sends a key, which is not looked up yet. A session is not a key. */
  requireSentKey(req: Request, request: RequestContext): void
  /** Throws 401 if the key is not active, and 429 if it comes too often. Uses neither a call of the budget nor a token of the rate. */
  recognize(req: Request, res: Response, request: RequestContext): Promise<void>
  flush(): Promise<void>
  /** Writes everything that it has noted. */
  close(): Promise<void>
}

/** Messages without an answer, which take no token of the rate: far more than any host sends. */
const unansweredPerKey = { name: 'mcp_notifications', max: 100, windowMs: 1_000 }

export function openGate(app: App): Gate {
  const meter = meterOf(app)
  const { identify, recognize } = openIdentify(app, meter)
  setZeros(app)
  const admitted = admittedByPlan(app)

  return {
    async admit(route, req, res, request, later) {
      const { dryRun } = request
      const spends = later ? undefined : route.spends
      let spent = dryRun ? undefined : spends
      let isRefunded = false
      const identified = await identify(req.headers, request, route, spends)
      const { caller, spender, verdict, isConsoleRead } = identified
      const exchange = exchangeOf(res)
      const { headers } = exchange
      if (!isConsoleRead) exchange.known = { caller, request }
      const now = request.startedAt
      setQuotaHeaders(headers, spender, verdict.callsUsed, now)
      const reading = setTermsHeader(app, headers, caller.acceptedTermsVersion)
      if (reading) await reading
      if (verdict.kind === 'ok' && verdict.release) whenOver(res, verdict.release)
      const asked = askedOf(route, req, caller)
      for (const { decision, refuse } of refusals) {
        const refusal = refuse(identified, asked, now)
        if (!refusal) continue
        app.metrics.gateDecisions.inc({ plan: caller.plan, decision })
        if (decision === 'role') app.metrics.roleRefusals.inc({ role: caller.member!.role })
        if (decision === 'rate' && !isConsoleRead) recordExcess(app, caller, request)
        if (decision === 'elsewhere') recordElsewhere(app, caller, request)
        else if (verdict.kind === 'ok' && spent) meter.refund(spender, spent)
        if (decision === 'key_scope') app.metrics.keyRefusals.inc({ reason: decision })
        throw refusal
      }
      admitted[caller.plan].count++
      if (dryRun && spends) dryRun.spends[spends] = 1
      const isCall = !isConsoleRead && route.access !== 'session' && !route.isFree
      const giveBackCall = () => {
        if (!isCall) return
        meter.refund(spender, 'api_calls')
        setQuotaHeaders(headers, spender, verdict.callsUsed - 1, app.clock.now())
      }
      return {
        actor: actorOf(identified, request),
        refund(error) {
          if (isRefunded) return
          isRefunded = true
          if (spent) meter.refund(spender, spent)
          if (!isCall || !isRateLimit(error)) return
          giveBackCall()
          recordExcess(app, caller, request)
        },
        giveBackCall,
        takeCall: async () => !isCall || meter.spendCall(spender),
        async spendBudget() {
          if (!later || !route.spends) return
          const { isTaken, release } = await meter.spendBudget(spender, route.spends)
          if (!isTaken) {
            app.metrics.gateDecisions.inc({ plan: caller.plan, decision: 'quota' })
            throw budgetExhausted(identified, route.spends, app.clock.now())
          }
          if (release) whenOver(res, release)
          spent = route.spends
        },
      }
    },
    requireSentKey(req, request) {
      try {
        requireSentKey(req.headers)
      } catch (error) {
        recordUnauthenticated(app, req.headers, request)
        throw error
      }
    },
    async recognize(req, res, request) {
      await throttle(app, unansweredPerKey, req.headers.authorization ?? '')
      const { caller, spender, isElsewhere } = await recognize(req.headers, request)
      if (isElsewhere) {
        recordElsewhere(app, caller, request)
        throw notFromHere()
      }
      const { headers } = exchangeOf(res)
      setQuotaHeaders(headers, spender, await meter.callsUsed(spender.orgId, spender.period), request.startedAt)
      await setTermsHeader(app, headers, caller.acceptedTermsVersion)
    },
    flush: () => flushAll(app, meter),
    async close() {
      await Promise.all([flushAll(app, meter), writeUses(app)])
    },
  }
}

async function flushAll(app: App, meter: Meter): Promise<void> {
  await Promise.all([meter.flush(), flushFailures(app), flushRefused(app), flushUses(app)])
}

/** A request about the own membership is permitted in every role. */
function askedOf(route: Gated, req: Request, { member }: Caller): Gated {
  if (!route.isSelf || !member || !route.isSelf(req.params as { id: string }, member)) return route
  const { reauthentication, ...rest } = route
  return { ...rest, role: 'self' }
}

/** The caller may have hung up already. */
function whenOver(res: Response, release: () => void): void {
  if (res.closed) release()
  else res.once('finish', release).once('close', release)
}

/** A counter that starts at 0 shows its first refusal as an increase. */
function setZeros({
  metrics: { gateDecisions, answers, throttleRefusals, guardrailRefusals, keyRefusals, refusedRequests, roleRefusals },
}: App): void {
  for (const reason of ['key_expired', 'key_scope', 'ip_not_allowed']) keyRefusals.inc({ reason }, 0)
  for (const outcome of refusedOutcomes) refusedRequests.inc({ outcome }, 0)
  for (const role of roles) roleRefusals.inc({ role }, 0)
  for (const guardrail of guardrailNames) guardrailRefusals.inc({ guardrail }, 0)
  throttleRefusals.inc({ limit: unansweredPerKey.name }, 0)
  for (const outcome of ['stored', 'replayed', 'reused']) answers.inc({ outcome }, 0)
  for (const plan of planIds) for (const { decision } of refusals) gateDecisions.inc({ plan, decision }, 0)
  gateDecisions.inc({ plan: 'unknown', decision: 'unauthenticated' }, 0)
}

const admittedByPlan = ({ metrics: { gateDecisions } }: App): Readonly<Record<PlanId, Tally>> =>
  Object.fromEntries(planIds.map((plan) => [plan, gateDecisions.tallyOf({ plan, decision: 'admitted' })])) as Record<
    PlanId,
    Tally
  >

const isRateLimit = (error: unknown): boolean => error instanceof ServiceError && error.type === 'rate_limit_error'

const recordExcess = (app: App, caller: Caller, request: RequestContext): void =>
  recordKnown(app, caller, { action: 'rate_limit.exceeded', status: 429, request })

function recordElsewhere(app: App, caller: Caller, request: RequestContext): void {
  app.metrics.keyRefusals.inc({ reason: 'ip_not_allowed' })
  recordKnown(app, caller, { action: 'auth.failure', status: 403, request })
}

const recordKnown = (
  app: App,
  { orgId, agentId, keyPrefix }: Caller,
  failure: Pick<Parameters<typeof recordFailure>[1], 'action' | 'status' | 'request'>,
): void => recordFailure(app, { ...failure, orgId, agentId: agentId ?? undefined, keyPrefix })
