// An expanded window as days. How many items start on each day tells on which days a page lies, so that only those are
// looked into, and of the events that happen once only those around the page are read. Pure, and in slices: a window may
// hold many series.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { occurrencesBetween } from '../recurrence/expand.ts'
import type { Series } from '../recurrence/series.ts'
import { dayMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { sliceTimer } from '../shapes/slices.ts'
import { seriesOf } from '../timers/series.ts'
import type { DayCount, ListedSeries, ListedSingle, ListKey } from './listQueries.ts'
import { byStartAndId, type Window } from './occurrences.ts'

export type KnownSeries = { id: Uuid; startMs: number; lengthMs: number; series: Series }

export type Timeline = {
  window: Window
  series: readonly KnownSeries[]
  /** Edited occurrences. They are few, and counted as the occurrences that they are. */
  overrides: readonly Item[]
  /** By day, counted from the beginning of the window: events that happen once, and occurrences. */
  singles: readonly number[]
  occurrences: readonly number[]
  total: number
}

/** `perDay` counts series as well, by their first occurrence. `edited`: the edited occurrences that it names. */
export async function openTimeline(
  window: Window,
  perDay: readonly DayCount[],
  rows: readonly ListedSeries[],
  edited: readonly ListedSingle[] = [],
): Promise<Timeline> {
  const days = Math.max(0, Math.ceil((window.toMs - window.fromMs) / dayMs))
  const singles = Array<number>(days).fill(0)
  const occurrences = Array<number>(days).fill(0)
  const add = (counts: number[], atMs: number, count: number) => {
    counts[Math.floor((atMs - window.fromMs) / dayMs)]! += count
  }
  for (const { day, events } of perDay) add(singles, day.getTime(), events)
  const series: KnownSeries[] = []
  const isOver = sliceTimer()
  for (const row of rows) {
    const startMs = row.startTime.getTime()
    const known = { id: row.id, startMs, lengthMs: row.endTime.getTime() - startMs, series: seriesOf(row)! }
    series.push(known)
    if (isIn(window, known.startMs)) add(singles, known.startMs, -1)
    for (const startMs of occurrencesBetween(known.series, window.fromMs, window.toMs)) add(occurrences, startMs, 1)
    if (isOver()) await nextTurn()
  }
  const overrides = edited.map(itemOf).filter(({ startMs }) => isIn(window, startMs))
  for (const { startMs } of overrides) add(occurrences, startMs, 1)
  return { window, series, overrides, singles, occurrences, total: sum(singles) + sum(occurrences) }
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)

const isIn = ({ fromMs, toMs }: Window, ms: number): boolean => ms >= fromMs && ms < toMs

/** The whole days that a page lies on. */
type Stretch = {
  days: Window
  /** Items of these days before the page, and how many the page has at most. */
  skipped: number
  limit: number
  /** Which of the stored events of these days, series among them, hold all singles of the page. */
  stored: { offset: number; limit: number }
  singles: number
}

/** Undefined for a page beyond the end. */
export function stretchOf(
  timeline: Timeline,
  { limit, offset }: { limit: number; offset: number },
): Stretch | undefined {
  const { window, singles, occurrences, series } = timeline
  if (offset >= timeline.total) return undefined
  const itemsOn = (day: number) => singles[day]! + occurrences[day]!
  let first = 0
  let before = 0
  while (before + itemsOn(first) <= offset) before += itemsOn(first++)
  let end = first
  for (let items = before; items < offset + limit && end < singles.length; end++) items += itemsOn(end)
  const days = {
    fromMs: window.fromMs + first * dayMs,
    toMs: Math.min(window.toMs, window.fromMs + end * dayMs),
  }
  const skipped = offset - before
  // Of the entries before the page, at most the occurrences of the first day are not stored events.
  const surelyBefore = Math.max(0, skipped - occurrences[first]!)
  const among = series.filter(({ startMs }) => isIn(days, startMs)).length
  return {
    days,
    skipped,
    limit,
    stored: { offset: surelyBefore, limit: skipped - surelyBefore + limit + among },
    singles: sum(singles.slice(first, end)),
  }
}

/** An item of a page, before its row is read. `rowId`: of an edited occurrence, which stands under the id of its series. */
export type Item = { id: Uuid; startMs: number; isOccurrence: boolean; rowId?: Uuid; originalMs?: number }

export function itemOf({ id, startTime, seriesId, originalStart }: ListedSingle): Item {
  const item = { id, startMs: startTime.getTime(), isOccurrence: false }
  return seriesId ? { ...item, id: seriesId, rowId: id, originalMs: originalStart!.getTime() } : item
}

/** `stored`: the rows that `stretch.stored` selects, in the order of lists. */
export async function pageOf(
  { series, overrides }: Timeline,
  stretch: Stretch,
  stored: readonly ListKey[],
): Promise<Item[]> {
  const { days, skipped, limit } = stretch
  const among = series.filter(({ startMs }) => isIn(days, startMs))
  const ids = new Set(among.map(({ id }) => id))
  const keys = stored.map(({ id, startTime }) => ({ id, startMs: startTime.getTime(), isOccurrence: false }))
  const items: Item[] = keys.filter(({ id }) => !ids.has(id))
  items.push(...overrides.filter(({ startMs }) => isIn(days, startMs)))
  const isOver = sliceTimer()
  for (const { id, series: one } of series) {
    for (const startMs of occurrencesBetween(one, days.fromMs, days.toMs))
      items.push({ id, startMs, isOccurrence: true })
    if (isOver()) await nextTurn()
  }
  const [next] = keys
  const unread = next
    ? stretch.stored.offset - among.filter((one) => byStartAndId(one, next) < 0).length
    : stretch.singles
  return items.sort(byStartAndId).slice(skipped - unread, skipped - unread + limit)
}
