import type { Uuid } from '../shapes/ids.ts'
import type { Page } from '../shapes/lists.ts'
import { answersTo, askedBy, isOneOf, own } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { rowsOf, uuids } from '../stores/sql.ts'
import type { proposalStatuses, responseKinds } from './schema.ts'

export type ProposalRow = {
  orgId: Uuid
  id: Uuid
  titleSealed: Buffer
  descriptionSealed: Buffer | null
  /** Place and call of its event. */
  detailsSealed: Buffer | null
  organizerAgentId: Uuid
  participantAgentIds: Uuid[]
  calendarId: Uuid
  status: (typeof proposalStatuses)[number]
  expiresAt: Date | null
  resolvedSlotId: Uuid | null
  createdEventId: Uuid | null
  metadata: Record<string, unknown>
  revision: number
  createdAt: Date
  updatedAt: Date
}

export type SlotRow = {
  proposalId: Uuid
  id: Uuid
  position: number
  startTime: Date
  endTime: Date
  weight: number
  calendarId: Uuid | null
}

export type ResponseRow = {
  id: Uuid
  agentId: Uuid
  response: (typeof responseKinds)[number]
  selectedSlotId: Uuid | null
  counterSlots: Record<string, unknown>[]
  message: string | null
  createdAt: Date
}

const proposalColumns = (sql: Sql) => sql`
  org_id, id,
  title_sealed, description_sealed, details_sealed,
  organizer_agent_id, participant_agent_ids, calendar_id,
  status, expires_at, resolved_slot_id, created_event_id,
  metadata, revision, created_at, updated_at`

export const proposalById = (sql: Sql, orgId: Uuid, id: Uuid) =>
  own<ProposalRow>(sql, orgId)`
  select ${proposalColumns(sql)}
  from proposals
  where org_id = ${orgId} and id = ${id}`

type ProposalFilter = { status?: ProposalRow['status']; organizerId?: Uuid; now: Date }

/** An overdue proposal shows as expired, whether or not its timer has fired. */
const shownAs = (sql: Sql, { status, now }: ProposalFilter): Fragment => {
  if (status === 'pending') return sql`and status = 'pending' and (expires_at is null or expires_at > ${now})`
  if (status === 'expired') return sql`and (status = 'expired' or (status = 'pending' and expires_at <= ${now}))`
  return status ? sql`and status = ${status}` : sql``
}

const matching = (sql: Sql, orgId: Uuid, filter: ProposalFilter): Fragment => sql`
  org_id = ${orgId}
  ${shownAs(sql, filter)}
  ${filter.organizerId ? sql`and organizer_agent_id = ${filter.organizerId}` : sql``}`

/** Newest first. The offset is skipped by id, without rows where an index knows the status. */
export const proposalsPage = (sql: Sql, orgId: Uuid, filter: ProposalFilter, page: Page) =>
  own<ProposalRow>(sql, orgId)`
  select ${proposalColumns(sql)}
  from proposals
  where org_id = ${orgId} and id = any (array(
    select id
    from proposals
    where ${matching(sql, orgId, filter)}
    order by id desc
    limit ${page.limit} offset ${page.offset}))
  order by id desc`

export const proposalTotal = (sql: Sql, orgId: Uuid, filter: ProposalFilter) =>
  own<{ total: number }>(sql, orgId)`
  select ${askedBy(sql, orgId)}, count(*)::integer as total
  from proposals
  where ${matching(sql, orgId, filter)}`

/** Of `proposal_slots` as `s`. */
const slotColumns = (sql: Sql) => sql`
  s.org_id, s.proposal_id, s.id, s.position, s.start_time, s.end_time, s.weight, s.calendar_id`

export const slotsOf = (sql: Sql, orgId: Uuid, proposalId: Uuid) =>
  own<SlotRow>(sql, orgId)`
  select ${slotColumns(sql)}
  from proposal_slots s
  where s.org_id = ${orgId} and s.proposal_id = ${proposalId}
  order by s.position`

/** The chosen slot of each proposal. */
export const resolvedSlots = (sql: Sql, orgId: Uuid, proposalIds: readonly Uuid[]) =>
  own<SlotRow>(sql, orgId)`
  select ${slotColumns(sql)}
  from proposals p
  join proposal_slots s on s.org_id = p.org_id and s.proposal_id = p.id and s.id = p.resolved_slot_id
  where p.org_id = ${orgId} and p.id = any (${uuids(sql, proposalIds)})`

export const responsesOf = (sql: Sql, orgId: Uuid, proposalId: Uuid) =>
  own<ResponseRow>(sql, orgId)`
  select org_id, id, agent_id, response, selected_slot_id, counter_slots, message, created_at
  from proposal_responses
  where org_id = ${orgId} and proposal_id = ${proposalId}
  order by id`

export const existingAgents = (sql: Sql, orgId: Uuid, ids: readonly Uuid[]) =>
  own<{ id: Uuid; status: string }>(sql, orgId)`
  select org_id, id, status
  from agents
  where org_id = ${orgId} and id = any (${uuids(sql, ids)})`

export const pendingProposals = (sql: Sql, due: readonly { orgId: Uuid; subjectId: Uuid }[]) =>
  answersTo<Pick<ProposalRow, 'id' | 'calendarId' | 'organizerAgentId' | 'participantAgentIds'>>(
    sql,
    isOneOf(due.map(({ subjectId }) => subjectId)),
  )`
  select p.id, p.calendar_id, p.organizer_agent_id, p.participant_agent_ids
  from ${rowsOf(sql, due, { orgId: 'uuid', subjectId: 'uuid' }, 'd')}
  join proposals p on p.org_id = d.org_id and p.id = d.subject_id and p.status = 'pending'`
