// How a subscription's attempts went: counted with their results, by stretches of ten minutes, and read as sums.

import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { isoTime, isoTimeOrNull } from '../shapes/datetimes.ts'
import { dayMs, hourMs } from '../shapes/durations.ts'
import { decodeId } from '../shapes/ids.ts'
import { inBlocks } from '../stores/inBlocks.ts'
import { percentile, stretchAt } from './histogram.ts'
import { type HealthRow, healthOf } from './queries.ts'
import { maxFailures, stateOf } from './rules.ts'
import type { HealthQuery, HealthRecord } from './schema.ts'
import { requireWebhook } from './subscriptions.ts'
import { purgeHealth } from './writes.ts'

export const windowsMs = { '1h': hourMs, '24h': dayMs, '7d': 7 * dayMs }

export async function webhookHealth(
  app: App,
  actor: Actor,
  id: string,
  { window }: HealthQuery,
): Promise<HealthRecord> {
  const uuid = decodeId('whk', id)
  const now = app.clock.now()
  const since = (ms: number) => stretchAt(new Date(now.getTime() - ms))
  // At once: nothing is shown unless the webhook is there.
  const [webhook, rows] = await Promise.all([
    requireWebhook(app, actor, id),
    uuid ? healthOf(app.sql, { orgId: actor.orgId, id: uuid }, since(windowsMs[window]), since(hourMs)) : [],
  ])
  return presentHealth(webhook, rows[0]!)
}

function presentHealth(webhook: { active: boolean; consecutiveFailures: number }, row: HealthRow): HealthRecord {
  const { attempts, delivered, msHistogram, lastFailureAt } = row
  return {
    state: stateOf(webhook, { attempts: row.attemptsOfHour, delivered: row.deliveredOfHour }),
    attempts,
    delivered,
    failed: attempts - delivered,
    by_outcome: { ...(delivered > 0 && { delivered }), ...row.outcomes },
    p50_ms: percentile(msHistogram, 0.5),
    p95_ms: percentile(msHistogram, 0.95),
    pending: row.pending,
    oldest_pending_at: isoTimeOrNull(row.oldestPendingAt),
    last_success_at: isoTimeOrNull(row.lastSuccessAt),
    last_failure: lastFailureAt && {
      at: isoTime(lastFailureAt),
      outcome: row.lastFailureOutcome!,
      http_status: row.lastFailureStatus,
    },
    consecutive_failures: webhook.consecutiveFailures,
    disables_at: maxFailures,
  }
}

/** Removes what no window shows any more, in short statements. */
export async function purgeOldHealth(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - windowsMs['7d'] - hourMs)
  await inBlocks(2_000, (max) => purgeHealth(app.sql, before, max))
}
