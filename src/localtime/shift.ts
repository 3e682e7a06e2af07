// Moments moved by days or years of the wall clock: the local time stays.
import { dayMs } from '../shapes/durations.ts'
import { instantsAroundGap, instantsOf, offsetAt } from './offsets.ts'

/** When the clock shows this time: the first of two moments, and the usual reading of a time that is skipped. */
const momentAt = (zone: string, wallMs: number): number =>
  instantsOf(zone, wallMs)[0] ?? instantsAroundGap(zone, wallMs)[0]!

/** Fewer than 0 days are earlier ones. */
export const movedByDays = (ms: number, zone: string, days: number): number =>
  momentAt(zone, ms + offsetAt(zone, ms) + days * dayMs)
