// Busy time with its causes. It is made of the same times as `openBusy`, so both agree about free time. Pure.
import { startsOver } from '../recurrence/overlap.ts'
import { minuteMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { type BusyCalendar, type Closed, dailyLoadOf, openClosed } from './busy.ts'
import type { Cause } from './causes.ts'
import { type DailyLoad, daysBeyond, fullDays, type LimitedDay, type Rooms, roomsOf } from './dailyLimits.ts'
import { type Intervals, merged, type Window } from './intervals.ts'
import { dateOfDay } from './localDays.ts'
import { takeExternal, takeTimes } from './times.ts'

/** A calendar whose events are named: `ids` and `statuses` belong to the starts, `apartNames` to the events apart. */
export type NamedCalendar = BusyCalendar & {
  calendarId: Uuid | null
  /** The calendar's owner. */
  agentId: Uuid | null
  /** Sixteen bytes each. */
  ids: Buffer | null
  /** The first letters. */
  statuses: string | null
  /** Of the starts that stand for one occurrence of a series, its original start, an ISO datetime; null for any other start. */
  originals: readonly (string | null)[] | null
  apartNames: readonly ApartName[] | null
}

type ApartName = {
  id: Uuid
  status: 'confirmed' | 'tentative' | 'hold'
  priority: number
  /** ISO datetimes. */
  original: string | null
  expires: string | null
  /** The group that the hold was placed with. */
  group: Uuid | null
}

/** `startMs` to `endMs` lies in the window; `own` are the times of the event, of the buffer or of the closed hours. */
export type Piece = {
  readonly startMs: number
  readonly endMs: number
  readonly own: Window
  readonly cause: Cause
  readonly agentId: Uuid | null
}

/** Of how many occurrences of one series that began before the window causes are named. */
const maxEarlier = 400

const busy: Cause = { kind: 'busy' }
const external: Cause = { kind: 'external', reason: 'busy' }
const notCurrent: Cause = { kind: 'external', reason: 'not_current' }
const hiddenHours: Cause = { kind: 'working_hours' }

/** Whether the caller may see the events of a calendar. */
export type Sees = (calendar: Pick<NamedCalendar, 'agentId'>) => boolean

/** An agent key sees the events of its agent's calendars. */
export const visibleTo =
  ({ agentId }: { agentId?: Uuid }): Sees =>
  (calendar) =>
    agentId === undefined || calendar.agentId === agentId

/** Finds busy time in one window, and keeps the pieces that it is made of. */
export function openExplained(window: Window, sees: Sees) {
  const closedBy = openClosed(window)
  const pieces: Piece[] = []
  const limited: Limited[] = []

  const addPiece = (startMs: number, endMs: number, cause: Cause, agentId: Uuid | null) => {
    const from = Math.max(startMs, window.fromMs)
    const to = Math.min(endMs, window.toMs)
    if (from >= to) return
    pieces.push({ startMs: from, endMs: to, own: { fromMs: startMs, toMs: endMs }, cause, agentId })
  }

  function addCalendar(calendar: NamedCalendar) {
    const { calendarId, agentId } = calendar
    // An agent without a calendar is always free.
    if (calendarId === null) return
    const isSeen = sees(calendar)
    const add: Add = (startMs, endMs, cause) => addPiece(startMs, endMs, cause, agentId)
    addRules(closedBy(calendar), isSeen ? calendarId : undefined, add)
    const load = dailyLoadOf(calendar, window)
    if (load) {
      const limits = { load, agentId, causeOf: limitCauses(isSeen ? calendarId : undefined) }
      limited.push(limits)
      for (const day of fullDays(load)) add(day.startMs, day.endMs, limits.causeOf(day))
    }
    addEvents(calendar, calendarId, window, isSeen ? add : (startMs, endMs) => add(startMs, endMs, busy))
  }

  /** Like the function of `openBusy`; it collects its findings in `pieces`. */
  function busyOf(calendars: readonly NamedCalendar[]): Intervals {
    const before = pieces.length
    for (const calendar of calendars) addCalendar(calendar)
    takeExternal(calendars, window, (startMs, endMs, { beforeMs, afterMs }, calendar) =>
      addPiece(startMs - beforeMs, endMs + afterMs, sees(calendar) ? external : busy, calendar.agentId),
    )
    const list: number[] = []
    for (let nth = before; nth < pieces.length; nth++) list.push(pieces[nth]!.startMs, pieces[nth]!.endMs)
    return merged(list, window)
  }

  /** Time that is closed for another reason than a calendar's hours. It lies in the window. */
  function addClosed(closed: Intervals): void {
    for (let i = 0; i < closed.length; i += 2) {
      const [startMs, endMs] = [closed[i]!, closed[i + 1]!]
      pieces.push({ startMs, endMs, own: { fromMs: startMs, toMs: endMs }, cause: hiddenHours, agentId: null })
    }
  }

  /** It is not known when the human is busy, so nothing of the window is free. */
  function closeAll(isSeen: boolean): void {
    addPiece(window.fromMs, window.toMs, isSeen ? notCurrent : busy, null)
  }

  /** The whole days that would get beyond a daily limit with these times, a flat list inside the window. */
  const beyondLimits = (spans: readonly number[]): Piece[] =>
    limited.flatMap(({ load, agentId, causeOf }) =>
      daysBeyond(load, spans).map((day) => {
        const own = { fromMs: day.startMs, toMs: day.endMs }
        return { startMs: day.startMs, endMs: day.endMs, own, cause: causeOf(day), agentId }
      }),
    )

  const rooms = (): Rooms => limited.flatMap(({ load }) => roomsOf(load))

  return { busyOf, addClosed, closeAll, beyondLimits, rooms, pieces: pieces as readonly Piece[] }
}

type Add = (startMs: number, endMs: number, cause: Cause) => void

/** A calendar with daily limits. */
type Limited = { load: DailyLoad; agentId: Uuid | null; causeOf(day: LimitedDay): Cause }

/** `calendarId`: undefined if the caller may not see it. Each day and limit is one cause. */
function limitCauses(calendarId: Uuid | undefined): (day: LimitedDay) => Cause {
  const known = new Map<string, Cause>()
  return ({ day, limit }) => {
    if (calendarId === undefined) return busy
    const key = `${limit} ${day}`
    const cause = known.get(key) ?? { kind: 'daily_limit', calendarId, date: dateOfDay(day), limit }
    known.set(key, cause)
    return cause
  }
}

/** The time that the rules of a calendar close. A day that is closed in several parts has one cause. */
function addRules(closed: Closed | undefined, calendarId: Uuid | undefined, add: Add): void {
  if (!closed) return
  const shown = calendarId !== undefined && { calendarId }
  const hours: Cause = shown ? { kind: 'working_hours', ...shown } : hiddenHours
  if (!closed.reasons) {
    const { times } = closed
    for (let i = 0; i < times.length; i += 2) add(times[i]!, times[i + 1]!, hours)
    return
  }
  const timeOff: Cause = shown ? { kind: 'time_off', ...shown } : busy
  const days = new Map<string, Cause>()
  for (const closing of closed.reasons) {
    const { startMs, endMs } = closing
    if (closing.kind === 'working_hours') add(startMs, endMs, hours)
    else if (closing.kind === 'time_off') add(startMs, endMs, timeOff)
    else {
      const cause = days.get(closing.date) ?? { kind: closing.kind, ...shown, date: closing.date }
      days.set(closing.date, cause)
      add(startMs, endMs, cause)
    }
  }
}

function addEvents(calendar: NamedCalendar, calendarId: Uuid, window: Window, add: Add): void {
  const { bufferBeforeMinutes, bufferAfterMinutes } = calendar
  const isWidened = bufferBeforeMinutes > 0 || bufferAfterMinutes > 0
  const buffersOf = (eventId: Uuid, expiresMs?: number): Buffers | undefined => {
    if (!isWidened) return undefined
    const common = { kind: 'buffer', calendarId, eventId, ...(expiresMs !== undefined && { expiresMs }) } as const
    return {
      before: { ...common, side: 'before', minutes: bufferBeforeMinutes },
      after: { ...common, side: 'after', minutes: bufferAfterMinutes },
    }
  }
  const addWidened = (startMs: number, endMs: number, cause: Cause, buffers: Buffers | undefined) => {
    if (bufferBeforeMinutes > 0) add(startMs - bufferBeforeMinutes * minuteMs, startMs, buffers!.before)
    add(startMs, endMs, cause)
    if (bufferAfterMinutes > 0) add(endMs, endMs + bufferAfterMinutes * minuteMs, buffers!.after)
  }
  const idsAsHex = calendar.ids?.toString('hex') ?? ''
  const eventAt = (nth: number): EventCause => ({
    kind: 'event',
    calendarId,
    eventId: uuidAt(idsAsHex, nth),
    status: calendar.statuses![nth] === 't' ? 'tentative' : 'confirmed',
    ...originalOf(calendar.originals?.[nth]),
  })
  takeTimes(calendar, window, {
    single(startMs, endMs, nth, from) {
      const cause = from === 'starts' ? eventAt(nth) : causeApart(calendar, calendarId, nth)
      const expiresMs = cause.kind === 'hold' ? cause.expiresMs : undefined
      addWidened(startMs, endMs, cause, buffersOf(cause.eventId, expiresMs))
    },
    series(series, durationMs, reach, nth) {
      const cause = causeApart(calendar, calendarId, nth)
      const buffers = buffersOf(cause.eventId)
      for (const startMs of startsOver(series, durationMs, reach, maxEarlier)) {
        addWidened(startMs, startMs + durationMs, { ...cause, occurrenceMs: startMs } as Cause, buffers)
      }
    },
  })
}

type BufferCause = Cause & { kind: 'buffer' }
type Buffers = { before: BufferCause; after: BufferCause }
type EventCause = Cause & { kind: 'event' | 'hold' }

function causeApart({ apartNames }: NamedCalendar, calendarId: Uuid, nth: number): EventCause {
  const { id: eventId, status, priority, expires, original, group } = apartNames![nth]!
  return status === 'hold'
    ? { kind: 'hold', calendarId, eventId, priority, expiresMs: Date.parse(expires!), ...(group && { groupId: group }) }
    : { kind: 'event', calendarId, eventId, status, ...originalOf(original) }
}

const originalOf = (original: string | null | undefined) => original != null && { occurrenceMs: Date.parse(original) }

const hexOfId = 32

/** `hex`: of many identifiers, one after another. */
function uuidAt(hex: string, nth: number): Uuid {
  const at = nth * hexOfId
  const front = `${hex.slice(at, at + 8)}-${hex.slice(at + 8, at + 12)}-${hex.slice(at + 12, at + 16)}`
  return `${front}-${hex.slice(at + 16, at + 20)}-${hex.slice(at + 20, at + hexOfId)}` as Uuid
}
