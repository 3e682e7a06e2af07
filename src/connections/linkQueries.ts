// Reads links. Every statement checks the organization of a link, or the secret in its address.

import { isStopped } from '../organizations/standing.ts'
import type { Capability } from '../providers/rules.ts'
import type { Uuid } from '../shapes/ids.ts'
import { answersTo, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import type { PublicationPolicy } from './linkSchema.ts'
import type { LinkStatus } from './rules.ts'

export type LinkRow = {
  orgId: Uuid
  id: Uuid
  calendarId: Uuid
  capabilities: Capability[]
  publicationPolicy: PublicationPolicy
  status: LinkStatus
  connectionId: Uuid | null
  expiresAt: Date
  endedAt: Date | null
  createdAt: Date
  /** The owner of the calendar, while that exists. */
  agentId: Uuid | null
  calendarDeletedAt: Date | null
}

const linkColumns = (sql: Sql): Fragment => sql`
  l.org_id, l.id, l.calendar_id, l.capabilities, l.publication_policy, l.status, l.connection_id,
  l.expires_at, l.ended_at, l.created_at,
  c.agent_id, c.deleted_at as calendar_deleted_at`

const links = (sql: Sql): Fragment => sql`
  connection_links l
  join calendars c on c.org_id = l.org_id and c.id = l.calendar_id`

export const linkById = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<LinkRow>(sql, orgId)`
  select ${linkColumns(sql)}
  from ${links(sql)}
  where l.org_id = ${orgId} and l.id = ${id}`

export const organizationBehind = (sql: Sql, id: Uuid) =>
  answersTo<{ orgId: Uuid; id: Uuid }>(sql, (row) => row.id === id)`
  select org_id, id
  from connection_links
  where id = ${id}`

/** The newest link of a calendar that waits for its human. */
export const pendingLink = (sql: Sql, orgId: Uuid, calendarId: Uuid, now: Date) =>
  own<LinkRow>(sql, orgId)`
  select ${linkColumns(sql)}
  from ${links(sql)}
  where l.org_id = ${orgId} and l.calendar_id = ${calendarId} and l.ended_at is null and l.expires_at > ${now}
  order by l.id desc
  limit 1`

/** That expire by `until`; with `from`, only those that expire after it. */
export const dueLinks = (sql: Sql, from: Date | undefined, until: Date, max?: number) => sql<
  { orgId: Uuid; id: Uuid; dueAt: Date }[]
>`
  select org_id, id, expires_at as due_at
  from connection_links
  where ended_at is null and expires_at <= ${until} ${from ? sql`and expires_at > ${from}` : sql``}
  order by expires_at
  limit ${max ?? null}`

/** By the digest of the secret in its address; none of an organization that is stopped. */
export const linkByToken = (sql: Sql, digest: Buffer) =>
  answersTo<LinkRow & { tokenDigest: Buffer }>(sql, (row) => row.tokenDigest.equals(digest))`
  select ${linkColumns(sql)}, l.token_digest
  from ${links(sql)}
  join organizations o on o.id = l.org_id and not ${isStopped(sql, sql`o`)}
  where l.token_digest = ${digest}`

/** The purpose of a link, in words. */
export const linkedCalendar = (sql: Sql, orgId: Uuid, calendarId: Uuid) =>
  own<{ name: string; timezone: string; agentName: string | null }>(sql, orgId)`
  select c.org_id, c.name, c.timezone, a.name as agent_name
  from calendars c
  left join agents a on a.org_id = c.org_id and a.id = c.agent_id
  where c.org_id = ${orgId} and c.id = ${calendarId}`

/** The calendars that the completion of a link granted to the calendar's agent, as far as that grant is kept; none without one. */
export const grantedByLink = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<{ calendarIds: Uuid[] }>(sql, orgId)`
  select l.org_id, array(
    select gc.external_calendar_id
    from availability_grants g
    join availability_grant_agents ga on ga.org_id = g.org_id and ga.grant_id = g.id and ga.agent_id = c.agent_id
    join availability_grant_calendars gc on gc.org_id = g.org_id and gc.grant_id = g.id
    where g.org_id = l.org_id and g.created_at = l.ended_at
    order by 1) as calendar_ids
  from ${links(sql)}
  where l.org_id = ${orgId} and l.id = ${id}`
