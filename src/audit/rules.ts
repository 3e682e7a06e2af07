import { dayMs } from '../shapes/durations.ts'

/** Entries since this time are kept; null days means for ever. */
export const keptSince = (retentionDays: number | null, now: Date): Date =>
  new Date(retentionDays === null ? 0 : Math.max(0, now.getTime() - retentionDays * dayMs))
