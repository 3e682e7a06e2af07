// A lane as the process sees that serves it: what it has to do, and for how long it belongs to this process.
import type { LaneKey } from '../wakeups/lanes.ts'
import { maxFailures } from '../webhooks/rules.ts'
import type { Holder } from './fairShares.ts'
import { laneLeaseMs } from './lanes.ts'

/** Times are of `performance.now()`. */
export type Lane = Holder & {
  /** Set by a wake-up, cleared when a claim begins: a wake-up during the claim stays set. */
  isHungry: boolean
  isClaiming: boolean
  /** Its receiver took the last delivery at once: so more may be claimed than there are places. */
  isQuick: boolean
  /** How much may be claimed or is claimed beyond its places, and has not begun. */
  ahead: number
  /** Consecutive failures as last recorded, and those not yet recorded. */
  failures: number
  unrecorded: number
  /** Its results that are being recorded, whatever they are. */
  recording: number
  /** The next claim reads what came due since then. */
  since: Date
  /** When the database gave it to this process. */
  takenAt: Date
  /** When the statement was sent that last kept the lease. */
  keptAt: number
  wokenAt: number
  lookedAt: number
}

/** A claim begins only while its answer has this much time to come within the lease. */
const answerMs = 1_500

export const sinceEver = new Date(0)

export const newLane = ({ orgId, subscriptionId }: LaneKey, takenAt: Date, nowMs: number): Lane => ({
  orgId,
  subscriptionId,
  inUse: 0,
  others: 0,
  isSlow: false,
  isInLine: false,
  isHungry: false,
  isClaiming: false,
  isQuick: false,
  ahead: 0,
  failures: 0,
  unrecorded: 0,
  recording: 0,
  since: sinceEver,
  takenAt,
  keptAt: nowMs,
  wokenAt: nowMs,
  lookedAt: nowMs,
})

/** Whether the lane certainly still belongs to this process. The next owner counts the claims that were answered until then. */
export const isKept = ({ keptAt }: Pick<Lane, 'keptAt'>, nowMs: number): boolean => nowMs - keptAt < laneLeaseMs

type Claiming = Pick<Lane, 'keptAt' | 'failures' | 'unrecorded'>

/** Not while its subscription is about to be switched off. */
export const mayClaim = ({ keptAt, failures, unrecorded }: Claiming, nowMs: number): boolean =>
  failures + unrecorded < maxFailures && nowMs - keptAt < laneLeaseMs - answerMs

export const isIdle = ({ inUse, others, ahead, isHungry, isClaiming }: Lane): boolean =>
  inUse + others + ahead === 0 && !isHungry && !isClaiming
