import type { EventInstance } from '../../clients/typescript/src/entry.ts'
import { span } from '../parts/times.ts'
import { settings } from '../state/settings.ts'
import { texts } from '../texts.ts'
import { clockAt, fullDays } from './dates.ts'

/** When an event happens, in words. `home`: the zone whose days whole days are. */
export function whenText(event: EventInstance, zone: string, home: string): string {
  if (!event.allDay) return span(event.startTime, event.endTime, { ...settings.get(), timezone: zone })
  const first = clockAt(Date.parse(event.startTime), home).date
  const last = clockAt(Date.parse(event.endTime) - 1, home).date
  return `${fullDays(first, last)}, ${texts.inWords.allDay}`
}
