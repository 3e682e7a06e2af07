// Decides the outcome of the responses to a proposal. Pure.
import { type ScoredSlot, type Vote, winner } from './score.ts'

type Resolution<Slot> =
  | { kind: 'confirmed'; slot: Slot }
  | { kind: 'all_declined' }
  /** No response accepts or counters, and one is missing. */
  | { kind: 'undecided' }

export function decideResolution<Slot extends ScoredSlot>(
  slots: readonly Slot[],
  votes: readonly Vote[],
  participants: number,
): Resolution<Slot> {
  if (votes.some((vote) => vote.response !== 'decline')) return { kind: 'confirmed', slot: winner(slots, votes) }
  return votes.length >= participants ? { kind: 'all_declined' } : { kind: 'undecided' }
}

/** An overdue proposal counts as expired, whether or not its timer has fired. */
export const isOverdue = (proposal: { status: string; expiresAt: Date | null }, now: Date): boolean =>
  proposal.status === 'pending' && proposal.expiresAt !== null && proposal.expiresAt <= now
