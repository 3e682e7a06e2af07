// Pure decisions about connections, links and copies: the next state, and the meaning of a copy's age.
import { type Capability, capabilityNames, type ErrorCategory } from '../providers/rules.ts'
import { dayMs, hourMs, minuteMs } from '../shapes/durations.ts'

export const connectionStatuses = ['active', 'paused', 'reauthorization_required', 'disconnected'] as const
export type ConnectionStatus = (typeof connectionStatuses)[number]

/** Each capability once, in their order. */
export const inOrder = (capabilities: readonly Capability[]): Capability[] =>
  capabilityNames.filter((name) => capabilities.includes(name))

export const areSame = (some: readonly Capability[], others: readonly Capability[]): boolean =>
  inOrder(some).join() === inOrder(others).join()

type Trigger = 'pause' | 'resume' | 'refused' | 'authorized' | 'unattended'

const transitions: Record<ConnectionStatus, Partial<Record<Trigger, ConnectionStatus>>> = {
  active: { pause: 'paused', resume: 'active', refused: 'reauthorization_required', authorized: 'active' },
  paused: { pause: 'paused', resume: 'active', authorized: 'paused' },
  reauthorization_required: { authorized: 'active', unattended: 'disconnected' },
  disconnected: {},
}

/** The status that follows; undefined if the trigger does not apply to this one. */
export const statusAfter = (status: ConnectionStatus, trigger: Trigger): ConnectionStatus | undefined =>
  transitions[status][trigger]

/** CalDAV: a refusal is believed if it repeats after this time. A server that restarts may refuse anything. */
export const refusalTimeMs = 5 * minuteMs

export const isRefusalBelieved = (refusedAt: Date | null, now: Date): boolean =>
  refusedAt !== null && now.getTime() - refusedAt.getTime() >= refusalTimeMs

const secondMailMs = 7 * dayMs
const giveUpMs = 90 * dayMs

/** When a broken connection needs attention next: a second mail, then the end. */
export function remindAfter(brokenAt: Date, now: Date): Date {
  const wait = now.getTime() < brokenAt.getTime() + secondMailMs ? secondMailMs : giveUpMs
  return new Date(brokenAt.getTime() + wait)
}

export const isGivenUp = (brokenAt: Date, now: Date): boolean => now.getTime() - brokenAt.getTime() >= giveUpMs

export const linkMs = 24 * hourMs
/** How long a link that has ended can still be read. */
export const linkKeptMs = 30 * dayMs

export const linkStatuses = ['awaiting_human', 'in_progress', 'completed', 'declined', 'expired', 'cancelled'] as const
export type LinkStatus = (typeof linkStatuses)[number]

export const isPending = (status: LinkStatus): boolean => status === 'awaiting_human' || status === 'in_progress'

/** The clock decides, before its expiry is stored. */
export const linkStatusAt = (link: { status: LinkStatus; expiresAt: Date }, now: Date): LinkStatus =>
  isPending(link.status) && link.expiresAt <= now ? 'expired' : link.status

export const syncStatuses = ['pending', 'syncing', 'current', 'stale', 'partial', 'unavailable'] as const
export type SyncStatus = (typeof syncStatuses)[number]

/** A copy is current if its last successful read began within this time. */
const currentMs = 20 * minuteMs
/** An older copy can still be used for exploring. */
const usableMs = 24 * hourMs
/** A copy that is known to be outdated is not current, once a read has had this time. */
const unreadMs = minuteMs

type CopyAge = {
  isActive: boolean
  /** When the last successful read began. */
  lastReadAt: Date | null
  /** The time of the first announced change that no read has seen; null: none. */
  unreadSince: Date | null
}

/** The meaning of a copy's age. */
export function judgeCopy({ isActive, lastReadAt, unreadSince }: CopyAge, now: Date): 'current' | 'usable' | 'missing' {
  if (lastReadAt === null) return 'missing'
  const ageMs = now.getTime() - lastReadAt.getTime()
  if (ageMs > usableMs) return 'missing'
  const isOutdated = unreadSince !== null && now.getTime() - unreadSince.getTime() > unreadMs
  return isActive && ageMs <= currentMs && !isOutdated ? 'current' : 'usable'
}

