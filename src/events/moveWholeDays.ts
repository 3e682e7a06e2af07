// Another zone of a calendar: its whole days stay on their dates, in the statement that changes the zone
// (docs/decisions/whole-days.md).
import type { App } from '../app.ts'
import type { Effect } from '../commit/effect.ts'
import { conflict } from '../errors.ts'
import { dayMs } from '../shapes/durations.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { mapInSlices } from '../shapes/slices.ts'
import { moveTimers } from '../timers/writes.ts'
import { type WholeDayRow, wholeDaysOf } from './queries.ts'
import { systemReminders } from './reminders.ts'
import { lastEnd } from './rule.ts'
import { nextTimers } from './timers.ts'
import { movedToZone, type Times } from './wholeDays.ts'
import { moveEvents, moveOriginalStarts } from './writes.ts'

/** One statement moves them all, and its calendar can change only before it or after it. */
export const maxWholeDays = 10_000

type ZonedCalendar = { orgId: Uuid; id: Uuid; timezone: string; defaultReminders: readonly number[] | null }

type Moved = { effects: Effect[]; set: Effect[] }

/**
 * `row`: the calendar as it will be. The rows that it reads are right for as long as the revision stays. Undefined if nothing moves; otherwise
 * the timers of all whole days are written, and `set` are effects for `ringTimers`.
 */
export async function movedWholeDays(app: App, before: ZonedCalendar, row: ZonedCalendar): Promise<Moved | undefined> {
  const events = await wholeDaysOf(app.sql, before, maxWholeDays + 1)
  if (events.length > maxWholeDays) throw tooMany()
  const moves = await mapInSlices(events, (event) => ({ event, times: requireMoved(event, before, row) }))
  const shifts = new Map(moves.map(({ event, times }) => [event.id, shiftOf(event, times)]))
  const moved = moves
    .map(({ event, times }) => ({ ...times, id: event.id, originalStart: movedStart(event, shifts) }))
    .filter((times, nth) => isOther(events[nth]!, times))
  if (moved.length === 0) return undefined
  const now = app.clock.now()
  const waiting = moves.filter(({ event, times }) => waits(event, event, now) || waits(event, times, now))
  const dropped = before.defaultReminders ?? systemReminders
  const timers = await mapInSlices(waiting, ({ event, times }) =>
    nextTimers({ ...event, ...times, defaultReminders: row.defaultReminders }, event.reminders ? [] : dropped, now),
  )
  const { effects, set } = moveTimers(app, row, timers.flat(), now)
  const series = moved
    .filter(({ overriddenStarts }) => overriddenStarts.length > 0)
    .map(({ id }) => ({ id, byMs: shifts.get(id)! }))
  const overrides =
    series.length > 0
      ? [
          moveOriginalStarts(
            app,
            row.orgId,
            series,
            moved.map(({ id }) => id),
          ),
        ]
      : []
  return { effects: [moveEvents(app, row.orgId, moved, now), ...overrides, ...effects], set }
}

const shiftOf = (event: Times, times: Times): number => times.startTime.getTime() - event.startTime.getTime()

/** An override is named by the start that its series gives it, so it is renamed with a series that moves. */
const movedStart = ({ seriesId, originalStart }: WholeDayRow, shifts: ReadonlyMap<Uuid, number>): Date | null =>
  originalStart && new Date(originalStart.getTime() + (shifts.get(seriesId!) ?? 0))

function requireMoved(event: WholeDayRow, before: ZonedCalendar, after: ZonedCalendar): Times {
  const times = movedToZone(event, before.timezone, after.timezone)
  // Two overrides would have one name for an instant, if the series moved by a whole day.
  const isNameTaken = event.overriddenStarts.length > 1 && Math.abs(shiftOf(event, times ?? event)) >= dayMs
  if (times && !isNameTaken) return times
  throw conflict(
    `The series ${encodeId('evt', event.id)} repeats in UTC, and no rule keeps it on its dates in ${after.timezone}. Change its recurrence_rule, or delete it; then change the timezone.`,
    undefined,
    'timezone',
  )
}

const tooMany = () =>
  conflict(
    `The calendar has more than ${maxWholeDays} all-day events, which would all move with its timezone. Create another calendar for the new timezone.`,
    undefined,
    'timezone',
  )

const isOther = (event: WholeDayRow, times: Times & Pick<WholeDayRow, 'originalStart'>): boolean =>
  event.startTime.getTime() !== times.startTime.getTime() ||
  event.endTime.getTime() !== times.endTime.getTime() ||
  event.originalStart?.getTime() !== times.originalStart?.getTime()

/** Whether the event has timers if these are its times. */
function waits({ status, source }: WholeDayRow, times: Times, now: Date): boolean {
  const end = lastEnd(times)
  return status === 'confirmed' && source === 'internal' && (end === null || end > now)
}
