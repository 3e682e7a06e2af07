// Responding, resolving and cancelling.
import type { Actor } from '../actor.ts'
import type { App } from '../app.ts'
import { commit } from '../change.ts'
import { conflict, forbidden, notFound, overloaded, quotaExceeded } from '../errors.ts'
import { decodeId, encodeId, newId } from '../ids.ts'
import { giveBudget, takeBudget } from '../quotas/budgets.ts'
import { secondsLeft } from '../quotas/period.ts'
import { openTurns } from '../turns.ts'
import { emit } from '../webhooks/emit.ts'
import { present } from '../wire.ts'
import { invalidProposal } from './create.ts'
import { type AlongWith, cancelWith, confirmSlot } from './end.ts'
import { settleOverdue } from './expire.ts'
import { presentResolvedSlot, presentResponse } from './present.ts'
import { changeProposal, existingAgents, insertResponse, type ResponseRow, type SlotRow } from './queries.ts'
import { requireProposal, type WholeProposal } from './read.ts'
import { decideResolution } from './rules.ts'
import type { RespondBody } from './schema.ts'

const inTurn = openTurns()
const mostTries = 40

/** Runs `attempt` on the proposal as it is now, again for as long as somebody else was faster. */
const onPending = <T>(
  app: App,
  actor: Actor,
  id: string,
  attempt: (whole: WholeProposal) => Promise<T | undefined>,
): Promise<T> =>
  inTurn(id, async () => {
    for (let tries = 0; tries < mostTries; tries++) {
      const whole = await requireProposal(app, actor, id)
      if (await settleOverdue(app, whole.proposal)) continue
      const outcome = await attempt(whole)
      if (outcome !== undefined) return outcome
    }
    throw overloaded('Too many changes at once to this proposal. Try again.')
  })

const requirePending = ({ proposal }: WholeProposal) => {
  if (proposal.status !== 'pending')
    throw conflict(`This proposal is ${proposal.status}; nothing can change it any more.`)
}

export const respond = (app: App, actor: Actor, id: string, body: RespondBody) =>
  onPending(app, actor, id, async (whole) => {
    const agentId = await requireParticipant(app, actor, whole, body.agent_id)
    requirePending(whole)
    if (whole.responses.some((response) => response.agentId === agentId)) {
      throw conflict('This agent has already responded; a response stands.', 'duplicate_response', 'agent_id')
    }
    const row = responseRow(app, whole, agentId, body)
    return (await writeResponse(app, actor, whole, row)) ? presentResponse(row) : undefined
  })

/** The last response resolves the proposal in the same statement. */
async function writeResponse(app: App, actor: Actor, whole: WholeProposal, row: ResponseRow): Promise<boolean> {
  const { proposal, slots } = whole
  const responses = [...whole.responses, row]
  const along: AlongWith = {
    effects: { response: insertResponse(app.sql, proposal.orgId, proposal.id, row) },
    emissions: [
      {
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
  if (resolution?.kind === 'all_declined') return cancelWith(app, proposal, 'all_declined', along)
  if (resolution?.kind === 'confirmed' && (await spendEvent(app, actor))) {
    if (await confirmOrRefund(app, actor, whole, resolution.slot, along)) return true
  }
  // Without quota, or with its calendar gone, the response is kept and the proposal stays pending.
  const guard = app.sql`${changeProposal(app.sql, proposal, undefined, app.clock.now())} returning id`
  const { matched } = await commit(app, guard, {
    ...along.effects,
    deliveries: emit(app, proposal.orgId, along.emissions),
  })
  return matched
}

export const resolve = (app: App, actor: Actor, id: string) =>
  onPending(app, actor, id, async (whole) => {
    requirePending(whole)
    const { proposal, slots, responses } = whole
    const resolution = decideResolution(slots, responses, proposal.participantAgentIds.length)
    if (resolution.kind === 'undecided') {
      throw conflict('Nobody has accepted or countered yet, and not everybody has responded. Wait, or cancel it.')
    }
    if (resolution.kind === 'all_declined') {
      const done = await cancelWith(app, proposal, 'all_declined')
      return done ? { status: 'cancelled', reason: 'all_declined' } : undefined
    }
    if (!(await spendEvent(app, actor))) throw eventQuota(app, actor)
    if (await confirmOrRefund(app, actor, whole, resolution.slot)) {
      return { status: 'confirmed', resolved_slot: presentResolvedSlot(proposal, resolution.slot) }
    }
    await requireOpenCalendar(app, proposal.orgId, resolution.slot.calendarId ?? proposal.calendarId)
    return undefined
  })

export const cancel = (app: App, actor: Actor, id: string) =>
  onPending(app, actor, id, async (whole) => {
    requirePending(whole)
    return (await cancelWith(app, whole.proposal, 'organizer_cancelled')) ? { status: 'cancelled' } : undefined
  })

async function confirmOrRefund(app: App, actor: Actor, { proposal }: WholeProposal, slot: SlotRow, along?: AlongWith) {
  const confirmed = await confirmSlot(app, actor, proposal, slot, along)
  if (!confirmed) await giveBudget(app, actor.orgId, 'events', { start: actor.periodStart, end: actor.periodEnd })
  return confirmed
}

const spendEvent = async (app: App, { orgId, limits, periodStart, periodEnd }: Actor): Promise<boolean> =>
  limits.events == null || takeBudget(app, orgId, 'events', { start: periodStart, end: periodEnd }, limits.events)

const eventQuota = (app: App, actor: Actor) =>
  quotaExceeded('events a month', actor.limits.events ?? 0, secondsLeft({ end: actor.periodEnd }, app.clock.now()))

/** 404 or 409 for a calendar that can't take the event; otherwise somebody else was faster. */
async function requireOpenCalendar(app: App, orgId: string, calendarId: string): Promise<void> {
  const [calendar] = await app.sql<{ status: string | null }[]>`
    select a.status from calendars c left join agents a on a.org_id = c.org_id and a.id = c.agent_id
    where c.org_id = ${orgId} and c.id = ${calendarId} and c.deleted_at is null`
  if (!calendar) throw notFound('calendar')
  if (calendar.status === 'decommissioned')
    throw conflict('The agent of this calendar is decommissioned.', 'agent_decommissioned')
}

async function requireParticipant(app: App, actor: Actor, { proposal }: WholeProposal, text: string): Promise<string> {
  const id = decodeId('agt', text)
  const [agent] = id ? await existingAgents(app.sql, actor.orgId, [id]) : []
  if (!agent) throw notFound('agent', 'agent_id')
  if (!proposal.participantAgentIds.includes(agent.id)) {
    throw forbidden('This agent is not a participant of the proposal.')
  }
  return agent.id
}

function responseRow(app: App, { slots }: WholeProposal, agentId: string, body: RespondBody): ResponseRow {
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
      start_time: present(slot.start_time),
      end_time: present(slot.end_time),
    })),
    message: body.message ?? null,
    createdAt: app.clock.now(),
  }
}
