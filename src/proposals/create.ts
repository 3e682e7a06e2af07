// Creates a proposal with its slots and its expiry.

import type { Actor } from '../actors/actor.ts'
import { agentDecommissioned } from '../agents/agents.ts'
import type { App } from '../app.ts'
import { requireLiveCalendar } from '../calendars/calendars.ts'
import { isOpen } from '../calendars/writes.ts'
import { byActor } from '../changeLog/origin.ts'
import { commit } from '../commit/commit.ts'
import { notFound, ServiceError } from '../errors.ts'
import { decodeId, newId, type Uuid } from '../shapes/ids.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { setTimers } from '../timers/writes.ts'
import { emit } from '../webhooks/emit.ts'
import { ofProposal } from './emission.ts'
import {
  descriptionContext,
  type ProposalRecord,
  presentFullProposal,
  presentProposal,
  sealPlaceAndCall,
  titleContext,
} from './present.ts'
import { existingAgents, type ProposalRow, type SlotRow } from './queries.ts'
import type { CreateProposalBody } from './schema.ts'
import { insertProposal, insertSlots } from './writes.ts'

export const invalidProposal = (message: string, param: string) => new ServiceError('validation', message, { param })

export async function createProposal(app: App, actor: Actor, body: CreateProposalBody): Promise<ProposalRecord> {
  const now = app.clock.now()
  if (body.expires_at && body.expires_at <= now)
    throw invalidProposal('expires_at must lie in the future', 'expires_at')
  const [organizerAgentId, ...participantAgentIds] = await requireAgents(app, actor, body)
  const calendar = await requireLiveCalendar(app, actor, body.calendar_id, 'calendar_id')
  const id = newId()
  const row: ProposalRow = {
    orgId: actor.orgId,
    id,
    titleSealed: app.sealer.seal(titleContext(id), body.title),
    descriptionSealed:
      body.description === undefined ? null : app.sealer.seal(descriptionContext(id), body.description),
    detailsSealed: sealPlaceAndCall(app, id, body),
    organizerAgentId: organizerAgentId!,
    participantAgentIds,
    calendarId: calendar.id,
    status: 'pending',
    expiresAt: body.expires_at ?? null,
    resolvedSlotId: null,
    createdEventId: null,
    metadata: body.metadata ?? {},
    revision: 0,
    createdAt: now,
    updatedAt: now,
  }
  const slots = await slotRows(app, actor, id, body)
  const proposal = presentFullProposal(app, row, slots, [], now)
  const answer = presentProposal(app, row, slots, now)
  const { matched } = await commit(app, {
    guard: openCalendar(app.sql, row),
    effects: [
      insertProposal(app.sql, row),
      insertSlots(app.sql, row.orgId, slots),
      row.expiresAt ? setTimers(app, row, [expiryTimer(row.expiresAt)]) : undefined,
      ...emit(app, byActor(actor), [{ ...ofProposal(row), type: 'proposal.created', payload: { proposal } }]),
      storeResponse(app, actor, answer, { made: [answer.id] }),
    ],
  })
  if (!matched) throw notFound('calendar', 'calendar_id')
  return answer
}

const openCalendar = (sql: Sql, { orgId, calendarId }: ProposalRow): Fragment => sql`
  select c.revision
  from calendars c
  where c.org_id = ${orgId} and c.id = ${calendarId} and ${isOpen(sql, sql`c`)}`

const expiryTimer = (dueAt: Date) => ({
  kind: 'proposal_expiry' as const,
  offsetMinutes: 0,
  dueAt,
  occurrenceStart: null,
})

/** The organizer first, then the participants. All belong to the organization, and none is decommissioned. */
async function requireAgents(app: App, actor: Actor, body: CreateProposalBody): Promise<Uuid[]> {
  const named = [
    { text: body.organizer_agent_id, param: 'organizer_agent_id' },
    ...body.participant_agent_ids.map((text, index) => ({ text, param: `participant_agent_ids.${index}` })),
  ].map(({ text, param }) => ({ text, id: decodeId('agt', text), param }))
  const ids = named.flatMap(({ id }) => (id ? [id] : []))
  const found = new Map((await existingAgents(app.sql, actor.orgId, ids)).map(({ id, status }) => [id, status]))
  for (const { text, id, param } of named) {
    const status = id && found.get(id)
    if (!status) throw notFound('agent', param, text)
    if (status === 'decommissioned') throw agentDecommissioned()
  }
  return ids
}

async function slotRows(app: App, actor: Actor, proposalId: Uuid, body: CreateProposalBody): Promise<SlotRow[]> {
  const rows: SlotRow[] = []
  for (const [position, slot] of body.slots.entries()) {
    const calendar =
      slot.calendar_id === undefined
        ? undefined
        : await requireLiveCalendar(app, actor, slot.calendar_id, `slots.${position}.calendar_id`)
    rows.push({
      proposalId,
      id: newId(),
      position,
      startTime: slot.start_time,
      endTime: slot.end_time,
      weight: slot.weight,
      calendarId: calendar?.id ?? null,
    })
  }
  return rows
}
