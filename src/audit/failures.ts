// Failed authentication and throttled requests, in the audit log of the organization they concern. They are written after the
// request, in batches. In a flood only a few of each kind are recorded; the others are only counted.
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import { openReports } from '../stores/reports.ts'
import { type FailureItem, insertFailures } from './writes.ts'

type Failure = {
  action: 'auth.failure' | 'rate_limit.exceeded'
  /** The status of the answer. */
  status: number
  request: RequestContext
  /** If it is known; otherwise the prefix of the key identifies the organization. */
  orgId?: Uuid
  agentId?: Uuid
  keyPrefix?: string | null
}

const openLedger = (app: App) => openReports<FailureItem>((items) => write(app, items))
const ledgerOf = (app: App) => app.memory(openLedger)

/**
 * Never throws and never waits. A failure that cannot be assigned to an organization is only counted. Anybody who knows the
 * prefix of a key can cause failures of it, so there is a bound for each.
 */
export function recordFailure(app: App, failure: Failure): void {
  const { action, orgId, keyPrefix } = failure
  const now = app.clock.now()
  const kind = `${action} ${orgId ?? ''} ${keyPrefix ?? ''}`
  const isKept = (orgId || keyPrefix) && ledgerOf(app).add(kind, now, () => itemOf(failure, now))
  if (!isKept) app.metrics.failures.inc({ action, outcome: 'counted' })
}

const maxPathLength = 500

const itemOf = ({ action, status, request, orgId, agentId, keyPrefix }: Failure, now: Date): FailureItem => ({
  orgId: orgId ?? null,
  id: newId(),
  action,
  actorKeyPrefix: keyPrefix ?? null,
  agentId: agentId ?? null,
  ip: request.ip,
  status,
  method: request.method,
  path: request.path.slice(0, maxPathLength),
  durationMs: now.getTime() - request.startedAt.getTime(),
  requestId: request.id,
  createdAt: now,
})

/** Writes the waiting failures. */
export const flushFailures = (app: App): Promise<void> => ledgerOf(app).flush()

/** If Postgres fails, they are dropped: they are only a report. */
async function write(app: App, items: FailureItem[]) {
  try {
    const written = new Set((await insertFailures(app.sql, items)).map(({ id }) => id))
    for (const { id, action } of items) {
      app.metrics.failures.inc({ action, outcome: written.has(id) ? 'recorded' : 'counted' })
    }
  } catch (error) {
    app.log.warn({ error: (error as Error).message, entries: items.length }, 'failures could not be recorded')
  }
}
