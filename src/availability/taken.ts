// What a booking asks of one calendar: the time that is taken on it, and at which revision that was so.
import type { App } from '../app.ts'
import { minuteMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { openBusy } from './busy.ts'
import type { Intervals, Window } from './intervals.ts'
import { calendarTimes } from './queries.ts'

type TakenTime = { taken: Intervals; revision: number }

/**
 * `gapMinutes` more on each side of every event, on top of the calendar's own buffers; working hours are not widened.
 * Undefined when the calendar is gone.
 */
export async function takenTime(
  app: App,
  calendar: { orgId: Uuid; calendarId: Uuid },
  window: Window,
  gapMinutes: number,
  now: Date,
): Promise<TakenTime | undefined> {
  const gapMs = gapMinutes * minuteMs
  const widened = { fromMs: window.fromMs - gapMs, toMs: window.toMs + gapMs }
  const [row] = await calendarTimes(app.sql, { kind: 'calendar', ...calendar }, widened, now)
  if (!row) return undefined
  const spaced = {
    ...row,
    bufferBeforeMinutes: row.bufferBeforeMinutes + gapMinutes,
    bufferAfterMinutes: row.bufferAfterMinutes + gapMinutes,
  }
  return { taken: openBusy(window)([spaced]), revision: row.revision! }
}
