// The results of a few milliseconds are recorded together.
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../app.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { batched } from '../stores/batch.ts'
import { repeatOnDeadlock } from '../stores/deadlocks.ts'
import { isPassing, isRolledBack } from '../stores/failures.ts'
import { addAttempt } from '../webhooks/attemptLog.ts'
import type { Attempt } from '../webhooks/outcome.ts'
import type { ClaimedRow } from './attempts.ts'
import { healthItemsOf } from './measured.ts'
import { type RecordedRow, type ResultItem, recordResults, type StreakItem } from './results.ts'

type Result = {
  item: ResultItem
  row: ClaimedRow
  /** Undefined: it was never posted. */
  end: Attempt | undefined
  /** Until when the claim counts, on the clock of `performance.now()`. */
  claimedUntilMs: number
}

const gatherMs = 4
const batchSize = 200
const retryEveryMs = 500

type DeliveryKey = Pick<ResultItem, 'orgId' | 'id'>

type Recorder = (result: Result) => Promise<RecordedRow | undefined>

/** Undefined: a later claim or another result was faster. Rejects if it could not be recorded while the claim counted. */
export function openRecord(app: App): Recorder {
  /** The subscriptions whose last result of this process was a failure: their next success ends a streak. */
  const failing = new Set<Uuid>()
  const write = batched<Result, RecordedRow | undefined>(batchSize, async (results) => {
    const byId = await writeAll(results)
    // A delivery that changed meanwhile may still be this claim's: the second statement knows.
    const others = results.filter(({ item }) => !byId.has(item.id))
    const later = others.length > 0 ? await writeAll(others) : byId
    return results.map(({ item }) => byId.get(item.id) ?? later.get(item.id))
  })

  async function writeAll(results: readonly Result[]): Promise<Map<Uuid, RecordedRow>> {
    const items = results
      .map(({ item, row, end }) => ({ ...item, ...end, ...(end && { attemptLog: addAttempt(app, row, end) }) }))
      .toSorted(byKey)
    const streaks = streaksOf(results, failing)
    const batch = { results: items, streaks: [...streaks.values()], health: healthItemsOf(results) }
    const rows = await repeatOnDeadlock(() => recordResults(app.sql, batch, app.clock.now()))
    for (const { subscriptionId, failures } of streaks.values()) {
      if (failures > 0) failing.add(subscriptionId)
      else failing.delete(subscriptionId)
    }
    const byId = new Map(rows.map((row) => [row.id, row]))
    logFirstFailures(app, results, streaks, byId)
    return byId
  }

  /** While Postgres is away, or its disk is full, the result waits: then the attempt need not be repeated. */
  async function writeSoon(result: Result): Promise<RecordedRow | undefined> {
    for (;;) {
      try {
        return await write(result)
      } catch (error) {
        if ((isRolledBack(error) && !isPassing(error)) || performance.now() + retryEveryMs > result.claimedUntilMs)
          throw error
        await pause(retryEveryMs)
      }
    }
  }

  let gathering: Promise<void> | undefined
  return async (result) => {
    gathering ??= pause(gatherMs).then(() => {
      gathering = undefined
    })
    await gathering
    return writeSoon(result)
  }
}

/** Two batches that write rows in the same order do not deadlock. */
export const byKey = (a: DeliveryKey, b: DeliveryKey): number => compare(a.orgId, b.orgId) || compare(a.id, b.id)

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/**
 * By subscription: a success starts the count of failures again; a delivery that was never posted counts as neither. A success
 * after a success changes nothing and is left out.
 */
function streaksOf(results: readonly Result[], failing: Set<Uuid>): Map<Uuid, StreakItem> {
  const streaks = new Map<Uuid, StreakItem>()
  const changed = new Set<Uuid>()
  for (const { row, end } of results) {
    if (!end) continue
    const delivered = end.outcome === 'delivered'
    const { orgId, subscriptionId } = row
    const streak = streaks.get(subscriptionId) ?? { orgId, subscriptionId, succeeded: false, failures: 0 }
    if (delivered) Object.assign(streak, { succeeded: true, failures: 0 })
    else streak.failures++
    if (!delivered || row.consecutiveFailures > 0 || failing.has(subscriptionId)) changed.add(subscriptionId)
    streaks.set(subscriptionId, streak)
  }
  for (const id of streaks.keys()) if (!changed.has(id)) streaks.delete(id)
  return streaks
}

/**
 * Logs one line for each webhook that has just begun to fail: all its failures in a row are of this batch. Later failures are
 * in the metric, and in the record of each delivery.
 */
function logFirstFailures(
  { log }: App,
  results: readonly Result[],
  streaks: Map<Uuid, StreakItem>,
  recorded: Map<Uuid, RecordedRow>,
) {
  for (const { item, row, end } of results) {
    const { subscriptionId } = row
    const failures = end && end.outcome !== 'delivered' && streaks.get(subscriptionId)?.failures
    if (!failures || recorded.get(item.id)?.consecutiveFailures !== failures) continue
    streaks.delete(subscriptionId)
    const detail = {
      webhook: encodeId('whk', subscriptionId),
      outcome: end.outcome,
      http_status: end.httpStatus,
    }
    log.info(detail, 'a webhook began to fail')
  }
}
