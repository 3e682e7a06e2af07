// The actor of a guest's changes: the organization itself, without a key.
import type { Actor, RequestContext } from '../actors/actor.ts'
import { periodAt } from '../plans/period.ts'
import { limitsOf } from '../plans/plans.ts'
import { encodeId } from '../shapes/ids.ts'
import type { PublicPageRow } from './queries.ts'

/** The address of the request holds a secret, so the log shows the id of the page instead. */
export const actorOf = (page: PublicPageRow, request: RequestContext, now: Date): Actor => ({
  orgId: page.orgId,
  plan: page.plan,
  limits: limitsOf(page.plan, page.limits),
  period: periodAt(page.orgCreatedAt, now),
  keyPrefix: null,
  request: { ...request, path: `/book/${encodeId('bkp', page.id)}` },
})
