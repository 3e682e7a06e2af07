import type { App } from '../app.ts'
import { type again, decide } from '../commit/decide.ts'
import type { Uuid } from '../shapes/ids.ts'

/** Runs a decision about what is on a calendar, and runs it again if the calendar has changed since it was read. */
export const onCalendar = <T>(app: App, calendarId: Uuid, work: () => Promise<T | typeof again>): Promise<T> =>
  decide(app, { noun: 'calendar', key: calendarId }, work)
