// How an event comes to be, in whatever change: its row and its timers.
import type { App } from '../app.ts'
import type { Effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import { publish } from '../externalCopies/publish.ts'
import { currentTraceparent } from '../observability/tracing.ts'
import { comingMoments, newEventTimers, type TimedEvent } from './timers.ts'
import { eventRows, insertEvents } from './writes.ts'

/**
 * One new event with its timers; the guard returns the calendar's new `revision`, its `default_reminders` and its
 * `destination_id`. An event that recurs brings the reminders of its calendar.
 */
export function insertEvent(app: App, event: TimedEvent): Effect[] {
  const { sql } = app
  const inserted = insertEvents(app, sql`${guard}, ${eventRows(app, [event])}`)
  const timed = sql`(
    select e.*, ${guard}.revision, ${guard}.default_reminders, ${currentTraceparent()}::text as traceparent
    from ${inserted} e, ${guard}) e`
  const isPublished = event.status === 'confirmed' || event.status === 'tentative'
  return [
    inserted,
    newEventTimers(app, timed, comingMoments(event, event.createdAt)),
    ...(isPublished ? [publish(app, event)] : []),
  ]
}
