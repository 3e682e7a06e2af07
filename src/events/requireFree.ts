// Changes that happen only if their time is free by the rules of availability. What was judged holds at the revision of the
// calendar that was read with it, so the change is guarded by that.
import type { App } from '../app.ts'
import { type Help, helpOf } from '../availability/help.ts'
import { areFree, lookAheadUntil, nextFree } from '../availability/inTheWay.ts'
import { cutOff, gaps, type Intervals } from '../availability/intervals.ts'
import { type Judgement, judgeTimes, type Omitted, takenIn } from '../availability/judge.ts'
import type { CalendarCondition } from '../calendars/writes.ts'
import { badRequest, conflict, ServiceError } from '../errors.ts'
import { latestMs } from '../recurrence/civil.ts'
import { dayMs } from '../shapes/durations.ts'
import type { EventRow } from './columns.ts'
import { isJudgeable, spansFrom, spansOf, type Wanted } from './wanted.ts'

/** How a caller wants a change to be judged. */
export type Terms = {
  /** It happens only if its time is free. */
  requireFree: boolean
  /** A refusal says what is in the way and what would fit. */
  explain: boolean
}

/** Undefined: the calendar is gone. */
export async function judgeEvent(app: App, row: Wanted, omitted: Omitted, now: Date): Promise<Judgement | undefined> {
  if (!isJudgeable(row)) throw badRequest('With require_free an event is at most 366 days long.', 'require_free')
  return judgeTimes(app, { orgId: row.orgId, calendarId: row.calendarId, spans: spansOf(row), omitted }, now)
}

/** The calendar has not changed since it was judged. Always true if nothing was. */
export const asJudged =
  ({ sql }: App, judgement: Judgement | undefined): CalendarCondition =>
  (c) =>
    judgement ? sql`${c}.revision = ${judgement.revision}` : sql`true`

/**
 * Under which condition on the calendar the event may be written. Throws `not_free`; undefined: the calendar is gone. An
 * event that takes no time may always be written.
 */
export async function requireFree(
  app: App,
  row: EventRow,
  omitted: Omitted,
  terms: Terms,
  now: Date,
): Promise<CalendarCondition | undefined> {
  if (!terms.requireFree || !takesTime(row)) return asJudged(app, undefined)
  const judgement = await judgeEvent(app, row, omitted, now)
  if (!judgement) return undefined
  if (judgement.inTheWay.length > 0) throw await notFree(app, row, omitted, judgement, terms, now)
  return asJudged(app, judgement)
}

const takesTime = (row: EventRow): boolean => row.status !== 'cancelled' && spansOf(row).length > 0

export async function notFree(
  app: App,
  row: Wanted,
  omitted: Omitted,
  { inTheWay }: Pick<Judgement, 'inTheWay'>,
  { explain }: Terms,
  now: Date,
): Promise<ServiceError> {
  const refusal = conflict('This time is not free. Choose another one.', 'not_free')
  return explain ? helpful(refusal, helpOf(inTheWay, await freeTimes(app, row, omitted, now)), now) : refusal
}

/** The refusal with what helps beside it. */
export function helpful({ type, message, detail }: ServiceError, help: Help, now: Date): ServiceError {
  const waitMs = help.retry_at === undefined ? undefined : Date.parse(help.retry_at) - now.getTime()
  return new ServiceError(type, message, {
    ...detail,
    help,
    ...(waitMs !== undefined && { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) }),
  })
}

/** By how much the length of a series may differ from start to start, as its months do. */
const slackMs = 31 * dayMs

/** When the event could start instead, as a flat list of its own times; of a series, those of its first occurrence. */
export async function freeTimes(app: App, row: Wanted, omitted: Omitted, now: Date): Promise<number[]> {
  const startMs = row.startTime.getTime()
  const isSeries = row.recurrenceRule !== null
  const untilMs = lookAheadUntil(startMs)
  const spanMs = isSeries ? (spansOf(row).at(-1) ?? startMs) - startMs + slackMs : 0
  const window = { fromMs: startMs, toMs: Math.min(untilMs + spanMs, latestMs) }
  const taken = await takenIn(app, { orgId: row.orgId, calendarId: row.calendarId, omitted }, window, now)
  if (!taken) return []
  const free = gaps(taken.busy, window)
  return nextFree(
    cutOff(free, untilMs),
    row.endTime.getTime() - startMs,
    isSeries ? (at) => fitsFrom(row, at, free) : undefined,
  )
}

function fitsFrom(row: Wanted, startMs: number, free: Intervals): boolean {
  const spans = spansFrom(row, startMs)
  return spans !== undefined && areFree(free, spans)
}
