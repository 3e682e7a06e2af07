// Refuses availability rules that are well-formed but make no sense. Pure.
import { minutesSinceMidnight, stretchesOf, type WorkingHours, weekdays } from './hours.ts'
import { maxBufferMinutes, type RulesBody } from './schema.ts'

type Weekday = (typeof weekdays)[number]
type Refusal = { param: string; message: string }

export function refuseRules(body: RulesBody): Refusal | undefined {
  for (const param of ['buffer_before_minutes', 'buffer_after_minutes'] as const) {
    if (body[param] < 0 || body[param] > maxBufferMinutes) {
      return { param, message: `${param} must be 0 to ${maxBufferMinutes}` }
    }
  }
  return body.working_hours ? refuseHours(body.working_hours, 'working_hours') : undefined
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

function refuseDay(day: WorkingHours[Weekday], weekday: Weekday, path: string): Refusal | undefined {
  const isList = Array.isArray(day)
  let closedAt = 0
  for (const [nth, { start, end }] of stretchesOf(day).entries()) {
    const at = isList ? `${path}.${nth}` : path
    const [from, to] = [minutesSinceMidnight(start), minutesSinceMidnight(end)]
    if (to <= from) return { param: `${at}.end`, message: `${weekday}: end must be after start` }
    if (from < closedAt) {
      return { param: `${at}.start`, message: `${weekday}: stretches must be in order and must not overlap` }
    }
    closedAt = to
  }
  return undefined
}
