import type { z } from 'zod'
import type { App } from '../app.ts'
import { isoTime, isoTimeOrNull } from '../shapes/datetimes.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import type { ProposalRow, ResponseRow, SlotRow } from './queries.ts'
import { isOverdue } from './rules.ts'
import type { fullProposalRecord, proposalRecord, responseRecord, slotRecord } from './schema.ts'

export const titleContext = (id: Uuid) => `proposals.title:${id}` as const
export const descriptionContext = (id: Uuid) => `proposals.description:${id}` as const

export const detailsContext = (id: Uuid) => `proposals.details:${id}` as const

/** Of the event that the proposal creates. */
type PlaceAndCall = Pick<z.infer<typeof proposalRecord>, 'location' | 'conference'>

export function sealPlaceAndCall({ sealer }: App, id: Uuid, { location, conference }: PlaceAndCall): Buffer | null {
  if (location === undefined && !conference) return null
  return sealer.seal(detailsContext(id), JSON.stringify({ location, conference }))
}

export const openPlaceAndCall = (
  { sealer }: App,
  { id, detailsSealed }: Pick<ProposalRow, 'id' | 'detailsSealed'>,
): PlaceAndCall => (detailsSealed === null ? {} : JSON.parse(sealer.unseal(detailsContext(id), detailsSealed)))

export type ProposalRecord = z.infer<typeof proposalRecord>

const calendarOf = (id: Uuid | null) => (id === null ? null : encodeId('cal', id))

export const presentSlot = (row: SlotRow): z.infer<typeof slotRecord> => ({
  id: encodeId('slt', row.id),
  start_time: isoTime(row.startTime),
  end_time: isoTime(row.endTime),
  weight: row.weight,
  calendar_id: calendarOf(row.calendarId),
})

/** The chosen slot. Its calendar is the proposal's unless it has one itself. */
export const presentResolvedSlot = (proposal: ProposalRow, row: SlotRow) => ({
  ...presentSlot(row),
  calendar_id: encodeId('cal', row.calendarId ?? proposal.calendarId),
})

export const presentResponse = (row: ResponseRow): z.infer<typeof responseRecord> => ({
  id: encodeId('rsp', row.id),
  agent_id: encodeId('agt', row.agentId),
  response: row.response,
  selected_slot_id: row.selectedSlotId === null ? null : encodeId('slt', row.selectedSlotId),
  counter_slots: row.counterSlots,
  message: row.message,
  created_at: isoTime(row.createdAt),
})

/** `slots` must include the resolved slot, if there is one. */
export function presentProposal(app: App, row: ProposalRow, slots: readonly SlotRow[], now: Date): ProposalRecord {
  const { sealer } = app
  const resolved = slots.find((slot) => slot.id === row.resolvedSlotId)
  return {
    id: encodeId('spr', row.id),
    title: sealer.unseal(titleContext(row.id), row.titleSealed),
    description: row.descriptionSealed && sealer.unseal(descriptionContext(row.id), row.descriptionSealed),
    organizer_agent_id: encodeId('agt', row.organizerAgentId),
    participant_agent_ids: row.participantAgentIds.map((id) => encodeId('agt', id)),
    calendar_id: encodeId('cal', row.calendarId),
    status: isOverdue(row, now) ? 'expired' : row.status,
    expires_at: isoTimeOrNull(row.expiresAt),
    resolved_slot: resolved ? presentResolvedSlot(row, resolved) : null,
    created_event_id: row.createdEventId === null ? null : encodeId('evt', row.createdEventId),
    metadata: row.metadata,
    created_at: isoTime(row.createdAt),
    updated_at: isoTime(row.updatedAt),
    ...openPlaceAndCall(app, row),
  }
}

export const presentFullProposal = (
  app: App,
  row: ProposalRow,
  slots: readonly SlotRow[],
  responses: readonly ResponseRow[],
  now: Date,
): z.infer<typeof fullProposalRecord> => ({
  ...presentProposal(app, row, slots, now),
  slots: slots.map(presentSlot),
  responses: responses.map(presentResponse),
})
