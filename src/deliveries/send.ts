// One claimed delivery, from the claim to its result: posted, or refused because the month has no deliveries left.
import type { App } from '../app.ts'
import type { Outcome } from '../outbound/http.ts'
import type { Use } from '../quotas/budget.ts'
import { type LaneKey, wakeLane } from '../wakeups/lanes.ts'
import { type Attempt, type AttemptEnd, deadlineMs, endOf, outcomes } from '../webhooks/outcome.ts'
import { failuresAfter, isSuccess, maxFailures, nextStep } from '../webhooks/rules.ts'
import type { ClaimedRow } from './attempts.ts'
import { deactivate } from './deactivate.ts'
import type { FairShares } from './fairShares.ts'
import type { Lane } from './lane.ts'
import { openPost, type Posted } from './post.ts'
import { openRecord } from './record.ts'
import type { ResultItem } from './results.ts'

/** A receiver whose answer takes this long is slow. */
const slowMs = 1_000

/** A receiver that takes deliveries this soon is quick. */
const quickMs = 50

/** Times are of `performance.now()`. */
export type Claim = {
  row: ClaimedRow
  lane: Lane
  claimedUntilMs: number
  /** It waits for a place, in the stock of its lane since `readyAt`. */
  isAhead: boolean
  readyAt?: number
  /** The budget of which it has spent a unit. */
  spent?: Use
}

/** After a stall: an attempt must end before its claim does. */
export const isTooLate = ({ claimedUntilMs }: Claim): boolean => performance.now() > claimedUntilMs - deadlineMs

type Attempts = {
  /** Posts it and records the result, unless it is too late. */
  make(claim: Claim): Promise<void>
  /** The month has no deliveries left. It needs no place. */
  refuse(claim: Claim): Promise<void>
}

type Events = {
  /** A place of the lane is free, or a result of it is recorded. */
  freed(lane: Lane): void
  /** This process ends its attempts, because it shuts down. */
  closed(): void
  /** The next delivery of the same change may leave. */
  followed(lane: LaneKey): void
  /** It is too late to begin. Its place is free. */
  missed(claim: Claim): void
}

export function openAttempts(app: App, shares: FairShares<Lane>, events: Events): Attempts {
  const post = openPost(app)
  const record = openRecord(app)
  for (const outcome of outcomes) app.metrics.deliveryAttempts.inc({ outcome }, 0)

  function free(lane: Lane) {
    shares.giveBack(lane, 1)
    events.freed(lane)
  }

  /** Without an `end` it was never posted. */
  async function settle({ row, lane, claimedUntilMs }: Claim, item: ResultItem, end?: Attempt) {
    const isFailure = end !== undefined && end.outcome !== 'delivered'
    lane.recording++
    if (isFailure) lane.unrecorded++
    const done = await record({ item, row, end, claimedUntilMs }).finally(() => {
      lane.recording--
      if (isFailure) lane.unrecorded--
    })
    lane.failures = failuresAfter(lane.failures, end?.outcome === 'delivered', done?.consecutiveFailures ?? 0)
    if (done?.hasSuccessor) events.followed(row)
    if (lane.failures < maxFailures) return events.freed(lane)
    await deactivate(app, row).finally(() => {
      lane.failures = 0
      events.freed(lane)
    })
  }

  return {
    async refuse(claim) {
      await settle(claim, { ...resultItem(claim.row, 'failed', null), attemptsMade: 0 })
    },
    async make(claim) {
      const { row, lane } = claim
      if (isTooLate(claim)) {
        free(lane)
        return events.missed(claim)
      }
      let posted: Posted
      try {
        posted = await post(row)
        shares.setSlow(lane, posted.outcome.durationMs >= slowMs)
        lane.isQuick = isQuick(posted.outcome)
      } finally {
        free(lane)
      }
      const { at, outcome } = posted
      // Our own shutdown says nothing about the receiver: the lease ends and the attempt is made again.
      if (outcome.kind === 'failed' && outcome.reason === 'closed') return events.closed()
      const now = app.clock.now()
      const end = { ...endOf(outcome), at }
      observe(app, row, end)
      const step = nextStep({ delivered: end.outcome === 'delivered' }, row.attempts, row.retrySchedule, now)
      const item = step.kind === 'retry' ? resultItem(row, 'pending', step.at) : resultItem(row, step.kind, null)
      await settle(claim, item, end)
      if (step.kind === 'retry' && step.at.getTime() <= now.getTime() + app.config.enqueueHorizonMs) {
        app.bell.ring([wakeLane(row, step.at)])
      }
    },
  }
}

const isQuick = (outcome: Outcome): boolean =>
  outcome.kind === 'response' && isSuccess(outcome.status) && outcome.durationMs < quickMs

const resultItem = (row: ClaimedRow, status: ResultItem['status'], nextRetryAt: Date | null): ResultItem => ({
  orgId: row.orgId,
  id: row.id,
  attempts: row.attempts,
  status,
  nextRetryAt,
  attemptsMade: row.attempts,
})

function observe({ metrics, clock }: App, row: ClaimedRow, { outcome, durationMs }: AttemptEnd) {
  metrics.deliveryAttempts.inc({ outcome })
  metrics.deliveryAttemptDuration.observe(durationMs / 1000)
  if (row.attempts === 1)
    metrics.deliveryFirstAttemptAge.observe((clock.now().getTime() - row.createdAt.getTime()) / 1000)
}
