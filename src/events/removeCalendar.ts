// Removing a calendar together with its events.

import type { Actor } from '../actors/actor.ts'
import { isConditional, requireMatch } from '../actors/precondition.ts'
import type { App } from '../app.ts'
import { queueEndOfCalendarMails } from '../bookings/mails.ts'
import { refuseClosed, requireCalendar, requireCalendarId } from '../calendars/calendars.ts'
import { onCalendar } from '../calendars/onCalendar.ts'
import { presentCalendar } from '../calendars/present.ts'
import { removeCalendarGuard } from '../calendars/writes.ts'
import { commit } from '../commit/commit.ts'
import { again } from '../commit/decide.ts'
import { guard } from '../commit/step.ts'
import { withdrawalMs } from '../externalCopies/rules.ts'
import { endDestinations } from '../externalCopies/writes.ts'
import { recorded } from '../recording/recorded.ts'
import { encodeId } from '../shapes/ids.ts'
import { hurryGroups } from '../timers/writes.ts'
import { wakeup } from '../wakeups/jobs.ts'
import { removeSeriesOf } from './writes.ts'

/**
 * The events emit nothing, and the feed answers 404 from now on. Guests of its bookings get a mail. Only the row of the calendar and those of its series are
 * written: whatever reads an event or fires a timer checks that the calendar lives, so removing a full calendar is as fast
 * as removing an empty one.
 */
export const removeCalendar = (app: App, actor: Actor, id: string): Promise<void> =>
  onCalendar(app, requireCalendarId(id), async () => {
    const calendar = await requireCalendar(app, actor, id)
    requireMatch(actor, () => presentCalendar(app, calendar))
    refuseClosed(calendar)
    const { orgId, id: uuid } = calendar
    const now = app.clock.now()
    const end = { now, givesUpAt: new Date(now.getTime() + withdrawalMs), keepsCopies: false }
    const { matched } = await commit(app, {
      guard: removeCalendarGuard(app.sql, calendar, now, isConditional(actor)),
      effects: [
        removeSeriesOf(app, { orgId, id: uuid }, now),
        ...queueEndOfCalendarMails(app.sql, { orgId, id: uuid }, now),
        hurryGroups(app, orgId, app.sql`select ${uuid}::uuid`, now),
        endDestinations(app.sql, orgId, app.sql`select destination_id from ${guard}`, end),
        ...recorded(app, actor, {
          action: 'calendar.delete',
          resource: encodeId('cal', uuid),
          emits: [{ type: 'calendar.deleted', payload: { calendar_id: encodeId('cal', uuid) } }],
          response: undefined,
        }),
      ],
    })
    if (!matched) return again
    if (calendar.destinationId) app.bell.ring([wakeup('publish', { orgId, id: calendar.destinationId }, now)])
    return undefined
  })
