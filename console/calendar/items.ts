// Events as the calendar shows them: on which days, from which minute to which, and under which name. Pure.
import type { EventInstance } from '../../clients/typescript/src/entry.ts'
import { type Shown, span } from '../parts/times.ts'
import { eventParam } from './address.ts'
import { clockAt, fullDays, minutesOfDay, wallAt } from './dates.ts'
import { later, type Stretch } from './drag.ts'

export type ShownCalendar = { id: string; name: string; timezone: string; hue: number }

/** New times that are not those of the record yet. */
export type Times = { startMs: number; endMs: number }

export type Item = Times & {
  key: string
  event: EventInstance
  calendar: ShownCalendar
  isAllDay: boolean
  /** The first day and the last one, with the minutes from which and to which. */
  first: { date: string; minute: number }
  last: { date: string; minute: number }
  name: string
  times: string
}

type Words = { states: Record<State, string>; series: string; allDay: string }
type State = 'confirmed' | 'tentative' | 'hold' | 'imported'

export const isImported = (event: EventInstance): boolean => event.source === 'external_ical'
export const isSeries = (event: EventInstance): boolean => event.recurringEventId !== undefined
export const stateOf = (event: EventInstance): State =>
  isImported(event) ? 'imported' : (event.status as Exclude<State, 'imported'>)
/** The service takes changes of it. */
export const canMove = ({ event }: Item): boolean => !isImported(event) && event.status !== 'hold'

export const keyOf = ({ id, originalStartTime }: EventInstance): string =>
  eventParam({ id, ...(originalStartTime && { original: originalStartTime }) })

export function itemOf(
  event: EventInstance,
  calendar: ShownCalendar,
  shown: Shown,
  words: Words,
  moved: Times = { startMs: Date.parse(event.startTime), endMs: Date.parse(event.endTime) },
): Item {
  const { startMs, endMs } = moved
  // A whole day is a day of its calendar, wherever it is looked at.
  const zone = event.allDay ? calendar.timezone : shown.timezone
  const first = clockAt(startMs, zone)
  const last = lastOf(first, startMs, endMs, zone)
  const text = span(new Date(startMs).toISOString(), new Date(endMs).toISOString(), shown)
  const when = event.allDay ? `${fullDays(first.date, last.date)}, ${words.allDay}` : text
  const state = words.states[stateOf(event)] + (isSeries(event) ? `, ${words.series}` : '')
  return {
    ...{ key: keyOf(event), event, calendar, startMs, endMs, isAllDay: event.allDay, first, last },
    name: `${event.title}, ${state}, ${when}, ${calendar.name}`,
    times: event.allDay ? words.allDay : text.slice(text.indexOf(', ') + 2),
  }
}

/** An end at midnight belongs to the day before. Where clocks go back, an end may show an earlier time than the start. */
function lastOf(first: Item['first'], startMs: number, endMs: number, zone: string): Item['last'] {
  const end = clockAt(endMs, zone)
  const from = wallAt(first.date, first.minute)
  const wall = wallAt(end.date, end.minute)
  const to = wall > from ? wall : from + endMs - startMs
  const { date } = clockAt(to - 1, 'UTC')
  return { date, minute: (to - wallAt(date, 0)) / 60_000 }
}

/** Where it stands on its wall clock. */
export const stretchOfItem = ({ first, last }: Item): Stretch => ({ start: first, end: later(last, 0) })

/** The clock that its days are counted by. */
export const zoneOf = ({ isAllDay, calendar }: Item, zone: string): string => (isAllDay ? calendar.timezone : zone)

export type Segment = { item: Item; from: number; to: number }

const inOrder = (a: Segment, b: Segment) => a.from - b.from || b.to - a.to || (a.item.key < b.item.key ? -1 : 1)

/** The parts of events on one day, in their order. */
export function segmentsOn(items: readonly Item[], date: string): Segment[] {
  return items
    .filter(({ first, last }) => first.date <= date && date <= last.date)
    .map((item) => ({
      item,
      from: item.first.date === date ? item.first.minute : 0,
      to: item.last.date === date ? item.last.minute : minutesOfDay,
    }))
    .sort(inOrder)
}

/** It was deleted on the screen; the service may have it still. */
export const isGone = (gone: ReadonlySet<string>, { key, event: { id, originalStartTime } }: Item): boolean =>
  gone.has(key) ||
  gone.has(id) ||
  [...gone].some((one) => one.startsWith(`${id}@from@`) && originalStartTime! >= one.slice(`${id}@from@`.length))

/** Those from one occurrence of a series on. */
export const fromOn = ({ id, originalStartTime }: EventInstance): string => `${id}@from@${originalStartTime}`
