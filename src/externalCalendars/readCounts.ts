// How reads of connections are counted.
import type { App } from '../app.ts'
import type { Failed, Refused } from '../providers/provider.ts'
import { errorCategories } from '../providers/rules.ts'
import type { ClaimedRead } from './readWrites.ts'

export const readOutcomes = ['read', 'refused', ...errorCategories] as const

/** `isAsked`: a question requested the read. Only stored reads have a lag. */
export function countRead(
  { metrics, clock }: App,
  read: ClaimedRead,
  isAsked: boolean,
  outcome: { kind: 'done' } | Failed | Refused,
  durationMs: number,
): void {
  const { provider } = read
  metrics.externalReads.inc({ provider, outcome: nameOf(outcome) })
  metrics.externalReadDuration.observe({ provider }, durationMs / 1000)
  if (outcome.kind !== 'done') return
  const { by, dueAt } = reasonOf(read, isAsked)
  metrics.externalReadLag.observe({ by }, Math.max(0, clock.now().getTime() - dueAt.getTime()) / 1000)
}

function nameOf(outcome: { kind: 'done' } | Failed | Refused): (typeof readOutcomes)[number] {
  if (outcome.kind === 'failed') return outcome.category
  return outcome.kind === 'done' ? 'read' : 'refused'
}

type ReadReason = { by: 'push' | 'poll' | 'interest'; dueAt: Date }

/** The cause of the read, and its time. A question may come before the clock. */
function reasonOf(
  { beganAt, dueAt, notifiedAt, isWanted }: Pick<ClaimedRead, 'beganAt' | 'dueAt' | 'notifiedAt' | 'isWanted'>,
  isAsked: boolean,
): ReadReason {
  const isDue = dueAt !== null && dueAt <= beganAt
  if (notifiedAt !== null) return { by: 'push', dueAt: isDue ? dueAt : beganAt }
  if (isWanted || !isDue) return { by: 'interest', dueAt: isDue ? dueAt : beganAt }
  return { by: isAsked ? 'interest' : 'poll', dueAt }
}
