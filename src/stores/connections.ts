// The connections of a process and the line before them. Who takes one has it alone until it is given back, so a statement
// is never sent on a connection that waits for an answer. One whose state is not known is closed, never given back.
import type { Metrics } from '../observability/metrics.ts'
import { type Connection, openConnection } from './connection.ts'

const closingReasons = ['deadline', 'broken', 'distrusted', 'idle', 'age', 'released', 'shutdown'] as const
type ClosingReason = (typeof closingReasons)[number]

export type ConnectionsObserver = { opened(): void; closed(reason: ClosingReason): void }

export function observeConnections(metrics: Metrics): ConnectionsObserver {
  for (const reason of closingReasons) metrics.postgresConnectionsClosed.inc({ reason }, 0)
  return {
    opened: () => metrics.postgresConnectionsOpen.inc(),
    closed(reason) {
      metrics.postgresConnectionsOpen.dec()
      metrics.postgresConnectionsClosed.inc({ reason })
    },
  }
}

/** A connection that somebody has alone, until one of the last two is called. */
export type Held = Pick<Connection, 'run' | 'isSoundAfter'> & {
  giveBack(): void
  /** Closes it at once, whoever has it. */
  drop(reason: ClosingReason): void
}

/** Somebody in a line. One of the two is called, once. */
type Waiter = { use(connection: Held): void; refuse(error: unknown): void }

/** First come, first served. */
export type Line = {
  take(waiter: Waiter): void
  /** False: it is not in the line any more. */
  leave(waiter: Waiter): boolean
}

type Connections = Line & {
  /** Lets what was begun and what waits end for so long, then closes everything. */
  close(withinMs?: number): Promise<void>
}

type ConnectionsOptions = {
  url: string
  name: string
  max: number
  statementTimeoutMs: number
  observer?: ConnectionsObserver | undefined
}

const connectWithinMs = 5_000
const idleMs = 60_000
const lifetimeMs = 30 * 60_000
const reapEveryMs = 5_000
const maxBackoffMs = 1_000
const backoffMs = (failures: number) => Math.min(50 * 2 ** failures, maxBackoffMs)

const failure = (code: string, message: string) => Object.assign(new Error(message), { code })

type Pooled = Connection & Held & { idleSince: number; endsAt: number }

