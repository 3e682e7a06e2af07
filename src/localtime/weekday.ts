// The weekday that a caller sends with a start: a checksum, because callers that compute dates in the head get the weekday
// wrong.
import { dayMs } from '../shapes/durations.ts'
import { instantsAroundGap, instantsOf, offsetAt } from './offsets.ts'
import { spellings } from './readTime.ts'
import { type Refusal, refused } from './refusal.ts'
import { dayOf, isoDate, type WeekdayName, weekdayName, weekdayNames } from './spelling.ts'

/** `tue` or `tuesday`, in any case; undefined for anything else. */
export const parseWeekday = (text: string): WeekdayName | undefined => {
  const sent = text.toLowerCase()
  return weekdayNames
    .map((name) => [name, name.toLowerCase()] as const)
    .find(([, name]) => sent === name || sent === name.slice(0, 3))?.[0]
}

/**
 * Does the start lie on this day of its zone? What may be sent instead: the weekday that it is, and the nearest starts at the
 * same local time on the weekday that was meant.
 */
export function checkWeekday(weekday: WeekdayName, start: Date, zone: string): Refusal | undefined {
  const wallMs = start.getTime() + offsetAt(zone, start.getTime())
  const day = dayOf(wallMs)
  const actual = weekdayName(day)
  if (actual === weekday) return undefined
  const starts = nearestDays(weekday, actual).flatMap((days) => startsAt(zone, wallMs + days * dayMs))
  const message = `${isoDate(day)} is a ${actual} in ${zone}, not a ${weekday}`
  return refused('weekday_mismatch', message, [actual.toLowerCase(), ...spellings(zone, starts)])
}

/** How many days away the weekday that was meant lies, both ways, the nearer first. */
function nearestDays(weekday: WeekdayName, actual: WeekdayName): number[] {
  const ahead = (weekdayNames.indexOf(weekday) - weekdayNames.indexOf(actual) + 7) % 7
  return ahead < 7 - ahead ? [ahead, ahead - 7] : [ahead - 7, ahead]
}

/** The same for a start; undefined if it lies on that weekday of its zone. */
export function daysToWeekday(weekday: WeekdayName, start: Date, zone: string): number[] | undefined {
  const actual = weekdayName(dayOf(start.getTime() + offsetAt(zone, start.getTime())))
  return actual === weekday ? undefined : nearestDays(weekday, actual)
}

function startsAt(zone: string, wallMs: number): number[] {
  const instants = instantsOf(zone, wallMs)
  return instants.length > 0 ? instants : instantsAroundGap(zone, wallMs).slice(0, 1)
}
