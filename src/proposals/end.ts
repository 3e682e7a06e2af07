// Confirms or cancels a proposal. Every way to end it goes through one guarded update, so it ends once, even if resolve,
// cancel, expiry and the last response meet.

import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { countConfirmed } from '../calendars/writes.ts'
import { byActor, type Origin } from '../changeLog/origin.ts'
import { commit } from '../commit/commit.ts'
import type { Effect } from '../commit/effect.ts'
import { buildEvent } from '../events/buildEvent.ts'
import { withEventBudget } from '../events/spending.ts'
import { encodeId } from '../shapes/ids.ts'
import { clearTimers } from '../timers/writes.ts'
import { type Emission, emit } from '../webhooks/emit.ts'
import { ofProposal } from './emission.ts'
import { descriptionContext, openPlaceAndCall, presentResolvedSlot, titleContext } from './present.ts'
import type { ProposalRow, SlotRow } from './queries.ts'
import { updateProposalGuard } from './writes.ts'

/** The end of a proposal, and further effects of the statement: it may insert the last response and send its event. */
export type AlongWith = {
  now: Date
  origin: Origin
  effects: readonly (Effect | readonly Effect[] | undefined)[]
  emissions: readonly Emission[]
}
export const alone = (
  { clock }: App,
  actor: Actor,
  ...effects: (Effect | readonly Effect[] | undefined)[]
): AlongWith => ({
  now: clock.now(),
  origin: byActor(actor),
  effects,
  emissions: [],
})

/** `changed`: the proposal has changed since it was read, or the calendar is gone or closed. */
type Confirmation = 'confirmed' | 'no_quota' | 'changed'

/** Confirms a slot and creates its event, which counts towards the events of the month. */
export async function confirmSlot(
  app: App,
  actor: Actor,
  proposal: ProposalRow,
  slot: SlotRow,
  along: AlongWith,
): Promise<Confirmation> {
  const outcome = await withEventBudget(app, actor, () => writeConfirmation(app, actor, proposal, slot, along))
  return outcome ?? 'changed'
}

async function writeConfirmation(
  app: App,
  actor: Actor,
  proposal: ProposalRow,
  slot: SlotRow,
  along: AlongWith,
): Promise<'confirmed' | undefined> {
  const { now } = along
  const calendarId = slot.calendarId ?? proposal.calendarId
  const built = buildEvent(app, actor, calendarId, eventBody(app, proposal, slot), now)
  const { locked, counted } = countConfirmed(app, proposal.orgId, calendarId)
  const { matched } = await commit(app, {
    steps: [locked],
    guard: updateProposalGuard(app.sql, proposal, {
      now,
      end: { status: 'confirmed', slotId: slot.id, eventId: built.id },
      condition: app.sql`exists (select from ${locked})`,
      returning: app.sql`
        (select revision from ${locked}) as revision,
        (select default_reminders from ${locked}) as default_reminders,
        (select agent_id from ${locked}) as agent_id,
        (select destination_id from ${locked}) as destination_id`,
    }),
    effects: [
      ...along.effects,
      counted,
      clearTimers(app, proposal),
      ...built.effects,
      ...emit(app, along.origin, [
        ...along.emissions,
        built.emission,
        {
          ...ofProposal(proposal),
          type: 'proposal.confirmed',
          payload: {
            proposal_id: encodeId('spr', proposal.id),
            resolved_slot: presentResolvedSlot(proposal, slot),
            created_event_id: built.event.id,
          },
        },
      ]),
    ],
  })
  return matched ? 'confirmed' : undefined
}

/** False: the proposal has changed since it was read. */
export async function cancelProposal(
  app: App,
  proposal: ProposalRow,
  reason: 'organizer_cancelled' | 'all_declined',
  along: AlongWith,
): Promise<boolean> {
  const payload = { proposal_id: encodeId('spr', proposal.id), reason }
  const { matched } = await commit(app, {
    guard: updateProposalGuard(app.sql, proposal, { now: along.now, end: { status: 'cancelled', reason } }),
    effects: [
      ...along.effects,
      clearTimers(app, proposal),
      ...emit(app, along.origin, [
        ...along.emissions,
        { ...ofProposal(proposal), type: 'proposal.cancelled', payload },
      ]),
    ],
  })
  return matched
}

const eventBody = (app: App, proposal: ProposalRow, slot: SlotRow) => ({
  ...openPlaceAndCall(app, proposal),
  title: app.sealer.unseal(titleContext(proposal.id), proposal.titleSealed),
  description: proposal.descriptionSealed
    ? app.sealer.unseal(descriptionContext(proposal.id), proposal.descriptionSealed)
    : undefined,
  start_time: slot.startTime,
  end_time: slot.endTime,
  all_day: false,
  status: 'confirmed' as const,
  metadata: { proposal_id: encodeId('spr', proposal.id) },
})
