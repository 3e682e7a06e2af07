// Resolves or cancels a proposal on request.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { requireLiveCalendar } from '../calendars/calendars.ts'
import { again } from '../commit/decide.ts'
import { conflict, quotaExceeded } from '../errors.ts'
import { secondsLeft } from '../plans/period.ts'
import { encodeId } from '../shapes/ids.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import { alone, cancelProposal, confirmSlot } from './end.ts'
import { onPending, requirePending } from './pending.ts'
import { presentResolvedSlot } from './present.ts'
import { decideResolution } from './rules.ts'

export const resolveProposal = (app: App, actor: Actor, id: string) =>
  onPending(app, actor, id, async (whole) => {
    requirePending(whole)
    const { proposal, slots, responses } = whole
    const resolution = decideResolution(slots, responses, proposal.participantAgentIds.length)
    if (resolution.kind === 'undecided') {
      throw conflict('No participant has accepted or countered yet, and some have not responded. Wait, or cancel it.')
    }
    if (resolution.kind === 'all_declined') {
      const cancelled = { status: 'cancelled', reason: 'all_declined' }
      const along = alone(app, actor, storeResponse(app, actor, cancelled))
      return (await cancelProposal(app, proposal, 'all_declined', along)) ? cancelled : again
    }
    const { slot } = resolution
    const confirmed = { status: 'confirmed', resolved_slot: presentResolvedSlot(proposal, slot) }
    const along = alone(app, actor, storeResponse(app, actor, confirmed))
    const confirmation = await confirmSlot(app, actor, proposal, slot, along)
    if (confirmation === 'no_quota') throw eventQuota(app, actor)
    if (confirmation === 'confirmed') return confirmed
    // Throws if the reason is that the calendar is gone or closed.
    await requireLiveCalendar(app, actor, encodeId('cal', slot.calendarId ?? proposal.calendarId))
    return again
  })

const eventQuota = (app: App, { limits, period }: Actor) =>
  quotaExceeded('events a month', limits.events ?? 0, secondsLeft(period, app.clock.now()))

export const cancelOnRequest = (app: App, actor: Actor, id: string) =>
  onPending(app, actor, id, async (whole) => {
    requirePending(whole)
    const cancelled = { status: 'cancelled' }
    const along = alone(app, actor, storeResponse(app, actor, cancelled))
    return (await cancelProposal(app, whole.proposal, 'organizer_cancelled', along)) ? cancelled : again
  })
