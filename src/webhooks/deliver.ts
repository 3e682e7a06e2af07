// The delivery engine: take a place and a slot, claim, charge, post, record. Stages of one attempt, each safe to lose: a
// claim that is never recorded comes due again by itself, under the same delivery id.
import type { App } from '../app.ts'
import type { Outcome } from '../outbound/http.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { batched } from '../stores/batch.ts'
import { repeatOnDeadlock } from '../stores/deadlocks.ts'
import { type Payload, wakeDelivery } from '../wakeups/jobs.ts'
import {
  type ClaimedRow,
  claimDeliveries,
  type DeliveryKey,
  type RecordedRow,
  type ResultItem,
  recordResults,
  type StreakItem,
} from './attempts.ts'
import { chargeDeliveries, isToBeCharged } from './charge.ts'
import { deactivate } from './deactivate.ts'
import { deadlineMs, failureOf, outcomeOf, outcomes } from './outcome.ts'
import { parkInactive } from './parking.ts'
import { type Attempt, openPlaces, placeCount } from './places.ts'
import { openPost } from './post.ts'
import { maxFailures, nextStep } from './rules.ts'
import { openSlots } from './slots.ts'

/** An attempt that is not recorded by then was lost with its worker. Shorter than `leaseOrRetryMs` of the quotas. */
export const leaseMs = deadlineMs + 5_000
const batchSize = 200

type Result = { item: ResultItem; subscriptionId: Uuid; delivered: boolean | undefined }

type Deliverer = { deliver(payload: Payload<'deliver'>): Promise<void> }

export function openDeliverer(app: App, places = placeCount): Deliverer {
  const slots = openSlots(app)
  const share = openPlaces(app.metrics, places, follow)
  const post = openPost(app)
  const charge = batched(batchSize, (rows: ClaimedRow[]) => chargeDeliveries(app, rows))
  const claim = batched<DeliveryKey, ClaimedRow | undefined>(batchSize, async (keys) => {
    const rows = await repeatOnDeadlock(() => claimDeliveries(app.sql, inOrder(keys, 'deliveryId'), leaseMs))
    const byId = new Map(rows.map((row) => [row.id, row]))
    return keys.map((key) => {
      const row = byId.get(key.deliveryId)
      byId.delete(key.deliveryId)
      return row
    })
  })
  const park = batched<DeliveryKey, void>(batchSize, async (keys) => {
    await repeatOnDeadlock(() => parkInactive(app.sql, keys))
    return []
  })
  const record = batched<Result, RecordedRow | undefined>(batchSize, async (results) => {
    const items = results.map((result) => result.item)
    const streaks = streaksOf(results)
    const rows = await repeatOnDeadlock(() =>
      recordResults(app.sql, inOrder(items, 'id'), [...streaks.values()], app.clock.now()),
    )
    const byId = new Map(rows.map((row) => [row.id, row]))
    logFirstFailures(app, results, streaks, byId)
    return items.map(({ id }) => byId.get(id))
  })

  for (const outcome of outcomes) app.metrics.deliveryAttempts.inc({ outcome }, 0)
  let isClosing = false

  /** One attempt. Returns the next delivery of the same change if this one has ended. */
  async function attempt(key: DeliveryKey): Promise<Uuid | null | undefined> {
    const row = await claim(key)
    if (!row) {
      await park(key)
      return undefined
    }
    if (isToBeCharged(row) && !(await charge(row))) {
      const item = { ...resultItem(row, 'failed', null), attemptsMade: 0 }
      return (await record({ item, subscriptionId: row.subscriptionId, delivered: undefined }))?.successorId
    }
    const outcome = await post(row)
    // Our own shutdown says nothing about the receiver: the lease ends and the attempt is made again.
    if (outcome.kind === 'response' || outcome.reason !== 'closed') return settle(row, outcome)
    isClosing = true
    return undefined
  }

  async function settle(row: ClaimedRow, outcome: Outcome): Promise<Uuid | null | undefined> {
    const now = app.clock.now()
    const ended = outcomeOf(outcome)
    const delivered = ended === 'delivered'
    observe(app, row, ended, outcome.durationMs)
    const step = nextStep({ delivered }, row.attempts, row.retrySchedule, now)
    const result = step.kind === 'retry' ? resultItem(row, 'pending', step.at) : resultItem(row, step.kind, null)
    const item = { ...result, ...failureOf(outcome) }
    const done = await record({ item, subscriptionId: row.subscriptionId, delivered })
    if (step.kind === 'retry' && step.at.getTime() <= now.getTime() + app.config.enqueueHorizonMs) {
      app.bell.ring([wakeDelivery({ ...row, dueAt: step.at })])
    }
    if ((done?.consecutiveFailures ?? 0) >= maxFailures) await deactivate(app, row)
    return done?.successorId
  }

  /**
   * Each turn of the loop makes the attempt of one delivery, then continues with the next one of the same change, or else with
   * the one that waited longest for a slot of this subscription. If the place is needed by others, both go to the end of the
   * line instead.
   */
  async function follow({ deliveryId, ...subscription }: Attempt): Promise<void> {
    const { orgId, subscriptionId } = subscription
    if (isClosing || !(await slots.take(subscriptionId, deliveryId))) return
    let current: Uuid | undefined = deliveryId
    while (current !== undefined) {
      let successor: Uuid | null | undefined
      try {
        successor = await attempt({ orgId, deliveryId: current })
      } catch (error) {
        app.log.error({ err: error }, 'an attempt could not be finished, it will be made again')
      }
      // The slot expires by itself, as the lease does: handing it on would claim deliveries that are never posted.
      if (isClosing) return
      if (!share.mayKeep({ ...subscription, deliveryId: current })) {
        const next = await slots.leave(subscriptionId, current)
        for (const id of [successor, next]) if (id) share.stand({ ...subscription, deliveryId: id })
        return
      }
      current = await slots.pass(subscriptionId, current, successor ?? undefined)
    }
  }

  return {
    async deliver(payload) {
      await Promise.all(attemptsOf(payload).map(share.enter))
    },
  }
}

