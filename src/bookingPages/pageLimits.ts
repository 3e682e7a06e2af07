// Limits of a page. A page can be deleted and made anew, and so can its organization: both count.
import type { App } from '../app.ts'
import { limitsOf } from '../plans/plans.ts'
import { ofAll, secondsToWait, type Throttle } from '../quotas/throttle.ts'
import type { PublicPageRow } from './queries.ts'

/** Counts one for the page, and for all pages of its owner; 0 if it is within both limits. */
export async function secondsToWaitOfPage(app: App, limit: Throttle, page: PublicPageRow): Promise<number> {
  const wait = await secondsToWait(app, limit, page.id)
  if (wait > 0) return wait
  return secondsToWait(app, ofAll(limit, limitsOf(page.plan, page.limits).booking_pages), page.owner)
}
