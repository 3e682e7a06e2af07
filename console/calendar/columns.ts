// The columns of a view: for each day one, or one for each calendar of it. Pure.
import { dayName } from './dates.ts'
import type { Item, Segment, ShownCalendar } from './items.ts'
import { segmentsOn } from './items.ts'
import type { Column } from './keys.ts'
import { type Layout, layOut } from './layout.ts'

export type DayColumn = {
  id: string
  date: string
  name: string
  /** Only where each calendar has its own. */
  calendar: ShownCalendar | undefined
  allDay: readonly Segment[]
  timed: readonly Segment[]
  layout: Layout<Segment>
}

type Names = (day: string, calendar: string) => string

/** A column that shows the same as one `before` is that one, so that it need not be drawn again. */
export function columnsOf(
  items: readonly Item[],
  days: readonly string[],
  calendars: readonly ShownCalendar[] | undefined,
  nameOf: Names,
  before: readonly DayColumn[] = [],
): DayColumn[] {
  const known = new Map(before.map((column) => [column.id, column]))
  const make = (date: string, calendar: ShownCalendar | undefined, name: string, day: Segment[]) => {
    const was = known.get(calendar ? `${date}/${calendar.id}` : date)
    return was && was.name === name && was.calendar === calendar && isSameDay(was, day)
      ? was
      : columnOf(date, calendar, name, day)
  }
  return days.flatMap((date) => {
    const day = segmentsOn(items, date)
    if (!calendars) return [make(date, undefined, dayName(date), day)]
    return calendars.map((calendar) => {
      const own = day.filter(({ item }) => item.calendar.id === calendar.id)
      return make(date, calendar, nameOf(dayName(date), calendar.name), own)
    })
  })
}

function isSameDay({ allDay, timed }: DayColumn, day: readonly Segment[]): boolean {
  if (allDay.length + timed.length !== day.length) return false
  const items = new Set([...allDay, ...timed].map(({ item }) => item))
  return day.every(({ item }) => items.has(item))
}

function columnOf(date: string, calendar: ShownCalendar | undefined, name: string, segments: Segment[]): DayColumn {
  const timed = segments.filter(({ item }) => !item.isAllDay)
  return {
    ...{ id: calendar ? `${date}/${calendar.id}` : date, date, name, calendar, timed },
    allDay: segments.filter(({ item }) => item.isAllDay),
    layout: layOut(timed),
  }
}

/** The parts of one event have keys of their own in each column. */
export const tileKey = (item: string, column: string): string => `${item}#${column}`
export const itemKey = (tile: string): string => tile.slice(0, tile.indexOf('#'))
export const moreKey = (at: number, column: string): string => `more@${at}#${column}`

const ways = new WeakMap<DayColumn, Column>()

/** The way of the arrows: whole days first, then by time. */
export function navigated(column: DayColumn): Column {
  const way = ways.get(column) ?? wayThrough(column)
  ways.set(column, way)
  return way
}

const wayThrough = ({ id, allDay, layout }: DayColumn): Column => [
  ...allDay.map(({ item }) => ({ key: tileKey(item.key, id), at: -1 })),
  ...[
    ...layout.placed.map(({ item, from, lane }) => ({ key: tileKey(item.key, id), at: from, lane })),
    ...layout.more.map(({ at, lane }) => ({ key: moreKey(at, id), at, lane })),
  ].sort((a, b) => a.at - b.at || a.lane - b.lane),
]

/** The same for lists. */
export const navigatedList = (id: string, shown: readonly Segment[]): Column =>
  shown.map(({ item, from }) => ({ key: tileKey(item.key, id), at: from }))

/** A column is drawn only as far as it is seen, once there is much to draw. */
export const drawnFrom = 600
