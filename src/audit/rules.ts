const dayMs = 24 * 60 * 60 * 1000

/** The moment from which on entries are kept; null days is for ever. */
export const keptSince = (retentionDays: number | null, now: Date): Date =>
  new Date(retentionDays === null ? 0 : Math.max(0, now.getTime() - retentionDays * dayMs))
