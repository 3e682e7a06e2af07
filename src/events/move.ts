// An event at another time, as part of another noun's change: a guest moves a booking.
import type { Actor } from '../actors/actor.ts'
import { changedAt } from '../actors/precondition.ts'
import type { App } from '../app.ts'
import type { Origin } from '../changeLog/origin.ts'
import type { Effect } from '../commit/effect.ts'
import { editEffects } from './editEffects.ts'
import { presentEvent } from './present.ts'
import type { PlacedEventRow } from './queries.ts'
import { changedTimers } from './timers.ts'

/** The event happens once, and the guard returns the calendar's new `revision`: nothing on it has changed since the read. */
export function movedTo(
  app: App,
  actor: Actor,
  origin: Origin,
  before: PlacedEventRow,
  { start, end }: { start: Date; end: Date },
  now: Date,
): { effects: Effect[] } {
  const row = { ...before, startTime: start, endTime: end, updatedAt: changedAt(actor, now, before.updatedAt) }
  return {
    effects: editEffects(app, actor, origin, row, presentEvent(app, row, now), {
      timers: changedTimers(app, row, now, []),
      isMoved: true,
    }),
  }
}
