// The busy feed of a calendar: an address for those who may know when it is busy, and nothing else. `src/feeds/` serves it.
import type { Actor } from '../actors/actor.ts'
import { isConditional, requireMatch } from '../actors/precondition.ts'
import type { App } from '../app.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { notFound } from '../errors.ts'
import { recorded } from '../recording/recorded.ts'
import { randomToken, sha256 } from '../sealing/sealer.ts'
import { encodeId } from '../shapes/ids.ts'
import { commitResponse } from '../storedResponses/storeResponse.ts'
import { requireCalendar, requireCalendarId } from './calendars.ts'
import { setBusyFeedGuard } from './feedWrites.ts'
import { onCalendar } from './onCalendar.ts'
import { busyTokenContext, presentBusyFeed } from './present.ts'
import type { CalendarRow } from './queries.ts'

export const getBusyFeed = async (app: App, actor: Actor, id: string) =>
  presentBusyFeed(app, requireThere(await requireCalendar(app, actor, id)))

/** A new address; whoever has the old one finds nothing from now on. Also of a decommissioned agent: its calendars are still read. */
export const createBusyFeed = (app: App, actor: Actor, id: string) =>
  onCalendar(app, requireCalendarId(id), async () => {
    const calendar = await requireCalendar(app, actor, id)
    if (isConditional(actor)) requireMatch(actor, () => presentBusyFeed(app, requireThere(calendar)))
    const token = randomToken(24)
    const sealed = app.sealer.seal(busyTokenContext(calendar.id), token)
    const feed = presentBusyFeed(app, { id: calendar.id, busyTokenSealed: sealed })
    return commitOrAgain(
      app,
      {
        guard: setBusyFeedGuard(app.sql, calendar, { hash: sha256(token), sealed }),
        effects: recorded(app, actor, {
          action: 'calendar.update',
          resource: encodeId('cal', calendar.id),
          response: feed,
          created: [feed.busy_ical_url],
        }),
      },
      feed,
    )
  })

/** Twice is once. */
export const removeBusyFeed = (app: App, actor: Actor, id: string): Promise<void> =>
  onCalendar(app, requireCalendarId(id), async () => {
    const calendar = await requireCalendar(app, actor, id)
    if (calendar.busyTokenSealed === null) return commitResponse(app, actor, undefined)
    requireMatch(actor, () => presentBusyFeed(app, requireThere(calendar)))
    return commitOrAgain(app, {
      guard: setBusyFeedGuard(app.sql, calendar, null),
      effects: recorded(app, actor, {
        action: 'calendar.update',
        resource: encodeId('cal', calendar.id),
        response: undefined,
      }),
    })
  })

function requireThere(calendar: CalendarRow): CalendarRow & { busyTokenSealed: Buffer } {
  const { busyTokenSealed } = calendar
  if (busyTokenSealed === null) throw notFound('busy feed')
  return { ...calendar, busyTokenSealed }
}
