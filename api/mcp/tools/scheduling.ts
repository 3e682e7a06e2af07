import { listCalendars } from './directory.ts'

/** In the order in which they are listed. */
export const schedulingTools = [listCalendars]
