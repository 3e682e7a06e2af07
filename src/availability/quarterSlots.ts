// Slots that begin at quarter hours of the wall clock. Pure; times are epoch ms.
import { offsetAt } from '../localtime/offsets.ts'
import { minuteMs } from '../shapes/durations.ts'
import { allowedFrom } from './dailyLimits.ts'
import type { Intervals } from './intervals.ts'

const quarterMs = 15 * minuteMs

/** The first moment from `ms` on at which the clock of the zone shows a quarter hour. */
export function quarterFrom(ms: number, zone: string): number {
  let at = ms
  for (;;) {
    const over = (((at + offsetAt(zone, at)) % quarterMs) + quarterMs) % quarterMs
    if (over === 0) return at
    at += quarterMs - over
  }
}

/**
 * The first slots of a length in each free stretch, as a flat list: the first begins at its first quarter hour, each next one at
 * the first quarter hour that is not before the end of the last. None starts within `barred`.
 */
export function quarterSlots(
  free: Intervals,
  lengthMs: number,
  zone: string,
  { limit = Number.POSITIVE_INFINITY, barred = [] }: { limit?: number; barred?: Intervals } = {},
): number[] {
  const slots: number[] = []
  for (let i = 0; i < free.length; i += 2) {
    let start = allowedQuarter(free[i]!, zone, barred)
    while (start + lengthMs <= free[i + 1]!) {
      if (slots.length >= 2 * limit) return slots
      slots.push(start, start + lengthMs)
      start = allowedQuarter(start + lengthMs, zone, barred)
    }
  }
  return slots
}

function allowedQuarter(ms: number, zone: string, barred: Intervals): number {
  for (let at = ms; ; ) {
    const quarter = quarterFrom(at, zone)
    at = allowedFrom(barred, quarter)
    if (at === quarter) return quarter
  }
}
