// Refuses availability rules that are well-formed but make no sense. Pure.
import { minutesSinceMidnight, type WorkingHours, weekdays } from './hours.ts'
import { maxBufferMinutes, type RulesBody } from './schema.ts'

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
  if (weekdays.every((weekday) => !hours[weekday])) {
    return { param, message: `${param} names no day; send null for no restriction` }
  }
  const upsideDown = weekdays.find((weekday) => hours[weekday] && !endsAfterStart(hours[weekday]))
  return upsideDown && { param: `${param}.${upsideDown}.end`, message: `${upsideDown}: end must be after start` }
}

const endsAfterStart = ({ start, end }: { start: string; end: string }) =>
  minutesSinceMidnight(end) > minutesSinceMidnight(start)
