// Caps on living things. Their counts are read, not kept: the organization's revision makes the count exact under
// concurrency, because whoever adds or removes a capped thing writes where the revision is still the one it counted at.
import type { Actor } from '../actor.ts'
import type { App } from '../app.ts'
import type { Committed } from '../change.ts'
import type { Fragment } from '../db.ts'
import { capReached, overloaded, unauthenticated } from '../errors.ts'
import type { LimitName } from '../plans/plans.ts'
import { openTurns } from '../turns.ts'
import { secondsLeft } from './period.ts'

const inTurn = openTurns()
const mostTries = 30

/** `revision` of the organization counts on; matches nothing when somebody else was faster than `seen`. */
export const bumpOrganization = ({ sql }: App, orgId: string, seen?: number): Fragment => sql`
  update organizations set revision = revision + 1
  where id = ${orgId} ${seen === undefined ? sql`` : sql`and revision = ${seen}`}
  returning revision`

/**
 * Adds a capped thing: `count` is a scalar query of the living ones, `add` commits with the guard it is given.
 * Throws `quota_exceeded` at the cap.
 */
export const withinCap = (
  app: App,
  actor: Actor,
  name: LimitName,
  count: Fragment,
  add: (guard: Fragment) => Promise<Committed<unknown>>,
): Promise<void> =>
  inTurn(actor.orgId, async () => {
    for (let tries = 0; tries < mostTries; tries++) {
      const [seen] = await app.sql<{ revision: number; used: number }[]>`
        select revision, (${count})::integer as used from organizations where id = ${actor.orgId}`
      if (!seen) throw unauthenticated('This organization was deleted.')
      const limit = actor.limits[name]
      if (limit != null && seen.used >= limit) {
        const retryAfterSeconds = secondsLeft({ end: actor.periodEnd }, app.clock.now())
        throw capReached(nouns[name] ?? name, limit, retryAfterSeconds, statuses[name])
      }
      const { matched } = await add(bumpOrganization(app, actor.orgId, seen.revision))
      if (matched) return
    }
    throw overloaded('Too many changes at once to this organization. Try again.')
  })

const nouns: Partial<Record<LimitName, string>> = {
  webhooks: 'webhook endpoints',
  scoped_keys: 'agent keys',
  ical_subscriptions: 'iCal subscriptions',
  recurring_events: 'active recurring series',
  booking_pages: 'booking pages',
}

/** Where a full plan is not told as 429. */
const statuses: Partial<Record<LimitName, number>> = { ical_subscriptions: 402 }
