// Pure decisions about events and holds.
import { dayMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { eventStatuses } from './schema.ts'

export type EventStatus = (typeof eventStatuses)[number]

/** The parts of an event that decide which changes are allowed. */
export type EventState = {
  status: EventStatus
  source: 'internal' | 'external_ical'
  holdExpiresAt: Date | null
  holdOutcome: 'confirmed' | 'released' | 'expired' | 'preempted' | null
}

/** From this instant a hold counts as expired, whether or not its timer has run. */
export const isLapsed = (event: Pick<EventState, 'status' | 'holdExpiresAt'>, now: Date): boolean =>
  event.status === 'hold' && event.holdExpiresAt !== null && event.holdExpiresAt <= now

export const shownStatus = (event: Pick<EventState, 'status' | 'holdExpiresAt'>, now: Date): EventStatus =>
  isLapsed(event, now) ? 'cancelled' : event.status

export const isReadOnly = (event: Pick<EventState, 'source'>): boolean => event.source === 'external_ical'

const minHoldMs = 30_000
const maxHoldMs = 15 * 60_000
/** By how much the travel of a request may shorten a hold. */
const graceMs = 1_000

export function isHoldLengthAllowed(expiresAt: Date, now: Date): boolean {
  const aheadMs = expiresAt.getTime() - now.getTime()
  return aheadMs >= minHoldMs - graceMs && aheadMs <= maxHoldMs
}

export type LiveHold = {
  id: Uuid
  holdPriority: number
  /** The group that it was placed with. */
  groupId: Uuid | null
}

type HoldDecision = { kind: 'blocked'; by: LiveHold } | { kind: 'granted'; preempt: LiveHold[] }

/** `rivals` are the active holds that overlap: one of equal or higher priority blocks, otherwise all of them yield. */
export function decideHold(priority: number, rivals: readonly LiveHold[]): HoldDecision {
  const blocker = rivals.find((rival) => rival.holdPriority >= priority)
  return blocker ? { kind: 'blocked', by: blocker } : { kind: 'granted', preempt: [...rivals] }
}

type EndHoldDecision = 'granted' | 'hold_expired' | 'not_a_hold'

/** Whether a hold can still be confirmed or released. */
export function decideEndOfHold(event: EventState, now: Date): EndHoldDecision {
  if (event.status === 'hold') return isLapsed(event, now) ? 'hold_expired' : 'granted'
  return event.holdOutcome === 'expired' ? 'hold_expired' : 'not_a_hold'
}

const trashMs = 30 * dayMs

/** Events that were deleted before this are not in the trash any more. */
export const trashSince = (now: Date): Date => new Date(now.getTime() - trashMs)

export const restorableUntil = (deletedAt: Date): Date => new Date(deletedAt.getTime() + trashMs)

/** A hold is over by then. The guest of a booking was told that it ended. */
export const isRestorable = (event: Pick<EventState, 'status' | 'source'> & { isBooking: boolean }): boolean =>
  event.source === 'internal' && event.status !== 'hold' && !event.isBooking
