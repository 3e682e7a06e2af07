// Datetimes on the wire: ISO 8601 with an offset, as the service answers them. `localtime/` reads the times of callers.
import { z } from 'zod'
import { dayMs, minuteMs } from './durations.ts'

const datetimePattern =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d{2})(?::?(\d{2}))?)$/

const earliest = Date.parse('0001-01-01T00:00:00.000Z')
const latest = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * ISO 8601 with an offset or Z, to the millisecond; undefined for anything else, impossible dates included
 * (`Date` alone turns 30 February into 2 March).
 */
export function parseDatetime(text: string): Date | undefined {
  const match = datetimePattern.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second = '0', fraction = '', sign, offsetHour = '0', offsetMinute = '0'] =
    match
  const wall = new Date(0)
  wall.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  wall.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.slice(0, 3).padEnd(3, '0')))
  const isReal =
    wall.getUTCMonth() === Number(month) - 1 &&
    wall.getUTCDate() === Number(day) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60 &&
    Number(offsetHour) < 24 &&
    Number(offsetMinute) < 60
  if (!isReal) return undefined
  const offsetMs = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60_000 * (sign === '-' ? -1 : 1)
  const at = wall.getTime() - offsetMs
  return at < earliest || at > latest ? undefined : new Date(at)
}

/** A datetime the service answers with: always UTC with milliseconds. */
export const timestamp = z.iso.datetime().meta({ example: '2026-12-01T09:00:00.000Z' })
export const laterTimestamp = timestamp.meta({ example: '2026-12-01T10:00:00.000Z' })

const padded = (count: number, length: number) =>
  Array.from({ length: count }, (_, nth) => String(nth).padStart(length, '0'))
/** `10:00`, by minute of the day. */
export const timesOfDay: readonly string[] = padded(24, 2).flatMap((hour) =>
  padded(60, 2).map((minute) => `${hour}:${minute}`),
)
const wholeMinutes = timesOfDay.map((time) => `${time}:00.000Z`)
/** By second of the minute, and by millisecond of the second. */
const seconds = padded(60, 2).map((second) => `:${second}.`)
const milliseconds = padded(1000, 3).map((millisecond) => `${millisecond}Z`)

/** The days that were written before, by their number since 1970: `2026-12-01T`. Most answers are about the same few. */
const days = new Map<number, string>()
const maxDays = 4_000

function textOfDay(day: number): string {
  const known = days.get(day)
  if (known !== undefined) return known
  if (days.size >= maxDays) days.clear()
  const text = new Date(day * dayMs).toISOString().slice(0, -'00:00:00.000Z'.length)
  days.set(day, text)
  return text
}

/** `toISOString` of an epoch time in whole ms, in a sixth of its time: an answer may hold 70,000. Throws a RangeError if it is NaN. */
export function isoTimeOf(ms: number): string {
  const day = Math.floor(ms / dayMs)
  const ofDay = ms - day * dayMs
  const minute = Math.floor(ofDay / minuteMs)
  const ofMinute = ofDay - minute * minuteMs
  if (ofMinute === 0) return textOfDay(day) + wholeMinutes[minute]
  const second = Math.floor(ofMinute / 1000)
  return textOfDay(day) + timesOfDay[minute] + (seconds[second]! + milliseconds[ofMinute - second * 1000])
}

export const isoTime = (at: Date): string => isoTimeOf(at.getTime())
export const isoTimeOrNull = (at: Date | null): string | null => (at === null ? null : isoTime(at))
