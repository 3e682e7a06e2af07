// Who, may they, and have they anything left: decided with one Redis call once a key is known to the process.
import type { Request, Response } from 'express'
import type { Actor, RequestContext } from '../src/actor.ts'
import type { App } from '../src/app.ts'
import {
  accountWaitlisted,
  forbidden,
  planRequired,
  quotaExceeded,
  rateLimited,
  type ServiceError,
  unauthenticated,
} from '../src/errors.ts'
import { encodeId } from '../src/ids.ts'
import { openPrincipals, type Principal } from '../src/keys/principals.ts'
import { isPaid } from '../src/plans/plans.ts'
import { type FinalVerdict, openMeter, type Spender } from '../src/quotas/meter.ts'
import { periodAt, periodMs, secondsLeft } from '../src/quotas/period.ts'
import type { Route } from './route.ts'

export type Admission = {
  actor: Actor
  /** Gives the route's budget back: the request was refused after all. */
  refund(): void
}

export type Gate = {
  admit(route: Route, req: Request, res: Response, request: RequestContext): Promise<Admission>
  flush(): Promise<void>
}

type Decision = { principal: Principal; spender: Spender; verdict: FinalVerdict }

const epochTries = 4

export function openGate(app: App): Gate {
  const meter = openMeter(app)
  const principals = openPrincipals(app)

  /** A principal and the verdict on it, both of one epoch. */
  async function decide(secret: string, route: Route): Promise<Decision> {
    const remembered = principals.recall(secret)
    let principal = remembered?.principal
    let epoch = remembered?.epoch
    for (let tries = 0; tries < epochTries; tries++) {
      principal ??= await principals.read(secret)
      if (!principal) break
      const spender = spenderOf(app, principal, epoch)
      const verdict = await meter.spend(spender, route.spends)
      if (verdict.kind === 'stale') {
        // Read again, now that the epoch is known: what is read from here on is at least as new as the epoch.
        epoch = verdict.epoch
        principal = await principals.read(secret)
        if (principal) principals.remember(secret, principal, epoch)
        continue
      }
      if (verdict.kind === 'no_redis') return decideWithoutRedis(secret, route)
      return { principal, spender, verdict }
    }
    if (!principal) throw unauthenticated('This API key does not exist or has been revoked.')
    return decideWithoutRedis(secret, route)
  }

  async function decideWithoutRedis(secret: string, route: Route): Promise<Decision> {
    app.metrics.gateWithoutRedis.inc()
    const principal = await principals.read(secret)
    if (!principal) throw unauthenticated('This API key does not exist or has been revoked.')
    const spender = spenderOf(app, principal, undefined)
    return { principal, spender, verdict: await meter.spendWithoutRedis(spender, route.spends) }
  }

  return {
    async admit(route, req, res, request) {
      const { principal, spender, verdict } = await decide(bearerKey(req), route)
      const { period } = spender
      setQuotaHeaders(app, res, spender, verdict.callsUsed)
      const refuse = (error: ServiceError, reason: string) => {
        app.metrics.gateRefusals.inc({ reason })
        if (verdict.kind === 'ok' && route.spends) meter.refund(spender, route.spends)
        throw error
      }
      if (verdict.kind === 'rate') refuse(rateLimited(Math.max(1, Math.ceil(verdict.waitMs / 1000))), 'rate')
      if (principal.isWaitlisted) refuse(accountWaitlisted(), 'waitlisted')
      if (principal.agentId && route.access === 'organization') {
        refuse(forbidden("This needs the organization's key; an agent key is not enough."), 'scope')
      }
      if (principal.isAgentPaused && route.method !== 'get') {
        refuse(forbidden('This agent is paused; its key can only read.'), 'paused')
      }
      if (route.feature && !isPaid(principal.plan)) refuse(planRequired(route.feature), 'plan')
      if (verdict.kind === 'quota') {
        const limit = principal.limits[verdict.budget] ?? 0
        refuse(quotaExceeded(budgetNouns[verdict.budget], limit, secondsLeft(period, app.clock.now())), 'quota')
      }
      return {
        actor: {
          orgId: principal.orgId,
          plan: principal.plan,
          limits: principal.limits,
          periodStart: period.start,
          periodEnd: period.end,
          agentId: principal.agentId ?? undefined,
          keyPrefix: principal.keyPrefix,
          request,
        },
        refund: () => route.spends && meter.refund(spender, route.spends),
      }
    },
    flush: () => meter.flush(),
  }
}

const budgetNouns = {
  api_calls: 'API calls a month',
  events: 'events a month',
  availability_queries: 'availability queries a month',
  webhook_deliveries: 'webhook deliveries a month',
  proposals: 'proposals a month',
}

function spenderOf(app: App, principal: Principal, epoch: string | undefined): Spender {
  return {
    orgId: principal.orgId,
    keyId: principal.keyId,
    epoch,
    requestsPerSecond: principal.requestsPerSecond,
    limits: principal.limits,
    period: periodAt(principal.orgCreatedAt, app.clock.now()),
  }
}

const keyPattern = /^Bearer (svc_(?:sk|ak)_[A-Za-z0-9_-]{8,200})$/i

function bearerKey(req: Request): string {
  const header = req.headers.authorization
  if (!header) throw unauthenticated('Send an API key: Authorization: Bearer svc_sk_…')
  const key = keyPattern.exec(header)?.[1]
  if (!key) throw unauthenticated('The Authorization header is malformed. Expected: Bearer svc_sk_… or svc_ak_…')
  return key
}

/** Omitted where the quota is unlimited. */
function setQuotaHeaders(app: App, res: Response, { orgId, limits, period }: Spender, callsUsed: number) {
  const limit = limits.api_calls
  if (limit == null) return
  res.setHeader('RateLimit-Policy', `"quota";q=${limit};w=${periodMs / 1000};pk=${encodeId('org', orgId)}`)
  res.setHeader('RateLimit', `"quota";r=${Math.max(0, limit - callsUsed)};t=${secondsLeft(period, app.clock.now())}`)
}
