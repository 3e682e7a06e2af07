// Who, may they, and have they anything left: decided with one Redis call once a key is known to the process. A session of
// the console passes where a key does, and spends the same; on the routes that are only for sessions it spends nothing.

import type { Request, Response } from 'express'
import { requireSession } from '../../src/accounts/sessions.ts'
import type { Actor, RequestContext } from '../../src/actors/actor.ts'
import type { App } from '../../src/app.ts'
import { flushFailures, recordFailure } from '../../src/audit/failures.ts'
import {
  accountWaitlisted,
  forbidden,
  planRequired,
  quotaExceeded,
  rateLimited,
  ServiceError,
  unauthenticated,
} from '../../src/errors.ts'
import { openPrincipals, type Principal } from '../../src/keys/principals.ts'
import { periodAt, secondsLeft } from '../../src/plans/period.ts'
import { isPaid, planIds } from '../../src/plans/plans.ts'
import { openMeter } from '../../src/quotas/meter.ts'
import type { FinalVerdict, Spender } from '../../src/quotas/spender.ts'
import type { Uuid } from '../../src/shapes/ids.ts'
import { counters } from '../../src/usage/counters.ts'
import type { Route } from '../http/route.ts'
import { type Credential, credentialOf } from './credential.ts'
import { setQuotaHeaders, setTermsHeader } from './headers.ts'
import { identified } from './identified.ts'

export type Admission = {
  actor: Actor
  /** Gives back what was spent on a request that was refused after all: the route's budget, for its rate the call as well. */
  refund(error: unknown): void
}

export type Gate = {
  admit(route: Route, req: Request, res: Response, request: RequestContext): Promise<Admission>
  flush(): Promise<void>
}

/** Who calls, by a key or by a session. */
type Caller = Omit<Principal, 'keyId' | 'keyPrefix'> & {
  keyId?: Uuid
  keyPrefix: string | null
  sessionId?: Uuid
  account?: string
}

type Decision = { principal: Caller; spender: Spender; verdict: FinalVerdict }

const epochTries = 4

/** `admitted`, or the reason of the refusal. */
const decisions = ['admitted', 'rate', 'waitlisted', 'scope', 'paused', 'plan', 'quota'] as const

