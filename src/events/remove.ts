// Deleting an event: it is gone for every read, its timers with it.
import type { Actor } from '../actor.ts'
import type { App } from '../app.ts'
import { audited } from '../audit/record.ts'
import { bumpSeenCalendar, countChange, onCalendar, stale } from '../calendars/revision.ts'
import { commit } from '../change.ts'
import { conflict } from '../errors.ts'
import { encodeId } from '../ids.ts'
import { clearTimers } from '../timers/timers.ts'
import { emit } from '../webhooks/emit.ts'
import { requireWritableEvent } from './find.ts'
import { settleLapsedHold } from './holds.ts'
import { removedEvent } from './queries.ts'

export const removeEvent = (
  app: App,
  actor: Actor,
  calendarId: string,
  eventId: string,
  occurrenceStart: Date | undefined,
): Promise<void> =>
  onCalendar(calendarId, async () => {
    const row = await requireWritableEvent(app, actor, eventId, calendarId)
    if (occurrenceStart) {
      throw conflict(
        'occurrence_start needs a recurring series; this event happens once.',
        undefined,
        'occurrence_start',
      )
    }
    const now = app.clock.now()
    if (await settleLapsedHold(app, row, now)) return stale
    const ids = { calendar_id: encodeId('cal', row.calendarId), event_id: encodeId('evt', row.id) }
    const { matched } = await commit(app, bumpSeenCalendar(app, row, countChange(row.status, undefined)), {
      event: removedEvent(app.sql, row.orgId, row.id, now),
      cleared: clearTimers(app, row),
      deliveries: emit(app, actor.orgId, [{ type: 'event.deleted', payload: ids }]),
      audit: audited(app, actor, 'event.delete', ids.event_id),
    })
    return matched ? undefined : stale
  })
