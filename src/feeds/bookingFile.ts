// The file by which a guest adds a booking to a calendar of their own.

import { ICalCalendar, ICalEventStatus } from 'ical-generator'
import { plainText } from '../icalendar/plainText.ts'
import type { PublicId } from '../shapes/ids.ts'
import { ownUid } from './uid.ts'

/** `id` is the public id of the event, as in the calendar's feed. */
type BookingFile = {
  id: PublicId<'evt'>
  title: string
  description: string | null
  start: Date
  end: Date
  stamp: Date
}

export function bookingFile({ id, title, description, start, end, stamp }: BookingFile): string {
  const calendar = new ICalCalendar({ prodId: '//agent-calendar//booking//EN' })
  calendar.createEvent({
    id: ownUid(id),
    stamp,
    start,
    end,
    summary: plainText(title),
    description: description === null ? null : plainText(description),
    status: ICalEventStatus.CONFIRMED,
  })
  return `${calendar.toString()}\r\n`
}
