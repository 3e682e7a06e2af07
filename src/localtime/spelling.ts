// How local time is written: English, Gregorian, 24 hours. Wall times count like UTC, in milliseconds from 1970.
import { firstDayOfMonth, monthOfDay, weekdayOf } from '../recurrence/civil.ts'
import { timesOfDay } from '../shapes/datetimes.ts'
import { dayMs, minuteMs } from '../shapes/durations.ts'
import { offsetAt } from './offsets.ts'

/** In week order: the index is the weekday's number, and the week begins on Monday. */
export const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
export type WeekdayName = (typeof weekdayNames)[number]

const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]

const twoDigits = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'))

/** Days since 1970-01-01. */
export const dayOf = (wallMs: number): number => Math.floor(wallMs / dayMs)

export const weekdayName = (day: number): WeekdayName => weekdayNames[weekdayOf(day)]!

/** `2026-12-01`. */
export function isoDate(day: number): string {
  const month = monthOfDay(day)
  const year = Math.floor(month / 12)
  return `${isoYear(year)}-${twoDigits[(month % 12) + 1]}-${twoDigits[day - firstDayOfMonth(month) + 1]}`
}

/** A zone shows the year 10000 while UTC still has 9999. */
export const isoYear = (year: number): string =>
  year > 9_999 ? `+${String(year).padStart(6, '0')}` : String(year).padStart(4, '0')

/** `Tuesday 1 December 2026`. */
function longDate(day: number): string {
  const month = monthOfDay(day)
  return `${weekdayName(day)} ${day - firstDayOfMonth(month) + 1} ${monthNames[month % 12]} ${Math.floor(month / 12)}`
}

/** `Tue 1 Dec 2026`. */
export function shortDate(day: number): string {
  const month = monthOfDay(day)
  const name = monthNames[month % 12]!.slice(0, 3)
  const year = String(Math.floor(month / 12)).padStart(4, '0')
  return `${weekdayName(day).slice(0, 3)} ${day - firstDayOfMonth(month) + 1} ${name} ${year}`
}

type Day = { readonly weekday: WeekdayName; readonly date: string; readonly long: string }

/** The times of a list lie on few days. */
const days = new Map<number, Day>()
const maxDays = 4_000

export function spelledDay(day: number): Day {
  const known = days.get(day)
  if (known) return known
  const spelled = { weekday: weekdayName(day), date: isoDate(day), long: longDate(day) }
  if (days.size >= maxDays) days.clear()
  days.set(day, spelled)
  return spelled
}

/** `10:00`; seconds and milliseconds only where there are any. */
export function shortTime(wallMs: number): string {
  const ofDay = wallMs - dayOf(wallMs) * dayMs
  return ofDay % minuteMs === 0 ? hoursAndMinutes(ofDay) : hoursAndMinutes(ofDay) + seconds(ofDay)
}

/** `10:00`, whatever the seconds are. */
export const clockTime = (wallMs: number): string => hoursAndMinutes(wallMs - dayOf(wallMs) * dayMs)

const hoursAndMinutes = (ofDay: number): string => timesOfDay[Math.floor(ofDay / minuteMs)]!

/** `:00` or `:00.500`. */
function seconds(ofDay: number): string {
  const ms = ofDay % 1000
  const whole = `:${twoDigits[Math.floor((ofDay % minuteMs) / 1000)]}`
  return ms === 0 ? whole : `${whole}.${String(ms).padStart(3, '0')}`
}

/** Offsets that were asked for: there are some hundreds, mean times included. */
const offsets = new Map<number, string>()

/** `+01:00`; with seconds where a place keeps its own mean time, in Liberia up to 1972. */
export function isoOffset(offsetMs: number): string {
  const known = offsets.get(offsetMs) ?? spellOffset(offsetMs)
  offsets.set(offsetMs, known)
  return known
}

function spellOffset(offsetMs: number): string {
  const size = Math.abs(offsetMs)
  const text = `${offsetMs < 0 ? '-' : '+'}${hoursAndMinutes(size)}`
  return size % minuteMs === 0 ? text : text + seconds(size)
}

/** `2026-12-01T10:00:00`. */
export function isoWallTime(wallMs: number): string {
  const ofDay = wallMs - dayOf(wallMs) * dayMs
  return `${isoDate(dayOf(wallMs))}T${hoursAndMinutes(ofDay)}${seconds(ofDay)}`
}

/** RFC 9557: `2026-12-01T10:00:00+01:00[Europe/Berlin]`. */
export function zonedTime(ms: number, zone: string): string {
  const offsetMs = offsetAt(zone, ms)
  return `${isoWallTime(ms + offsetMs)}${isoOffset(offsetMs)}[${zone}]`
}
