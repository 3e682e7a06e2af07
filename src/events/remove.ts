// Deleting an event, or cancelling one occurrence of a series.

import type { Actor } from '../actors/actor.ts'
import { changedAt } from '../actors/precondition.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { tellCancelled } from '../bookings/mails.ts'
import { onCalendar } from '../calendars/onCalendar.ts'
import { bumpSeenEvent, countChange } from '../calendars/writes.ts'
import { byActor, type Origin } from '../changeLog/origin.ts'
import { commit } from '../commit/commit.ts'
import { again } from '../commit/decide.ts'
import type { Effect } from '../commit/effect.ts'
import { badRequest, conflict } from '../errors.ts'
import { publish } from '../externalCopies/publish.ts'
import { isOccurrence } from '../recurrence/expand.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import { answered } from '../storedResponses/answered.ts'
import type { Fragment } from '../stores/postgres.ts'
import { seriesOf } from '../timers/series.ts'
import { clearTimers } from '../timers/writes.ts'
import { emit } from '../webhooks/emit.ts'
import { editEffects } from './editEffects.ts'
import { externalSyncOfEdit } from './externalSync.ts'
import { requireWritableEvent, turnOf } from './find.ts'
import { settleLapsedHold } from './holds.ts'
import { presentEvent } from './present.ts'
import type { PlacedEventRow } from './queries.ts'
import { removeEventRow } from './writes.ts'
import { answerOf, type Written } from './written.ts'

/** Afterwards no read finds it; its timers are gone, and every occurrence of a series. */
export const removeEvent = async (
  app: App,
  actor: Actor,
  calendarId: string | undefined,
  eventId: string,
): Promise<void> =>
  onCalendar(app, await turnOf(app, actor, eventId, calendarId), async () => {
    const row = await requireWritableEvent(app, actor, eventId, calendarId)
    const now = app.clock.now()
    if (!actor.request.dryRun && (await settleLapsedHold(app, actor, row, now))) return again
    const { guard, effects } = removal(app, actor, byActor(actor), row, now)
    const { matched } = await commit(app, {
      guard,
      effects: [...effects, ...tellGone(app, row, now), answered(app, actor, undefined)],
    })
    return matched ? undefined : again
  })

/** One that was cancelled before has been told. */
const tellGone = ({ sql }: App, row: PlacedEventRow, now: Date): Effect[] =>
  row.status === 'cancelled' ? [] : tellCancelled(sql, row, { start: row.startTime, end: row.endTime }, now)

/** What deletes an event that is as it was read, also as part of another noun's change. */
export function removal(
  app: App,
  actor: Actor,
  origin: Origin,
  row: PlacedEventRow,
  now: Date,
): { guard: Fragment; effects: Effect[] } {
  const ids = { calendar_id: encodeId('cal', row.calendarId), event_id: encodeId('evt', row.id) }
  return {
    guard: bumpSeenEvent(app, row, countChange(row.status, undefined)),
    effects: [
      removeEventRow(app, row, now),
      clearTimers(app, row),
      publish(app, row, false),
      ...emit(app, origin, [{ type: 'event.deleted', payload: ids }]),
      auditEntry(app, actor, 'event.delete', ids.event_id),
    ],
  }
}

/**
 * Cancels the occurrence that starts exactly then. Its timers stay where they are: one that comes due for a cancelled
 * occurrence moves on in silence.
 */
export const cancelOccurrence = async (
  app: App,
  actor: Actor,
  calendarId: string | undefined,
  eventId: string,
  occurrenceStart: Date,
): Promise<Written> =>
  onCalendar(app, await turnOf(app, actor, eventId, calendarId), async () => {
    const before = await requireWritableEvent(app, actor, eventId, calendarId)
    requireActiveOccurrence(before, occurrenceStart)
    const now = app.clock.now()
    const recurrenceExdates = [...before.recurrenceExdates, occurrenceStart]
    const row = { ...before, recurrenceExdates, updatedAt: changedAt(actor, now, before.updatedAt) }
    const event = presentEvent(app, row, now)
    const sync = await externalSyncOfEdit(app, before, row, now)
    const { matched } = await commit(app, {
      guard: bumpSeenEvent(app, before, {}),
      effects: [
        ...editEffects(app, actor, byActor(actor), row, event, { timers: [], isMoved: false }),
        answered(app, actor, answerOf({ event, sync })),
      ],
    })
    return matched ? { event, sync } : again
  })

function requireActiveOccurrence(event: PlacedEventRow, start: Date): void {
  const series = seriesOf(event)
  if (!series) {
    throw conflict('occurrence_start needs a recurring series; this event happens once.', undefined, 'occurrence_start')
  }
  if (event.status === 'cancelled' || !isOccurrence(series, start.getTime())) {
    throw badRequest(
      `No active occurrence of this series starts at ${isoTime(start)}. Lists with expand=true show its occurrences.`,
      'occurrence_start',
    )
  }
}
