// Days by the wall clock of a zone, without the code of the service.
import { dayMs, hourMs } from '../../src/shapes/durations.ts'

const offsetMs = (zone: string, at: number): number =>
  Date.parse(`${new Date(at).toLocaleString('sv-SE', { timeZone: zone }).replace(' ', 'T')}Z`) -
  Math.floor(at / 1000) * 1000

/** 10:00 of that day, which no change of the clocks touches. `day`: its midnight, as if it were UTC. */
const tenOClock = (zone: string, day: number): number => {
  const wall = day + 10 * hourMs
  return wall - offsetMs(zone, wall - offsetMs(zone, wall))
}

const maxDays = 300

/** 10:00 of `count` days, with the next change of the clocks among them if the zone has one. */
export function dailyStarts(zone: string, from: number, count: number): number[] {
  const first = Math.ceil(from / dayMs) * dayMs
  let day = first
  const changes = (at: number) => offsetMs(zone, at) !== offsetMs(zone, at + dayMs)
  while (!changes(day) && day < first + maxDays * dayMs) day += dayMs
  const begin = day - Math.floor(Math.random() * (count - 1)) * dayMs
  return Array.from({ length: count }, (_, nth) => tenOClock(zone, begin + nth * dayMs))
}
