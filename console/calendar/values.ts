// An event between the service and the form, which has dates and times of the zone of the screen. Pure.
import type { EventInstance } from '../../clients/typescript/src/entry.ts'
import { metadataText } from '../parts/metadata.ts'
import { minutesText } from '../screens/calendars/minutes.ts'
import type { OtherTime } from '../service/refusal.ts'
import { addDays, clockAt, isDate, minutesOfDay } from './dates.ts'
import { type Details, detailsOf, noDetails } from './details.ts'
import { later, minutesBetween, type Point, type Stretch, stepMinutes } from './drag.ts'
import type { Repeat } from './recurrence.ts'

export type EventValues = Details & {
  title: string
  description: string
  calendar: string
  all_day: boolean
  start_date: string
  start_time: string
  end_date: string
  end_time: string
  /** Moments by the times that the form shows for them: clocks may show one time twice. */
  exact: Record<string, string>
  status: 'confirmed' | 'tentative' | 'hold'
  hold_minutes: string
  hold_priority: string
  require_free: boolean
  reminders: string
  repeat: Repeat
  occurrences: string
  recurrence_rule: string
  recurrence_timezone: string
  recurrence_rdates: readonly FurtherDate[]
  metadata: string
}

/** A start beside those of the rule. */
type FurtherDate = { at: string }
export const noFurtherDate: FurtherDate = { at: '' }

const two = (count: number) => String(count).padStart(2, '0')
export const timeText = (minute: number): string => `${two(Math.floor(minute / 60))}:${two(Math.floor(minute % 60))}`

const wallText = ({ date, minute }: Point) => `${date}T${timeText(minute)}`

export const newValues = ({ start, end }: Stretch, calendar: string, zone: string): EventValues => ({
  ...noDetails,
  ...{ title: '', description: '', calendar, all_day: false, exact: {} },
  ...{ start_date: start.date, start_time: timeText(start.minute) },
  ...{ end_date: end.date, end_time: timeText(end.minute) },
  ...{ status: 'confirmed', hold_minutes: '10', hold_priority: '0', require_free: false, reminders: '' },
  ...{ repeat: 'never', occurrences: '', recurrence_rule: '', recurrence_timezone: zone },
  ...{ recurrence_rdates: [], metadata: '' },
})

/** `zone` of the screen, `home` of the calendar, whose days the whole days are. */
export function valuesOf(event: EventInstance, zone: string, home: string): EventValues {
  const at = (text: string, back = 0) => clockAt(Date.parse(text) - back, event.allDay ? home : zone)
  const [start, end] = [at(event.startTime), at(event.endTime, event.allDay ? 1 : 0)]
  const rdates = (event.recurrenceRdates ?? []).map((text) => [wallText(at(text)), text] as const)
  return {
    ...newValues({ start, end }, event.calendarId, event.recurrenceTimezone ?? 'UTC'),
    ...detailsOf(event),
    ...{ title: event.title, description: event.description ?? '', all_day: event.allDay },
    ...(event.allDay
      ? { start_time: '09:00', end_time: '10:00' }
      : {
          exact: {
            ...Object.fromEntries(rdates),
            ...{ [wallText(start)]: event.startTime, [wallText(end)]: event.endTime },
          },
        }),
    status: event.status === 'tentative' ? 'tentative' : 'confirmed',
    reminders: minutesText(event.reminders),
    metadata: metadataText(event.metadata),
    recurrence_rdates: rdates.map(([at]) => ({ at })),
    ...(event.recurrenceRule && { repeat: 'custom', recurrence_rule: event.recurrenceRule }),
  }
}

/** The times of the form on its wall clock. */
export function stretchOf({ all_day, start_date, start_time, end_date, end_time }: EventValues): Stretch {
  if (all_day) return { start: { date: start_date, minute: 0 }, end: { date: addDays(end_date, 1), minute: 0 } }
  return {
    start: { date: start_date, minute: minuteOf(start_time) },
    end: { date: end_date, minute: minuteOf(end_time) },
  }
}

export function withStretch(values: EventValues, { start, end }: Stretch): EventValues {
  if (values.all_day) return { ...values, start_date: start.date, end_date: addDays(end.date, -1) }
  return {
    ...{ ...values, exact: {} },
    ...{ start_date: start.date, start_time: timeText(start.minute) },
    ...{ end_date: end.date, end_time: timeText(end.minute) },
  }
}

function minuteOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number)
  return (hours ?? 0) * 60 + (minutes ?? 0)
}

/** An event of one day stays one. A start that comes to stand at the end or after it takes the end along. */
export function adjusted(given: EventValues, before: EventValues, change: Partial<EventValues>): EventValues {
  if (!('start_date' in change || 'start_time' in change)) return given
  const isOfOneDay = before.end_date === before.start_date && !('end_date' in change)
  const next = isOfOneDay ? { ...given, end_date: given.start_date } : given
  if (!isWhole(next)) return next
  const [now, was] = [stretchOf(next), stretchOf(before)]
  if (minutesBetween(now.start, now.end) > 0) return next
  const length = isWhole(before) ? minutesBetween(was.start, was.end) : 0
  const minutes = Math.max(length, next.all_day ? minutesOfDay : stepMinutes)
  return { ...withStretch(next, { start: now.start, end: later(now.start, minutes) }), exact: next.exact }
}

export const isWhole = ({ start_date, start_time, end_date, end_time }: EventValues) =>
  isDate(start_date) && isDate(end_date) && start_time !== '' && end_time !== ''

/** A time that the service offers: a stretch, or a moment that only it can tell from another one of the same name. */
export function withOtherTime(values: EventValues, time: OtherTime, zone: string): Partial<EventValues> {
  if (!('at' in time)) {
    const [start, end] = [clockAt(Date.parse(time.start), zone), clockAt(Date.parse(time.end), zone)]
    return withStretch({ ...values, all_day: false }, { start, end })
  }
  const at = clockAt(Date.parse(time.at.replace(/\[.*$/, '')), zone)
  const text = timeText(at.minute)
  const exact = { ...values.exact, [`${at.date}T${text}`]: time.at }
  return time.param.startsWith('end')
    ? { exact, end_date: at.date, end_time: text }
    : { exact, start_date: at.date, start_time: text }
}
