// A zone, and the way between its wall clock and UTC.
import { firstDayOfMonth } from '../recurrence/civil.ts'
import { dayMs } from '../shapes/durations.ts'
import { isZone, type OffsetStretch, offsetStretches } from '../shapes/zones.ts'

/** `offsetAt` is the difference between the wall clock and UTC at a moment. */
export type Zone = { offsetAt(utcMs: number): number }

export const toWall = (zone: Zone, utcMs: number): number => utcMs + zone.offsetAt(utcMs)

/**
 * Of a time that comes twice the first; a time that is left out is read with the offset before the gap, so that 02:30
 * means half an hour after the change (RFC 5545, 3.3.5).
 */
export function toUtc(zone: Zone, wallMs: number): number {
  const before = zone.offsetAt(wallMs - dayMs)
  const after = zone.offsetAt(wallMs + dayMs)
  if (before === after && zone.offsetAt(wallMs - before) === before) return wallMs - before
  for (const offset of [before, zone.offsetAt(wallMs - before), after]) {
    if (zone.offsetAt(wallMs - offset) === offset) return wallMs - offset
  }
  return wallMs - before
}

export const fixedZone = (offsetMs: number): Zone => ({ offsetAt: () => offsetMs })

/** Undefined for a name outside IANA's list. */
export const namedZone = (name: string): Zone | undefined => (isZone(name) ? zoneOf(name) : undefined)

/** Of a name that the machine knows, were it one that is no longer accepted. */
export function zoneOf(name: string): Zone {
  const years = new Map<number, OffsetStretch[]>()
  return {
    offsetAt(utcMs) {
      const year = new Date(utcMs).getUTCFullYear()
      let stretches = years.get(year)
      if (!stretches) {
        stretches = offsetStretches(name, firstDayOfMonth(year * 12) * dayMs, firstDayOfMonth(year * 12 + 12) * dayMs)
        years.set(year, stretches)
      }
      return (stretches.find(({ toMs }) => utcMs < toMs) ?? stretches.at(-1)!).offsetMs
    },
  }
}
