// Two days of the address as the moments that the API filters by. Pure.
import { dayEnd, dayStart } from './days.ts'

const isDay = (text: string | undefined): text is string => /^\d{4}-\d\d-\d\d$/.test(text ?? '')

/** The last day is part of the window; the end of the API is inclusive. */
export function windowOf({ from, to }: { from?: string; to?: string }, timezone: string) {
  return {
    ...(isDay(from) && { from: dayStart(from, timezone) }),
    ...(isDay(to) && { to: dayEnd(to, timezone) }),
  }
}
