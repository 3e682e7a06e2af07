import type { Limits } from '../plans/plans.ts'
import { dayMs } from '../shapes/durations.ts'

/** No agreement shows more. */
const maxDays = 30

/** The organization reads no older changes, whether they are still stored or not. */
export const keptSince = ({ changes_retention_days: days }: Pick<Limits, 'changes_retention_days'>, now: Date): Date =>
  new Date(now.getTime() - Math.min(days ?? maxDays, maxDays) * dayMs)