export function openConnections({ max, observer, ...address }: ConnectionsOptions): Connections {
  const open = new Set<Pooled>()
  /** The last one back is the first one out, so that the others come to rest and close. */
  const idle: Pooled[] = []
  const line = new Set<Waiter>()
  const attempts = new Set<AbortController>()
  let tries = 0
  let failures = 0
  let retry: NodeJS.Timeout | undefined
  let closing: Promise<void> | undefined
  let isClosed = false
  let atRest: () => void = () => undefined

  const reaper = setInterval(reap, reapEveryMs)
  reaper.unref()

  function connect() {
    const attempt = new AbortController()
    const timer = setTimeout(() => {
      attempt.abort(failure('CONNECT_TIMEOUT', 'Postgres did not answer a new connection in time'))
    }, connectWithinMs)
    attempts.add(attempt)
    let pooled: Pooled | undefined
    const lost = () => pooled?.drop('broken')
    openConnection({ ...address, nthHost: tries++, signal: attempt.signal }, lost).then(
      (made) => {
        clearTimeout(timer)
        attempts.delete(attempt)
        if (attempt.signal.aborted) return made.destroy()
        failures = 0
        pooled = held(made)
        open.add(pooled)
        observer?.opened()
        pass(pooled)
      },
      (error: unknown) => {
        clearTimeout(timer)
        attempts.delete(attempt)
        // Others may still come through, or a statement that runs may leave its connection.
        if (attempts.size === 0 && open.size === 0) refuseAll(error)
        if (isClosed || retry) return
        retry = setTimeout(() => {
          retry = undefined
          grow()
        }, backoffMs(failures++))
      },
    )
  }

  function held(made: Connection): Pooled {
    const pooled: Pooled = {
      ...made,
      // Spread over a tenth of the time, so that connections of one moment do not end in one.
      endsAt: performance.now() + lifetimeMs * (1 - Math.random() / 10),
      idleSince: 0,
      giveBack: () => giveBack(pooled),
      drop: (reason) => drop(pooled, reason),
    }
    return pooled
  }

  /** As many attempts as statements wait, and no more than there is room for. */
  function grow() {
    while (!retry && line.size > attempts.size && open.size + attempts.size < max) connect()
  }

  function refuseAll(error: unknown) {
    const waiters = [...line]
    line.clear()
    for (const waiter of waiters) waiter.refuse(error)
    lookForRest()
  }

  /** Nothing runs and nothing waits. */
  const isResting = () => line.size === 0 && idle.length === open.size
  const lookForRest = () => {
    if (isResting()) atRest()
  }

  /** To whoever has waited for longest. */
  function pass(connection: Pooled) {
    const [next] = line
    if (next) {
      line.delete(next)
      return next.use(connection)
    }
    connection.idleSince = performance.now()
    idle.push(connection)
    lookForRest()
  }

  function giveBack(connection: Pooled) {
    if (!open.has(connection)) return
    if (connection.endsAt > performance.now()) return pass(connection)
    retire(connection, 'age')
    grow()
    lookForRest()
  }

  function forget(connection: Pooled, reason: ClosingReason): boolean {
    if (!open.delete(connection)) return false
    const at = idle.indexOf(connection)
    if (at >= 0) idle.splice(at, 1)
    observer?.closed(reason)
    return true
  }

  function retire(connection: Pooled, reason: ClosingReason) {
    if (forget(connection, reason)) connection.end()
  }

  function drop(connection: Pooled, reason: ClosingReason) {
    if (!forget(connection, reason)) return
    connection.destroy()
    grow()
    lookForRest()
  }

  function reap() {
    const now = performance.now()
    for (const connection of [...idle]) {
      const { idleSince, endsAt } = connection
      if (endsAt < now) retire(connection, 'age')
      else if (idleSince + idleMs < now) retire(connection, 'idle')
    }
  }

  async function close(withinMs: number | undefined) {
    if (withinMs !== 0 && !isResting()) {
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        atRest = resolve
        if (withinMs !== undefined) timer = setTimeout(resolve, withinMs)
      })
      clearTimeout(timer)
    }
    isClosed = true
    clearInterval(reaper)
    clearTimeout(retry)
    const ended = failure('CONNECTION_ENDED', 'the connections to Postgres were closed')
    refuseAll(ended)
    for (const attempt of attempts) attempt.abort(ended)
    for (const connection of [...idle]) retire(connection, 'shutdown')
    for (const connection of [...open]) drop(connection, 'shutdown')
  }

  return {
    take(waiter) {
      if (closing) return waiter.refuse(failure('CONNECTION_ENDED', 'the connections to Postgres are being closed'))
      const connection = idle.pop()
      if (connection) return waiter.use(connection)
      line.add(waiter)
      grow()
    },
    leave(waiter) {
      const wasInLine = line.delete(waiter)
      lookForRest()
      return wasInLine
    },
    close(withinMs) {
      closing ??= close(withinMs)
      return closing
    },
  }
}

/** The line before one connection that somebody keeps for longer than a statement. */
export function lineBefore(connection: Held): Line {
  const line = new Set<Waiter>()
  let isFree = true
  const own: Held = {
    ...connection,
    giveBack() {
      const [next] = line
      isFree = next === undefined
      if (next && line.delete(next)) next.use(own)
    },
    // Those who wait learn from the closed connection that it is closed.
    drop(reason) {
      connection.drop(reason)
      own.giveBack()
    },
  }
  return {
    take(waiter) {
      line.add(waiter)
      if (isFree) own.giveBack()
    },
    leave: (waiter) => line.delete(waiter),
  }
}
