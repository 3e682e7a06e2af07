// Caps on living things. Their counts are read, not kept: the organization's revision makes the count exact under
// concurrency, because whoever adds or removes a capped thing writes where the revision is still the one it counted at.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import type { Committed } from '../changes/commit.ts'
import { openTurns } from '../changes/turns.ts'
import { capReached, overloaded, unauthenticated } from '../errors.ts'
import { secondsLeft } from '../plans/period.ts'
import type { LimitName } from '../plans/plans.ts'
import type { Uuid } from '../shapes/ids.ts'
import { askedBy, own } from '../stores/ownership.ts'
import type { Fragment } from '../stores/postgres.ts'

const inTurn = openTurns()
const maxTries = 30

/** `revision` of the organization counts on; matches nothing when somebody else was faster than `seen`. */
const bumpOrganization = ({ sql }: App, orgId: Uuid, seen: number): Fragment => sql`
  update organizations set revision = revision + 1
  where id = ${orgId} and revision = ${seen}
  returning revision`

type Seen = { used: number; isStanding: boolean; revision: number }

/** `change` decides by `used`, the result of `count`, and commits with the guard it is given: again while somebody else was faster. */
const whileCounted = (
  app: App,
  actor: Actor,
  count: Fragment,
  change: (guard: Fragment, used: number) => Promise<Committed<unknown>>,
): Promise<void> =>
  inTurn(actor.orgId, async () => {
    for (let tries = 0; tries < maxTries; tries++) {
      const [seen] = await own<Seen>(app.sql, actor.orgId)`
        select id as org_id, revision, (${count})::integer as used, ${isStanding(app, actor)} as is_standing
        from organizations where id = ${actor.orgId}`
      if (!seen?.isStanding) throw ended()
      const { matched } = await change(bumpOrganization(app, actor.orgId, seen.revision), seen.used)
      if (matched) return
    }
    throw overloaded('Too many changes at once to this organization. Try again.')
  })

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
  whileCounted(app, actor, count, async (guard, used) => {
    const limit = actor.limits[name]
    if (limit != null && used >= limit) {
      const retryAfterSeconds = secondsLeft(actor.period, app.clock.now())
      throw capReached(nouns[name] ?? name, limit, retryAfterSeconds, statuses[name])
    }
    return add(guard)
  })

/**
 * Changes what the revision counts: `change` reads, decides and commits with the guard it is given, again while somebody
 * else was faster.
 */
export const atRevision = (
  app: App,
  actor: Actor,
  change: (guard: Fragment) => Promise<Committed<unknown>>,
): Promise<void> => whileCounted(app, actor, app.sql`0`, change)

/**
 * Whether the key or the session that acts has not been ended since it was let in. A proof of the address ends them and
 * bumps the revision: what was read at one revision and is written at the same one was made by somebody who still may.
 */
function isStanding({ sql }: App, { orgId, keyPrefix, sessionId }: Actor): Fragment {
  if (sessionId !== undefined) {
    return sql`exists (
      select from sessions s join accounts a on a.org_id = s.org_id
      where s.org_id = ${orgId} and s.id = ${sessionId} and s.generation = a.generation)`
  }
  if (keyPrefix === null) return sql`true`
  return sql`exists (
    select from api_keys where org_id = ${orgId} and prefix = ${keyPrefix} and revoked_at is null)`
}

/** For a change that is guarded by another revision, which the proof of an address bumps, too: read that one first. */
export async function requireStanding(app: App, actor: Actor): Promise<void> {
  const [seen] = await own<{ isStanding: boolean }>(app.sql, actor.orgId)`
    select ${askedBy(app.sql, actor.orgId)}, ${isStanding(app, actor)} as is_standing`
  if (!seen?.isStanding) throw ended()
}

const ended = () => unauthenticated('This key or session was ended, or its organization deleted.')

const nouns: Partial<Record<LimitName, string>> = {
  webhooks: 'webhook endpoints',
  scoped_keys: 'agent keys',
  ical_subscriptions: 'iCal subscriptions',
  recurring_events: 'active recurring series',
  booking_pages: 'booking pages',
}

/** Where a full plan is not told as 429. */
const statuses: Partial<Record<LimitName, number>> = { ical_subscriptions: 402 }
