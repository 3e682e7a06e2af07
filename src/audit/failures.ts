// Failed authentication and throttled requests, in the audit log of whoever they concern. They are written off the
// request's path, and a flood of them costs nobody else: a few of each kind are kept, the rest is only counted.
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import { type FailureItem, insertFailures } from './queries.ts'

type Failure = {
  action: 'auth.failure' | 'rate_limit.exceeded'
  /** What the request was answered with. */
  status: number
  request: RequestContext
  /** Where it is known; otherwise the key's prefix tells. */
  orgId?: Uuid
  agentId?: Uuid
  keyPrefix?: string | null
}

/** How many of each kind were kept since `since`. */
type Window = { windowMs: number; max: number; kept: Map<string, number>; since: number }

type Ledger = {
  waiting: FailureItem[]
  windows: Window[]
  timer: NodeJS.Timeout | undefined
  writing: Promise<void>
}

/** So long the first of them waits for others to share its statement. */
const delayMs = 100
/** Whoever knows the prefix of a key can make failures of it: a burst is of use to its owner, hours of it are not. */
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

/** Never throws and waits for nothing. A failure that no organization can be told for is only counted. */
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
  org_id: orgId ?? null,
  id: newId(),
  action,
  actor_key_prefix: keyPrefix ?? null,
  agent_id: agentId ?? null,
  ip: request.ip,
  status,
  method: request.method,
  path: request.path.slice(0, maxPathLength),
  duration_ms: now.getTime() - request.startedAt.getTime(),
  request_id: request.id,
  created_at: now,
})

/** Writes what waits, one statement at a time. What Postgres does not take is given up: it was only a report. */
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
