// What a booking needs to know of one calendar: when it is busy, and the revision at which that was read.
import type { App } from '../app.ts'
import { minuteMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { type BusyCalendar, openBusy } from './busy.ts'
import { openExplained } from './explained.ts'
import type { Intervals, Window } from './intervals.ts'
import { calendarTimes, namedTimes } from './queries.ts'

type Calendar = { orgId: Uuid; calendarId: Uuid }

/**
 * `gapMinutes` are added on each side of every event, on top of the calendar's own buffers; they do not widen the time
 * outside working hours. Undefined: the calendar is gone.
 */
export async function busyAtRevision(
  app: App,
  calendar: Calendar,
  window: Window,
  gapMinutes: number,
  now: Date,
): Promise<{ busy: Intervals; revision: number } | undefined> {
  const scope = { kind: 'calendar', ...calendar } as const
  const [row] = await calendarTimes(app.sql, scope, widened(window, gapMinutes), now)
  return row && { busy: openBusy(window)([spaced(row, gapMinutes)]), revision: row.revision! }
}

/** The same with the pieces that it is made of, for somebody who may see nothing of the calendar. */
export async function busyForGuests(
  app: App,
  calendar: Calendar,
  window: Window,
  gapMinutes: number,
  now: Date,
): Promise<({ busy: Intervals } & Pick<ReturnType<typeof openExplained>, 'addClosed' | 'pieces'>) | undefined> {
  const scope = { kind: 'calendar', ...calendar } as const
  const [row] = await namedTimes(app.sql, scope, widened(window, gapMinutes), now)
  if (!row) return undefined
  const { busyOf, addClosed, pieces } = openExplained(window, () => false)
  return { busy: busyOf([spaced(row, gapMinutes)]), addClosed, pieces }
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
