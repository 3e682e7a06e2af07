// `help` of a refusal: the first conflict, their number, other times, and when to try again. Pure.

import type { z } from 'zod'
import { isoTimeOf } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import { type CauseRecord, type conflictRecord, lapseOf, presentCause } from './causes.ts'
import { causesOf } from './conflictingPieces.ts'
import type { Piece } from './explained.ts'
import { presentIntervals } from './present.ts'

/** Keys of an error beside its message. */
export type Help = {
  conflict?: z.infer<typeof conflictRecord>
  conflicts?: number
  alternatives: { start: string; end: string }[]
  retry_at?: string
  /** Of a hold group: what is in the way on each calendar. */
  blocked?: readonly { requirement: number; calendar_id: string; by: CauseRecord[] }[]
}

/** `conflicts` is not empty; its first one is named. `alternatives` is a flat list. */
export function helpOf(conflicts: readonly Piece[], alternatives: readonly number[]): Help {
  const causes = causesOf(conflicts)
  const lapses = causes.map(lapseOf).filter((lapse) => lapse !== undefined)
  return {
    conflict: presentConflict(conflicts[0]!),
    conflicts: causes.length,
    alternatives: presentIntervals(alternatives),
    ...(lapses.length === causes.length && { retry_at: isoTimeOf(Math.max(...lapses)) }),
  }
}

function presentConflict({ cause, own, agentId }: Piece): NonNullable<Help['conflict']> {
  const record = presentCause(cause)
  if (record.kind === 'busy') return record
  return {
    ...record,
    start_time: isoTimeOf(own.fromMs),
    end_time: isoTimeOf(own.toMs),
    agent_id: agentId && encodeId('agt', agentId),
  }
}
