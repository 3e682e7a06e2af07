import { findMeetingTime, getAvailability } from './availability.ts'
import { listCalendars } from './directory.ts'
import { listEvents } from './listEvents.ts'
import { getCalendarContext, getEvent } from './readEvents.ts'

/** In the order in which they are listed. */
export const schedulingTools = [
  listCalendars,
  getCalendarContext,
  listEvents,
  getEvent,
  getAvailability,
  findMeetingTime,
]
