// Records the outcomes of attempts in blocks. Rows are locked in one order everywhere: subscriptions before deliveries before
// counts (docs/decisions/lock-order.md).
import type { Uuid } from '../shapes/ids.ts'
import { answersTo, isOneOf } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { integers, rowsOf, texts, uuids } from '../stores/sql.ts'
import type { AttemptEnd } from '../webhooks/outcome.ts'
import { times } from './lanes.ts'
import { countedAttempts, type HealthItem } from './measured.ts'

/** The outcome of one attempt. `attempts` identifies its claim: the result of a claim that has been lost matches no row. */
export type ResultItem = {
  orgId: Uuid
  id: Uuid
  attempts: number
  status: 'pending' | 'delivered' | 'failed'
  nextRetryAt: Date | null
  /** Zero for a delivery that was never posted. */
  attemptsMade: number
}

/**
 * The effect of a batch of results on one subscription. `failures`: consecutive, after the last success of the batch if any.
 */
export type StreakItem = { orgId: Uuid; subscriptionId: Uuid; succeeded: boolean; failures: number }

export type RecordedRow = {
  id: Uuid
  /** Whether the next delivery of the same change is due now. */
  hasSuccessor: boolean
  /** The subscription's failures in a row after this batch; null if the batch has no streak of it. */
  consecutiveFailures: number | null
}

const streakColumns = { orgId: 'uuid', subscriptionId: 'uuid', succeeded: 'boolean', failures: 'integer' } as const

/** Only a failure stores its outcome; the status already says that a delivery succeeded. */
type EndedItem = ResultItem & Partial<AttemptEnd> & { attemptLog?: Buffer }

/**
 * As columns, which cost Postgres less than records. No outcome is an empty text, no HTTP status is 0, no duration is -1, no log is
 * null.
 */
function resultRows(sql: Sql, results: readonly EndedItem[]): Fragment {
  const orgs = results.map(({ orgId }) => orgId)
  const ids = results.map(({ id }) => id)
  const attempts = results.map((result) => result.attempts)
  const statuses = results.map(({ status }) => status)
  const retries = results.map(({ nextRetryAt }) => nextRetryAt)
  const made = results.map(({ attemptsMade }) => attemptsMade)
  const outcomes = results.map(({ status, outcome = '' }) => (status === 'delivered' ? '' : outcome))
  const httpStatuses = results.map(({ httpStatus = 0 }) => httpStatus)
  const durations = results.map(({ durationMs = -1 }) => durationMs)
  const logs = results.map(({ attemptLog }) => attemptLog?.toString('hex') ?? 'NULL').join()
  return sql`
    unnest(
      ${uuids(sql, orgs)}, ${uuids(sql, ids)}, ${integers(sql, attempts)}, ${texts(sql, statuses)},
      ${times(sql, retries)}, ${integers(sql, made)}, ${texts(sql, outcomes)}, ${integers(sql, httpStatuses)},
      ${integers(sql, durations)}, string_to_array(${logs}::text, ',', 'NULL')
    ) as r (
      org_id, id, attempts, status, next_retry_at, attempts_made, last_outcome, last_http_status, last_duration_ms, attempt_log)`
}

/** The subscriptions whose row changes. */
const lockedStreaks = (sql: Sql, streaks: readonly StreakItem[]): Fragment => sql`
  locked as (
    select s.org_id, s.id, k.succeeded, k.failures
    from webhook_subscriptions s
    join ${rowsOf(sql, streaks, streakColumns, 'k')} on k.org_id = s.org_id and k.subscription_id = s.id
    where k.failures > 0 or s.consecutive_failures > 0
    order by s.org_id, s.id
    for no key update of s
  ),`

