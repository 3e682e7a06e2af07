import type { App } from '../app.ts'
import { type again, decide } from '../commit/decide.ts'
import type { Uuid } from '../shapes/ids.ts'

/**
 * Runs a decision that depends on the events of a calendar, and runs it again if the calendar has changed since it was read.
 */
export const onCalendar = <T>(app: App, calendarId: Uuid, work: () => Promise<T | typeof again>): Promise<T> =>
  decide(app, { noun: 'calendar', key: calendarId }, work)

/** The same for several calendars, at least one. Their turns are taken in one order, so that no two decisions wait for each other. */
export function onCalendars<T>(
  app: App,
  calendarIds: readonly Uuid[],
  work: () => Promise<T | typeof again>,
): Promise<T> {
  const [first, ...others] = [...new Set(calendarIds)].sort()
  return onCalendar(app, first!, others.length === 0 ? work : () => onCalendars(app, others, work))
}
