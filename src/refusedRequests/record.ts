// Requests that were refused, as their organization may look them up: who asked for what, and what the answer said. Recorded
// after the answer, in batches and within bounds; a request that succeeds costs nothing.
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import type { ServiceError } from '../errors.ts'
import type { PlanId } from '../plans/plans.ts'
import { decodeId, type Uuid } from '../shapes/ids.ts'
import { openReports } from '../stores/reports.ts'
import { isRecorded, keptUntil } from './rules.ts'
import { insertRefused, type RefusedItem } from './writes.ts'

/** A known caller. */
type Caller = {
  orgId: Uuid
  plan: PlanId
  keyId?: Uuid
  sessionId?: Uuid
  keyPrefix: string | null
  account?: string
  agentId?: Uuid | null
}

/** A request of a caller that the gate knows. */
export type KnownRequest = { caller: Caller; request: RequestContext }

export const refusedOutcomes = ['recorded', 'counted', 'lost'] as const

const openLedger = (app: App) => openReports<RefusedItem>((items) => write(app, items))
const ledgerOf = (app: App) => app.memory(openLedger)

/** Never throws and never waits. There is a bound for each key and each session. */
export function recordRefused(app: App, known: KnownRequest, error: ServiceError): void {
  if (!isRecorded(error.status)) return
  const now = app.clock.now()
  const { keyId, sessionId } = known.caller
  const isKept = ledgerOf(app).add((keyId ?? sessionId)!, now, () => itemOf(known, error, now))
  if (!isKept) app.metrics.refusedRequests.inc({ outcome: 'counted' })
}

const maxPathLength = 500
const maxParamLength = 200

const itemOf = ({ caller, request }: KnownRequest, { type, status, detail }: ServiceError, now: Date): RefusedItem => ({
  orgId: caller.orgId,
  id: decodeId('req', request.id)!,
  at: now,
  keptUntil: keptUntil(caller.plan, now),
  method: request.method,
  path: request.path.slice(0, maxPathLength),
  status,
  type,
  code: detail.code ?? null,
  param: detail.param?.slice(0, maxParamLength) ?? null,
  keyPrefix: caller.keyPrefix,
  actorAccount: caller.account ?? null,
  agentId: caller.agentId ?? null,
  ip: request.ip,
  durationMs: now.getTime() - request.startedAt.getTime(),
})

/** Writes the waiting ones. */
export const flushRefused = (app: App): Promise<void> => ledgerOf(app).flush()

/** If Postgres fails, they are dropped: they are only a report. */
async function write(app: App, items: RefusedItem[]): Promise<void> {
  try {
    await insertRefused(app.sql, items)
    app.metrics.refusedRequests.inc({ outcome: 'recorded' }, items.length)
  } catch (error) {
    app.metrics.refusedRequests.inc({ outcome: 'lost' }, items.length)
    app.log.warn({ error: (error as Error).message, requests: items.length }, 'refused requests could not be recorded')
  }
}
