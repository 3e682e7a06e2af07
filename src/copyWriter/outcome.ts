// Records the outcome of a write.
import type { App } from '../app.ts'
import { commit } from '../commit/commit.ts'
import { touchCalendar } from '../connections/calendarWrites.ts'
import type { Digests } from '../connections/digests.ts'
import { checkAccount, readBack } from '../externalCalendars/refresh.ts'
import { departingRetryMs, nextAttempt } from '../externalCopies/rules.ts'
import { keptContext } from '../externalCopies/sealed.ts'
import type { Provider } from '../providers/provider.ts'
import type { ErrorCategory } from '../providers/rules.ts'
import type { DuePublication } from './leaseQueries.ts'
import {
  delayLease,
  type Ending,
  endWriteGuard,
  type Lease,
  removePublication,
  suspendDestination,
} from './leaseWrites.ts'

export type Answer = Awaited<ReturnType<Provider['put']> | ReturnType<Provider['remove']>>

/** As the metric names them. */
export const writeOutcomes = [
  ...(['written', 'removed', 'deleted', 'rejected', 'lost', 'refused', 'failed'] as const),
] satisfies Answer['kind'][]

type Noted = {
  answer: Exclude<Answer, { kind: 'closed' }>
  generation: number
  digests: Digests
  /** Undefined for a removal. */
  written: { content: Buffer; shape: Buffer; endsAt: Date | null } | undefined
}

const settled = { attempts: 0, error: null, nextAttemptAt: null }
const withoutCopy = { contentDigest: null, keptSealed: null }

/** False: the lane is another worker's by now, so nothing was recorded. */
export async function noteAnswer(app: App, lease: Lease, due: DuePublication, noted: Noted): Promise<boolean> {
  const { answer, generation, digests, written } = noted
  countAttempt(app, due, answer.kind)
  switch (answer.kind) {
    case 'written': {
      const isNoted = await endWrite(app, lease, due, {
        ...settled,
        state: 'published',
        copy: 'there',
        endsAt: written!.endsAt ?? 'infinity',
        contentDigest: written!.content,
        shapeDigest: written!.shape,
        keptSealed: app.sealer.seal(keptContext(due.destinationId, due.eventId), answer.kept),
        objectDigest: answer.object === null ? null : Buffer.from(digests('object', answer.object), 'hex'),
        uidDigest: Buffer.from(digests('uid', answer.uid), 'hex'),
      })
      await noteWritten(app, due)
      return isNoted
    }
    case 'removed': {
      // A used name is used up: some providers remember deleted events.
      const next = { copy: 'none', isLeaving: false, generation: generation + 1, shapeDigest: null } as const
      // A removal that was begun before may be of a time when no copy was wanted.
      const after = due.isLeaving
        ? ({ state: 'queued', nextAttemptAt: app.clock.now() } as const)
        : ({ state: 'skipped' } as const)
      const isNoted = due.isEnded
        ? await drop(app, due)
        : await endWrite(app, lease, due, { ...settled, ...withoutCopy, ...next, ...after })
      await noteWritten(app, due)
      return isNoted
    }
    case 'deleted':
      // Due again: the next look decides whether the event has moved since.
      return endWrite(app, lease, due, {
        ...settled,
        ...withoutCopy,
        state: 'queued',
        copy: 'deleted',
        shapeDigest: due.shapeDigest ?? written!.shape,
        nextAttemptAt: app.clock.now(),
      })
    case 'rejected':
      return endWrite(app, lease, due, { ...settled, state: 'failed', attempts: due.attempts + 1, error: 'malformed' })
    case 'lost':
      if (due.isEnded) return drop(app, due)
      await suspendDestination(app.sql, due, answer.category)
      return true
    case 'refused':
      // Of a consent that has ended nothing can be withdrawn. A server with passwords may be starting anew.
      if (due.isDeparting && due.provider !== 'caldav') return drop(app, due)
      // Readers judge whether the account is refused for good.
      await checkAccount(app, due.orgId, due.connectionId)
      return noteFailure(app, lease, due, { category: 'unauthorized' })
    case 'failed':
      return noteFailure(app, lease, due, answer)
  }
}

type Failure = { category: ErrorCategory; retryAfterMs?: number }

/** It is tried again, or given up. A provider that wants fewer requests is not asked for anything else meanwhile. */
export async function noteFailure(
  app: App,
  lease: Lease,
  due: DuePublication,
  { category, retryAfterMs }: Failure,
): Promise<boolean> {
  const attempts = due.attempts + 1
  const waitMs = retryAfterMs ?? (due.isDeparting ? departingRetryMs(attempts) : undefined)
  const next = nextAttempt(attempts, due.changedAt, waitMs, app.clock.now())
  if (due.isEnded && (!next || next > due.givesUpAt!)) return drop(app, due)
  const isThrottled = next !== undefined && category === 'rate_limited'
  if (isThrottled) await delayLease(app.sql, lease, next)
  return endWrite(app, lease, due, {
    state: next ? 'queued' : 'failed',
    attempts,
    error: category,
    // The first date stays: a copy that failed often waits longer.
    nextAttemptAt: isThrottled ? due.nextAttemptAt : (next ?? null),
  })
}

async function drop({ sql }: App, due: DuePublication): Promise<true> {
  await removePublication(sql, due)
  return true
}

/**
 * A copy with a new name may be among the rows that were read of the calendar: cached answers are dropped. False: another
 * worker has the lease.
 */
export async function endWrite(app: App, lease: Lease, due: DuePublication, ending: Ending): Promise<boolean> {
  const { matched } = await commit(app, {
    guard: endWriteGuard(app.sql, lease, due, ending),
    effects: ending.objectDigest ? [touchCalendar(app.sql, due.orgId, due.externalCalendarId)] : [],
  })
  return matched
}

async function noteWritten(app: App, due: DuePublication): Promise<void> {
  observeLag(app, due)
  // Other agents must not book over the copy.
  await readBack(app, due.orgId, due.connectionId, due.externalCalendarId)
}

function countAttempt({ metrics }: App, { provider }: DuePublication, outcome: Answer['kind']): void {
  metrics.publicationAttempts.inc({ provider: provider!, outcome })
}

function observeLag({ metrics, clock }: App, { provider, changedAt }: DuePublication): void {
  const seconds = (clock.now().getTime() - changedAt.getTime()) / 1000
  metrics.publicationLag.observe({ provider: provider! }, Math.max(0, seconds))
}