/** The failures in a row of each locked subscription, if any of its results counts: a batch that is recorded again counts once. */
const writtenStreaks = (sql: Sql, now: Date): Fragment => sql`
  streaks as (
    update webhook_subscriptions s
    set
      consecutive_failures = l.failures + case when l.succeeded then 0 else s.consecutive_failures end,
      first_failure_at = case
        when l.failures = 0 then null
        when l.succeeded or s.first_failure_at is null then ${now}::timestamptz
        else s.first_failure_at
      end
    from locked l
    where s.org_id = l.org_id and s.id = l.id and s.active
      and exists (select from recorded r where r.org_id = l.org_id and r.subscription_id = l.id)
    returning s.org_id, s.id, s.consecutive_failures
  ),`

/** `health` and `streaks`: of the subscriptions of the results, ordered by organization and subscription. */
type Batch = { results: readonly EndedItem[]; streaks: readonly StreakItem[]; health: readonly HealthItem[] }

/**
 * All changes of a batch of outcomes, in one statement, so that a worker that dies leaves either all of it or nothing. Each
 * part takes its locks in the one order. Postgres runs data-modifying parts in no fixed order: `recorded` counts the rows of
 * `locked` only to lock the subscriptions before the deliveries. Without streaks the subscriptions are not read. Not delivered
 * and not failed means that only the part with pending deliveries is read; no partial index has a row for that reason, so Postgres
 * finds each row by its key and never reads all of them. A delivery that ends moves to the day of its change: a statement that
 * waited for it ends with a conflict, and is repeated.
 */
export function recordResults(sql: Sql, { results, streaks, health }: Batch, now: Date) {
  const hasStreaks = streaks.length > 0
  return answersTo<RecordedRow>(sql, isOneOf(results.map(({ id }) => id)))`
  with
  ${hasStreaks ? lockedStreaks(sql, streaks) : sql``}
  -- the deliveries, unless a later claim or another result was faster. Not those that changed since the statement began: a replay
  -- may have made others wait for them, which the statement does not see
  recorded as (
    update webhook_deliveries d
    set
      status = r.status,
      next_retry_at = r.next_retry_at,
      attempts = r.attempts_made,
      last_attempt_at = case when r.attempts_made > 0 then d.last_attempt_at end,
      last_outcome = nullif(r.last_outcome, ''),
      last_http_status = nullif(r.last_http_status, 0),
      last_duration_ms = nullif(r.last_duration_ms, -1),
      attempt_log_sealed = coalesce(decode(r.attempt_log, 'hex'), d.attempt_log_sealed)
    from ${resultRows(sql, results)}
    join webhook_deliveries seen
      on seen.org_id = r.org_id and seen.id = r.id and seen.status not in ('delivered', 'failed')
    where d.org_id = r.org_id and d.id = r.id and d.xmin = seen.xmin
      and d.attempts = r.attempts and d.status not in ('delivered', 'failed')
      ${hasStreaks ? sql`and (select count(*) from locked) >= 0` : sql``}
    returning d.org_id, d.id, d.subscription_id, d.change_id, d.position, d.status
  ),
  -- the next delivery of each change whose delivery has ended: it may leave now
  successors as (
    update webhook_deliveries n
    set next_retry_at = ${now}
    from recorded
    where recorded.status <> 'pending'
      and n.org_id = recorded.org_id and n.subscription_id = recorded.subscription_id
      and n.change_id = recorded.change_id and n.status = 'pending' and n.next_retry_at is null
      and n.position = (
        select min(p.position)
        from webhook_deliveries p
        where p.org_id = recorded.org_id and p.subscription_id = recorded.subscription_id
          and p.change_id = recorded.change_id and p.status = 'pending' and p.position > recorded.position)
    returning recorded.id as predecessor_id
  ),
  ${hasStreaks ? writtenStreaks(sql, now) : sql``}
  ${countedAttempts(sql, health, now)}
  select
    recorded.id,
    successors.predecessor_id is not null as has_successor,
    ${hasStreaks ? sql`streaks.consecutive_failures` : sql`null::integer as consecutive_failures`}
  from recorded
  left join successors on successors.predecessor_id = recorded.id
  ${hasStreaks ? sql`left join streaks on streaks.org_id = recorded.org_id and streaks.id = recorded.subscription_id` : sql``}`
}
