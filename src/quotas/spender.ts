// The questions to the meter, and its answers.
import type { Period } from '../plans/period.ts'
import type { Limits } from '../plans/plans.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Budget } from './budget.ts'

export type Spender = {
  orgId: Uuid
  /** Whose requests per second are counted: the id of a key, or of the organization for all its sessions together. */
  bucket: string
  /** The epoch at which the caller read the organization; undefined: not read yet, `read`: read for this request. */
  epoch: string | undefined
  requestsPerSecond: number | null
  /** How many tokens its bucket holds, if not those of one second. */
  burst?: number
  limits: Limits
  period: Period
}

/**
 * `isFree`: takes a token of the rate and a unit of the budget, but no call of the month. `isDry`: only looks whether a unit of the
 * budget is left.
 */
export type Manner = { isFree?: boolean | undefined; isDry?: boolean | undefined }

export type FinalVerdict =
  /** Call `release` once the request is answered. */
  | { kind: 'ok'; callsUsed: number; release?: () => void }
  | { kind: 'rate'; waitMs: number; callsUsed: number }
  | { kind: 'quota'; budget: Budget; callsUsed: number }

export type Verdict =
  | FinalVerdict
  /** The caller read the organization before `epoch`: it must read it again and ask again. */
  | { kind: 'stale'; epoch: string }
  | { kind: 'no_redis' }
