// Changes that happen only if their time is free, by the rules of availability or by the calendar's own events. The check reads
// the calendar at one revision. The write succeeds only at that revision.
import type { App } from '../app.ts'
import { type Help, helpOf } from '../availability/help.ts'
import { type Judgement, judgeTimes, type Omitted, type Rules } from '../availability/judge.ts'
import { badRequest, conflict, ServiceError } from '../errors.ts'
import type { EventRow } from './columns.ts'
import { type Clash, clashOf, type Titled, timeTaken, withClash } from './conflict.ts'
import { freeTimes } from './freeTimes.ts'
import { presentEvent } from './present.ts'
import { isJudgeable, spansOf, type Wanted } from './wanted.ts'

/** How a caller wants a change to be judged. */
export type Terms = {
  /** By which rules its time must be free; `told`: the time may be taken; the response lists the overlaps. */
  free: 'any' | 'told' | Rules
  /** A refusal says what is in the way and what would fit. */
  explain: boolean
}

/** What a door asks for beside the body. */
export type Asked = {
  explain?: boolean
  /** What the change may not overlap, or may and the caller is told. */
  clashes?: 'refused' | 'told'
}

const freeIfAsked = { refused: 'overlap', told: 'told' } as const

export function termsOf(requireFree: boolean | undefined, { explain = false, clashes }: Asked): Terms {
  if (requireFree) return { free: 'availability', explain }
  return { free: clashes ? freeIfAsked[clashes] : 'any', explain }
}

/** By which rules a change is refused; undefined: by none. */
export const refusedBy = ({ free }: Terms): Rules | undefined => (free === 'any' || free === 'told' ? undefined : free)

/** Undefined: the calendar is gone. */
export async function judgeEvent(
  app: App,
  row: Wanted,
  omitted: Omitted,
  rules: Rules,
  now: Date,
): Promise<Judgement | undefined> {
  if (rules === 'availability' && !isJudgeable(row)) {
    throw badRequest('With require_free an event is at most 366 days long.', 'require_free')
  }
  const { orgId, calendarId } = row
  return judgeTimes(app, { orgId, calendarId, spans: spansOf(row, rules), omitted, rules }, now)
}

/**
 * At which revision of the calendar the event may be written; none: at any. Throws `not_free` or `time_taken`; undefined: the
 * calendar is gone. An event that takes no time may always be written.
 */
export async function requireFree(
  app: App,
  row: EventRow,
  omitted: Omitted,
  terms: Terms,
  now: Date,
): Promise<{ revision?: number } | undefined> {
  const rules = refusedBy(terms)
  if (!rules || !takesTime(row, rules)) return {}
  const judgement = await judgeEvent(app, row, omitted, rules, now)
  if (!judgement) return undefined
  if (judgement.inTheWay.length > 0) throw await notFree(app, titled(app, row, now), omitted, judgement, terms, now)
  return { revision: judgement.revision }
}

const titled = (app: App, row: EventRow, now: Date): Titled => ({ ...row, title: presentEvent(app, row, now).title })

const takesTime = (row: EventRow, rules: Rules): boolean => row.status !== 'cancelled' && spansOf(row, rules).length > 0

export async function notFree(
  app: App,
  row: Titled,
  omitted: Omitted,
  judgement: Judgement,
  { free, explain }: Terms,
  now: Date,
): Promise<ServiceError> {
  if (free === 'overlap') return withClash(app, timeTaken(), row, judgement, omitted, now)
  const refusal = conflict('This time is not free. Choose another one.', 'not_free')
  return explain ? helpful(refusal, helpOf(judgement.inTheWay, await freeTimes(app, row, omitted, now)), now) : refusal
}

/** What the event overlaps, for a caller that is told; undefined for any other, and where there is nothing. */
export async function toldClash(
  app: App,
  row: EventRow,
  omitted: Omitted,
  { free }: Terms,
  now: Date,
): Promise<Clash | undefined> {
  if (free !== 'told' || !takesTime(row, 'overlap')) return undefined
  const judgement = await judgeEvent(app, row, omitted, 'overlap', now)
  const inTheWay = judgement?.inTheWay ?? []
  return inTheWay.length === 0 ? undefined : clashOf(app, titled(app, row, now), inTheWay, now)
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
