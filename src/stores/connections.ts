// The connections of a process and the line before them. A statement has its connection alone until it gives it back, so
// nothing is sent on a connection that waits for an answer. A connection in an unknown state is closed, never given back.
import type { Metrics } from '../observability/metrics.ts'
import type { Connection } from './connection.ts'
import type { DatabaseAddress } from './databaseUrl.ts'
import { openPrimaries } from './primary.ts'
import type { Compiled } from './template.ts'
import { isChange, openWaitingLine } from './waitingLine.ts'

const closingReasons = ['deadline', 'broken', 'silent', 'distrusted', 'idle', 'age', 'released', 'shutdown'] as const
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

/** A connection that one caller has alone until it calls one of the last two. */
export type Leased = Pick<Connection, 'run' | 'isSoundAfter'> & {
  giveBack(): void
  /** Closes it at once, even if it is in use. */
  drop(reason: ClosingReason): void
}

/** A caller in the line, with its statement. Exactly one of the two is called, once. */
export type Waiter = { text: string; use(connection: Leased): void; refuse(error: unknown): void }

/** First come, first served. */
export type Line = {
  take(waiter: Waiter): void
  /** False: it is no longer in the line. */
  leave(waiter: Waiter): boolean
}

type Connections = Line & {
  /** Waits this long for running and waiting statements, then closes everything. */
  close(withinMs?: number): Promise<void>
}

type ConnectionsOptions = {
  address: DatabaseAddress
  name: string
  max: number
  statementTimeoutMs: number
  observer?: ConnectionsObserver | undefined
}

const idleMs = 60_000
const lifetimeMs = 30 * 60_000
const reapEveryMs = 5_000
const maxBackoffMs = 500
/** Another server takes over within seconds when an operator asks for it: statements wait this long where one has answered before. */
const takeOverMs = 4_500
/**
 * A statement that waits for a standby obeys no deadline: Postgres keeps its process, though we closed the connection. So the place
 * of such a connection stays taken this long, or until a change is answered. Then nothing hangs any more.
 */
const keepPlaceMs = 30_000
/** Each change that is let through to find out hangs, too. Together they take no place of the reads. */
const mostKept = (max: number) => placesOfChanges(max) - 1
/** While a statement has waited this long for its answer, a connection that has answered nothing since then is in doubt. */
const doubtAfterMs = 300
/** One in doubt that does not answer a question within this time is closed. */
const answerWithinMs = 500
const question: Compiled = { text: 'select 1', values: [] }
const backoffMs = (failures: number) => Math.min(50 * 2 ** failures, maxBackoffMs)

/** The others are for reads: changes hang as long as the standby that they wait for. */
const placesOfChanges = (max: number) => Math.floor((max * 2) / 3)

const failure = (code: string, message: string) => Object.assign(new Error(message), { code })

/** `since`: when it was given to a caller, or came back. `text`: of the statement that it runs; `isWriting` once that was looked for. */
type Pooled = Connection &
  Leased & { isIdle: boolean; since: number; endsAt: number; text: string; isWriting: boolean | undefined }

/** The text of a statement is looked through at most once, and only if places run short. */
const isWriting = (connection: Pooled): boolean => {
  connection.isWriting ??= isChange(connection.text)
  return connection.isWriting
}