export function openGate(app: App): Gate {
  const meter = openMeter(app, counters)
  const principals = openPrincipals(app)
  const { gateDecisions } = app.metrics
  for (const plan of planIds) for (const decision of decisions) gateDecisions.inc({ plan, decision }, 0)
  gateDecisions.inc({ plan: 'unknown', decision: 'unauthenticated' }, 0)

  const decide = (credential: Credential, route: Route, ip: string | null): Promise<Decision> =>
    credential.kind === 'session' ? decideSession(credential.token, route) : decideKey(credential.secret, route, ip)

  /** Sessions are not remembered: one is read for each request, so that it needs no epoch. */
  async function decideSession(token: string, route: Route): Promise<Decision> {
    const session = await requireSession(app, token)
    const principal = { ...session, keyPrefix: null, agentId: null, isAgentPaused: false }
    const spender = spenderOf(app, principal, 'read')
    if (route.access === 'session') {
      return {
        principal,
        spender,
        verdict: { kind: 'ok', callsUsed: await meter.callsUsed(spender.orgId, spender.period) },
      }
    }
    const verdict = await meter.spend(spender, route.spends)
    if (verdict.kind !== 'no_redis' && verdict.kind !== 'stale') return { principal, spender, verdict }
    app.metrics.gateWithoutRedis.inc()
    return { principal, spender, verdict: await meter.spendWithoutRedis(spender, route.spends) }
  }

  /** A principal and the verdict on it, both of one epoch. */
  async function decideKey(secret: string, route: Route, ip: string | null): Promise<Decision> {
    const remembered = principals.recall(secret)
    let principal = remembered?.principal
    let epoch = remembered?.epoch
    for (let tries = 0; tries < epochTries; tries++) {
      principal ??= await principals.read(secret, ip)
      if (!principal) break
      const spender = spenderOf(app, principal, epoch)
      const verdict = await meter.spend(spender, route.spends)
      if (verdict.kind === 'stale') {
        // Read again, now that the epoch is known: what is read from here on is at least as new as the epoch.
        epoch = verdict.epoch
        principal = await principals.read(secret, ip)
        if (principal) principals.remember(secret, principal, epoch)
        continue
      }
      if (verdict.kind === 'no_redis') return decideWithoutRedis(secret, route, ip)
      return { principal, spender, verdict }
    }
    if (!principal) throw unauthenticated('This API key does not exist or has been revoked.')
    return decideWithoutRedis(secret, route, ip)
  }

  async function decideWithoutRedis(secret: string, route: Route, ip: string | null): Promise<Decision> {
    app.metrics.gateWithoutRedis.inc()
    const principal = await principals.read(secret, ip)
    if (!principal) throw unauthenticated('This API key does not exist or has been revoked.')
    const spender = spenderOf(app, principal, undefined)
    return { principal, spender, verdict: await meter.spendWithoutRedis(spender, route.spends) }
  }

  const recordExcess = ({ orgId, agentId, keyPrefix }: Caller, request: RequestContext) =>
    recordFailure(app, {
      action: 'rate_limit.exceeded',
      status: 429,
      request,
      orgId,
      agentId: agentId ?? undefined,
      keyPrefix,
    })

  return {
    async admit(route, req, res, request) {
      const { principal, spender, verdict } = await identified(app, req, request, () =>
        decide(credentialOf(app, route, req.headers), route, request.ip),
      )
      const { period } = spender
      setQuotaHeaders(app, res, spender, verdict.callsUsed)
      const reading = setTermsHeader(app, res, principal.acceptedTermsVersion)
      if (reading) await reading
      if (verdict.kind === 'ok' && verdict.release) res.once('finish', verdict.release).once('close', verdict.release)
      const refuse = (error: ServiceError, decision: (typeof decisions)[number]) => {
        gateDecisions.inc({ plan: principal.plan, decision })
        if (verdict.kind === 'ok' && route.spends) meter.refund(spender, route.spends)
        throw error
      }
      if (verdict.kind === 'rate') {
        recordExcess(principal, request)
        refuse(rateLimited(Math.max(1, Math.ceil(verdict.waitMs / 1000))), 'rate')
      }
      const opensToWaiting = route.access === 'session' && !route.activated
      if (principal.isWaitlisted && !opensToWaiting) refuse(accountWaitlisted(), 'waitlisted')
      if (principal.agentId && route.access === 'organization') {
        refuse(forbidden("This needs the organization's key; an agent key is not enough."), 'scope')
      }
      if (principal.isAgentPaused && route.method !== 'get') {
        refuse(forbidden('This agent is paused; its key can only read.'), 'paused')
      }
      if (route.feature && !isPaid(principal.plan)) refuse(planRequired(route.feature), 'plan')
      if (verdict.kind === 'quota' && !route.beyondQuota) {
        const limit = principal.limits[verdict.budget] ?? 0
        refuse(quotaExceeded(budgetNouns[verdict.budget], limit, secondsLeft(period, app.clock.now())), 'quota')
      }
      gateDecisions.inc({ plan: principal.plan, decision: 'admitted' })
      return {
        actor: {
          orgId: principal.orgId,
          plan: principal.plan,
          limits: principal.limits,
          period,
          agentId: principal.agentId ?? undefined,
          keyPrefix: principal.keyPrefix,
          sessionId: principal.sessionId,
          account: principal.account,
          request,
        },
        refund(error) {
          if (route.spends) meter.refund(spender, route.spends)
          // Routes of sessions alone spend no call.
          if (route.access === 'session') return
          if (!(error instanceof ServiceError) || error.type !== 'rate_limit_error') return
          meter.refund(spender, 'api_calls')
          setQuotaHeaders(app, res, spender, verdict.callsUsed - 1)
          recordExcess(principal, request)
        },
      }
    },
    async flush() {
      await Promise.all([meter.flush(), flushFailures(app)])
    },
  }
}

const budgetNouns = {
  api_calls: 'API calls a month',
  events: 'events a month',
  availability_queries: 'availability queries a month',
  webhook_deliveries: 'webhook deliveries a month',
  proposals: 'proposals a month',
}

function spenderOf(app: App, principal: Caller, epoch: string | undefined): Spender {
  return {
    orgId: principal.orgId,
    bucket: principal.keyId ?? principal.orgId,
    epoch,
    requestsPerSecond: principal.requestsPerSecond,
    limits: principal.limits,
    period: periodAt(principal.orgCreatedAt, app.clock.now()),
  }
}
