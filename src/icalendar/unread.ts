// The unreadable parts of a calendar. They are counted by reason, and never taken for absent.

/**
 * `structure`: an event that is never ended, or stands outside a calendar. `end`: also one before its start. `date`: of a list, or of
 * the instance that an event replaces. `rule`: also one by a calendar system that is not known. `size`: a series of too many
 * instances. `object`: a whole object of a CalDAV calendar.
 */
export const unreadReasons = ['structure', 'start', 'end', 'date', 'rule', 'size', 'object'] as const
export type UnreadReason = (typeof unreadReasons)[number]

export type UnreadCounts = Partial<Record<UnreadReason, number>>

/** `uid` is null if the event does not say it, or was cut before it. */
export type Unread = { reason: UnreadReason; uid: string | null }

export const totalOf = (counts: UnreadCounts): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

/** The unreadable parts of one calendar, and the times that they leave unknown. */
export class Tally {
  readonly counts: UnreadCounts = {}
  /** The UIDs of which instances may be missing. */
  readonly lost = new Set<string | null>()
  #endMs = Number.POSITIVE_INFINITY

  count(reason: UnreadReason): void {
    this.counts[reason] = (this.counts[reason] ?? 0) + 1
  }

  /** Instances may be missing from `fromMs` on. Without a reason that is counted already. */
  lose(reason: UnreadReason | undefined, uid: string | null, fromMs: number): void {
    if (reason !== undefined) this.count(reason)
    this.lost.add(uid)
    this.endAt(fromMs)
  }

  endAt(ms: number): void {
    this.#endMs = Math.min(this.#endMs, ms)
  }

  /** The beginning of the unknown part; undefined if the whole window is known. */
  knownUntil({ fromMs, untilMs }: { fromMs: number; untilMs: number }): Date | undefined {
    return this.#endMs < untilMs ? new Date(Math.max(fromMs, this.#endMs)) : undefined
  }
}