const attemptsOf = ({ orgId, subscriptionId, deliveryId, others = [], beside = [] }: Payload<'deliver'>): Attempt[] => [
  ...[deliveryId, ...others].map((id) => ({ orgId, subscriptionId, deliveryId: id })),
  ...beside.map(([besideId, id]) => ({ orgId, subscriptionId: besideId, deliveryId: id })),
]

/** Two batches that write rows in the same order do not deadlock. */
const inOrder = <Key extends string, Item extends { orgId: Uuid } & Record<Key, string>>(
  items: readonly Item[],
  id: Key,
): Item[] => items.toSorted((a, b) => compare(a.orgId, b.orgId) || compare(a[id], b[id]))

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const resultItem = (row: ClaimedRow, status: ResultItem['status'], nextRetryAt: Date | null): ResultItem => ({
  orgId: row.orgId,
  id: row.id,
  attempts: row.attempts,
  status,
  nextRetryAt,
  attemptsMade: row.attempts,
})

function observe({ metrics, clock }: App, row: ClaimedRow, outcome: string, durationMs: number) {
  metrics.deliveryAttempts.inc({ outcome })
  metrics.deliveryAttemptDuration.observe(durationMs / 1000)
  if (row.attempts === 1)
    metrics.deliveryFirstAttemptAge.observe((clock.now().getTime() - row.createdAt.getTime()) / 1000)
}

/** By subscription: a success starts the count of failures again; a delivery that was never posted counts as neither. */
function streaksOf(results: readonly Result[]): Map<string, StreakItem> {
  const streaks = new Map<string, StreakItem>()
  for (const { item, subscriptionId, delivered } of results) {
    if (delivered === undefined) continue
    const streak = streaks.get(subscriptionId) ?? { orgId: item.orgId, subscriptionId, succeeded: false, failures: 0 }
    if (delivered) Object.assign(streak, { succeeded: true, failures: 0 })
    else streak.failures++
    streaks.set(subscriptionId, streak)
  }
  return streaks
}

/**
 * Logs one line for each webhook that has just begun to fail: all its failures in a row are of this batch. Later failures are
 * in the metric, and in the record of each delivery.
 */
function logFirstFailures(
  { log }: App,
  results: readonly Result[],
  streaks: Map<string, StreakItem>,
  recorded: Map<string, RecordedRow>,
) {
  for (const { item, subscriptionId, delivered } of results) {
    const failures = delivered === false && streaks.get(subscriptionId)?.failures
    if (!failures || recorded.get(item.id)?.consecutiveFailures !== failures) continue
    streaks.delete(subscriptionId)
    const detail = {
      webhook: encodeId('whk', subscriptionId),
      outcome: item.lastOutcome,
      http_status: item.lastHttpStatus,
    }
    log.info(detail, 'a webhook began to fail')
  }
}
