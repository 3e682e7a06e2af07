// The gate of the console: who signed in, and may they. Sessions spend nothing of the month's quota.
import type { Request, Response } from 'express'
import type { RequestContext } from '../src/actor.ts'
import type { App } from '../src/app.ts'
import { recordFailure } from '../src/audit/failures.ts'
import { accountWaitlisted, planRequired, ServiceError } from '../src/errors.ts'
import { sentPrefix } from '../src/keys/mint.ts'
import { isPaid } from '../src/plans/plans.ts'
import type { Meter } from '../src/quotas/meter.ts'
import { periodAt } from '../src/quotas/period.ts'
import { requireSession, type SessionPrincipal } from '../src/sessions/sessions.ts'
import type { Admission } from './gate.ts'
import { setQuotaHeaders, setTermsHeader } from './quotaHeaders.ts'
import type { Route } from './route.ts'
import { sessionToken } from './session.ts'

export const openSessionGate = (app: App, meter: Meter) => {
  async function identify(route: Route, req: Request, request: RequestContext): Promise<SessionPrincipal> {
    try {
      return await requireSession(app, sessionToken(app, route.method, req.headers))
    } catch (error) {
      if (error instanceof ServiceError && error.status === 401) {
        recordFailure(app, {
          action: 'auth.failure',
          status: 401,
          request,
          keyPrefix: sentPrefix(req.headers.authorization),
        })
      }
      throw error
    }
  }

  return async (route: Route, req: Request, res: Response, request: RequestContext): Promise<Admission> => {
    const principal = await identify(route, req, request)
    const { orgId, plan, limits } = principal
    const period = periodAt(principal.orgCreatedAt, app.clock.now())
    setQuotaHeaders(app, res, { orgId, limits, period }, await meter.callsUsed(orgId, period))
    await setTermsHeader(app, res, principal.acceptedTermsVersion)
    if (principal.isWaitlisted && route.activated) throw accountWaitlisted()
    if (route.feature && !isPaid(plan)) throw planRequired(route.feature)
    return {
      actor: {
        orgId,
        plan,
        limits,
        periodStart: period.start,
        periodEnd: period.end,
        keyPrefix: null,
        sessionId: principal.sessionId,
        request,
      },
      refund: () => undefined,
    }
  }
}
