// Changes that happen only if their time is free, by the rules of availability or by the calendar's own events. The check reads
// the calendar at one revision. The write succeeds only at that revision.
import type { App } from '../app.ts'
import { type Help, helpOf } from '../availability/help.ts'
import { judgeTimes, type Omitted, type Rules, type Verdict } from '../availability/judge.ts'
import { badRequest, conflict, ServiceError } from '../errors.ts'
import type { EventRow } from './columns.ts'
import { findOverlaps, type Overlaps, type Titled, timeTaken, withOverlaps } from './conflict.ts'
import { freeTimes } from './freeTimes.ts'
import { presentEvent } from './present.ts'
import { isJudgeable, type JudgedEvent, judgedSpans } from './spans.ts'

/** How a caller wants a change to be judged. */
export type Requirement = {
  /** By which rules its time must be free; `reported`: the time may be taken; the response lists the overlaps. */
  free: 'any' | 'reported' | Rules
  /** A refusal names the conflicts and the times that would fit. */
  explain: boolean
}

/** Options of the caller that are not in the body. */
export type WriteOptions = {
  explain?: boolean
  /** Overlaps are refused, or written and reported. */
  overlaps?: 'refused' | 'reported'
}

const freeIfAsked = { refused: 'overlap', reported: 'reported' } as const

export function requirementOf(
  requireFree: boolean | undefined,
  { explain = false, overlaps }: WriteOptions,
): Requirement {
  if (requireFree) return { free: 'availability', explain }
  return { free: overlaps ? freeIfAsked[overlaps] : 'any', explain }
}

/** By which rules a change is refused; undefined: by none. */
export const refusedBy = ({ free }: Requirement): Rules | undefined =>
  free === 'any' || free === 'reported' ? undefined : free

/** Undefined: the calendar is gone. */
export async function judgeEvent(
  app: App,
  row: JudgedEvent,
  omitted: Omitted,
  rules: Rules,
  now: Date,
): Promise<Verdict | undefined> {
  if (rules === 'availability' && !isJudgeable(row)) {
    throw badRequest('With require_free an event is at most 366 days long.', 'require_free')
  }
  const { orgId, calendarId } = row
  return judgeTimes(app, { orgId, calendarId, spans: judgedSpans(row, rules), omitted, rules }, now)
}

/**
 * At which revision of the calendar the event may be written; none: at any. Throws `not_free` or `time_taken`; undefined: the
 * calendar is gone. An event that takes no time may always be written.
 */
export async function requireFree(
  app: App,
  row: EventRow & JudgedEvent,
  omitted: Omitted,
  requirement: Requirement,
  now: Date,
): Promise<{ revision?: number } | undefined> {
  const rules = refusedBy(requirement)
  if (!rules || !takesTime(row, rules)) return {}
  const verdict = await judgeEvent(app, row, omitted, rules, now)
  if (!verdict) return undefined
  if (verdict.conflicts.length > 0) throw await notFree(app, titled(app, row, now), omitted, verdict, requirement, now)
  return { revision: verdict.revision }
}

const titled = (app: App, row: EventRow, now: Date): Titled => ({ ...row, title: presentEvent(app, row, now).title })

const takesTime = (row: EventRow & JudgedEvent, rules: Rules): boolean =>
  row.status !== 'cancelled' && !row.transparent && judgedSpans(row, rules).length > 0

export async function notFree(
  app: App,
  row: Titled,
  omitted: Omitted,
  verdict: Verdict,
  { free, explain }: Requirement,
  now: Date,
): Promise<ServiceError> {
  if (free === 'overlap') return withOverlaps(app, timeTaken(), row, verdict, omitted, now)
  const refusal = conflict('This time is not free. Choose another one.', 'not_free')
  return explain ? helpful(refusal, helpOf(verdict.conflicts, await freeTimes(app, row, omitted, now)), now) : refusal
}

/** The overlaps of the event, for a caller that allows them; undefined for other callers, and without overlaps. */
export async function overlapsToReport(
  app: App,
  row: EventRow,
  omitted: Omitted,
  { free }: Requirement,
  now: Date,
): Promise<Overlaps | undefined> {
  if (free !== 'reported' || !takesTime(row, 'overlap')) return undefined
  const verdict = await judgeEvent(app, row, omitted, 'overlap', now)
  const conflicts = verdict?.conflicts ?? []
  return conflicts.length === 0 ? undefined : findOverlaps(app, titled(app, row, now), conflicts, now)
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
