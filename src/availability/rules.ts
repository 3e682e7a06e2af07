// Refuses availability rules that are well-formed but make no sense. Pure.
import { isoTime } from '../shapes/datetimes.ts'
import type { Uuid } from '../shapes/ids.ts'
import { minutesSinceMidnight, stretchesOf, type WorkingHours, weekdays } from './hours.ts'
import type { MoreRules } from './moreRules.ts'
import { maxBufferMinutes, type RulesBody } from './schema.ts'

type Weekday = (typeof weekdays)[number]
type Refusal = { param: string; message: string }

export function refuseRules(body: RulesBody): Refusal | undefined {
  for (const param of ['buffer_before_minutes', 'buffer_after_minutes'] as const) {
    if (body[param] < 0 || body[param] > maxBufferMinutes) {
      return { param, message: `${param} must be 0 to ${maxBufferMinutes}` }
    }
  }
  const hours = body.working_hours ? refuseHours(body.working_hours, 'working_hours') : undefined
  return hours ?? refuseDates(body.dates ?? []) ?? refuseTimeOff(body.time_off ?? [])
}

/** Ranges may come in any order, and no day may be in two of them. */
function refuseDates(dates: NonNullable<RulesBody['dates']>): Refusal | undefined {
  for (const [nth, { from, to = from, hours }] of dates.entries()) {
    if (to < from) return { param: `dates.${nth}.to`, message: 'to must not be before from' }
    const refusal = refuseDay([...hours], from, `dates.${nth}.hours`)
    if (refusal) return refusal
  }
  const ascending = dates.map((range, nth) => ({ ...range, nth })).sort((a, b) => compare(a.from, b.from))
  for (const [place, { from, nth }] of ascending.entries()) {
    const before = ascending[place - 1]
    if (!before || (before.to ?? before.from) < from) continue
    const later = Math.max(nth, before.nth)
    return { param: `dates.${later}.from`, message: `${from} is in two of the ranges` }
  }
  return undefined
}

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b)

function refuseTimeOff(timeOff: NonNullable<RulesBody['time_off']>): Refusal | undefined {
  const nth = timeOff.findIndex(({ start, end }) => end <= start)
  return nth < 0 ? undefined : { param: `time_off.${nth}.end`, message: 'end must be after start' }
}

/** Null: none of them is set. An empty list counts as not set. */
export function moreOf(body: RulesBody, holidays: readonly Uuid[]): MoreRules | null {
  const { dates = [], time_off = [], max_meetings_per_day: meetings, max_busy_minutes_per_day: minutes } = body
  const more: MoreRules = {
    ...(dates.length > 0 && { dates: dates.map(({ label: _, ...range }) => range) }),
    ...(time_off.length > 0 && {
      time_off: time_off.map(({ start, end }) => ({ start: isoTime(start), end: isoTime(end) })),
    }),
    ...(holidays.length > 0 && { holiday_subscription_ids: holidays }),
    ...(meetings !== undefined && { max_meetings_per_day: meetings }),
    ...(minutes !== undefined && { max_busy_minutes_per_day: minutes }),
  }
  return Object.keys(more).length > 0 ? more : null
}

/** `param` is the field that holds them. */
export function refuseHours(hours: WorkingHours, param: string): Refusal | undefined {
  if (weekdays.every((weekday) => stretchesOf(hours[weekday]).length === 0)) {
    return { param, message: `${param} names no day; send null for no restriction` }
  }
  for (const weekday of weekdays) {
    const path = `${param}.${weekday}`
    const refusal = refuseDay(hours[weekday], weekday, path)
    if (refusal) return refusal
  }
  return undefined
}

function refuseDay(day: WorkingHours[Weekday], name: string, path: string): Refusal | undefined {
  const isList = Array.isArray(day)
  let closedAt = 0
  for (const [nth, { start, end }] of stretchesOf(day).entries()) {
    const at = isList ? `${path}.${nth}` : path
    const [from, to] = [minutesSinceMidnight(start), minutesSinceMidnight(end)]
    if (to <= from) return { param: `${at}.end`, message: `${name}: end must be after start` }
    if (from < closedAt) {
      return { param: `${at}.start`, message: `${name}: stretches must be in order and must not overlap` }
    }
    closedAt = to
  }
  return undefined
}
