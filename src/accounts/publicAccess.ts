// Keys and webhooks of an organization, as of one revision: the verification of its address switches them off. Its calendars
// and booking pages are in publicEndpoints.ts.
import type { Uuid } from '../shapes/ids.ts'
import { answersTo } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

/** As of one revision. */
export type PublicAccess = {
  id: Uuid
  email: string
  revision: number
  emailVerified: boolean
  signupSource: string
  keys: { id: Uuid; agentId: Uuid | null }[]
  webhooks: Uuid[]
}

export const publicAccessOf = (sql: Sql, orgId: Uuid) =>
  answersTo<PublicAccess>(sql, (row) => row.id === orgId)`
  select id, email, revision, email_verified, signup_source,
    (
      select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'agentId', k.agent_id)), '[]')
      from api_keys k
      left join agents a on a.org_id = k.org_id and a.id = k.agent_id
      where k.org_id = o.id and k.revoked_at is null and a.status is distinct from 'decommissioned'
    ) as keys,
    (
      select coalesce(jsonb_agg(id), '[]')
      from webhook_subscriptions
      where org_id = o.id and active
    ) as webhooks
  from organizations o
  where id = ${orgId}`

/**
 * Matches if nothing was made or removed since the organization was read: making a key, a webhook, a calendar or a page
 * bumps the revision.
 */
export const unchangedGuard = (sql: Sql, { id, revision }: Pick<PublicAccess, 'id' | 'revision'>): Fragment => sql`
  select id
  from organizations
  where id = ${id} and revision = ${revision}
  for no key update`
