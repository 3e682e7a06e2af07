// How many further guests are invited: each invitation is counted for where the booking comes from, and for the page. Its address is
// counted when the mail is sent.
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { networkOf } from '../outbound/addresses.ts'
import { secondsToWait } from '../quotas/throttle.ts'
import { dayMs } from '../shapes/durations.ts'
import { secondsToWaitOfPage } from './pageLimits.ts'
import type { PublicPageRow } from './queries.ts'

const perClient = { name: 'guest_invitations', max: 20, windowMs: dayMs }
const perPage = { name: 'guest_invitations_page', max: 100, windowMs: dayMs }

/** The invited guests: none beyond the limits; the booking is then made without invitations. */
export async function withinInvitations(
  app: App,
  page: PublicPageRow,
  { ip }: RequestContext,
  guests: readonly string[],
): Promise<string[]> {
  const invited: string[] = []
  for (const guest of guests) {
    if ((await secondsToWait(app, perClient, networkOf(ip ?? ''))) > 0) break
    if ((await secondsToWaitOfPage(app, perPage, page)) > 0) break
    invited.push(guest)
  }
  return invited
}
