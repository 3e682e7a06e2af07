// The refusal of a group of which some requirement has too few calendars: what is in the way of each, and when the group would fit.
import type { App } from '../app.ts'
import { presentCause } from '../availability/causes.ts'
import { causesOf, lookAheadUntil } from '../availability/conflictingPieces.ts'
import { allowedStretches, barredStarts } from '../availability/dailyLimits.ts'
import type { Piece } from '../availability/explained.ts'
import { helpOf } from '../availability/help.ts'
import { gaps, type Intervals, merged } from '../availability/intervals.ts'
import { takenIn } from '../availability/judge.ts'
import { conflict, type ServiceError } from '../errors.ts'
import type { CreateGroupBody } from '../holdGroups/schema.ts'
import { encodeId } from '../shapes/ids.ts'
import type { Answered, Asked } from './groupAnswers.ts'
import { groupTimes } from './groupTimes.ts'
import { helpful, judgeEvent } from './requireFree.ts'

/** `unmet`: the requirements that have too few. */
type Refused = { answers: readonly Answered[]; unmet: readonly number[]; body: CreateGroupBody; explain: boolean }

export async function groupRefusal(
  app: App,
  { answers, unmet, body, explain }: Refused,
  now: Date,
): Promise<ServiceError> {
  const refusal = conflict(
    'Too few of the calendars are free. Nothing is held. Choose another time, or list more calendars.',
    'hold_conflict',
  )
  if (!explain) return refusal
  const taken = answers.filter(({ requirement, answer }) => answer === 'taken' && unmet.includes(requirement))
  const conflicts = await Promise.all(taken.map((one) => piecesOf(app, one, body, now)))
  const blocked = taken.map(({ requirement, calendarId }, nth) => ({
    ...{ requirement, calendar_id: encodeId('cal', calendarId) },
    by: causesOf(conflicts[nth]!).map((cause) => presentCause(cause)),
  }))
  const pieces = conflicts.flat()
  // It has become free meanwhile.
  if (pieces.length === 0) return refusal
  return helpful(refusal, { ...helpOf(pieces, await timesFor(app, answers, body, now)), blocked }, now)
}

async function piecesOf(
  app: App,
  one: Answered,
  { hold_priority: holdsBelow }: CreateGroupBody,
  now: Date,
): Promise<readonly Piece[]> {
  if (one.verdict) return one.verdict.conflicts
  return ((await judgeEvent(app, one, { holdsBelow }, 'overlap', now))?.conflicts ?? []).filter(isHold)
}

const isHold = ({ cause }: Piece): boolean => cause.kind === 'hold'

async function timesFor(app: App, asked: readonly Asked[], body: CreateGroupBody, now: Date): Promise<number[]> {
  const { start_time: start, end_time: end } = body
  const wanted = await Promise.all(
    body.requirements.map(async ({ need, start_time = start, end_time = end }, nth) => {
      const own = asked.filter(({ requirement }) => requirement === nth)
      const free = await Promise.all(own.map((one) => freeOn(app, one, body, now)))
      return { startMs: start_time.getTime(), endMs: end_time.getTime(), need, free }
    }),
  )
  return groupTimes(wanted, [start.getTime(), end.getTime()], lookAheadUntil(start.getTime()))
}

/** By the rule by which the group was refused. */
async function freeOn(
  app: App,
  { orgId, calendarId, startTime, endTime }: Asked,
  { hold_priority: holdsBelow, require_free: mustBeFree }: CreateGroupBody,
  now: Date,
): Promise<Intervals> {
  const lengthMs = endTime.getTime() - startTime.getTime()
  const window = { fromMs: startTime.getTime(), toMs: lookAheadUntil(startTime.getTime()) + lengthMs }
  const rules = mustBeFree ? 'availability' : 'overlap'
  const taken = await takenIn(app, { orgId, calendarId, omitted: { holdsBelow }, rules }, window, now)
  if (!taken) return []
  const holds = taken.pieces.filter(isHold).flatMap(({ startMs, endMs }) => [startMs, endMs])
  if (!mustBeFree) return gaps(merged(holds, window), window)
  return allowedStretches(gaps(taken.busy, window), lengthMs, barredStarts(taken.rooms(), lengthMs))
}
