// The refusal of a hold that meets one of the same or a higher priority.
import type { App } from '../app.ts'
import { lookAheadUntil, nextFree } from '../availability/conflictingPieces.ts'
import type { Piece } from '../availability/explained.ts'
import { helpOf } from '../availability/help.ts'
import { gaps, merged } from '../availability/intervals.ts'
import { conflict, type ServiceError } from '../errors.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { type Titled, withOverlaps } from './conflict.ts'
import { freeTimes } from './freeTimes.ts'
import { type OverlappingHold, overlappingHolds } from './queries.ts'
import { helpful, judgeEvent, type Requirement } from './requireFree.ts'
import type { LiveHold } from './rules.ts'

/** `agentId`: the owner of the calendar. */
type NewHold = Titled & { holdPriority: number; agentId: Uuid | null }

export async function holdConflict(
  app: App,
  row: NewHold,
  { id, holdPriority }: LiveHold,
  requirement: Requirement,
  now: Date,
): Promise<ServiceError> {
  const refusal = conflict(
    `The hold ${encodeId('evt', id)} of priority ${holdPriority} is in the way. Choose another time or a higher hold_priority.`,
    'hold_conflict',
  )
  if (requirement.free === 'overlap' || requirement.free === 'reported') {
    const omitted = { holdsBelow: row.holdPriority }
    return withOverlaps(app, refusal, row, await amongHolds(app, row, now), omitted, now)
  }
  if (!requirement.explain) return refusal
  const { conflicts, alternatives } = await (requirement.free === 'availability' ? amongAll : amongHolds)(app, row, now)
  return conflicts.length === 0 ? refusal : helpful(refusal, helpOf(conflicts, alternatives), now)
}

type Found = { conflicts: readonly Piece[]; alternatives: readonly number[] }

/** A hold that must be free has more than holds in its way. Holds go first, because one of them is why it was refused. */
async function amongAll(app: App, row: NewHold, now: Date): Promise<Found> {
  const omitted = { holdsBelow: row.holdPriority }
  const verdict = await judgeEvent(app, row, omitted, 'availability', now)
  const conflicts = (verdict?.conflicts ?? []).toSorted((a, b) => rankOf(a) - rankOf(b))
  return { conflicts, alternatives: await freeTimes(app, row, omitted, now) }
}

const rankOf = ({ cause }: Piece) => (cause.kind === 'hold' ? 0 : 1)

/** Any other hold has only those that do not yield to it, without buffers. */
async function amongHolds(app: App, row: NewHold, now: Date): Promise<Found> {
  const { orgId, calendarId, startTime, endTime } = row
  const window = { fromMs: startTime.getTime(), toMs: lookAheadUntil(startTime.getTime()) }
  const until = new Date(Math.max(window.toMs, endTime.getTime()))
  const holds = await overlappingHolds(app.sql, orgId, calendarId, startTime, until, now)
  const pieces = holds.filter(({ holdPriority }) => holdPriority >= row.holdPriority).map((hold) => pieceOf(row, hold))
  const busy = merged(
    pieces.flatMap(({ startMs, endMs }) => [startMs, endMs]),
    window,
  )
  return {
    conflicts: pieces.filter(({ startMs }) => startMs < endTime.getTime()),
    alternatives: nextFree(gaps(busy, window), endTime.getTime() - startTime.getTime()),
  }
}

/** A hold as a conflict on its calendar. */
export function pieceOf(
  { calendarId, agentId }: Pick<NewHold, 'calendarId' | 'agentId'>,
  hold: OverlappingHold,
): Piece {
  const [startMs, endMs] = [hold.startTime.getTime(), hold.endTime.getTime()]
  return {
    startMs,
    endMs,
    own: { fromMs: startMs, toMs: endMs },
    cause: {
      kind: 'hold',
      calendarId,
      eventId: hold.id,
      priority: hold.holdPriority,
      expiresMs: hold.holdExpiresAt.getTime(),
      ...(hold.groupId && { groupId: hold.groupId }),
    },
    agentId,
  }
}
