// Other times for an event whose time is taken: they are free by the rules of availability.
import type { App } from '../app.ts'
import { areFree, lookAheadUntil, nextFree, type Spans } from '../availability/conflictingPieces.ts'
import { barredStarts } from '../availability/dailyLimits.ts'
import { cutOff, gaps, type Intervals, isWithin, type Window } from '../availability/intervals.ts'
import { type Omitted, type Rules, takenIn } from '../availability/judge.ts'
import { quarterSlots } from '../availability/quarterSlots.ts'
import { movedByDays } from '../localtime/shift.ts'
import { latestMs } from '../recurrence/civil.ts'
import { dayMs } from '../shapes/durations.ts'
import { type JudgedEvent, spansFrom, spansOf } from './spans.ts'

/** By how much the length of a series may differ from start to start, as its months do. */
const slackMs = 31 * dayMs

/** Free time in a window that is long enough for all that is judged of the event, wherever in `starts` it begins, and what fits there. */
async function freeFor(app: App, row: JudgedEvent, rules: Rules, omitted: Omitted, starts: Window, now: Date) {
  const startMs = row.startTime.getTime()
  const spanMs = row.recurrenceRule === null ? 0 : (spansOf(row, rules).at(-1) ?? startMs) - startMs + slackMs
  const window = { fromMs: starts.fromMs, toMs: Math.min(starts.toMs + spanMs, latestMs) }
  const { orgId, calendarId } = row
  const taken = await takenIn(app, { orgId, calendarId, omitted, rules: 'availability' }, window, now)
  const barred = taken ? barredStarts(taken.rooms(), row.endTime.getTime() - startMs) : []
  const free = taken ? gaps(taken.busy, window) : []
  const fits = (spans: Spans) => areFree(free, spans) && taken!.isWithinLimits(spans)
  return { free, barred, fits }
}

/** When the event could start instead, as a flat list of its own times; of a series, those of its first occurrence. */
export async function freeTimes(app: App, row: JudgedEvent, omitted: Omitted, now: Date): Promise<number[]> {
  const startMs = row.startTime.getTime()
  const untilMs = lookAheadUntil(startMs)
  const starts = { fromMs: startMs, toMs: untilMs }
  const { free, barred, fits } = await freeFor(app, row, 'availability', omitted, starts, now)
  const isFree = (at: number) => {
    const spans = spansFrom(row, at, 'availability')
    return spans !== undefined && fits(spans)
  }
  return nextFree(cutOff(free, untilMs), row.endTime.getTime() - startMs, {
    barred,
    ...((row.recurrenceRule !== null || omitted.stays) && { fits: isFree }),
  })
}

const nearbyDays = 7
const maxNearby = 3
/** How many times are tried that must fit more than one stretch. */
const maxTried = 200

/** `timezone`: of its calendar. */
type Nearby = JudgedEvent & { allDay: boolean; timezone: string }

/**
 * The free times nearest to the one that was asked for, as a flat list: on the slots of availability, or for an event of whole
 * days on other days. The later of two that are equally near goes first.
 */
export async function nearbyTimes(app: App, row: Nearby, omitted: Omitted, now: Date): Promise<number[]> {
  const startMs = row.startTime.getTime()
  const lengthMs = row.endTime.getTime() - startMs
  const fromMs = Math.max(now.getTime(), startMs - nearbyDays * dayMs)
  const untilMs = startMs + nearbyDays * dayMs
  if (fromMs > untilMs) return []
  const window = { fromMs, toMs: Math.min(untilMs + lengthMs + dayMs, latestMs) }
  const { free, barred, fits } = await freeFor(app, row, 'overlap', omitted, window, now)
  const times = row.allDay
    ? otherDays(row, free).filter((time) => fits(time))
    : pairs(quarterSlots(free, lengthMs, row.timezone, { barred }))
  const near = times
    .filter(([start]) => start >= fromMs && start <= untilMs)
    .sort(([a], [b]) => Math.abs(a - startMs) - Math.abs(b - startMs) || b - a)
  return firstFitting(row, near, fits)
}

type Time = readonly [startMs: number, endMs: number]

const pairs = (list: readonly number[]): Time[] =>
  list.flatMap((start, nth) => (nth % 2 === 0 ? [[start, list[nth + 1]!] as const] : []))

/** The same local time on the days around, where that is free. */
function otherDays({ startTime, endTime, timezone }: Nearby, free: Intervals): Time[] {
  const days = Array.from({ length: 2 * nearbyDays + 1 }, (_, nth) => nth - nearbyDays)
  return days
    .map(
      (day) =>
        [movedByDays(startTime.getTime(), timezone, day), movedByDays(endTime.getTime(), timezone, day)] as const,
    )
    .filter(([start, end]) => isWithin(free, start, end))
}

function firstFitting(row: JudgedEvent, times: readonly Time[], fits: (spans: Spans) => boolean): number[] {
  if (row.recurrenceRule === null) return times.slice(0, maxNearby).flat()
  const found: Time[] = []
  let tried = 0
  for (const time of times) {
    const spans = spansFrom(row, time[0], 'overlap')
    if (!spans) continue
    if (++tried > maxTried) break
    if (fits(spans)) found.push(time)
    if (found.length === maxNearby) break
  }
  return found.flat()
}
