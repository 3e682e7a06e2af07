// Pure decisions about publications: which events are published, and the effect of an event's change on its copy.
import { dayMs, hourMs, minuteMs } from '../shapes/durations.ts'

export const policies = ['confirmed', 'confirmed_tentative'] as const
export type Policy = (typeof policies)[number]

export const publicationStates = ['queued', 'published', 'skipped', 'failed'] as const
type PublicationState = (typeof publicationStates)[number]

export const syncStatuses = ['not_configured', ...publicationStates] as const
export type SyncStatus = (typeof syncStatuses)[number]

/** `maybe`: a write has begun, and its answer is not known. `deleted`: by the human. */
export type CopyState = 'none' | 'maybe' | 'there' | 'deleted'

/** The last end of an event; null: it has none. */
type Publishable = {
  status: 'confirmed' | 'tentative' | 'cancelled' | 'hold'
  source: 'internal' | 'external_ical'
  endsAt: Date | null
}

/** Whether a copy of the event is wanted. One that has a copy keeps it up to date, even if it is over by now. */
export function needsCopy(event: Publishable, policy: Policy, hasCopy: boolean, now: Date): boolean {
  if (event.source === 'external_ical') return false
  if (event.status !== 'confirmed' && !(event.status === 'tentative' && policy === 'confirmed_tentative')) return false
  return hasCopy || event.endsAt === null || event.endsAt > now
}

export const mayExist = (copy: CopyState): boolean => copy === 'maybe' || copy === 'there'

/** The state that an event's change meets: its destination and its copy. */
export type Published = {
  policy: Policy
  /** `parked`: the connection is paused. `broken`: the destination is not active. */
  destination: 'active' | 'parked' | 'broken'
  state: PublicationState | null
  copy: CopyState
}

type Change = {
  event: Publishable
  /** Whether the provider has a form for it. */
  isExpressible: boolean
  /** Whether the copy would say something else; and whether its start, end or rule would differ. */
  isOther: boolean
  isMoved: boolean
}

/** `external_sync` of the answer to a change. */
export function syncStatusOf(published: Published | undefined, change: Change, now: Date): SyncStatus {
  if (!published) return 'not_configured'
  const { policy, destination, state, copy } = published
  const wantsCopy = needsCopy(change.event, policy, mayExist(copy), now) && change.isExpressible
  if (!wantsCopy && !mayExist(copy)) return 'skipped'
  if (wantsCopy && copy === 'deleted' && !change.isMoved && state === 'skipped') return 'skipped'
  if (wantsCopy && !change.isOther && state === 'published') return 'published'
  return destination === 'broken' ? 'failed' : 'queued'
}

const firstRetryMs = 5_000
const retryMs = [firstRetryMs, 30_000, 2 * minuteMs, 10 * minuteMs, 30 * minuteMs]
const givenUpMs = dayMs

/**
 * The next attempt of a write that failed `attempts` times; undefined: it is given up, a day after the event's last change. The
 * provider's Retry-After goes first, within limits.
 */
export function nextAttempt(
  attempts: number,
  changedAt: Date,
  retryAfterMs: number | undefined,
  now: Date,
): Date | undefined {
  const waitMs = retryAfterMs === undefined ? (retryMs[attempts - 1] ?? hourMs) : Math.max(retryAfterMs, firstRetryMs)
  const at = new Date(now.getTime() + waitMs)
  return at.getTime() - changedAt.getTime() > givenUpMs ? undefined : at
}

/** A removed connection has little time to withdraw its copies. */
export const departingRetryMs = (attempts: number): number => Math.min(minuteMs, retryMs[attempts - 1] ?? minuteMs)

/** Withdrawing through a connection that was removed ends after this time, in any case. */
export const departureMs = 10 * minuteMs
/** Withdrawing through a connection that is still there. */
export const withdrawalMs = dayMs
