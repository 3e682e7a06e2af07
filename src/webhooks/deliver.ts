// The delivery engine: take a slot, claim, post, record. Stages of one attempt, each safe to lose: a claim that is never
// recorded comes due again by itself, under the same delivery id.
import type { App } from '../app.ts'
import { batched } from '../batch.ts'
import { commit } from '../change.ts'
import type { Outcome } from '../http.ts'
import { encodeId } from '../ids.ts'
import { type Payload, wakeDelivery } from '../jobs.ts'
import { chargeDelivery } from './charge.ts'
import { emit, payloadPlace } from './emit.ts'
import { secretPlace, urlPlace } from './present.ts'
import {
  type ClaimedRow,
  claimDeliveries,
  type DeliveryKey,
  type RecordedRow,
  type ResultItem,
  recordResults,
  type StreakItem,
} from './queries.ts'
import { isSuccess, mostFailures, nextStep } from './rules.ts'
import { signature } from './signature.ts'
import { openSlots } from './slots.ts'
import { parkDeliveries } from './subscriptions.ts'

export const deadlineMs = 10_000
/** An attempt that is not recorded by then has been lost with its worker. */
const leaseMs = deadlineMs + 5_000
const mostResponseBytes = 64 * 1024
const batchSize = 200

type Result = { item: ResultItem; subscriptionId: string; delivered: boolean | undefined }

export type Deliverer = { deliver(payload: Payload<'deliver'>): Promise<void> }

export function openDeliverer(app: App): Deliverer {
  const slots = openSlots(app)
  const claim = batched<DeliveryKey, ClaimedRow | undefined>(batchSize, async (keys) => {
    const rows = await claimDeliveries(app.sql, keys, leaseMs)
    const byId = new Map(rows.map((row) => [row.id, row]))
    return keys.map((key) => {
      const row = byId.get(key.deliveryId)
      byId.delete(key.deliveryId)
      return row
    })
  })
  const record = batched<Result, RecordedRow | undefined>(batchSize, async (results) => {
    const rows = await recordResults(
      app.sql,
      results.map((result) => result.item),
      streaksOf(results),
      app.clock.now(),
    )
    const byId = new Map(rows.map((row) => [row.id, row]))
    return results.map((result) => byId.get(result.item.id))
  })

  /** One attempt. Returns the next delivery of the same change, when this one is done. */
  async function attempt(key: DeliveryKey): Promise<{ id: string } | undefined> {
    const row = await claim(key)
    if (!row) {
      await parkWhenInactive(app, key)
      return undefined
    }
    if (row.attempts === 1 && !(await chargeDelivery(app, row))) {
      const done = await record({
        item: resultItem(row, 'failed', null, 0),
        subscriptionId: row.subscriptionId,
        delivered: undefined,
      })
      return successorOf(done)
    }
    const outcome = await post(app, row)
    // Our own shutdown says nothing about the receiver: the claim runs out and the attempt is made again.
    if (outcome.kind === 'failed' && outcome.reason === 'closed') return undefined
    const delivered = outcome.kind === 'response' && isSuccess(outcome.status)
    observe(app, row, outcome, delivered)
    const step = nextStep({ delivered }, row.attempts, row.retrySchedule, app.clock.now())
    const nextRetryAt = step.kind === 'retry' ? step.at : null
    const status = step.kind === 'retry' ? 'pending' : step.kind
    const done = await record({
      item: resultItem(row, status, nextRetryAt, row.attempts),
      subscriptionId: row.subscriptionId,
      delivered,
    })
    if (nextRetryAt && nextRetryAt.getTime() <= app.clock.now().getTime() + app.config.enqueueHorizonMs) {
      app.bell.ring([wakeDelivery({ ...row, dueAt: nextRetryAt })])
    }
    if ((done?.consecutiveFailures ?? 0) >= mostFailures) await deactivate(app, row)
    return successorOf(done)
  }

  return {
    // Every turn of the loop does the next of one change, or else whoever waited for this subscription's slot.
    async deliver({ orgId, subscriptionId, deliveryId }) {
      let next: string | undefined = deliveryId
      while (next !== undefined) {
        const current: string = next
        if (!(await slots.take(orgId, subscriptionId, current))) return
        let successor: { id: string } | undefined
        let waiting: string | undefined
        try {
          successor = await attempt({ orgId, deliveryId: current })
        } finally {
          waiting = await slots.give(orgId, subscriptionId, current)
        }
        if (successor && waiting) {
          app.bell.ring([
            wakeDelivery({ orgId, subscriptionId, id: waiting, attempts: 0, dueAt: app.clock.now() }, app.clock.now()),
          ])
        }
        next = successor?.id ?? waiting
      }
    },
  }
}

