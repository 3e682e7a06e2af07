// How a proposal is confirmed or cancelled. Whatever ends it goes through one guarded update, so it ends once: resolve,
// cancel and expiry may meet, the last response may come twice at once.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { countConfirmed, lockCalendar } from '../calendars/revision.ts'
import { commitParts, type Effects } from '../changes/commitParts.ts'
import { placeEvent } from '../events/place.ts'
import { withEventBudget } from '../events/spending.ts'
import { encodeId } from '../shapes/ids.ts'
import { clearTimers } from '../timers/timers.ts'
import { type Emission, emit } from '../webhooks/emit.ts'
import { descriptionPlace, presentResolvedSlot, titlePlace } from './present.ts'
import { changeProposal, type ProposalRow, type SlotRow } from './queries.ts'

/** When a proposal ends, and what else happens in that statement: the last response, and its event. */
export type AlongWith = { now: Date; effects: Effects; emissions: Emission[] }
const alone = ({ clock }: App): AlongWith => ({ now: clock.now(), effects: {}, emissions: [] })

/** `stale`: the proposal changed meanwhile, or the calendar is gone or closed; the caller looks again. */
type Confirmation = 'confirmed' | 'no_quota' | 'stale'

/** Confirms a slot and creates its event, which takes one of the month's. */
export async function confirmSlot(
  app: App,
  actor: Actor,
  proposal: ProposalRow,
  slot: SlotRow,
  along: AlongWith = alone(app),
): Promise<Confirmation> {
  const outcome = await withEventBudget(app, actor, () => writeConfirmation(app, actor, proposal, slot, along))
  return outcome ?? 'stale'
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
  const placed = placeEvent(app, actor, calendarId, eventBody(app, proposal, slot), now)
  const end = { status: 'confirmed', slotId: slot.id, eventId: placed.id } as const
  const guard = app.sql`
    ${changeProposal(app.sql, proposal, end, now)} and exists (select from did_calendar)
    returning (select revision from did_calendar) as revision, (select default_reminders from did_calendar) as default_reminders`
  const { matched } = await commitParts(
    app,
    guard,
    {
      ...along.effects,
      counted: countConfirmed(app, proposal.orgId, calendarId),
      expiry: clearTimers(app, proposal),
      ...placed.effects,
      deliveries: emit(app, proposal.orgId, [
        ...along.emissions,
        placed.emission,
        {
          type: 'proposal.confirmed',
          payload: {
            proposal_id: encodeId('spr', proposal.id),
            resolved_slot: presentResolvedSlot(proposal, slot),
            created_event_id: placed.event.id,
          },
        },
      ]),
    },
    { calendar: lockCalendar(app, proposal.orgId, calendarId) },
  )
  return matched ? 'confirmed' : undefined
}

/** False when the proposal changed meanwhile. */
export async function cancelWith(
  app: App,
  proposal: ProposalRow,
  reason: 'organizer_cancelled' | 'all_declined',
  along: AlongWith = alone(app),
): Promise<boolean> {
  const end = { status: 'cancelled', reason } as const
  const payload = { proposal_id: encodeId('spr', proposal.id), reason }
  const guard = app.sql`${changeProposal(app.sql, proposal, end, along.now)} returning id`
  const { matched } = await commitParts(app, guard, {
    ...along.effects,
    expiry: clearTimers(app, proposal),
    deliveries: emit(app, proposal.orgId, [...along.emissions, { type: 'proposal.cancelled', payload }]),
  })
  return matched
}

const eventBody = ({ sealer }: App, proposal: ProposalRow, slot: SlotRow) => ({
  title: sealer.unseal(titlePlace(proposal.id), proposal.titleSealed),
  description: proposal.descriptionSealed
    ? sealer.unseal(descriptionPlace(proposal.id), proposal.descriptionSealed)
    : undefined,
  start_time: slot.startTime,
  end_time: slot.endTime,
  all_day: false,
  status: 'confirmed' as const,
  metadata: { proposal_id: encodeId('spr', proposal.id) },
})
