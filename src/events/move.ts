// An event at another time, as part of another noun's change: a guest moves a booking.
import type { Actor } from '../actors/actor.ts'
import { changedAt } from '../actors/precondition.ts'
import type { App } from '../app.ts'
import type { Origin } from '../changeLog/origin.ts'
import type { Alone } from '../recording/together.ts'
import { asUpdate, writeEdit } from './editedEvents.ts'
import { presentEvent } from './present.ts'
import type { EventWithCalendar } from './queries.ts'
import { changedMoments } from './timers.ts'

/** The event happens once. False: it, or what `alone` depends on, has changed since it was read. */
export function writeMove(
  app: App,
  actor: Actor,
  origin: Origin,
  before: EventWithCalendar,
  { start, end }: { start: Date; end: Date },
  now: Date,
  alone: Alone,
): Promise<boolean> {
  const row = { ...before, startTime: start, endTime: end, updatedAt: changedAt(actor, now, before.updatedAt) }
  const event = presentEvent(app, row, now)
  const edit = { before, row, now, moments: changedMoments(row, now), publishes: true, isMoved: true }
  return writeEdit(app, actor, edit, { ...asUpdate({ event, sync: { status: 'not_configured' } }), origin }, alone)
}