export type Copy = CopyAge & {
  isSelected: boolean
  lastAttemptedAt: Date | null
  isReading: boolean
  lastError: ErrorCategory | null
  /** The provider answers for the account, and refuses this calendar. */
  isRefused: boolean
  isCut: boolean
}

/** Null if the calendar is not selected. */
export function syncStatusOf(copy: Copy, now: Date): SyncStatus | null {
  if (!copy.isSelected) return null
  if (copy.lastReadAt === null) {
    if (copy.isReading) return 'syncing'
    return copy.lastAttemptedAt === null ? 'pending' : 'unavailable'
  }
  if (copy.isRefused || copy.lastError === 'forbidden' || copy.lastError === 'not_found') return 'unavailable'
  const judged = judgeCopy(copy, now)
  if (judged === 'missing') return 'unavailable'
  if (judged === 'usable') return 'stale'
  return copy.isCut ? 'partial' : 'current'
}

const periodMs = 5 * minuteMs
/** With a channel that announces changes. Messages of providers are lost, so the clock goes on. */
const watchedPeriodMs = 15 * minuteMs
const spread = 0.1
const firstRetryMs = 30_000
const maxRetryMs = 5 * minuteMs
const maxHoldMs = hourMs

export type ReadEnd =
  /** `isWatched`: each of its calendars has a channel. */
  | { kind: 'read'; isWatched: boolean }
  /** Full jitter: after `failures` in a row. */
  | { kind: 'failed'; failures: number }
  | { kind: 'rate_limited'; failures: number; retryAfterMs: number | undefined }

/** When a connection is read next; `isThrottled`: nothing makes it earlier. `random` lies in [0, 1). */
export function nextRead(end: ReadEnd, now: Date, random: number): { at: Date; isThrottled: boolean } {
  const after = (ms: number) => new Date(now.getTime() + Math.round(ms))
  switch (end.kind) {
    case 'read':
      return {
        at: after((end.isWatched ? watchedPeriodMs : periodMs) * (1 - spread + 2 * spread * random)),
        isThrottled: false,
      }
    case 'failed':
      return { at: after(Math.max(1_000, random * doubled(end.failures, maxRetryMs))), isThrottled: false }
    case 'rate_limited':
      return { at: after(Math.min(maxHoldMs, end.retryAfterMs ?? doubled(end.failures, maxHoldMs))), isThrottled: true }
  }
}

const doubled = (failures: number, maxMs: number): number =>
  Math.min(maxMs, firstRetryMs * 2 ** Math.min(20, Math.max(0, failures - 1)))

/** A question about a copy that is older than this rings for a read, as often at most. */
export const interestMs = minuteMs

const coveredBackDays = 31
const coveredAheadDays = 400
/** A copy is read whole once a week, so it reaches this much further than the window it must cover. */
const slackDays = 8
export const wholeEveryMs = 7 * dayMs

/** The window that a whole read made now covers. */
export const horizonAt = (now: Date): { from: Date; until: Date } => ({
  from: new Date(now.getTime() - coveredBackDays * dayMs),
  until: new Date(now.getTime() + (coveredAheadDays + slackDays) * dayMs),
})

/** Whether a question lies within the promised window and the window of the copy. */
export const isCovered = (
  window: { fromMs: number; toMs: number },
  copy: { coversFrom: Date; coversUntil: Date },
  now: Date,
): boolean =>
  window.fromMs >= Math.max(copy.coversFrom.getTime(), now.getTime() - coveredBackDays * dayMs) &&
  window.toMs <= Math.min(copy.coversUntil.getTime(), now.getTime() + coveredAheadDays * dayMs)

export const maxSelected = 50
export const maxKeptCalendars = 250
/** Calendar lists are read again this often, and on request. */
export const listEveryMs = dayMs
/** All versions are compared this often: the tokens of some servers miss changes. */
export const compareEveryMs = hourMs
