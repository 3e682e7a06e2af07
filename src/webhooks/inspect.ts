// One delivery for the operator: how its last attempt ended, and why it waits.
import type { App } from '../app.ts'
import { notFound } from '../errors.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { decodeId, encodeId } from '../shapes/ids.ts'
import { jobs } from '../wakeups/jobs.ts'
import { failureInWords } from './outcome.ts'
import { presentDelivery, urlContext } from './present.ts'
import { type InspectedRow, inspectedDelivery } from './queries.ts'

export async function inspectDelivery(app: App, id: string) {
  const row = await requireDelivery(app, id)
  return {
    org_id: encodeId('org', row.orgId),
    ...presentDelivery(app, row),
    last_outcome: lastOutcome(row),
    waits_for: waitsFor(row, app.clock.now()),
    webhook: {
      url: app.sealer.unseal(urlContext(row.subscriptionId), row.urlSealed),
      active: row.active,
      removed: row.removed,
      consecutive_failures: row.consecutiveFailures,
    },
  }
}

export async function requireDelivery(app: App, id: string): Promise<InspectedRow> {
  const uuid = decodeId('whd', id)
  const [row] = uuid ? await inspectedDelivery(app.sql, uuid) : []
  if (!row) throw notFound('delivery', null, id)
  return row
}

function lastOutcome({ status, attempts, lastOutcome: outcome, lastHttpStatus }: InspectedRow): string | null {
  if (status === 'delivered') return 'delivered'
  if (status === 'failed' && attempts === 0) return 'not sent: the month had no deliveries left'
  return outcome && failureInWords(outcome, lastHttpStatus)
}

function waitsFor(row: InspectedRow, now: Date): string | null {
  if (row.status !== 'pending') return null
  if (row.removed) return 'nothing: its webhook has been removed, so it is never sent'
  if (!row.active) return 'its webhook, which is not active'
  if (row.waitsFor) return `${encodeId('whd', row.waitsFor)}, which is sent before it`
  if (!row.nextRetryAt) return null
  const at = isoTime(row.nextRetryAt)
  if (row.nextRetryAt <= now) return `a worker: it is due since ${at}`
  return isUnderWay(row) ? `the attempt under way, which counts as lost at ${at}` : `the retry at ${at}`
}

/** A claim sets the next attempt to the end of its lease; a real retry is always later. */
const isUnderWay = ({ lastAttemptAt, nextRetryAt }: InspectedRow): boolean =>
  lastAttemptAt !== null &&
  nextRetryAt !== null &&
  nextRetryAt.getTime() - lastAttemptAt.getTime() <= jobs.deliver.leaseMs
