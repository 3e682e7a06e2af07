// One connection to Postgres: the only file that knows the driver. Each connection has a driver of its own for one socket of
// ours, so that nothing is sent behind a statement that waits for its answer, and nothing is sent again after a close.
import type { Socket } from 'node:net'
import postgres from 'postgres'
import { isoTime } from '../shapes/datetimes.ts'
import { openSocket } from './connectionSocket.ts'
import { type DatabaseAddress, driverOptions } from './databaseUrl.ts'
import { isReadOnly } from './failures.ts'
import { type Compiled, Json } from './template.ts'
import { parseTime } from './times.ts'

export type Rows = unknown[] & { count: number }

export type Connection = {
  /** One statement at a time: the caller has the connection alone until this settles. */
  run(statement: Compiled): Promise<Rows>
  /** Whether the connection may serve on after this error of `run`: Postgres sends nothing more for it, and takes writes. */
  isSoundAfter(error: unknown): boolean
  /** Closes the socket at once, even during a statement. */
  destroy(): void
  /** Sends Terminate before it closes. Only for an idle connection. */
  end(): void
}

export type ConnectionOptions = {
  address: DatabaseAddress
  /** Shown in Postgres' list of connections. */
  name: string
  /** Postgres itself ends a statement that takes longer. */
  statementTimeoutMs: number
  /** The host to use, if the address names several. */
  nthHost: number
  signal: AbortSignal
}

/** A text is such a literal already. */
const arrayLiteral = (items: string | readonly (string | number | Date)[]) =>
  typeof items === 'string'
    ? items
    : `{${items.map((item) => (item instanceof Date ? isoTime(item) : item)).join(',')}}`
const arrayItems = (text: string) => (text === '{}' ? [] : text.slice(1, -1).split(','))
const unquoted = (item: string) => item.replaceAll('"', '')

// The array types stand here because a connection looks nothing up when it opens. The driver does not quote their items, so
// they must not contain commas or quotes: ids, numbers, times, names of types.
const types = {
  bigint: { to: 20, from: [20], serialize: String, parse: Number },
  integers: {
    to: 1007,
    from: [1005, 1007],
    serialize: arrayLiteral,
    parse: (text: string) => arrayItems(text).map(Number),
  },
  texts: { to: 1009, from: [1009], serialize: arrayLiteral, parse: (text: string) => arrayItems(text).map(unquoted) },
  // Postgres writes an item as `"\\x0102"`.
  bytes: {
    to: 1001,
    from: [1001],
    serialize: arrayLiteral,
    parse: (text: string) => arrayItems(text).map((item) => Buffer.from(item.slice('"\\\\x'.length, -1), 'hex')),
  },
  uuids: { to: 2951, from: [2951], serialize: arrayLiteral, parse: arrayItems },
  times: {
    to: 1185,
    from: [1185],
    serialize: arrayLiteral,
    parse: (text: string) => arrayItems(text).map((item) => parseTime(unquoted(item))),
  },
  date: { to: 1184, from: [1184], serialize: isoTime, parse: parseTime },
}

/** Messages that answer no statement: a notice, a notification, a changed setting. */
const unaskedTypes = new Set([...'NAS'].map((letter) => letter.charCodeAt(0)))

const endWithinMs = 1_000

const closedError = () =>
  Object.assign(new Error('the connection to Postgres was closed'), { code: 'CONNECTION_CLOSED' })

const standbyError = () =>
  Object.assign(new Error('this server is a standby, which takes no changes'), { code: 'STANDBY' })

/** Rejects if the server is a standby. */
export async function openConnection(options: ConnectionOptions, onClose: () => void): Promise<Connection> {
  const { address, name, statementTimeoutMs, nthHost, signal } = options
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => undefined)
  let socket: Socket | undefined
  const client = postgres({
    ...driverOptions(address),
    max: 1,
    max_pipeline: 0,
    fetch_types: false,
    // These are the pool's decisions, not the driver's.
    connect_timeout: 0,
    idle_timeout: 0,
    max_lifetime: 0,
    ssl: false,
    socket: async () => {
      try {
        // The driver asks for another socket after a close. It gets none.
        if (socket) throw closedError()
        socket = await openSocket(address, nthHost, signal)
      } catch (error) {
        failed.reject(error)
        throw error
      }
      return socket
    },
    connection: {
      application_name: name,
      TimeZone: 'UTC',
      ...(!address.isPooled && { statement_timeout: statementTimeoutMs }),
      ...address.session,
    },
    transform: { column: { from: postgres.toCamel } },
    types: types as unknown as { bigint: postgres.PostgresType<number> },
    onnotice: () => undefined,
  } as postgres.Options<{ bigint: postgres.PostgresType<number> }>)

  const destroy = () => {
    socket?.destroy()
    client.end({ timeout: 0 }).catch(() => undefined)
  }
  const stop = () => {
    failed.reject(signal.reason)
    destroy()
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    const [server] = await Promise.race([client.unsafe('select pg_is_in_recovery() as standby'), failed.promise])
    if (server!.standby) throw standbyError()
  } catch (error) {
    destroy()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
  let isRunning = false
  socket!.once('close', onClose)
  socket!.on('data', (chunk: Buffer) => {
    // No statement waits for this answer, so the next one cannot be trusted either.
    if (!isRunning && !unaskedTypes.has(chunk[0]!)) destroy()
  })
  if (socket!.destroyed) throw closedError()
  return {
    async run({ text, values, cursor, isSimple = false }) {
      isRunning = true
      try {
        const sent = values.map((value) => (value instanceof Json ? client.json(value.content as never) : value))
        const query = client.unsafe(text, sent as never[], { prepare: !isSimple, simple: isSimple } as never)
        return await (cursor ? query.cursor(cursor.rowsAtOnce, cursor.each) : query)
      } finally {
        isRunning = false
      }
    },
    isSoundAfter: (error) =>
      error instanceof postgres.PostgresError && !/^(FATAL|PANIC)$/.test(error.severity) && !isReadOnly(error),
    destroy,
    end() {
      client.end().catch(() => undefined)
      setTimeout(destroy, endWithinMs).unref()
    },
  }
}
