// Whether times on a calendar are free by the rules of availability, for changes that are refused otherwise.
import type { App } from '../app.ts'
import { heavyReadOfChange } from '../quotas/heavyReads.ts'
import { dayMs, minuteMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { conflictingPieces, type Spans } from './conflictingPieces.ts'
import { type NamedCalendar, openExplained, type Piece } from './explained.ts'
import { distinctSources } from './freshness.ts'
import type { Intervals, Window } from './intervals.ts'
import { judgedSources } from './judged.ts'
import { type NamedTimes, namedTimes, type Omitted, type Question } from './queries.ts'
import { readNamedTimes, readNamedTogether } from './readTimes.ts'

export type { Omitted } from './queries.ts'

/** The times of a change. */
type JudgedTimes = {
  orgId: Uuid
  calendarId: Uuid
  /** Not empty. */
  spans: Spans
  /** Left out of the check: the event itself, and holds that yield. */
  omitted: Omitted
  rules: Rules
}

/** `overlap`: only events and holds of the calendar count, neither its working hours nor its buffers. */
export type Rules = 'availability' | 'overlap'

export type Verdict = {
  /** Of the calendar, when it was read. */
  revision: number
  /** The calendar's owner. */
  agentId: Uuid | null
  /** Empty: the times are free. */
  conflicts: readonly Piece[]
  /** How far apart two events of the calendar must be. */
  apartMs: number
  /** Whether these times, all of the same days, are within the daily limits together. */
  isWithinLimits(spans: Spans): boolean
}

/** A longer window reads more, and those that share its statement would wait for it. */
const maxSharedMs = dayMs

/** Longer windows wait for a place, because the rows they read grow with the calendar. */
const maxLightMs = 31 * dayMs

/** Undefined: the calendar is gone. */
export async function judgeTimes(app: App, judged: JudgedTimes, now: Date): Promise<Verdict | undefined> {
  const { spans } = judged
  const taken = await takenIn(app, judged, { fromMs: spans[0]!, toMs: spans.at(-1)! }, now)
  if (!taken) return undefined
  const { busy: _, pieces, beyondLimits, rooms: __, ...verdict } = taken
  return { ...verdict, conflicts: conflictingPieces([...pieces, ...beyondLimits(spans)], spans) }
}

type Taken = Omit<Verdict, 'conflicts'> & { busy: Intervals } & Pick<
    ReturnType<typeof openExplained>,
    'pieces' | 'beyondLimits' | 'rooms'
  >

/** A caller that may change a calendar may see its events. */
export async function takenIn(
  app: App,
  { orgId, calendarId, omitted, rules }: Omit<JudgedTimes, 'spans'>,
  window: Window,
  now: Date,
): Promise<Taken | undefined> {
  const read = async () => {
    const row = await readRow(app, orgId, { calendarId, window, now, omitted }, rules)
    if (!row) return undefined
    const judged = rules === 'overlap' ? withoutRules(row) : row
    const { busyOf, closeAll, rooms, pieces, ...explained } = openExplained(window, () => true)
    const beyondLimits = (spans: Spans) => explained.beyondLimits([...spans, ...(omitted.stays ?? [])])
    if (rules === 'availability' && !judgedSources(app, distinctSources([row]), window, now, false).offersSlots)
      closeAll(true)
    return {
      revision: row.revision!,
      agentId: row.agentId,
      apartMs: Math.max(judged.bufferBeforeMinutes, judged.bufferAfterMinutes) * minuteMs,
      busy: busyOf([judged]),
      pieces,
      beyondLimits,
      rooms,
      isWithinLimits: (spans: Spans) => beyondLimits(spans).length === 0,
    }
  }
  return window.toMs - window.fromMs > maxLightMs ? heavyReadOfChange(app, orgId, 'availability', read) : read()
}

/** Overlaps have nothing to do with humans. A short window is read along with others. */
async function readRow(app: App, orgId: Uuid, question: Question, rules: Rules): Promise<NamedTimes | undefined> {
  const { calendarId, window, now, omitted } = question
  const scope = { kind: 'calendar', orgId, calendarId } as const
  if (rules === 'overlap') return (await namedTimes(app.sql, scope, window, now, omitted, { kind: 'none' }))[0]
  if (window.toMs - window.fromMs <= maxSharedMs) return readNamedTogether(app, orgId, question)
  return (await readNamedTimes(app, scope, window, now, omitted))[0]
}

const withoutRules = (row: NamedCalendar): NamedCalendar => ({
  ...row,
  bufferBeforeMinutes: 0,
  bufferAfterMinutes: 0,
  workingHours: null,
  more: null,
  holidays: [],
})
