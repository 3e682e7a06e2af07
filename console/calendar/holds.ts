// How long holds last. Pure.
import type { EventInstance } from '../../clients/typescript/src/entry.ts'

/** `4:32`. */
export function leftText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

export const hasLapsed = ({ status, holdExpiresAt }: EventInstance, now: number): boolean =>
  status === 'hold' && holdExpiresAt !== null && Date.parse(holdExpiresAt) <= now

/** When the next of them runs out; undefined if none does. */
export function nextLapse(events: readonly EventInstance[], now: number): number | undefined {
  const ends = events
    .filter((event) => event.status === 'hold' && event.holdExpiresAt !== null && !hasLapsed(event, now))
    .map(({ holdExpiresAt }) => Date.parse(holdExpiresAt!))
  return ends.length > 0 ? Math.min(...ends) : undefined
}

/** So many minutes from now. A word that is no number goes as it is, so that the service says what is wrong with it. */
export function endOfHold(minutes: string, now: number): string {
  const at = now + Number(minutes) * 60_000
  return Number.isFinite(at) && Math.abs(at) < 8e15 ? new Date(at).toISOString() : minutes
}
