// Reads grants.
import type { Uuid } from '../shapes/ids.ts'
import type { Page } from '../shapes/lists.ts'
import { askedBy, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { uuids } from '../stores/sql.ts'
import type { Audience } from './grantSchema.ts'

export type GrantRow = {
  orgId: Uuid
  id: Uuid
  audience: Audience
  audienceCutoffAt: Date | null
  active: boolean
  revision: number
  createdAt: Date
  calendarIds: Uuid[]
  agentIds: Uuid[]
}

const grantColumns = (sql: Sql): Fragment => sql`
  g.org_id, g.id, g.audience, g.audience_cutoff_at, g.active, g.revision, g.created_at,
  array(
    select gc.external_calendar_id from availability_grant_calendars gc
    where gc.org_id = g.org_id and gc.grant_id = g.id order by 1) as calendar_ids,
  array(
    select ga.agent_id from availability_grant_agents ga
    where ga.org_id = g.org_id and ga.grant_id = g.id order by 1) as agent_ids`

/** `g`: a grant that the member made: every calendar in it is of their connections. */
const isOfMember = (sql: Sql, memberId: Uuid | null): Fragment => sql`
  not exists (
    select from availability_grant_calendars gc
    join external_calendars x on x.org_id = gc.org_id and x.id = gc.external_calendar_id
    join calendar_connections n on n.org_id = x.org_id and n.id = x.connection_id
    where gc.org_id = g.org_id and gc.grant_id = g.id and n.member_id is distinct from ${memberId}::uuid)`

/** Whose grants they are. */
type OfMember = { orgId: Uuid; member?: { id: Uuid } }

export const grantById = (sql: Sql, { orgId, member }: OfMember, id: Uuid) =>
  own<GrantRow>(sql, orgId)`
  select ${grantColumns(sql)}
  from availability_grants g
  where g.org_id = ${orgId} and g.id = ${id} and ${isOfMember(sql, member?.id ?? null)}`

/** Newest first. */
export const grantsPage = (sql: Sql, { orgId, member }: OfMember, page: Page) =>
  own<GrantRow>(sql, orgId)`
  select ${grantColumns(sql)}
  from availability_grants g
  where g.org_id = ${orgId} and ${isOfMember(sql, member?.id ?? null)}
  order by g.id desc
  limit ${page.limit} offset ${page.offset}`

export const grantTotal = (sql: Sql, { orgId, member }: OfMember) =>
  own<{ total: number }>(sql, orgId)`
  select ${askedBy(sql, orgId)}, count(*)::integer as total
  from availability_grants g
  where org_id = ${orgId} and ${isOfMember(sql, member?.id ?? null)}`

/** Of the organization's agents that a grant names. */
export const agentNames = (sql: Sql, orgId: Uuid) =>
  own<{ id: Uuid; name: string }>(sql, orgId)`
  select org_id, id, name
  from agents
  where org_id = ${orgId} and id in (select agent_id from availability_grant_agents where org_id = ${orgId})`

export const agentsAmong = (sql: Sql, orgId: Uuid, ids: readonly Uuid[]) =>
  own<{ id: Uuid }>(sql, orgId)`
  select org_id, id
  from agents
  where org_id = ${orgId} and id = any (${uuids(sql, ids)})`
