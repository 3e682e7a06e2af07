// The door to Postgres. Every statement has a deadline: a backend that dies may leave one unanswered for ever.
import postgres from 'postgres'
import { overloaded } from './errors.ts'
import { type StatementFailure, type StatementObserver, statementName } from './statements.ts'

export type Sql = postgres.Sql<{ bigint: number }>
export type Fragment = postgres.PendingQuery<postgres.Row[]>

const arrayLiteral = (items: readonly (string | number | Date)[]) =>
  `{${items.map((item) => (item instanceof Date ? item.toISOString() : item)).join(',')}}`
const arrayItems = (text: string) => (text === '{}' ? [] : text.slice(1, -1).split(','))
const unquoted = (item: string) => item.replaceAll('"', '')

/** `Date` reads the ISO form exactly; of Postgres' own form it takes the year 0049 for 2049. Sessions tell UTC. */
const parseTime = (text: string) => new Date(text.replace(' ', 'T').replace('+00', 'Z'))

// Array types are named here because nothing is looked up at connection (`fetch_types` is off: on a dying connection
// that look-up rejects where nobody can catch it). Their items never hold commas or quotes: ids, numbers, times, types.
const types = {
  bigint: { to: 20, from: [20], serialize: String, parse: Number },
  integers: {
    to: 1007,
    from: [1005, 1007],
    serialize: arrayLiteral,
    parse: (text: string) => arrayItems(text).map(Number),
  },
  texts: { to: 1009, from: [1009], serialize: arrayLiteral, parse: (text: string) => arrayItems(text).map(unquoted) },
  uuids: { to: 2951, from: [2951], serialize: arrayLiteral, parse: arrayItems },
  times: {
    to: 1185,
    from: [1185],
    serialize: arrayLiteral,
    parse: (text: string) => arrayItems(text).map((item) => parseTime(unquoted(item))),
  },
  date: { to: 1184, from: [1184], serialize: (at: Date) => at.toISOString(), parse: parseTime },
}

/**
 * A connection that closes between a write and its flush never flushes small writes again (`nextWriteTimer` in 3.4.9), its
 * own start-up message included: it would hang for good, and the pool with it in the end. Beyond 1,023 bytes a write is
 * flushed at once, which cures it; Postgres and poolers skip blanks in `options`.
 */
const startupPadding = ' '.repeat(1_024)

/**
 * `?prepare=false`: a pooler in transaction mode stands between. Then a connection sends nothing while an answer is awaited:
 * PgBouncer 1.18 gives the server connection away at the end of that answer, whatever was sent behind it.
 */
const isPooled = (url: string) => /[?&]prepare=false\b/.test(url)

type DbOptions = {
  connections: number
  deadlineMs: number
  name: string
  /** Told of every statement. */
  observe?: StatementObserver
}

export function openDb(url: string, options: DbOptions): Sql {
  const raw = postgres(url, {
    max: options.connections,
    fetch_types: false,
    connect_timeout: 5,
    idle_timeout: 60,
    max_lifetime: 30 * 60,
    backoff: (retries: number) => Math.min(0.05 * 2 ** retries, 1),
    ...(isPooled(url) && { max_pipeline: 0 }),
    connection: { application_name: options.name, TimeZone: 'UTC', options: startupPadding },
    transform: { column: { from: postgres.toCamel } },
    types: types as unknown as { bigint: postgres.PostgresType<number> },
    onnotice: () => undefined,
  })
  const apply = (_target: unknown, _this: unknown, args: unknown[]) => {
    const [first, ...rest] = args as [TemplateStringsArray, ...never[]]
    const query = raw(first, ...rest) as unknown
    if (!isTagged(first)) return query
    const name = options.observe ? statementName(first, apply) : ''
    return withDeadline(query as Statement, options.deadlineMs, () => options.observe?.(name))
  }
  return new Proxy(raw, { apply }) as unknown as Sql
}

type Statement = PromiseLike<unknown> & {
  canceller: ((query: unknown) => Promise<void>) | null
  cancelled: unknown
  strings: readonly string[]
  args: readonly unknown[]
  /** The server's process that it was sent to; null while it waits for a connection. */
  state: object | null
}

