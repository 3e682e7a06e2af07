// The file by which a guest adds a booking to a calendar of their own.
import { ICalCalendar, ICalEventStatus } from 'ical-generator'

/** `id` is that of the event, as the calendar's feed tells it. */
export type BookingFile = { id: string; title: string; description: string | null; start: Date; end: Date; stamp: Date }

export function bookingFile({ id, title, description, start, end, stamp }: BookingFile): string {
  const calendar = new ICalCalendar({ prodId: '//agent-calendar//booking//EN' })
  calendar.createEvent({
    id: `${id}@agent-calendar`,
    stamp,
    start,
    end,
    summary: plain(title),
    description: description === null ? null : plain(description),
    status: ICalEventStatus.CONFIRMED,
  })
  return `${calendar.toString()}\r\n`
}

/** RFC 5545 has no room for control characters; line breaks and tabs are text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const plain = (text: string): string => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
