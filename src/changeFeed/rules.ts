// The age at which cursors are refused, the number of waiting readers, and the price of a wait.
import { keptSince } from '../changeLog/rules.ts'
import type { Limits } from '../plans/plans.ts'
import { dayMs } from '../shapes/durations.ts'
import type { Position } from './cursor.ts'

/** When the rows of a day are dropped, after its beginning. */
const droppedAfterMs = 31 * dayMs
const marginMs = 3_600_000

/** The rows that the reader lacks may be gone, or its plan no longer shows them. */
export const isTooOld = ({ baseAt, from }: Pick<Position, 'baseAt' | 'from'>, limits: Limits, now: Date): boolean =>
  baseAt < keptSince(limits, now) || from.getTime() < now.getTime() - droppedAfterMs + marginMs

/** At once, on all processes together. */
export const maxWaitsEach = 5

/** At once in one process. Each holds a connection, and the listener keeps more of them, so that other requests get in. */
export const maxWaitsHere = 5_000

type Waiting = { here: number; ofKey: number; ofOrganization: number }

/** The limit that one more reader would exceed. `maxOfOrganization`: null for no limit. */
export function whatIsFull({ here, ofKey, ofOrganization }: Waiting, maxOfOrganization: number | null) {
  if (ofKey >= maxWaitsEach) return 'key'
  if (maxOfOrganization !== null && ofOrganization >= maxOfOrganization) return 'organization'
  return here >= maxWaitsHere ? 'process' : undefined
}

const freeAfterMs = 20_000

/** A wait that ended empty gives its call back after this long: otherwise waiting would use up the calls of the month. */
export const isFree = (waitedMs: number): boolean => waitedMs >= freeAfterMs

const gatherMs = 40

/**
 * The milliseconds that a reader waits after a read before it reads on: changes of that time come in one answer. Otherwise each
 * reader that follows would cost the database as much as the changes themselves.
 */
export const gathersFor = ({ baseAt, batch }: Pick<Position, 'baseAt' | 'batch'>, now: Date): number =>
  batch ? 0 : Math.min(gatherMs, Math.max(0, gatherMs - (now.getTime() - baseAt.getTime())))
