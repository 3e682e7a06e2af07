// Deleting an event.

import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import type { Origin } from '../changeLog/origin.ts'
import { again } from '../commit/decide.ts'
import type { Alone } from '../recording/together.ts'
import { encodeId } from '../shapes/ids.ts'
import { guestMails, onEvent } from './edit.ts'
import { writeEdit } from './editedEvents.ts'
import { requireWritableEvent } from './find.ts'
import { settleLapsedHold } from './holds.ts'
import type { EventWithCalendar } from './queries.ts'
import { reachedOverrides } from './seriesEdit.ts'

/** Afterwards no read finds it, nor an occurrence of a series; its timers are gone. The rows are kept for a while: it may be restored. */
export const removeEvent = (app: App, actor: Actor, calendarId: string | undefined, eventId: string): Promise<void> =>
  onEvent(app, eventId, async () => {
    const before = await requireWritableEvent(app, actor, eventId, calendarId)
    const now = app.clock.now()
    if (!actor.request.dryRun && (await settleLapsedHold(app, actor, before, now))) return again
    const isWritten = await writeRemoval(app, actor, before, now, { alone: guestMails(app, before, undefined, now) })
    return isWritten ? undefined : again
  })

type Removal = { origin?: Origin; alone?: Alone | undefined }

/** Deletes an event that is as it was read, also as part of another noun's change. */
export async function writeRemoval(
  app: App,
  actor: Actor,
  before: EventWithCalendar,
  now: Date,
  { origin, alone }: Removal,
): Promise<boolean> {
  const ids = { calendar_id: encodeId('cal', before.calendarId), event_id: encodeId('evt', before.id) }
  const row = { ...before, updatedAt: now }
  const overrides = await reachedOverrides(app, before, { ...row, overriddenStarts: [] }, now)
  return writeEdit(
    app,
    actor,
    { before, row, isRemoved: true, moments: [], overrides, publishes: true, isMoved: false, now },
    {
      emission: { type: 'event.deleted', payload: ids },
      ...(origin && { origin }),
      ...{ action: 'event.delete', resource: ids.event_id, response: undefined },
    },
    alone,
  )
}