export function openConnections({ max, observer, address, ...options }: ConnectionsOptions): Connections {
  const openPrimary = openPrimaries(address)
  const open = new Set<Pooled>()
  /** The connection that came back last is used first, so that the others become idle and close. */
  const idle: Pooled[] = []
  const line = openWaitingLine<Waiter>()
  const attempts = new Set<AbortController>()
  /** Places of connections that were closed at a deadline. */
  const kept = new Set<NodeJS.Timeout>()
  let failures = 0
  let wasReached = false
  let failingSince: number | undefined
  let retry: NodeJS.Timeout | undefined
  let closing: Promise<void> | undefined
  let isClosed = false
  let atRest: () => void = () => undefined

  const reaper = setInterval(reap, reapEveryMs)
  reaper.unref()

  function connect() {
    const attempt = new AbortController()
    attempts.add(attempt)
    let pooled: Pooled | undefined
    const lost = () => pooled?.drop('broken')
    openPrimary({ ...options, signal: attempt.signal }, lost).then(
      (made) => {
        attempts.delete(attempt)
        if (attempt.signal.aborted) return made.destroy()
        failures = 0
        wasReached = true
        failingSince = undefined
        pooled = leased(made)
        open.add(pooled)
        observer?.opened()
        pass(pooled)
      },
      (error: unknown) => {
        attempts.delete(attempt)
        failingSince ??= performance.now()
        const isHopeless = !wasReached || performance.now() - failingSince > takeOverMs
        // Another attempt may still succeed, or a running statement may give its connection back.
        if (isHopeless && attempts.size === 0 && open.size === 0) refuseAll(error)
        if (isClosed || retry) return
        retry = setTimeout(() => {
          retry = undefined
          grow()
        }, backoffMs(failures++))
      },
    )
  }

  function leased(made: Connection): Pooled {
    const pooled: Pooled = {
      ...made,
      run(statement) {
        pooled.text = statement.text
        pooled.isWriting = undefined
        const answer = made.run(statement)
        if (kept.size > 0 && isWriting(pooled)) answer.then(freePlaces, () => undefined)
        return answer
      },
      // Spread over a tenth of the lifetime, so that connections opened together do not close together.
      endsAt: performance.now() + lifetimeMs * (1 - Math.random() / 10),
      isIdle: false,
      text: '',
      isWriting: false,
      since: performance.now(),
      giveBack: () => giveBack(pooled),
      drop: (reason) => drop(pooled, reason),
    }
    return pooled
  }

  /** One attempt for each waiting statement, up to the maximum of connections. One is always made, to find out. */
  function grow() {
    const hasPlace = () => {
      const taken = open.size + attempts.size
      return taken === 0 || taken + kept.size < max
    }
    while (!retry && line.size - idle.length > attempts.size && hasPlace()) connect()
  }

  /** One is always let through, to find out whether changes are answered again. */
  function mayChange(): boolean {
    let running = 0
    for (const one of open) if (!one.isIdle && isWriting(one)) running++
    return running === 0 || running + kept.size < placesOfChanges(max)
  }

  /** Whether it may have a connection that is idle. Its text is looked through only when places run short. */
  const mayGo = ({ text }: Waiter) =>
    open.size - idle.length + kept.size < placesOfChanges(max) || !isChange(text) || mayChange()

  /** For changes that had to let reads pass, although connections were idle. */
  function serveWaiting() {
    while (idle.length > 0 && line.size > 0) {
      const connection = idle.pop()!
      if (isInDoubt(connection)) ask(connection)
      else {
        const next = line.next(mayChange)
        if (!next) return void idle.push(connection)
        hand(connection, next)
      }
    }
  }

  function keepPlace() {
    const timer = setTimeout(() => {
      kept.delete(timer)
      serveWaiting()
      grow()
    }, keepPlaceMs)
    timer.unref()
    kept.add(timer)
  }

  function freePlaces() {
    for (const timer of kept) clearTimeout(timer)
    kept.clear()
    serveWaiting()
    grow()
  }

  function refuseAll(error: unknown) {
    for (const waiter of line.empty()) waiter.refuse(error)
    lookForRest()
  }

  /** No statement runs, and none waits. */
  const isResting = () => line.size === 0 && idle.length === open.size
  const lookForRest = () => {
    if (isResting()) atRest()
  }

  /** Gives it to the caller that has waited longest. */
  function pass(connection: Pooled) {
    connection.isWriting = false
    const next = line.next(mayChange)
    if (next) return hand(connection, next)
    mark(connection, true)
    idle.push(connection)
    lookForRest()
  }

  function hand(connection: Pooled, waiter: Waiter) {
    mark(connection, false)
    waiter.use(connection)
  }

  function mark(connection: Pooled, isIdle: boolean) {
    connection.isIdle = isIdle
    connection.since = performance.now()
  }

  /** A statement hangs, and this connection, which is idle, has been so since before: it may hang too. */
  function isInDoubt({ since }: Pooled): boolean {
    const begun = performance.now() - doubtAfterMs
    for (const other of open) if (!other.isIdle && other.since >= since && other.since < begun) return true
    return false
  }

  /** Idle again if it answers. So nothing that changes anything is sent on a connection that hangs. */
  function ask(connection: Pooled) {
    mark(connection, false)
    const timer = setTimeout(() => connection.drop('silent'), answerWithinMs)
    const answered = connection.run(question).finally(() => clearTimeout(timer))
    answered.then(connection.giveBack, () => connection.drop('broken'))
  }

  function giveBack(connection: Pooled) {
    if (!open.has(connection)) return
    if (connection.endsAt > performance.now()) return pass(connection)
    retire(connection, 'age')
    serveWaiting()
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
    if (reason === 'deadline' && kept.size < mostKept(max)) keepPlace()
    serveWaiting()
    grow()
    lookForRest()
  }

  function reap() {
    const now = performance.now()
    for (const connection of [...idle]) {
      const { since, endsAt } = connection
      if (endsAt < now) retire(connection, 'age')
      else if (since + idleMs < now) retire(connection, 'idle')
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
      const connection = mayGo(waiter) ? idle.pop() : undefined
      if (connection && !isInDoubt(connection)) return hand(connection, waiter)
      line.add(waiter)
      // The others have been idle for longer.
      if (connection) for (const one of [connection, ...idle.splice(0)]) ask(one)
      else grow()
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
