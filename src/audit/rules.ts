import { dayMs } from '../shapes/durations.ts'

/** The moment from which on entries are kept; null days is for ever. */
export const keptSince = (retentionDays: number | null, now: Date): Date =>
  new Date(retentionDays === null ? 0 : Math.max(0, now.getTime() - retentionDays * dayMs))
