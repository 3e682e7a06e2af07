// Requests of the form and of the mouse. Pure.
import type { AgentCalendar } from '../../clients/typescript/src/entry.ts'
import { dayStart } from '../parts/days.ts'
import { metadataOf } from '../parts/metadata.ts'
import { momentText as momentOfWall } from '../parts/wallTimes.ts'
import { minutesOf } from '../screens/calendars/minutes.ts'
import type { OtherTime } from '../service/refusal.ts'
import { isDate } from './dates.ts'
import { changedDetails, givenDetails } from './details.ts'
import { later, minutesBetween, type Point, type Stretch } from './drag.ts'
import { endOfHold } from './holds.ts'
import { ruleOf } from './recurrence.ts'
import { type EventValues, isWhole, stretchOf, timeText, withStretch } from './values.ts'

type Events = AgentCalendar['events']
type CreateEventBody = Parameters<Events['create']>[1]
export type UpdateEventBody = Parameters<Events['updateById']>[1]

/** A time of the wall clock goes to the service with its zone. Whether clocks have it is decided there. */
function momentText(date: string, time: string, zone: string, exact: EventValues['exact'] = {}): string {
  const wall = `${date}T${time}`
  return exact[wall] ?? (isDate(date) ? momentOfWall(wall, zone) : wall)
}

const pointText = (point: Point, zone: string) => {
  const { date, minute } = later(point, 0)
  return momentText(date, timeText(minute), zone)
}

/** A drag of the end keeps the start. */
export function stretchBody(
  { start, end }: Stretch,
  before: Stretch,
  zone: string,
  isAllDay: boolean,
): UpdateEventBody {
  const at = (point: Point) => (isAllDay ? dayStart(point.date, zone) : pointText(point, zone))
  return { ...(minutesBetween(before.start, start) !== 0 && { start_time: at(start) }), end_time: at(end) }
}

/** The last of whole days is included; the service wants the moment when they are over. */
function timesOf(values: EventValues, zone: string, home: string): { start_time: string; end_time: string } {
  const { all_day, start_date, start_time, end_date, end_time, exact } = values
  const dayOf = (date: string, later = 0) => (isDate(date) ? dayStart(date, home, later) : date)
  if (all_day) return { start_time: dayOf(start_date), end_time: dayOf(end_date, 1) }
  return {
    start_time: momentText(start_date, start_time, zone, exact),
    end_time: momentText(end_date, end_time, zone, exact),
  }
}

/** Days of whole days are those of the calendar. */
const rdatesOf = ({ recurrence_rdates, exact, all_day }: EventValues, zone: string, home: string): string[] =>
  recurrence_rdates.map(({ at }) => exact[at] ?? momentOfWall(at, all_day ? home : zone))

const remindersOf = (text: string) => (text.trim() === '' ? null : minutesOf(text))

export function createBody(values: EventValues, zone: string, home: string, now: number): CreateEventBody {
  const { title, description, all_day, status, require_free, reminders, recurrence_timezone, metadata } = values
  const recurrence_rule = ruleOf(values)
  const recurrence_rdates = rdatesOf(values, zone, home)
  return {
    ...{ title, all_day, status, ...timesOf(values, zone, home) },
    ...(description && { description }),
    ...givenDetails(values),
    ...(reminders.trim() && { reminders: minutesOf(reminders) }),
    ...(require_free && { require_free }),
    ...(metadata.trim() && { metadata: metadataOf(metadata) }),
    ...(recurrence_rule && {
      ...{ recurrence_rule, recurrence_timezone: recurrence_timezone || null },
      ...(recurrence_rdates.length > 0 && { recurrence_rdates }),
    }),
    ...(status === 'hold' && {
      hold_expires_at: endOfHold(values.hold_minutes, now),
      hold_priority: Number(values.hold_priority),
    }),
  }
}

const timeFields = ['all_day', 'start_date', 'start_time', 'end_date', 'end_time', 'exact'] as const
const ruleFields = ['repeat', 'occurrences', 'recurrence_rule', 'recurrence_timezone'] as const

type Update = {
  changed: Partial<EventValues>
  values: EventValues
  before: EventValues
  /** Of the whole series, if all of it is changed: it moves by as much as the occurrence that the form shows. */
  whole: EventValues | undefined
  zone: string
  home: string
}

/** Only what was changed. */
export function updateBody({ changed, values, before, whole, zone, home }: Update): UpdateEventBody {
  const { title, description, status, reminders, require_free, all_day, metadata, recurrence_rdates } = changed
  const rule = ruleOf(values)
  const timed =
    whole && isWhole(values)
      ? withStretch(
          values,
          movedSeries(stretchOf(before), stretchOf(values), stretchOf({ ...whole, all_day: before.all_day })),
        )
      : values
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description: description || null }),
    ...changedDetails(changed, values),
    ...(status !== undefined && status !== 'hold' && { status }),
    ...(reminders !== undefined && { reminders: remindersOf(reminders) }),
    ...(metadata !== undefined && { metadata: metadataOf(metadata) }),
    ...(recurrence_rdates && rule && { recurrence_rdates: rdatesOf(values, zone, home) }),
    ...(require_free && { require_free }),
    ...(all_day !== undefined && { all_day }),
    ...(timeFields.some((name) => name in changed) && timesOf(timed, zone, home)),
    ...(ruleFields.some((name) => name in changed) && {
      recurrence_rule: rule ?? null,
      ...(rule && zoneOfRule(values)),
    }),
  }
}

const zoneOfRule = ({ recurrence_timezone }: EventValues) => ({
  recurrence_timezone: recurrence_timezone && recurrence_timezone !== 'UTC' ? recurrence_timezone : null,
})

/** A whole series moves by as much as the occurrence that a person moved, and lasts as long. */
export function movedSeries(before: Stretch, after: Stretch, series: Stretch): Stretch {
  const start = later(series.start, minutesBetween(before.start, after.start))
  return { start, end: later(start, minutesBetween(after.start, after.end)) }
}

/** A time that the service offers for a move. Another start takes the end along, so that the event lasts as long. */
export function exactOf(time: OtherTime, { start, end }: Stretch): { start_time?: string; end_time?: string } {
  if (!('at' in time)) return { start_time: time.start, end_time: time.end }
  if (time.param !== 'start_time') return { end_time: time.at }
  const startMs = Date.parse(time.at.replace(/\[.*$/, ''))
  return { start_time: time.at, end_time: new Date(startMs + minutesBetween(start, end) * 60_000).toISOString() }
}
