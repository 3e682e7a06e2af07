// Resolving and cancelling on request.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { requireLiveCalendar } from '../calendars/calendars.ts'
import { conflict, quotaExceeded } from '../errors.ts'
import { secondsLeft } from '../plans/period.ts'
import { encodeId } from '../shapes/ids.ts'
import { cancelWith, confirmSlot } from './end.ts'
import { onPending, requirePending } from './pending.ts'
import { presentResolvedSlot } from './present.ts'
import { decideResolution } from './rules.ts'

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
    const { slot } = resolution
    const confirmation = await confirmSlot(app, actor, proposal, slot)
    if (confirmation === 'no_quota') throw eventQuota(app, actor)
    if (confirmation === 'confirmed') return { status: 'confirmed', resolved_slot: presentResolvedSlot(proposal, slot) }
    // Says so when it is the calendar that can't take the event.
    await requireLiveCalendar(app, actor, encodeId('cal', slot.calendarId ?? proposal.calendarId))
    return undefined
  })

const eventQuota = (app: App, { limits, period }: Actor) =>
  quotaExceeded('events a month', limits.events ?? 0, secondsLeft(period, app.clock.now()))

export const cancel = (app: App, actor: Actor, id: string) =>
  onPending(app, actor, id, async (whole) => {
    requirePending(whole)
    return (await cancelWith(app, whole.proposal, 'organizer_cancelled')) ? { status: 'cancelled' } : undefined
  })
