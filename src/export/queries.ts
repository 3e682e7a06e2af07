import { isPaused } from '../imports/paused.ts'
import type { Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

/** Whatever the presented record needs and more: rows go through a `present…` function, never out as they are. */
type Row = Record<string, unknown>

/** The page of a table whose key is (org_id, id), behind an id. Its soft-deleted rows are part of it. */
const behind = (sql: Sql, orgId: Uuid, after: Uuid | undefined, most: number): Fragment => sql`
  t.org_id = ${orgId} ${after === undefined ? sql`` : sql`and t.id > ${after}`} order by t.id limit ${most}`

export const agentsBehind = <R extends Row>(sql: Sql, orgId: Uuid, after: Uuid | undefined, most: number) =>
  own<R>(sql, orgId)`select t.* from agents t where ${behind(sql, orgId, after, most)}`

export const calendarsBehind = <R extends Row>(sql: Sql, orgId: Uuid, after: Uuid | undefined, most: number) =>
  own<R>(sql, orgId)`select t.* from calendars t where ${behind(sql, orgId, after, most)}`

/** The events of a deleted calendar went with it. */
export const eventsBehind = <R extends Row>(sql: Sql, orgId: Uuid, after: Uuid | undefined, most: number) =>
  own<R>(sql, orgId)`
  select t.*, coalesce(t.deleted_at, c.deleted_at) as gone_at from events t
  join calendars c on c.org_id = t.org_id and c.id = t.calendar_id
  where ${behind(sql, orgId, after, most)}`

export const webhooksBehind = <R extends Row>(sql: Sql, orgId: Uuid, after: Uuid | undefined, most: number) =>
  own<R>(sql, orgId)`
  select t.* from webhook_subscriptions t where t.deleted_at is null and ${behind(sql, orgId, after, most)}`

/** Paused is not stored: it follows from the calendar and the agent. */
export const subscriptionsBehind = <R extends Row>(sql: Sql, orgId: Uuid, after: Uuid | undefined, most: number) =>
  own<R>(sql, orgId)`
  select t.*, case when ${isPaused(sql, { calendar: sql`c`, agent: sql`a` })} then 'paused' else t.status end as status
  from ical_subscriptions t
  join calendars c on c.org_id = t.org_id and c.id = t.calendar_id
  join agents a on a.org_id = t.org_id and a.id = t.agent_id
  where ${behind(sql, orgId, after, most)}`

/** A decommissioned agent's keys died with it. */
export const keysBehind = <R extends Row>(sql: Sql, orgId: Uuid, after: Uuid | undefined, most: number) =>
  own<R>(sql, orgId)`
  select t.org_id, t.id, t.prefix, t.agent_id, t.label, t.created_at, coalesce(t.revoked_at, a.decommissioned_at) as revoked_at
  from api_keys t left join agents a on a.org_id = t.org_id and a.id = t.agent_id
  where ${behind(sql, orgId, after, most)}`

export const proposalsBehind = <R extends Row>(sql: Sql, orgId: Uuid, after: Uuid | undefined, most: number) =>
  own<R>(sql, orgId)`select t.* from proposals t where ${behind(sql, orgId, after, most)}`

export const resolvedSlots = <R extends Row>(sql: Sql, orgId: Uuid, proposalIds: readonly Uuid[]) =>
  own<R>(sql, orgId)`
  select s.* from proposals p
  join proposal_slots s on s.org_id = p.org_id and s.proposal_id = p.id and s.id = p.resolved_slot_id
  where p.org_id = ${orgId} and p.id = any (${proposalIds}::uuid[])`

export const rulesBehind = <R extends Row>(sql: Sql, orgId: Uuid, after: Uuid | undefined, most: number) =>
  own<R>(sql, orgId)`
  select * from availability_rules
  where org_id = ${orgId} ${after === undefined ? sql`` : sql`and calendar_id > ${after}`}
  order by calendar_id limit ${most}`

/** `after`: the last proposal and the last slot of it. */
export const slotsBehind = <R extends Row>(
  sql: Sql,
  orgId: Uuid,
  after: readonly [string, string] | undefined,
  most: number,
) =>
  own<R>(sql, orgId)`
  select * from proposal_slots
  where org_id = ${orgId} ${after ? sql`and (proposal_id, id) > (${after[0]}, ${after[1]})` : sql``}
  order by proposal_id, id limit ${most}`

/** `after`: the last proposal and the last agent that responded to it. */
export const responsesBehind = <R extends Row>(
  sql: Sql,
  orgId: Uuid,
  after: readonly [string, string] | undefined,
  most: number,
) =>
  own<R>(sql, orgId)`
  select * from proposal_responses
  where org_id = ${orgId} ${after ? sql`and (proposal_id, agent_id) > (${after[0]}, ${after[1]})` : sql``}
  order by proposal_id, agent_id limit ${most}`

type CounterRow = { periodStart: Date; metric: string; used: number }

export const writtenCounters = (sql: Sql, orgId: Uuid) =>
  own<CounterRow>(sql, orgId)`
  select org_id, period_start, metric, used from usage_counters where org_id = ${orgId} order by period_start, metric`

type AcceptanceRow = {
  version: string
  documentHash: Buffer
  source: string
  ip: string | null
  userAgent: string | null
  acceptedAt: Date
}

export const acceptancesOf = (sql: Sql, orgId: Uuid) =>
  own<AcceptanceRow>(sql, orgId)`
  select org_id, version, document_hash, source, ip, user_agent, accepted_at from terms_acceptances
  where org_id = ${orgId} order by accepted_at, id`
