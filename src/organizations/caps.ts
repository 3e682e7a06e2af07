// Caps on things that exist. Their number is counted, not stored. The organization's revision makes the count exact under
// concurrency: one more is written only if the revision has not changed since the count.
import type { Actor } from '../actors/actor.ts'
import { rolesFrom } from '../actors/roles.ts'
import type { App } from '../app.ts'
import { again, decide } from '../commit/decide.ts'
import { inRounds, type Rounds } from '../commit/rounds.ts'
import { capReached, type ServiceError, unauthenticated } from '../errors.ts'
import { secondsLeft } from '../plans/period.ts'
import type { LimitName } from '../plans/plans.ts'
import { batchedPerKey } from '../stores/keyedBatch.ts'
import { askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { texts } from '../stores/sql.ts'
import { bumpRevisionGuard } from './writes.ts'

type Seen = { used: number; hasAccess: boolean; revision: number }

const organizationSeen = (app: App, actor: Actor, count: Fragment) =>
  own<Seen>(app.sql, actor.orgId)`
  select id as org_id, revision, (${count})::integer as used, ${hasAccess(app.sql, actor)} as has_access
  from organizations
  where id = ${actor.orgId}`

/** `change` decides by `used`, the result of `count`, and commits with the guard it is given. */
const atCount = <T>(
  app: App,
  actor: Actor,
  count: Fragment,
  change: (guard: Fragment, used: number) => Promise<T | typeof again>,
): Promise<T> =>
  decide(app, { noun: 'organization', key: actor.orgId }, async () => {
    const [seen] = await organizationSeen(app, actor, count)
    if (!seen?.hasAccess) throw ended()
    return change(bumpRevisionGuard(app.sql, actor.orgId, seen.revision), seen.used)
  })

/** Undefined: one more than `used` may exist. */
function refusalAt(app: App, actor: Actor, name: LimitName, used: number): ServiceError | undefined {
  const limit = actor.limits[name]
  if (limit == null || used < limit) return undefined
  const retryAfterSeconds = secondsLeft(actor.period, app.clock.now())
  return capReached(nouns[name] ?? name, limit, retryAfterSeconds, statuses[name])
}

/**
 * Decides about one more capped thing: `count` is a scalar query of the existing ones, `change` commits with the guard it is given.
 * Throws `quota_exceeded` at the cap.
 */
export const withinCap = <T>(
  app: App,
  actor: Actor,
  name: LimitName,
  count: Fragment,
  change: (guard: Fragment) => Promise<T | typeof again>,
): Promise<T> =>
  atCount(app, actor, count, async (guard, used) => {
    const refused = refusalAt(app, actor, name, used)
    if (refused) throw refused
    return change(guard)
  })

type Adding = {
  actor: Actor
  name: LimitName
  /** A scalar query of the existing ones. */
  count: Fragment
  /** Writes one more while the organization has this revision. False: it has another one. */
  add(seenRevision: number): Promise<boolean>
}

type Counted = Adding & { used: number; revision: number; refused: ServiceError | undefined }

/** Adds a capped thing together with others of the moment, which share the count and the statement. Throws `quota_exceeded` at the cap. */
export const addWithinCap = (app: App, adding: Adding): Promise<void> =>
  inRounds(app, additions, adding.actor.orgId, adding)

const additions: Rounds<Adding, Counted, void> = {
  noun: 'organization',
  read: async (app, orgId, adding) => {
    const { actor, name } = adding
    const { used, revision, hasAccess } = await app.memory(openCounts)(`${orgId} ${name}`, adding)
    if (!hasAccess) throw ended()
    return { ...adding, used, revision, refused: refusalAt(app, actor, name, used) }
  },
  refusal: (_, { refused }) => refused && (() => refused),
  goesWith: ({ actor, name, used, revision }, chosen, all) =>
    all.every((other) => other.revision <= revision) &&
    used + chosen.filter((other) => other.name === name).length < (actor.limits[name] ?? Number.POSITIVE_INFINITY),
  write: async (_, { add, revision }) => ((await add(revision)) ? undefined : again),
}

/** The counts of an organization for several callers at once. */
const openCounts = ({ sql }: App) =>
  batchedPerKey<Adding, { used: number; revision: number; hasAccess: boolean }>(200, async (_, items) => {
    const [{ actor, count }] = items as [Adding]
    const callers = [...new Map(items.map(({ actor: one }) => [callerOf(one), one])).values()]
    const each = callers.map((one, nth) => sql`${nth > 0 ? sql`||` : sql``} jsonb_build_array(${hasAccess(sql, one)})`)
    const [seen] = await own<{ used: number; revision: number; hasAccess: boolean[] }>(sql, actor.orgId)`
      select id as org_id, revision, (${count})::integer as used, ${each} as has_access
      from organizations
      where id = ${actor.orgId}`
    const indexByCaller = new Map(callers.map((one, nth) => [callerOf(one), nth]))
    return items.map(({ actor: one }) => ({
      ...{ used: seen?.used ?? 0, revision: seen?.revision ?? 0 },
      hasAccess: seen?.hasAccess[indexByCaller.get(callerOf(one))!] ?? false,
    }))
  })

const callerOf = ({ keyPrefix, sessionId, member }: Actor): string => `${sessionId} ${member?.role} ${keyPrefix}`

/**
 * For a decision that no cap is about but that others of the organization could upset, such as that it has no key yet:
 * `change` reads, decides and commits with the guard it is given.
 */
export const atRevision = <T>(
  app: App,
  actor: Actor,
  change: (guard: Fragment) => Promise<T | typeof again>,
): Promise<T> => atCount(app, actor, app.sql`0`, change)

/**
 * Whether the key or session of the actor has not been ended since the gate admitted it, and its member may still do as much. A proof of
 * the address, a removal and a change of a role bump the revision, so a change at the revision that was read is by somebody who still
 * has access.
 */
function hasAccess(sql: Sql, { orgId, keyPrefix, sessionId, member }: Actor): Fragment {
  if (sessionId !== undefined) {
    return sql`exists (
      select from sessions s
      join accounts a on a.id = s.account_id and a.generation = s.generation
      join memberships m on m.account_id = s.account_id
      where s.id = ${sessionId} and m.org_id = ${orgId} and m.role = any (${texts(sql, rolesFrom(member!.role))}))`
  }
  if (keyPrefix === null) return sql`true`
  return sql`exists (
    select from api_keys
    where org_id = ${orgId} and prefix = ${keyPrefix} and revoked_at is null)`
}

/** For a change guarded by another revision that the proof of an address bumps as well. Read that revision before this. */
export async function requireAccess(app: App, actor: Actor): Promise<void> {
  const [seen] = await own<{ hasAccess: boolean }>(app.sql, actor.orgId)`
    select ${askedBy(app.sql, actor.orgId)}, ${hasAccess(app.sql, actor)} as has_access`
  if (!seen?.hasAccess) throw ended()
}

const ended = () => unauthenticated('This key or session is no longer valid, or its organization was deleted.')

const nouns: Partial<Record<LimitName, string>> = {
  webhooks: 'webhook endpoints',
  scoped_keys: 'agent keys',
  organization_keys: 'organization keys',
  ical_subscriptions: 'iCal subscriptions',
  recurring_events: 'active recurring series',
  booking_pages: 'booking pages',
  calendar_connections: 'calendar connections',
}

/** Caps that are answered with another status than 429. */
const statuses: Partial<Record<LimitName, number>> = { ical_subscriptions: 402 }
