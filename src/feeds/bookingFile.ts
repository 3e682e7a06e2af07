// The file by which a guest adds a booking to a calendar of their own.

import { ICalAttendeeRole, ICalAttendeeStatus, ICalCalendar, ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import type { Details } from '../events/details.ts'
import type { PublicId } from '../shapes/ids.ts'
import { folded, oneLine, plainText } from './contentLine.ts'
import { conferenceLines } from './detailLines.ts'
import { ownUid } from './uid.ts'

/** `id` is the public id of the event, as in the calendar's feed. */
type BookingFile = {
  id: PublicId<'evt'>
  title: string
  description: string | null
  location?: string | null
  conference?: Details['conference']
  start: Date
  end: Date
  stamp: Date
  invitation?: Invitation
}

/**
 * Turns the file of a mail into an invitation, which calendars enter by themselves. `sequence`: the number of its changes. The
 * guest has accepted already, so no answer is requested.
 */
type Invitation = {
  method: 'REQUEST' | 'CANCEL'
  sequence: number
  organizer: { name: string; email: string }
  attendee: string
  hasAccepted: boolean
}

export function bookingFile({
  id,
  title,
  description,
  location,
  conference,
  start,
  end,
  stamp,
  invitation,
}: BookingFile): string {
  const calendar = new ICalCalendar({ prodId: '//agent-calendar//booking//EN' })
  if (invitation) calendar.method(ICalCalendarMethod[invitation.method])
  const event = calendar.createEvent({
    id: ownUid(id),
    stamp,
    start,
    end,
    summary: oneLine(title),
    description: description === null ? null : plainText(description),
    ...(location && { location: oneLine(location) }),
    status: invitation?.method === 'CANCEL' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    ...(invitation && { sequence: invitation.sequence }),
  })
  if (invitation) {
    const { organizer, attendee, hasAccepted } = invitation
    event.organizer({ name: parameterText(organizer.name), email: organizer.email })
    event.createAttendee({
      email: attendee,
      role: ICalAttendeeRole.REQ,
      status: hasAccepted ? ICalAttendeeStatus.ACCEPTED : ICalAttendeeStatus.NEEDSACTION,
      rsvp: false,
    })
  }
  // The package has no such property.
  const call = conferenceLines(conference).map(folded).join('')
  return `${calendar.toString().replace('END:VEVENT', () => `${call}END:VEVENT`)}\r\n`
}

/** A parameter of RFC 5545 has no quotes, line breaks or other control characters. */
const parameterText = (text: string): string => text.replace(/["\p{Cc}]/gu, ' ').trim()
