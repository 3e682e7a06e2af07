// Another feed address for a calendar, if the old one has leaked: whoever has that one finds nothing from now on.
import type { Actor } from '../actors/actor.ts'
import { changedAt, requireMatch } from '../actors/precondition.ts'
import type { App } from '../app.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { recorded } from '../recording/recorded.ts'
import { randomToken, sha256 } from '../sealing/sealer.ts'
import { requireCalendar, requireCalendarId } from './calendars.ts'
import { replaceFeedGuard } from './feedWrites.ts'
import { onCalendar } from './onCalendar.ts'
import { feedTokenContext, presentCalendar } from './present.ts'

/** Also of a decommissioned agent: its calendars are still read. */
export const replaceFeedAddress = (app: App, actor: Actor, id: string) =>
  onCalendar(app, requireCalendarId(id), async () => {
    const before = await requireCalendar(app, actor, id)
    requireMatch(actor, () => presentCalendar(app, before))
    const token = randomToken(24)
    const row = {
      ...before,
      feedTokenSealed: app.sealer.seal(feedTokenContext(before.id), token),
      updatedAt: changedAt(actor, app.clock.now(), before.updatedAt),
    }
    const calendar = presentCalendar(app, row)
    return commitOrAgain(
      app,
      {
        guard: replaceFeedGuard(app.sql, row, sha256(token)),
        effects: recorded(app, actor, {
          action: 'calendar.update',
          resource: calendar.id,
          emits: [{ type: 'calendar.updated', payload: { calendar } }],
          response: calendar,
          created: [calendar.ical_url],
        }),
      },
      calendar,
    )
  })
