import { findMeetingTime, getAvailability } from './availability.ts'
import { cancelEvent } from './cancelEvent.ts'
import { createEvent } from './createEvent.ts'
import { listCalendars } from './directory.ts'
import { confirmEvent, releaseEvent } from './holds.ts'
import { listEvents } from './listEvents.ts'
import { createAgent, createCalendar, listAgents } from './makers.ts'
import { getCalendarContext, getEvent } from './readEvents.ts'
import { subscribeIcal } from './subscribeIcal.ts'
import { updateEvent } from './updateEvent.ts'

/** In the order in which they are listed. */
export const schedulingTools = [
  listCalendars,
  getCalendarContext,
  listEvents,
  getEvent,
  createEvent,
  updateEvent,
  cancelEvent,
  confirmEvent,
  releaseEvent,
  getAvailability,
  findMeetingTime,
  listAgents,
  createAgent,
  createCalendar,
  subscribeIcal,
]
