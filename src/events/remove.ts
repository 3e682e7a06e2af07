// Deleting an event, or cancelling one occurrence of a series.

import type { Actor } from '../actors/actor.ts'
import { changedAt } from '../actors/precondition.ts'
import type { App } from '../app.ts'
import type { Origin } from '../changeLog/origin.ts'
import { again } from '../commit/decide.ts'
import { badRequest, conflict } from '../errors.ts'
import type { Alone } from '../recording/together.ts'
import { isOccurrence } from '../recurrence/expand.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import { seriesOf } from '../timers/series.ts'
import { guestMails, onEvent } from './edit.ts'
import { asUpdate, writeEdit } from './editedEvents.ts'
import { externalSyncOfEdit } from './externalSync.ts'
import { requireWritableEvent } from './find.ts'
import { settleLapsedHold } from './holds.ts'
import { presentEvent } from './present.ts'
import type { EventWithCalendar } from './queries.ts'
import type { Written } from './written.ts'

/** Afterwards no read finds it; its timers are gone, and every occurrence of a series. */
export const removeEvent = (app: App, actor: Actor, calendarId: string | undefined, eventId: string): Promise<void> =>
  onEvent(app, eventId, async () => {
    const before = await requireWritableEvent(app, actor, eventId, calendarId)
    const now = app.clock.now()
    if (!actor.request.dryRun && (await settleLapsedHold(app, actor, before, now))) return again
    const isWritten = await writeRemoval(app, actor, before, now, { alone: guestMails(app, before, undefined, now) })
    return isWritten ? undefined : again
  })

type Removal = { origin?: Origin; alone?: Alone | undefined }

/** Deletes an event that has not changed since it was read, also as part of another noun's change. */
export function writeRemoval(
  app: App,
  actor: Actor,
  before: EventWithCalendar,
  now: Date,
  { origin, alone }: Removal,
): Promise<boolean> {
  const ids = { calendar_id: encodeId('cal', before.calendarId), event_id: encodeId('evt', before.id) }
  const row = { ...before, updatedAt: now }
  return writeEdit(
    app,
    actor,
    { before, row, isRemoved: true, moments: [], publishes: true, isMoved: false, now },
    {
      emission: { type: 'event.deleted', payload: ids },
      ...(origin && { origin }),
      ...{ action: 'event.delete', resource: ids.event_id, response: undefined },
    },
    alone,
  )
}

/**
 * Cancels the occurrence that starts exactly then. Its timers stay where they are: one that comes due for a cancelled
 * occurrence moves on in silence.
 */
export const cancelOccurrence = (
  app: App,
  actor: Actor,
  calendarId: string | undefined,
  eventId: string,
  occurrenceStart: Date,
): Promise<Written> =>
  onEvent(app, eventId, async () => {
    const before = await requireWritableEvent(app, actor, eventId, calendarId)
    requireActiveOccurrence(before, occurrenceStart)
    const now = app.clock.now()
    const recurrenceExdates = [...before.recurrenceExdates, occurrenceStart]
    const row = { ...before, recurrenceExdates, updatedAt: changedAt(actor, now, before.updatedAt) }
    const event = presentEvent(app, row, now)
    const sync = await externalSyncOfEdit(app, before, { row, event }, now)
    const isWritten = await writeEdit(
      app,
      actor,
      { before, row, publishes: true, isMoved: false, now },
      asUpdate({ event, sync }),
    )
    return isWritten ? { event, sync } : again
  })

function requireActiveOccurrence(event: EventWithCalendar, start: Date): void {
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
