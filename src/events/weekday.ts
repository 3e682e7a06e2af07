// The weekday that a caller sends with an event: a checksum of the start.
import { invalidTime } from '../errors.ts'
import type { WeekdayName } from '../localtime/spelling.ts'
import { checkWeekday } from '../localtime/weekday.ts'

type SentWeekday = { weekday?: WeekdayName | undefined; start_zone?: string | undefined }

/** `zone`: the calendar's, which counts unless the start was sent with a zone of its own. */
export function requireWeekday({ weekday, start_zone }: SentWeekday, start: Date, zone: string): void {
  const refusal = weekday && checkWeekday(weekday, start, start_zone ?? zone)
  if (refusal) throw invalidTime(refusal, 'weekday')
}
