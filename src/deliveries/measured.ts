// Counts of attempts, written with their results: the totals of a subscription, when its receiver last answered, and the
// attempts per stretch of time.
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { rowsOf } from '../stores/sql.ts'
import { countDuration, emptyHistogram, stretchAt } from '../webhooks/histogram.ts'
import type { AttemptEnd } from '../webhooks/outcome.ts'
import type { ClaimedRow } from './attempts.ts'

/** The effect of a batch of attempts on the health of one subscription; `lastOutcome`: of its last failure. */
export type HealthItem = {
  orgId: Uuid
  subscriptionId: Uuid
  attempts: number
  delivered: number
  /** The failures, by outcome. */
  outcomes: Record<string, number>
  msHistogram: number[]
  lastOutcome: string | null
  lastStatus: number | null
}

/** Without an `end` it was never posted. */
type Attempted = { row: ClaimedRow; end: AttemptEnd | undefined }

/** The effect of a batch of attempts on the health of each subscription. */
export function healthItemsOf(results: readonly Attempted[]): HealthItem[] {
  const items = new Map<Uuid, HealthItem>()
  for (const { row, end } of results) {
    if (!end) continue
    const { orgId, subscriptionId } = row
    const item = items.get(subscriptionId) ?? newHealthItem(orgId, subscriptionId)
    items.set(subscriptionId, item)
    item.attempts++
    countDuration(item.msHistogram, end.durationMs)
    if (end.outcome === 'delivered') {
      item.delivered++
      continue
    }
    item.outcomes[end.outcome] = (item.outcomes[end.outcome] ?? 0) + 1
    Object.assign(item, { lastOutcome: end.outcome, lastStatus: end.httpStatus ?? null })
  }
  return [...items.values()]
}

const newHealthItem = (orgId: Uuid, subscriptionId: Uuid): HealthItem => ({
  orgId,
  subscriptionId,
  attempts: 0,
  delivered: 0,
  outcomes: {},
  msHistogram: emptyHistogram(),
  lastOutcome: null,
  lastStatus: null,
})

const healthColumns = {
  orgId: 'uuid',
  subscriptionId: 'uuid',
  attempts: 'integer',
  delivered: 'integer',
  outcomes: 'jsonb',
  msHistogram: 'integer[]',
  lastOutcome: 'text',
  lastStatus: 'smallint',
} as const

/**
 * The totals of ended deliveries that the history shows, when the last attempts were, and how the attempts of this stretch of
 * time went. A batch that is recorded again counts once. `add_counts` and `add_each` take about 15 µs longer for each subscription
 * than the same sums written out here.
 */
export const countedAttempts = (sql: Sql, health: readonly HealthItem[], now: Date): Fragment => sql`
  attempted as (
    select k.*
    from ${rowsOf(sql, health, healthColumns, 'k')}
    where exists (select from recorded r where r.org_id = k.org_id and r.subscription_id = k.subscription_id)
  ),
  counted as (
    insert into webhook_delivery_counts as c (
      org_id, subscription_id, delivered, failed,
      last_success_at, last_failure_at, last_failure_outcome, last_failure_status)
    select
      r.org_id, r.subscription_id, r.delivered, r.failed,
      case when k.delivered > 0 then ${now}::timestamptz end,
      case when k.last_outcome is not null then ${now}::timestamptz end,
      k.last_outcome, k.last_status
    from (
      select
        org_id, subscription_id,
        count(*) filter (where status = 'delivered') as delivered,
        count(*) filter (where status = 'failed') as failed
      from recorded
      group by 1, 2) r
    left join attempted k using (org_id, subscription_id)
    order by 1, 2
    on conflict (org_id, subscription_id) do update
    set
      delivered = c.delivered + excluded.delivered,
      failed = c.failed + excluded.failed,
      last_success_at = coalesce(excluded.last_success_at, c.last_success_at),
      last_failure_at = coalesce(excluded.last_failure_at, c.last_failure_at),
      last_failure_outcome = coalesce(excluded.last_failure_outcome, c.last_failure_outcome),
      last_failure_status = case
        when excluded.last_failure_at is null then c.last_failure_status
        else excluded.last_failure_status
      end
  ),
  measured as (
    insert into webhook_health as h (
      org_id, subscription_id, stretch, attempts, delivered, outcomes, ms_histogram)
    select org_id, subscription_id, ${stretchAt(now)}::timestamptz, attempts, delivered, outcomes, ms_histogram
    from attempted
    order by 1, 2
    on conflict (org_id, subscription_id, stretch) do update
    set
      attempts = h.attempts + excluded.attempts,
      delivered = h.delivered + excluded.delivered,
      outcomes = add_counts(h.outcomes, excluded.outcomes),
      ms_histogram = add_each(h.ms_histogram, excluded.ms_histogram)
  )`
