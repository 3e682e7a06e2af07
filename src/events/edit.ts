// All edits of an event share this: their turn, and the mails to the guest of a booking.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { queueCancelledMails, queueMovedMails } from '../bookings/mails.ts'
import { onCalendar } from '../calendars/onCalendar.ts'
import { type again, decide } from '../commit/decide.ts'
import { step } from '../commit/step.ts'
import type { Alone } from '../recording/together.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment } from '../stores/postgres.ts'
import type { EventRow } from './columns.ts'
import { requireEvent } from './find.ts'
import type { EventWithCalendar } from './queries.ts'
import { type Requirement, refusedBy } from './requireFree.ts'

/** Runs a decision about an event, and runs it again if the event has changed since it was read. */
export const onEvent = <T>(app: App, eventId: string, work: () => Promise<T | typeof again>): Promise<T> =>
  decide(app, { noun: 'event', key: eventId }, work)

/** The same for an event whose time must be free: the decision then depends on its calendar. `find`: where the event is looked up. */
export const onEventOrCalendar = async <T>(
  app: App,
  actor: Actor,
  { eventId, calendarId }: { eventId: string; calendarId?: string | undefined },
  requirement: Requirement,
  work: () => Promise<T | typeof again>,
  find = (): Promise<{ calendarId: Uuid }> => requireEvent(app, actor, eventId, calendarId),
): Promise<T> =>
  refusedBy(requirement) ? onCalendar(app, (await find()).calendarId, work) : onEvent(app, eventId, work)

/** A change that happens only if the guard of a cap matches. */
export function underCap({ sql }: App, capGuard: Fragment): Alone {
  const cap = step('cap', capGuard)
  return { steps: [cap], condition: sql`exists (select from ${cap})` }
}

/** The guest of a booking gets a mail about another time and about the end. `after` undefined: it is deleted. */
export function guestMails(
  { sql }: App,
  before: EventWithCalendar,
  after: EventRow | undefined,
  now: Date,
): Alone | undefined {
  if (!before.isBooking || before.status === 'cancelled') return undefined
  const was = timesOf(before)
  if (!after || after.status === 'cancelled')
    return { effects: queueCancelledMails(sql, before, after ? timesOf(after) : was, now) }
  const is = timesOf(after)
  const isSame = was.start.getTime() === is.start.getTime() && was.end.getTime() === is.end.getTime()
  return isSame ? undefined : { effects: queueMovedMails(sql, before, was, is, now) }
}

const timesOf = ({ startTime, endTime }: EventRow) => ({ start: startTime, end: endTime })
