// What a booking needs to know of one calendar: when it is busy, and the revision at which that was read.
import type { App } from '../app.ts'
import { minuteMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { openBusy } from './busy.ts'
import type { Intervals, Window } from './intervals.ts'
import { calendarTimes } from './queries.ts'

/**
 * `gapMinutes` are added on each side of every event, on top of the calendar's own buffers; they do not widen the time
 * outside working hours. Undefined: the calendar is gone.
 */
export async function busyAtRevision(
  app: App,
  calendar: { orgId: Uuid; calendarId: Uuid },
  window: Window,
  gapMinutes: number,
  now: Date,
): Promise<{ busy: Intervals; revision: number } | undefined> {
  const gapMs = gapMinutes * minuteMs
  const widened = { fromMs: window.fromMs - gapMs, toMs: window.toMs + gapMs }
  const [row] = await calendarTimes(app.sql, { kind: 'calendar', ...calendar }, widened, now)
  if (!row) return undefined
  const spaced = {
    ...row,
    bufferBeforeMinutes: row.bufferBeforeMinutes + gapMinutes,
    bufferAfterMinutes: row.bufferAfterMinutes + gapMinutes,
  }
  return { busy: openBusy(window)([spaced]), revision: row.revision! }
}
