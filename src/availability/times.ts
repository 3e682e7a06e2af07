// The events of a calendar as the statement packs them, one by one. Whatever is said about free time, with or without its
// causes, is said by what is taken here. Pure.
import type { Beside, Series } from '../recurrence/series.ts'
import { storedSeries } from '../recurrence/stored.ts'
import { minuteMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { firstEndingAt, type Intervals, merged, type Window } from './intervals.ts'

/** The parts of a series besides its rule; dates are ISO datetimes. */
type StoredBeside = { zone: string | null; rdates: readonly string[]; skippedMs: number }

/**
 * A calendar and its events, as one statement reads them. Lists of times are packed as Postgres sends a timestamptz: eight
 * bytes each, microseconds since 2000. An empty list is null.
 */
export type TimedCalendar = {
  bufferBeforeMinutes: number
  bufferAfterMinutes: number
  /** Single events, and the first occurrence of each series, even if that is cancelled. */
  starts: Buffer | null
  ends: Buffer | null
  /** Series, holds and events that began long ago: the n-th of each of these four lists belong to one event. */
  apartStarts: Buffer | null
  apartEnds: Buffer | null
  /** Null for an event that happens once. */
  rules: readonly (string | null)[] | null
  /** ISO datetimes. */
  cancelled: readonly (readonly string[])[] | null
  /** Null for a rule in UTC alone. */
  beside: readonly (StoredBeside | null)[] | null
  /** Of the starts, sixteen bytes each, if they were asked for: then series do not stand among the starts. */
  ids?: Buffer | null
  /** When the human whose calendars the owner may use is busy elsewhere, if this is the row that says so. */
  externalStarts?: Buffer | null
  externalEnds?: Buffer | null
  /** More of that: of each of their calendars. */
  external?: readonly Intervals[]
}

/** The time that is kept free around a human's busy time: the largest buffers of the agent's calendars. */
type Buffers = { beforeMs: number; afterMs: number }

/** The external busy time of calendars, each stretch with the buffers of its agent. */
export function takeExternal<Calendar extends TimedCalendar & { agentId: string | null }>(
  calendars: readonly Calendar[],
  window: Window,
  take: (startMs: number, endMs: number, buffers: Buffers, calendar: Calendar) => void,
): void {
  for (const calendar of calendars) {
    const { externalStarts: starts, externalEnds: ends, external = [], agentId } = calendar
    if (!starts && external.length === 0) continue
    const own = calendars.filter((one) => one.agentId === agentId)
    const buffers = {
      beforeMs: Math.max(...own.map((one) => one.bufferBeforeMinutes)) * minuteMs,
      afterMs: Math.max(...own.map((one) => one.bufferAfterMinutes)) * minuteMs,
    }
    for (let nth = 0; starts && ends && nth < starts.length / momentBytes; nth++) {
      take(momentAt(starts, nth), momentAt(ends, nth), buffers, calendar)
    }
    for (const busy of external) {
      // Of intervals in order, those from the first one on that ends in the window.
      const from = firstEndingAt(busy, window.fromMs - buffers.afterMs)
      for (let i = from; i < busy.length && busy[i]! < window.toMs + buffers.beforeMs; i += 2) {
        take(busy[i]!, busy[i + 1]!, buffers, calendar)
      }
    }
  }
}

type PackedCopies = {
  copies?: readonly { id: Uuid; count: number }[] | null
  copyStarts?: Buffer | null
  copyEnds?: Buffer | null
}

/** The busy time of each copy, inside the window. */
export function copiesIn({ copies, copyStarts, copyEnds }: PackedCopies, window: Window): Map<Uuid, Intervals> {
  let taken = 0
  return new Map(
    copies?.map(({ id, count }) => {
      const pieces: number[] = []
      for (const until = taken + count; taken < until; taken++) {
        pieces.push(momentAt(copyStarts!, taken), momentAt(copyEnds!, taken))
      }
      return [id, merged(pieces, window)]
    }),
  )
}

const year2000Ms = Date.UTC(2000, 0, 1)

/** Takes the events that may make the calendar busy. All times are epoch ms, without buffers. */
type Taker = {
  /** `nth` is the place in the list `from`. */
  single(startMs: number, endMs: number, nth: number, from: 'starts' | 'apart'): void
  /** The occurrences that count are those that overlap `reach`. */
  series(series: Series, durationMs: number, reach: Window, nth: number): void
  /** No occurrence of a series comes as a single event, too. For unions of times that makes no difference. */
  countsOnce?: true
}

export function takeTimes(calendar: TimedCalendar, window: Window, taker: Taker): void {
  const missing = takeApart(calendar, window, taker)
  const { starts, ends } = calendar
  for (let nth = 0; starts && ends && nth < starts.length / momentBytes; nth++) {
    const startMs = momentAt(starts, nth)
    const endMs = momentAt(ends, nth)
    if (missing.length > 0 && takeOut(missing, startMs, endMs)) continue
    taker.single(startMs, endMs, nth, 'starts')
  }
}

/** Start and end of one occurrence, epoch ms. */
type Span = readonly [startMs: number, endMs: number]

/** Returns the first occurrences that stand among the starts and must not be taken from there. */
function takeApart(calendar: TimedCalendar, window: Window, taker: Taker): Span[] {
  const { bufferBeforeMinutes, bufferAfterMinutes, apartStarts, apartEnds, rules, cancelled } = calendar
  // A widened occurrence overlaps the window exactly if the occurrence itself overlaps this range.
  const reach = {
    fromMs: window.fromMs - bufferAfterMinutes * minuteMs,
    toMs: window.toMs + bufferBeforeMinutes * minuteMs,
  }
  const missing: Span[] = []
  for (let nth = 0; rules && nth < rules.length; nth++) {
    const startMs = momentAt(apartStarts!, nth)
    const endMs = momentAt(apartEnds!, nth)
    const rule = rules[nth] ?? null
    if (rule === null) {
      taker.single(startMs, endMs, nth, 'apart')
      continue
    }
    const cancelledMs = cancelled![nth]!.map((start) => Date.parse(start))
    if (!calendar.ids && (taker.countsOnce || cancelledMs.includes(startMs))) missing.push([startMs, endMs])
    const series = storedSeries(rule, startMs, endMs, cancelledMs, besideOf(calendar.beside![nth]))
    taker.series(series, endMs - startMs, reach, nth)
  }
  return missing
}

const besideOf = (stored: StoredBeside | null | undefined): Beside | undefined =>
  stored
    ? { zone: stored.zone ?? undefined, rdates: stored.rdates.map((at) => Date.parse(at)), skippedMs: stored.skippedMs }
    : undefined

/** Each entry of `missing` takes out one event only: another event may have the same times. */
function takeOut(missing: Span[], startMs: number, endMs: number): boolean {
  const at = missing.findIndex(([start, end]) => start === startMs && end === endMs)
  if (at >= 0) missing.splice(at, 1)
  return at >= 0
}

const momentBytes = 8

/** Epoch ms. */
function momentAt(packed: Buffer, nth: number): number {
  const micros = packed.readInt32BE(nth * momentBytes) * 2 ** 32 + packed.readUInt32BE(nth * momentBytes + 4)
  return Math.round(micros / 1000) + year2000Ms
}
