// The gate of the console: who signed in, and may they. Sessions spend nothing of the month's quota.
import type { Request, Response } from 'express'
import type { RequestContext } from '../src/actor.ts'
import type { App } from '../src/app.ts'
import { accountWaitlisted, planRequired } from '../src/errors.ts'
import { isPaid } from '../src/plans/plans.ts'
import type { Meter } from '../src/quotas/meter.ts'
import { periodAt } from '../src/quotas/period.ts'
import { requireSession } from '../src/sessions/sessions.ts'
import type { Admission } from './gate.ts'
import { identified } from './identified.ts'
import { setQuotaHeaders, setTermsHeader } from './quotaHeaders.ts'
import type { Route } from './route.ts'
import { sessionToken } from './session.ts'

export const openSessionGate =
  (app: App, meter: Meter) =>
  async (route: Route, req: Request, res: Response, request: RequestContext): Promise<Admission> => {
    const principal = await identified(app, req, request, () =>
      requireSession(app, sessionToken(app, route.method, req.headers)),
    )
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
