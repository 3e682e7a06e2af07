// Claims that are given up before their attempt: the deliveries are due again as if they had never been claimed.
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../app.ts'
import { giveBudget } from '../quotas/spending.ts'
import type { Uuid } from '../shapes/ids.ts'
import { repeatOnDeadlock } from '../stores/deadlocks.ts'
import { answersTo, isOneOf } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'
import { integers, uuids } from '../stores/sql.ts'
import type { ClaimedRow } from './attempts.ts'
import { times } from './lanes.ts'
import { byKey } from './record.ts'
import type { Claim } from './send.ts'

const retryEveryMs = 500

/**
 * Gives their units back first: the next claim must find them. While Postgres is away it tries again. A claim that cannot be
 * given back before its lease ends comes due then; its attempt counts, and no unit was spent for it.
 */
export async function releaseClaims(app: App, claims: readonly Claim[]): Promise<void> {
  await Promise.all(claims.map(({ spent }) => spent && giveBudget(app, spent)))
  for (;;) {
    const nowMs = performance.now()
    const held = claims.filter(({ claimedUntilMs }) => nowMs < claimedUntilMs)
    if (held.length === 0) return
    try {
      const rows = held.map(({ row }) => row)
      await repeatOnDeadlock(() => uncount(app.sql, rows))
      return
    } catch (error) {
      app.log.debug({ error: (error as Error).message }, 'claims could not be released yet')
      await pause(retryEveryMs)
    }
  }
}

/**
 * An attempt after the last one was not counted, so it stays: the next claim counts the same again. Deliveries that were
 * suspended in the meantime stay suspended.
 */
function uncount(sql: Sql, rows: readonly ClaimedRow[]) {
  const sorted = rows.toSorted(byKey)
  const orgs = sorted.map(({ orgId }) => orgId)
  const ids = sorted.map(({ id }) => id)
  const attempts = sorted.map((row) => row.attempts)
  const dues = sorted.map(({ dueAt }) => dueAt)
  return answersTo<{ id: Uuid }>(sql, isOneOf(ids))`
  update webhook_deliveries d
  set
    attempts = case when d.attempts > cardinality(d.retry_schedule) then d.attempts else d.attempts - 1 end,
    last_attempt_at = case when d.attempts > least(1, cardinality(d.retry_schedule)) then d.last_attempt_at end,
    next_retry_at = case when d.next_retry_at is not null then r.due_at end
  from unnest(${uuids(sql, orgs)}, ${uuids(sql, ids)}, ${integers(sql, attempts)}, ${times(sql, dues)})
    as r (org_id, id, attempts, due_at)
  where d.org_id = r.org_id and d.id = r.id
    and d.attempts = r.attempts and d.status not in ('delivered', 'failed')
  returning d.org_id, d.id`
}
