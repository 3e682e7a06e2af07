// A guest moves a booking to another slot of its page. It is written only if nothing on the calendar has changed since the slot
// was found free: of a move and a cancellation at the same moment one wins, and the other sees its effect.
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { busyAtRevision, connectionsBehind } from '../availability/busyAtRevision.ts'
import { hasRoom } from '../availability/dailyLimits.ts'
import { queueGuestMail } from '../bookings/mails.ts'
import { moveBooking } from '../bookings/writes.ts'
import { onCalendar } from '../calendars/onCalendar.ts'
import { byItself } from '../changeLog/origin.ts'
import { again } from '../commit/decide.ts'
import { conflict } from '../errors.ts'
import { writeMove } from '../events/move.ts'
import { readAnew } from '../externalCalendars/refresh.ts'
import { minuteMs } from '../shapes/durations.ts'
import { actorOf } from './actor.ts'
import { type Found, maxMoves, requireBooking } from './bookings.ts'
import { requireTime } from './cancel.ts'
import { areMailed, isMailed } from './guestMail.ts'
import { notKnown, patienceMs, refusalOf, slotTaken } from './refusals.ts'
import { judgeStart } from './slots.ts'
import { slotTakenWithOthers } from './slotTaken.ts'
import { isAsSeen } from './writes.ts'

/** `explain`: a refusal of a slot that is taken offers other ones. */
export async function reschedule(
  app: App,
  request: RequestContext,
  token: string,
  { start, explain }: { start: Date; explain: boolean },
): Promise<Found> {
  const opened = await requireBooking(app, token)
  requireMovable(opened)
  const { orgId, calendarId } = opened.page
  if (judgeStart(opened.page, start.getTime(), app.clock.now()) === 'possible') {
    const connections = await connectionsBehind(app, { orgId, calendarId })
    await readAnew(app, orgId, connections, app.clock.now(), { patienceMs })
  }
  const isSame = ({ start: now }: Found) => now.getTime() === start.getTime()
  const mailed = !isSame(opened) && (await isMailed(app, opened.page, request, opened.guest.email))
  return onCalendar(app, calendarId, async () => {
    const now = app.clock.now()
    const { page } = opened
    const end = new Date(start.getTime() + page.durationMinutes * minuteMs)
    // The revision is read before the booking: later changes are not overwritten.
    const slot = { fromMs: start.getTime(), toMs: end.getTime() }
    const omitted = { eventId: opened.row.id }
    const read = await busyAtRevision(app, page, slot, page.bufferMinutes, now, omitted)
    if (!read) return again
    const found = await requireBooking(app, token)
    requireMovable(found)
    if (isSame(found)) return found
    const verdict = judgeStart(found.page, start.getTime(), now)
    if (verdict !== 'possible') throw refusalOf(verdict)
    if (found.page.revision !== page.revision) throw slotTaken()
    if (!read.isOpen) throw notKnown()
    if (read.busy.length > 0 || !hasRoom(read.rooms, slot))
      throw await slotTakenWithOthers(app, page, start, { explain, omitted }, now)
    const { row } = found
    const actor = actorOf(page, request, now)
    const before = { start: found.start, end: found.end }
    const booking = moveBooking(app.sql, row, start, end)
    const mails = areMailed(page)
      ? queueGuestMail(app.sql, booking, 'moved', { isGuestMailed: mailed, before, now })
      : undefined
    const origin = byItself(orgId, 'booking')
    const isWritten = await writeMove(app, actor, origin, found.event!, { start, end }, now, {
      condition: isAsSeen(app.sql, page, read.revision)(app.sql`c`),
      effects: [booking, mails],
    })
    return isWritten ? requireBooking(app, token) : again
  })
}

function requireMovable(found: Found): void {
  requireTime(found)
  const { freedom, row } = found
  if (freedom === 'cancelled') throw conflict('This booking was cancelled.')
  if (freedom === 'free') return
  throw conflict(
    row.moves >= maxMoves
      ? `This booking was moved ${maxMoves} times and cannot be moved again.`
      : 'This booking cannot be moved: its page takes no bookings.',
  )
}