const successorOf = (row: RecordedRow | undefined) => (row?.successorId ? { id: row.successorId } : undefined)

const resultItem = (
  row: ClaimedRow,
  status: ResultItem['status'],
  nextRetryAt: Date | null,
  attemptsMade: number,
): ResultItem => ({ orgId: row.orgId, id: row.id, attempts: row.attempts, status, nextRetryAt, attemptsMade })

function post(app: App, row: ClaimedRow): Promise<Outcome> {
  const body = app.sealer.unseal(payloadPlace(row.changeId, row.position), row.payloadSealed)
  const timestamp = String(Math.floor(Date.now() / 1000))
  return app.http.send({
    method: 'POST',
    url: app.sealer.unseal(urlPlace(row.subscriptionId), row.urlSealed),
    headers: {
      'content-type': 'application/json',
      'user-agent': 'agent-calendar/1',
      'x-signature': signature(app.sealer.unseal(secretPlace(row.subscriptionId), row.secretSealed), timestamp, body),
      'x-timestamp': timestamp,
      'x-delivery-id': encodeId('whd', row.id),
      'x-service-event-type': row.eventType,
    },
    body,
    deadlineMs,
    maxBytes: mostResponseBytes,
  })
}

function observe({ metrics, clock }: App, row: ClaimedRow, outcome: Outcome, delivered: boolean) {
  const label = delivered ? 'delivered' : outcome.kind === 'response' ? 'refused' : outcome.reason
  metrics.deliveryAttempts.inc({ outcome: label })
  metrics.deliveryDuration.observe(outcome.durationMs / 1000)
  if (row.attempts === 1) metrics.deliveryAge.observe((clock.now().getTime() - row.createdAt.getTime()) / 1000)
}

/** Failures after the last success of the batch count on; a delivery that was never posted counts neither way. */
function streaksOf(results: readonly Result[]): StreakItem[] {
  const streaks = new Map<string, StreakItem>()
  for (const { item, subscriptionId, delivered } of results) {
    if (delivered === undefined) continue
    const streak = streaks.get(subscriptionId) ?? { orgId: item.orgId, subscriptionId, succeeded: false, failures: 0 }
    if (delivered) Object.assign(streak, { succeeded: true, failures: 0 })
    else streak.failures++
    streaks.set(subscriptionId, streak)
  }
  return [...streaks.values()]
}

/** A delivery that was emitted while its subscription was being switched off joins those that wait. */
async function parkWhenInactive({ sql }: App, key: DeliveryKey) {
  await sql`
    update webhook_deliveries d set next_retry_at = null from webhook_subscriptions s
    where d.org_id = ${key.orgId} and d.id = ${key.deliveryId} and d.status = 'pending'
      and s.org_id = d.org_id and s.id = d.subscription_id and not s.active`
}

async function deactivate(app: App, row: ClaimedRow) {
  const { sql } = app
  const guard = sql`
    update webhook_subscriptions set active = false, updated_at = ${app.clock.now()}
    where org_id = ${row.orgId} and id = ${row.subscriptionId} and active and consecutive_failures >= ${mostFailures}
    returning id`
  const payload = {
    webhook_id: encodeId('whk', row.subscriptionId),
    url: app.sealer.unseal(urlPlace(row.subscriptionId), row.urlSealed),
    reason: 'consecutive_failures',
  }
  const { matched } = await commit(app, guard, {
    parked: parkDeliveries(app, row.orgId, row.subscriptionId),
    deliveries: emit(app, row.orgId, [{ type: 'webhook.deactivated', payload }], row.subscriptionId),
  })
  if (matched) app.metrics.subscriptionsDeactivated.inc()
}
