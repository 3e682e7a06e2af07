import type { Uuid } from '../shapes/ids.ts'
import { answersTo } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

/** What stands of an organization, as of one revision. */
export type Standing = {
  id: Uuid
  email: string
  revision: number
  emailVerified: boolean
  signupSource: string
  keys: { id: Uuid; agentId: Uuid | null }[]
  webhooks: Uuid[]
  pages: { id: Uuid; calendarId: Uuid }[]
  calendars: Uuid[]
}

export const standingOf = (sql: Sql, orgId: Uuid) =>
  answersTo<Standing>(sql, (row) => row.id === orgId)`
  select id, email, revision, email_verified, signup_source,
    (select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'agentId', k.agent_id)), '[]')
     from api_keys k left join agents a on a.org_id = k.org_id and a.id = k.agent_id
     where k.org_id = o.id and k.revoked_at is null and a.status is distinct from 'decommissioned') as keys,
    (select coalesce(jsonb_agg(id), '[]') from webhook_subscriptions where org_id = o.id and active) as webhooks,
    (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'calendarId', calendar_id)), '[]')
     from booking_pages where org_id = o.id and active and deleted_at is null) as pages,
    (select coalesce(jsonb_agg(id), '[]') from calendars where org_id = o.id and deleted_at is null) as calendars
  from organizations o where id = ${orgId}`

/**
 * The guard of a proof: matches while nothing came or went since the organization was read. Whoever makes a key, a webhook,
 * a calendar or a page bumps the revision, so that nothing made meanwhile is passed over.
 */
export const unchangedSince = (sql: Sql, { id, revision }: Standing): Fragment => sql`
  select id from organizations where id = ${id} and revision = ${revision} for no key update`

/** Those of decommissioned agents, too: they are dead anyway. */
export const revokeKeys = (sql: Sql, now: Date): Fragment => sql`
  update api_keys k set revoked_at = ${now} from guard where k.org_id = guard.id and k.revoked_at is null`

/** Locked in one order, as everywhere (docs/decisions/lock-order.md). */
export const switchOffWebhooks = (sql: Sql, now: Date): Fragment => sql`
  update webhook_subscriptions s set active = false, updated_at = ${now}
  from (
    select l.org_id, l.id from webhook_subscriptions l
    where l.org_id = (select id from guard) and l.active
    order by l.org_id, l.id for no key update of l) active
  where s.org_id = active.org_id and s.id = active.id
  returning s.id`

/**
 * What waited for an attempt waits until its webhook is switched on again. After `written`, which switched all of them off: a
 * delivery that is locked by then is parked when it comes due.
 */
export const parkAllDeliveries = (sql: Sql, written: Fragment): Fragment => sql`
  update webhook_deliveries d set next_retry_at = null
  from (
    select org_id, id from webhook_deliveries
    where org_id = (select id from guard) and status = 'pending' and next_retry_at is not null
      and (select count(*) from ${written}) > 0
    for no key update skip locked) waiting
  where d.org_id = waiting.org_id and d.id = waiting.id`

/** Those that are off change their revision, too, so that an edit under way looks again. */
export const switchOffPages = (sql: Sql, now: Date): Fragment => sql`
  update booking_pages p set active = false, updated_at = ${now}, revision = p.revision + 1 from guard
  where p.org_id = guard.id and p.deleted_at is null`

type NewFeed = { id: Uuid; hash: Buffer; sealed: Buffer }

/** Calendars are locked in the order in which every change locks them. */
export const replaceFeeds = (sql: Sql, feeds: readonly NewFeed[], now: Date): Fragment => {
  const rows = feeds.map(({ id, hash, sealed }) => ({
    id,
    hash: hash.toString('base64'),
    sealed: sealed.toString('base64'),
  }))
  return sql`
    update calendars c set feed_token_hash = decode(f.hash, 'base64'), feed_token_sealed = decode(f.sealed, 'base64'),
      revision = c.revision + 1, updated_at = ${now}
    from (
      select l.org_id, l.id, r.hash, r.sealed
      from jsonb_to_recordset(${sql.json(rows)}) as r (id uuid, hash text, sealed text)
      join calendars l on l.org_id = (select id from guard) and l.id = r.id
      order by l.org_id, l.id for no key update of l) f
    where c.org_id = f.org_id and c.id = f.id and c.deleted_at is null`
}
