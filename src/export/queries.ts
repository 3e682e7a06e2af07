// The pages of an export, in the order of each table's key. `last` is the last row of the page before.

import { livingHolidays } from '../availability/holidays.ts'
import type { RulesRow } from '../availability/present.ts'
import { isPaused } from '../imports/paused.ts'
import type { Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { uuids } from '../stores/sql.ts'
import type {
  AcceptanceRow,
  AgentRow,
  ApprovalRow,
  CalendarRow,
  CounterRow,
  EventRow,
  GuardedKeyRow,
  HoldGroupRow,
  InvitationRow,
  KeyRow,
  MemberRow,
  ProposalRow,
  ResponseRow,
  SlotRow,
  SubscriptionRow,
  WebhookRow,
} from './rows.ts'

/** Small enough that one page hardly delays other requests. */
export const pageSize = 200

/** The page of a table `t` whose key is (org_id, id). It includes rows that are marked as deleted. */
const after = (sql: Sql, orgId: Uuid, last: { id: Uuid } | undefined): Fragment => sql`
  t.org_id = ${orgId} ${last ? sql`and t.id > ${last.id}` : sql``}
  order by t.id
  limit ${pageSize}`

export const agentsAfter = (sql: Sql, orgId: Uuid, last: AgentRow | undefined) =>
  own<AgentRow>(sql, orgId)`
  select t.*
  from agents t
  where ${after(sql, orgId, last)}`

export const calendarsAfter = (sql: Sql, orgId: Uuid, last: CalendarRow | undefined) =>
  own<CalendarRow>(sql, orgId)`
  select t.*
  from calendars t
  where ${after(sql, orgId, last)}`

/** The events of a deleted calendar are deleted with it, but not marked. */
export const eventsAfter = (sql: Sql, orgId: Uuid, last: EventRow | undefined) =>
  eventPage(sql, orgId, last, sql`t.series_id is null`)

/** The rows of occurrences that differ from their series. */
export const overridesAfter = (sql: Sql, orgId: Uuid, last: EventRow | undefined) =>
  eventPage(sql, orgId, last, sql`t.series_id is not null`)

const eventPage = (sql: Sql, orgId: Uuid, last: EventRow | undefined, which: Fragment) =>
  own<EventRow>(sql, orgId)`
  select t.*, coalesce(t.deleted_at, c.deleted_at) as gone_at
  from events t
  join calendars c on c.org_id = t.org_id and c.id = t.calendar_id
  where ${which} and ${after(sql, orgId, last)}`

export const rulesAfter = (sql: Sql, orgId: Uuid, last: RulesRow | undefined) =>
  own<RulesRow>(sql, orgId)`
  select r.*, ${livingHolidays(sql, sql`r`)}
  from availability_rules r
  where org_id = ${orgId} ${last ? sql`and calendar_id > ${last.calendarId}` : sql``}
  order by calendar_id
  limit ${pageSize}`

/** Paused is not stored: it follows from the calendar and the agent. */
export const subscriptionsAfter = (sql: Sql, orgId: Uuid, last: SubscriptionRow | undefined) =>
  own<SubscriptionRow>(sql, orgId)`
  select t.*, case when ${isPaused(sql, { calendar: sql`c`, agent: sql`a` })} then 'paused' else t.status end as status
  from ical_subscriptions t
  join calendars c on c.org_id = t.org_id and c.id = t.calendar_id
  join agents a on a.org_id = t.org_id and a.id = t.agent_id
  where ${after(sql, orgId, last)}`

export const webhooksAfter = (sql: Sql, orgId: Uuid, last: WebhookRow | undefined) =>
  own<WebhookRow>(sql, orgId)`
  select t.*
  from webhook_subscriptions t
  where t.deleted_at is null and ${after(sql, orgId, last)}`

/** The keys of a decommissioned agent ended with it. */
export const keysAfter = (sql: Sql, orgId: Uuid, last: KeyRow | undefined) =>
  own<KeyRow>(sql, orgId)`
  select
    t.org_id, t.id, t.prefix, t.agent_id, t.label, t.created_at,
    coalesce(t.revoked_at, a.decommissioned_at) as revoked_at
  from api_keys t
  left join agents a on a.org_id = t.org_id and a.id = t.agent_id
  where ${after(sql, orgId, last)}`

/** Revoked keys too. */
export const guardedKeysAfter = (sql: Sql, orgId: Uuid, last: GuardedKeyRow | undefined) =>
  own<GuardedKeyRow>(sql, orgId)`
  select t.org_id, t.id, t.agent_id, t.guardrails
  from api_keys t
  where t.guardrails is not null and ${after(sql, orgId, last)}`

export const approvalsAfter = (sql: Sql, orgId: Uuid, last: ApprovalRow | undefined) =>
  own<ApprovalRow>(sql, orgId)`
  select t.*
  from approvals t
  where ${after(sql, orgId, last)}`

export const proposalsAfter = (sql: Sql, orgId: Uuid, last: ProposalRow | undefined) =>
  own<ProposalRow>(sql, orgId)`
  select t.*
  from proposals t
  where ${after(sql, orgId, last)}`

export const holdGroupsAfter = (sql: Sql, orgId: Uuid, last: HoldGroupRow | undefined) =>
  own<HoldGroupRow>(sql, orgId)`
  select t.*
  from hold_groups t
  where ${after(sql, orgId, last)}`

export const resolvedSlots = (sql: Sql, orgId: Uuid, proposalIds: readonly Uuid[]) =>
  own<SlotRow>(sql, orgId)`
  select s.*
  from proposals p
  join proposal_slots s on s.org_id = p.org_id and s.proposal_id = p.id and s.id = p.resolved_slot_id
  where p.org_id = ${orgId} and p.id = any (${uuids(sql, proposalIds)})`

export const slotsAfter = (sql: Sql, orgId: Uuid, last: SlotRow | undefined) =>
  own<SlotRow>(sql, orgId)`
  select *
  from proposal_slots
  where org_id = ${orgId} ${last ? sql`and (proposal_id, id) > (${last.proposalId}, ${last.id})` : sql``}
  order by proposal_id, id
  limit ${pageSize}`

export const responsesAfter = (sql: Sql, orgId: Uuid, last: ResponseRow | undefined) =>
  own<ResponseRow>(sql, orgId)`
  select *
  from proposal_responses
  where org_id = ${orgId} ${last ? sql`and (proposal_id, agent_id) > (${last.proposalId}, ${last.agentId})` : sql``}
  order by proposal_id, agent_id
  limit ${pageSize}`

/** None for an organization that has invited nobody: its one member signed up. */
export const membersAfter = (sql: Sql, orgId: Uuid, last: MemberRow | undefined) =>
  own<MemberRow>(sql, orgId)`
  select t.org_id, t.id, a.email, t.role, t.joined_at
  from memberships t
  join accounts a on a.id = t.account_id
  where (
      exists (select from invitations i where i.org_id = ${orgId})
      or exists (select from memberships o where o.org_id = ${orgId} and o.id <> t.id))
    and ${after(sql, orgId, last)}`

export const invitationsAfter = (sql: Sql, orgId: Uuid, last: InvitationRow | undefined) =>
  own<InvitationRow>(sql, orgId)`
  select
    t.org_id, t.id, t.email, t.role, t.status, t.invited_by, t.invited_by_email, t.created_at, t.sent_at, t.expires_at
  from invitations t
  where ${after(sql, orgId, last)}`

export const writtenCounters = (sql: Sql, orgId: Uuid) =>
  own<CounterRow>(sql, orgId)`
  select org_id, period_start, metric, used
  from usage_counters
  where org_id = ${orgId}
  order by period_start, metric`

export const acceptancesOf = (sql: Sql, orgId: Uuid) =>
  own<AcceptanceRow>(sql, orgId)`
  select org_id, version, document_hash, source, ip, user_agent, accepted_at
  from terms_acceptances
  where org_id = ${orgId}
  order by accepted_at, id`
