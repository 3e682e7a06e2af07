// Pure decisions of the copy writer: the next task of a copy, and the consequence of its outcome.
import { type CopyState, mayExist, needsCopy, type Policy } from '../externalCopies/rules.ts'

type Task =
  | { kind: 'write'; generation: number }
  | { kind: 'remove' }
  | { kind: 'leave'; state: 'published' | 'skipped' }

type Known = {
  policy: Policy
  isEnded: boolean
  generation: number
  copy: CopyState
  /** A removal of the copy has begun, and may have happened. */
  isLeaving: boolean
  contentDigest: Buffer | null
  shapeDigest: Buffer | null
}

/** The current event, and digests of the content of its copy. */
type TargetCopy = Parameters<typeof needsCopy>[0] & { isExpressible: boolean; content: Buffer; shape: Buffer }

/** `event` undefined: it is gone. */
export function decideTask(known: Known, event: TargetCopy | undefined, now: Date): Task {
  const { policy, isEnded, generation, copy, isLeaving, contentDigest, shapeDigest } = known
  const isThere = mayExist(copy)
  const target = !isEnded && event?.isExpressible && needsCopy(event, policy, isThere, now)
  // Check our own removal first: a missing copy was then removed by us.
  if (isThere && isLeaving) return { kind: 'remove' }
  if (!target) return isThere ? { kind: 'remove' } : { kind: 'leave', state: 'skipped' }
  if (copy === 'deleted') {
    // Respected, until the event happens at another time.
    if (shapeDigest?.equals(event.shape)) return { kind: 'leave', state: 'skipped' }
    return { kind: 'write', generation: generation + 1 }
  }
  if (copy === 'there' && contentDigest?.equals(event.content)) return { kind: 'leave', state: 'published' }
  return { kind: 'write', generation }
}
