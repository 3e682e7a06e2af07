// Writes `proposals` and their slots and responses.
import { type Effect, effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { json, rowsOf, uuids } from '../stores/sql.ts'
import type { ProposalRow, ResponseRow, SlotRow } from './queries.ts'

export const insertProposal = (sql: Sql, row: ProposalRow): Effect =>
  effect(
    'proposal',
    sql`
    insert into proposals (
      org_id, id,
      title_sealed, description_sealed, details_sealed,
      organizer_agent_id, participant_agent_ids, calendar_id,
      expires_at, metadata,
      created_at, updated_at)
    select
      ${row.orgId}::uuid, ${row.id}::uuid,
      ${row.titleSealed}::bytea, ${row.descriptionSealed}::bytea, ${row.detailsSealed}::bytea,
      ${row.organizerAgentId}::uuid, ${uuids(sql, row.participantAgentIds)}, ${row.calendarId}::uuid,
      ${row.expiresAt}::timestamptz, ${json(sql, row.metadata)},
      ${row.createdAt}::timestamptz, ${row.updatedAt}::timestamptz
    from ${guard}`,
  )

const slotColumns = {
  proposalId: 'uuid',
  id: 'uuid',
  position: 'smallint',
  startTime: 'timestamptz',
  endTime: 'timestamptz',
  weight: 'double precision',
  calendarId: 'uuid',
} as const

export const insertSlots = (sql: Sql, orgId: Uuid, slots: readonly SlotRow[]): Effect =>
  effect(
    'slots',
    sql`
    insert into proposal_slots (org_id, proposal_id, id, position, start_time, end_time, weight, calendar_id)
    select ${orgId}::uuid, s.proposal_id, s.id, s.position, s.start_time, s.end_time, s.weight, s.calendar_id
    from ${guard}, ${rowsOf(sql, slots, slotColumns, 's')}`,
  )

export const insertResponse = (sql: Sql, orgId: Uuid, proposalId: Uuid, row: ResponseRow): Effect =>
  effect(
    'response',
    sql`
    insert into proposal_responses (
      org_id, proposal_id, agent_id, id,
      response, selected_slot_id, counter_slots, message,
      created_at)
    select
      ${orgId}::uuid, ${proposalId}::uuid, ${row.agentId}::uuid, ${row.id}::uuid,
      ${row.response}::text, ${row.selectedSlotId}::uuid, ${json(sql, row.counterSlots)}, ${row.message}::text,
      ${row.createdAt}::timestamptz
    from ${guard}`,
  )

type ProposalEnd =
  | { status: 'confirmed'; slotId: Uuid; eventId: Uuid }
  | { status: 'cancelled'; reason: 'organizer_cancelled' | 'all_declined' }
  | { status: 'expired' }

type Change = {
  now: Date
  /** Undefined: the proposal stays pending. */
  end?: ProposalEnd | undefined
  /** Further conditions. */
  condition?: Fragment
  /** The columns that the guard returns; otherwise the proposal's `id`. */
  returning?: Fragment
}

/**
 * Matches while the proposal is pending and unchanged since it was read. Once its time is up, only a change that makes it
 * expired matches.
 */
export const updateProposalGuard = (
  sql: Sql,
  row: ProposalRow,
  { now, end, condition = sql`true`, returning = sql`id` }: Change,
): Fragment => sql`
  update proposals set
    revision = revision + 1,
    updated_at = ${now}
    ${end ? sql`, status = ${end.status}, ended_at = ${now}` : sql``}
    ${end?.status === 'confirmed' ? sql`, resolved_slot_id = ${end.slotId}, created_event_id = ${end.eventId}` : sql``}
    ${end?.status === 'cancelled' ? sql`, cancel_reason = ${end.reason}` : sql``}
  where org_id = ${row.orgId} and id = ${row.id} and status = 'pending' and revision = ${row.revision}
    ${end?.status === 'expired' ? sql`` : sql`and (expires_at is null or expires_at > ${now})`}
    and ${condition}
  returning ${returning}`

/** Expires the proposals that the guard returned as `org_id` and `subject_id`. */
export const expireGuarded = (sql: Sql, now: Date): Effect =>
  effect(
    'proposals',
    sql`
    update proposals p set
      status = 'expired',
      ended_at = ${now},
      updated_at = ${now},
      revision = p.revision + 1
    from ${guard}
    where p.org_id = ${guard}.org_id and p.id = ${guard}.subject_id`,
  )
