// Records a response. The last one resolves the proposal in the same statement.

import type { Actor } from '../actors/actor.ts'
import { agentDecommissioned, requireAgent } from '../agents/agents.ts'
import type { App } from '../app.ts'
import { requireCalendar } from '../calendars/calendars.ts'
import { byActor } from '../changeLog/origin.ts'
import { commit } from '../commit/commit.ts'
import { again } from '../commit/decide.ts'
import { conflict, forbidden } from '../errors.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { decodeId, encodeId, newId, type Uuid } from '../shapes/ids.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import { emit } from '../webhooks/emit.ts'
import { invalidProposal } from './create.ts'
import { ofProposal } from './emission.ts'
import { type AlongWith, cancelProposal, confirmSlot } from './end.ts'
import { onPending, requirePending } from './pending.ts'
import { presentResponse } from './present.ts'
import type { ResponseRow } from './queries.ts'
import type { WholeProposal } from './read.ts'
import { decideResolution } from './rules.ts'
import type { RespondBody } from './schema.ts'
import { insertResponse, updateProposalGuard } from './writes.ts'

export const respond = (app: App, actor: Actor, id: string, body: RespondBody) =>
  onPending(app, actor, id, async (whole) => {
    const agentId = await requireParticipant(app, actor, whole, body.agent_id)
    await requireCounterCalendars(app, actor, body)
    if (whole.responses.some((response) => response.agentId === agentId)) {
      throw conflict(
        'This agent has already responded. A response cannot be changed.',
        'duplicate_response',
        'agent_id',
      )
    }
    requirePending(whole)
    const row = responseRow(app, whole, agentId, body)
    return (await writeResponse(app, actor, whole, row)) ? presentResponse(row) : again
  })

/** False: the proposal has changed since it was read. */
async function writeResponse(app: App, actor: Actor, whole: WholeProposal, row: ResponseRow): Promise<boolean> {
  const { proposal, slots } = whole
  const responses = [...whole.responses, row]
  const response = presentResponse(row)
  const along: AlongWith = {
    now: row.createdAt,
    origin: byActor(actor),
    effects: [
      insertResponse(app.sql, proposal.orgId, proposal.id, row),
      storeResponse(app, actor, response, { made: [response.id] }),
    ],
    emissions: [
      {
        ...ofProposal(proposal),
        type: 'proposal.responded',
        payload: {
          proposal_id: encodeId('spr', proposal.id),
          agent_id: encodeId('agt', row.agentId),
          response: row.response,
        },
      },
    ],
  }
  const isLast = responses.length >= proposal.participantAgentIds.length
  const resolution = isLast ? decideResolution(slots, responses, proposal.participantAgentIds.length) : undefined
  if (resolution?.kind === 'all_declined') return cancelProposal(app, proposal, 'all_declined', along)
  if (resolution?.kind === 'confirmed') {
    if ((await confirmSlot(app, actor, proposal, resolution.slot, along)) === 'confirmed') return true
  }
  // If the quota is used up or the calendar is gone, the response is kept and the proposal stays pending.
  const { matched } = await commit(app, {
    guard: updateProposalGuard(app.sql, proposal, { now: row.createdAt }),
    effects: [...along.effects, ...emit(app, along.origin, along.emissions)],
  })
  return matched
}

async function requireParticipant(app: App, actor: Actor, { proposal }: WholeProposal, id: string): Promise<Uuid> {
  const agent = await requireAgent(app, actor, id, 'agent_id')
  if (!proposal.participantAgentIds.includes(agent.id)) {
    throw forbidden('This agent is not a participant of the proposal.')
  }
  if (agent.status === 'decommissioned') throw agentDecommissioned()
  return agent.id
}

async function requireCounterCalendars(app: App, actor: Actor, { counter_slots: slots = [] }: RespondBody) {
  for (const [index, { calendar_id: id }] of slots.entries()) {
    if (id !== undefined) await requireCalendar(app, actor, id, `counter_slots.${index}.calendar_id`)
  }
}

function responseRow(app: App, { slots }: WholeProposal, agentId: Uuid, body: RespondBody): ResponseRow {
  const selectedSlotId = body.selected_slot_id === undefined ? null : decodeId('slt', body.selected_slot_id)
  if (selectedSlotId !== null && !slots.some((slot) => slot.id === selectedSlotId)) {
    throw invalidProposal('selected_slot_id is not a slot of this proposal', 'selected_slot_id')
  }
  return {
    id: newId(),
    agentId,
    response: body.response,
    selectedSlotId: selectedSlotId ?? null,
    counterSlots: (body.counter_slots ?? []).map((slot) => ({
      ...slot,
      start_time: isoTime(slot.start_time),
      end_time: isoTime(slot.end_time),
    })),
    message: body.message ?? null,
    createdAt: app.clock.now(),
  }
}
