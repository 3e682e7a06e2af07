import { listCalendars } from './directory.ts'
import { getCalendarContext, getEvent } from './readEvents.ts'

/** In the order in which they are listed. */
export const schedulingTools = [listCalendars, getCalendarContext, getEvent]
