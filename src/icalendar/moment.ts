// The times of properties as moments: a wall clock and its zone.
import { dayMs } from '../shapes/durations.ts'
import type { Property } from './components.ts'
import { listedTimes, parseStamp, type Stamp } from './values.ts'
import { fixedZone, toUtc, toWall, type Zone } from './zone.ts'
import type { Zones } from './zones.ts'

/**
 * A time by the wall clock of its zone; a date is its midnight in the calendar's zone. `written`: whether the time itself is in
 * UTC, names a zone or an offset, or does neither.
 */
export type Moment = { wallMs: number; isDate: boolean; zone: Zone; written: 'utc' | 'zoned' | 'floating' }

export const utcOf = ({ zone, wallMs }: Pick<Moment, 'zone' | 'wallMs'>): number => toUtc(zone, wallMs)

/** Days end at 23:59, too. */
export const nearlyMs = 60_000

/** `to` is the end as written, `end` as a moment if it is one. */
type Period = { moment: Moment | undefined; to: string | undefined; end: Moment | undefined }

export type MomentReader = {
  /** Of DTSTART and DTEND. */
  moment(property: Property): Moment | undefined
  /** Of a list of dates; undefined for each that cannot be read. */
  listed(property: Property): (Moment | undefined)[]
  periods(property: Property): Period[]
  /** The last moment by the wall clock of the start; a date takes its whole day in. */
  wallUntil(until: Stamp, start: Moment): number
}

/**
 * `isWholeDay`: Exchange writes days as times from midnight to midnight, and says so beside. Then a local time means the day that it
 * names, and a time in UTC is a moment: it means the day that it falls on in the calendar's zone.
 */
export function openMomentReader(zones: Zones, isWholeDay: boolean): MomentReader {
  const dateOf = (wallMs: number): Moment => ({
    ...{ wallMs: Math.floor(wallMs / dayMs) * dayMs, isDate: true },
    ...{ zone: zones.calendar, written: 'floating' },
  })

  function momentIn(stamp: Stamp | undefined, zoneName: string | undefined): Moment | undefined {
    if (!stamp) return undefined
    const { wallMs, offsetMs } = stamp
    if (stamp.isDate) return dateOf(wallMs)
    if (offsetMs !== undefined) {
      const moment = { wallMs, isDate: false, zone: fixedZone(offsetMs) }
      return { ...moment, written: offsetMs === 0 ? 'utc' : 'zoned' }
    }
    const written = zoneName === undefined ? 'floating' : 'zoned'
    return { wallMs, isDate: false, zone: zones.find(zoneName), written }
  }

  const dayOf = (moment: Moment): Moment =>
    dateOf((moment.written === 'utc' ? toWall(zones.calendar, utcOf(moment)) : moment.wallMs) + nearlyMs)
  const asDay = (moment: Moment | undefined): Moment | undefined =>
    isWholeDay && moment?.written === 'utc' ? dayOf(moment) : moment

  return {
    moment(property) {
      const { times, zoneName, isDate } = listedTimes(property)
      const moment = momentIn(parseStamp(times[0]!, isDate), zoneName)
      return isWholeDay && moment ? dayOf(moment) : moment
    },
    listed(property) {
      const { times, zoneName, isDate } = listedTimes(property)
      return withoutEmpty(times).map((time) => asDay(momentIn(parseStamp(time, isDate), zoneName)))
    },
    periods(property) {
      const { times, zoneName, isDate } = listedTimes(property)
      return withoutEmpty(times).map((time) => {
        const [from, to] = time.split('/')
        const moment = asDay(momentIn(parseStamp(from!, isDate), zoneName))
        return { moment, to, end: to === undefined ? undefined : momentIn(parseStamp(to), zoneName) }
      })
    },
    wallUntil(until, start) {
      const isMidnight = until.wallMs % dayMs === 0
      if (until.isDate || (start.isDate && isMidnight)) return Math.floor(until.wallMs / dayMs) * dayMs + dayMs - 1
      if (until.offsetMs === undefined) return until.wallMs
      return toWall(start.isDate ? zones.calendar : start.zone, until.wallMs - until.offsetMs)
    },
  }
}

/** `EXDATE:` and a comma at the end say nothing. */
const withoutEmpty = (times: readonly string[]): string[] => times.filter((time) => time.trim() !== '')
