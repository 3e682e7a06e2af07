// The rules of a calendar besides its buffers and its weekly hours, as they are stored: without the labels, which are sealed.
import type { Uuid } from '../shapes/ids.ts'
import type { DateHours, TimeOff } from './closings.ts'

/** Keys that are not set are missing. */
export type MoreRules = {
  dates?: readonly DateHours[]
  time_off?: readonly TimeOff[]
  holiday_subscription_ids?: readonly Uuid[]
  max_meetings_per_day?: number
  max_busy_minutes_per_day?: number
}
