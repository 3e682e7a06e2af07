// Failed authentication and throttled requests, in the audit log of the organization they concern. They are written after the
// request, in batches. In a flood only a few of each kind are recorded; the others are only counted.
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
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

/** How many of each kind were recorded since `since`. */
type Window = { windowMs: number; max: number; kept: Map<string, number>; since: number }

type Ledger = {
  waiting: FailureItem[]
  windows: Window[]
  timer: NodeJS.Timeout | undefined
  writing: Promise<void>
}

/** How long the first failure waits for others to share its statement. */
const delayMs = 100
/** Anybody who knows the prefix of a key can cause failures of it. A burst informs its owner, hours of it do not. */
const bounds = [
  { windowMs: 10_000, max: 20 },
  { windowMs: 60 * 60_000, max: 200 },
]
const maxKinds = 10_000
const maxWaiting = 1_000
const maxAtOnce = 200

const openLedger = (): Ledger => ({
  waiting: [],
  windows: bounds.map((bound) => ({ ...bound, kept: new Map(), since: 0 })),
  timer: undefined,
  writing: Promise.resolve(),
})
const ledgerOf = (app: App) => app.memory(openLedger)

/** Never throws and never waits. A failure that cannot be assigned to an organization is only counted. */
export function recordFailure(app: App, failure: Failure): void {
  const ledger = ledgerOf(app)
  const now = app.clock.now()
  if (!isKept(ledger, failure, now.getTime())) {
    app.metrics.failures.inc({ action: failure.action, outcome: 'counted' })
    return
  }
  ledger.waiting.push(itemOf(failure, now))
  ledger.timer ??= setTimeout(() => void flushFailures(app), delayMs)
}

function isKept(ledger: Ledger, { action, orgId, keyPrefix }: Failure, at: number): boolean {
  if (!orgId && !keyPrefix) return false
  const kind = `${action} ${orgId ?? ''} ${keyPrefix ?? ''}`
  for (const window of ledger.windows) {
    if (Math.abs(at - window.since) < window.windowMs && window.kept.size < maxKinds) continue
    window.kept.clear()
    window.since = at
  }
  const isFull = ledger.windows.some(({ kept, max }) => (kept.get(kind) ?? 0) >= max)
  if (isFull || ledger.waiting.length >= maxWaiting) return false
  for (const { kept } of ledger.windows) kept.set(kind, (kept.get(kind) ?? 0) + 1)
  return true
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

/** Writes the waiting failures, one statement at a time. If Postgres fails, they are dropped: they are only a report. */
export function flushFailures(app: App): Promise<void> {
  const ledger = ledgerOf(app)
  clearTimeout(ledger.timer)
  ledger.timer = undefined
  ledger.writing = ledger.writing.then(async () => {
    while (ledger.waiting.length > 0) await write(app, ledger.waiting.splice(0, maxAtOnce))
  })
  return ledger.writing
}

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
