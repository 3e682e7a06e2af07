// The busy time of one calendar for a booking, and the revision at which it was read.
import type { App } from '../app.ts'
import { noteInterest } from '../connections/sources.ts'
import { minuteMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { type BusyCalendar, openBusy } from './busy.ts'
import type { Rooms } from './dailyLimits.ts'
import { openExplained } from './explained.ts'
import { distinctSources } from './freshness.ts'
import type { Intervals, Window } from './intervals.ts'
import { judgedSources } from './judged.ts'
import { type CalendarTimes, type Omitted, sourcesOf } from './queries.ts'
import { readNamedTimes, readTimes } from './readTimes.ts'

type Calendar = { orgId: Uuid; calendarId: Uuid }

/**
 * `gapMinutes` are added on each side of every event, on top of the calendar's own buffers; they do not widen the time
 * outside working hours. `omitted` does not count as busy. `rooms`: what its days have room for. Undefined: the calendar is gone.
 */
export async function busyAtRevision(
  app: App,
  calendar: Calendar,
  window: Window,
  gapMinutes: number,
  now: Date,
  omitted: Omitted = {},
): Promise<{ busy: Intervals; rooms: Rooms; revision: number; isOpen: boolean } | undefined> {
  const scope = { kind: 'calendar', orgId: calendar.orgId, calendarId: calendar.calendarId } as const
  const wide = widened(window, gapMinutes)
  const [row] =
    omitted.eventId === undefined
      ? await readTimes(app, scope, wide, now)
      : await readNamedTimes(app, scope, wide, now, omitted)
  if (!row) return undefined
  const isOpen = isKnown(app, calendar, row, window, now)
  const { busyOf, rooms } = openBusy(window)
  return { busy: busyOf([spaced(row, gapMinutes)]), rooms, revision: row.revision!, isOpen }
}

/** The same with the pieces that it is made of, for somebody who may see nothing of the calendar. */
export async function busyForGuests(
  app: App,
  calendar: Calendar,
  window: Window,
  gapMinutes: number,
  now: Date,
): Promise<
  | ({ busy: Intervals; rooms: Rooms; isOpen: boolean } & Pick<
      ReturnType<typeof openExplained>,
      'addClosed' | 'pieces'
    >)
  | undefined
> {
  const scope = { kind: 'calendar', ...calendar } as const
  const [row] = await readNamedTimes(app, scope, widened(window, gapMinutes), now)
  if (!row) return undefined
  const { busyOf, addClosed, closeAll, rooms, pieces } = openExplained(window, () => false)
  const isOpen = isKnown(app, calendar, row, window, now)
  const busy = busyOf([spaced(row, gapMinutes)])
  if (!isOpen) closeAll(false)
  return { busy, rooms: rooms(), addClosed, pieces, isOpen }
}

/** Whether it is known when the human behind the calendar's owner is busy. */
function isKnown(app: App, { orgId }: Calendar, row: CalendarTimes, window: Window, now: Date): boolean {
  const sources = distinctSources([row])
  noteInterest(app, orgId, sources, now)
  return judgedSources(app, sources, window, now, false).offersSlots
}

/** The connections whose calendars count on a calendar: a change that depends on them reads them first. */
export async function connectionsBehind({ sql }: App, calendar: Calendar): Promise<Uuid[]> {
  const [row] = await sourcesOf(sql, { kind: 'calendar', ...calendar })
  return [...new Set((row?.sources ?? []).map(({ connectionId }) => connectionId))]
}

function widened({ fromMs, toMs }: Window, gapMinutes: number): Window {
  const gapMs = gapMinutes * minuteMs
  return { fromMs: fromMs - gapMs, toMs: toMs + gapMs }
}

const spaced = <Row extends BusyCalendar>(row: Row, gapMinutes: number): Row => ({
  ...row,
  bufferBeforeMinutes: row.bufferBeforeMinutes + gapMinutes,
  bufferAfterMinutes: row.bufferAfterMinutes + gapMinutes,
})
