// When a new event is, unless a person says so. Pure.
import { later, type Stretch } from './drag.ts'

const workBegins = 9 * 60
const usualMinutes = 30

/** The next full half hour of today, if today is shown; else the morning of the first day. */
export function suggested(now: { date: string; minute: number }, days: readonly string[]): Stretch {
  const start = days.includes(now.date)
    ? later({ date: now.date, minute: (Math.floor(now.minute / usualMinutes) + 1) * usualMinutes }, 0)
    : { date: days[0]!, minute: workBegins }
  return { start, end: later(start, usualMinutes) }
}