/** Deadlines of statements that never left, and never will. */
const unsent = new WeakSet<object>()

const isTagged = (first: unknown): boolean => Array.isArray(first) && 'raw' in first

/** A statement runs when it is awaited; a fragment never is, so it never gets a timer. */
function withDeadline(
  query: Statement,
  deadlineMs: number,
  begin: () => ReturnType<StatementObserver> | undefined,
): Statement {
  const run = query.then.bind(query)
  let settled: Promise<unknown> | undefined
  // biome-ignore lint/suspicious/noThenProperty: a statement is a thenable, and this is where it is awaited
  query.then = ((done, failed) => {
    settled ??= new Promise((resolve, reject) => {
      const finish = begin()
      const timer = setTimeout(() => {
        const wasUnsent = query.state === null
        cancel(query)
        if (wasUnsent) empty(query)
        const error = overloaded(
          'The database did not answer in time. A write may or may not have happened: read before you repeat it.',
        )
        if (wasUnsent) unsent.add(error)
        finish?.({ reason: 'deadline', error })
        reject(error)
      }, deadlineMs)
      run(
        (rows) => {
          clearTimeout(timer)
          finish?.()
          resolve(rows)
        },
        (error: unknown) => {
          clearTimeout(timer)
          finish?.(failureOf(error))
          reject(error)
        },
      )
    })
    return settled.then(done, failed)
  }) as Statement['then']
  return query
}

/** As the package's own `cancel`, which drops a promise that rejects when Postgres can't be reached: that ends a process. */
function cancel(query: Statement) {
  query.canceller?.(query).catch(() => undefined)
  query.canceller = null
}

/**
 * A statement that is not in the queue waits for the connection that is made for it (3.4.9): once that is there, a cancelled
 * one would not run, and the connection, which counts from its first statement on, would be lost for good. So it runs, and
 * asks for nothing.
 */
function empty(query: Statement) {
  Object.assign(query, { cancelled: null, strings: ['select'], args: [] })
}

const unreachableCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  '57P01',
  '57P02',
  '57P03',
  '53300',
])

const failureOf = (error: unknown): StatementFailure => ({
  reason: isUnreachable(error) ? 'unreachable' : 'refused',
  error,
})

/** True for an error that says Postgres went away or is not there, not that the statement was wrong. */
export const isUnreachable = (error: unknown): boolean =>
  unreachableCodes.has(String((error as { code?: string })?.code))

/** Whether Postgres answers at this moment. */
export const isAnswering = (sql: Sql): Promise<boolean> =>
  sql`select 1`.then(
    () => true,
    () => false,
  )

/** The row is there already: whoever was first made it. */
export const isDuplicate = (error: unknown): boolean => (error as { code?: string })?.code === '23505'

/** Two changes met in opposite order: Postgres ended one, which may simply try again. */
export const isDeadlock = (error: unknown): boolean =>
  ['40P01', '40001'].includes(String((error as { code?: string })?.code))

/** Postgres said why not: nothing of the statement happened. Whatever else goes wrong may have happened. */
export const isRolledBack = (error: unknown): boolean =>
  (error as Error)?.name === 'PostgresError' && !isUnreachable(error)

const unconnectedCodes = new Set(['CONNECT_TIMEOUT', 'ECONNREFUSED', 'ENOTFOUND'])

/**
 * Nothing of the statement happened: as `isRolledBack`, or it never reached Postgres. One that goes away in the middle of a
 * statement shows as a closed connection; its own words of that come only to a connection that is being made.
 */
export const isUndone = (error: unknown): boolean =>
  (error as Error)?.name === 'PostgresError' ||
  unconnectedCodes.has(String((error as { code?: string })?.code)) ||
  unsent.has(error as object)

/** What the database takes up on disk. */
export async function databaseBytes(sql: Sql): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`select pg_database_size(current_database()) as bytes`
  return row?.bytes ?? 0
}

/** Closes the connection that delivered these rows: they answer another statement. */
export function distrust(_rows: object): void {}
