// The door to Postgres. A statement gets its own rows or an error, within its deadline: it has its connection alone, and a
// connection whose statement was given up is closed (docs/decisions/one-statement-a-connection.md).
import { overloaded } from '../errors.ts'
import type { Rows } from './connection.ts'
import { type ConnectionsObserver, type Held, type Line, lineBefore, openConnections } from './connections.ts'
import { type StatementFailure, type StatementObserver, statementName } from './statements.ts'
import { type Compiled, type Cursor, compile, Identifier, Json, NewRow, Template } from './template.ts'

/** A part of a statement. */
export type Fragment = Template

/** A statement runs when it is awaited for the first time; embedded in another one it is a part of that. */
type Statement<Result extends readonly unknown[]> = Template &
  Promise<Result> & {
    /** Has `each` take the rows as they come, so many at once; the result is empty then. */
    cursor(rowsAtOnce: number, each: (rows: Result) => void): Promise<unknown>
    /** Every row must fit the question: one that does not closes the connection, and the statement fails. */
    answering(isAskedFor: (row: Result[number]) => boolean): Statement<Result>
  }

// biome-ignore lint/suspicious/noExplicitAny: a row is what its statement says
type Row = any

type Tag = {
  <Result extends readonly unknown[] = Row[]>(
    strings: TemplateStringsArray,
    ...values: readonly unknown[]
  ): Statement<Result & { count: number }>
  (names: string | readonly string[]): Identifier
  (row: Readonly<Record<string, unknown>>): NewRow
  json(content: unknown): Json
  /** Text as it is, in the simple protocol. Never for what somebody else wrote. */
  unsafe<Result extends readonly unknown[] = Row[]>(text: string): Statement<Result & { count: number }>
}

export type Sql = Tag & {
  /** A connection of one's own, for a session's settings and locks. It is closed when it is released. */
  reserve(): Promise<Tag & { release(): void }>
  /** Lets what was begun end, for `timeout` seconds at most, and closes every connection. */
  end(options?: { timeout?: number }): Promise<void>
}

type DbOptions = {
  connections: number
  deadlineMs: number
  name: string
  /** Told of every statement. */
  observe?: StatementObserver
  /** Told of every connection. */
  observeConnections?: ConnectionsObserver
}

/** Postgres ends a statement a little before its deadline: then it is known that nothing of it happened. */
const statementTimeoutMs = (deadlineMs: number) => Math.ceil(deadlineMs * 0.95)

export function openDb(url: string, options: DbOptions): Sql {
  const connections = openConnections({
    url,
    name: options.name,
    max: options.connections,
    statementTimeoutMs: statementTimeoutMs(options.deadlineMs),
    observer: options.observeConnections,
  })
  return Object.assign(tagOf(connections, options), {
    async reserve() {
      const connection = await taken(connections, options.deadlineMs)
      return Object.assign(tagOf(lineBefore(connection), options), { release: () => connection.drop('released') })
    },
    end: ({ timeout }: { timeout?: number } = {}) =>
      connections.close(timeout === undefined ? undefined : timeout * 1_000),
  })
}

function tagOf(line: Line, options: DbOptions): Tag {
  const tag = (first: TemplateStringsArray | string | readonly string[] | object, ...values: unknown[]) => {
    if (!isTemplate(first)) return isNames(first) ? new Identifier(first) : new NewRow(first as NewRow['columns'])
    const name = options.observe ? statementName(first, tag) : ''
    return new LazyStatement(first, values, (statement) => run(line, options, name, statement))
  }
  return Object.assign(
    tag as Tag,
    {
      json: (content: unknown) => new Json(content),
      unsafe: (text: string) =>
        new LazyStatement([text], [], (statement) => run(line, options, 'unsafe', { ...statement, isSimple: true })),
    } as Pick<Tag, 'json' | 'unsafe'>,
  )
}

const isTemplate = (first: unknown): first is TemplateStringsArray => Array.isArray(first) && 'raw' in first
const isNames = (first: unknown): first is string | string[] => typeof first === 'string' || Array.isArray(first)

class LazyStatement extends Template implements Promise<Rows> {
  readonly [Symbol.toStringTag] = 'Statement'
  readonly #run: (statement: Compiled) => Promise<Rows>
  #cursor: Cursor | undefined
  #isAskedFor: ((row: unknown) => boolean) | undefined
  #result: Promise<Rows> | undefined
  constructor(strings: readonly string[], values: readonly unknown[], run: (statement: Compiled) => Promise<Rows>) {
    super(strings, values)
    this.#run = run
  }
  async #begin() {
    return this.#run({ ...compile(this), cursor: this.#cursor, isAskedFor: this.#isAskedFor })
  }
  cursor(rowsAtOnce: number, each: Cursor['each']) {
    this.#cursor = { rowsAtOnce, each }
    return this
  }
  answering(isAskedFor: (row: unknown) => boolean) {
    this.#isAskedFor = isAskedFor
    return this
  }
  // biome-ignore lint/suspicious/noThenProperty: a statement is a promise that begins when it is asked for
  then<A = Rows, B = never>(done?: ((rows: Rows) => A | PromiseLike<A>) | null, failed?: Failed<B>): Promise<A | B> {
    this.#result ??= this.#begin()
    return this.#result.then(done, failed)
  }
  catch<B = never>(failed?: Failed<B>): Promise<Rows | B> {
    return this.then(null, failed)
  }
  finally(after?: (() => void) | null): Promise<Rows> {
    return this.then().finally(after)
  }
}

type Failed<B> = ((reason: unknown) => B | PromiseLike<B>) | null

/** Errors of statements of which nothing happened. */
const undone = new WeakSet<object>()

/** The answer to another statement, which nobody gets. */
class ForeignAnswer extends Error {}

/** The statement, but that a row which was not asked for ends it. */
function guarded(statement: Compiled): Compiled & { check(rows: Rows): Rows } {
  const { isAskedFor, cursor } = statement
  const check = <Some extends readonly unknown[]>(rows: Some): Some => {
    if (isAskedFor && !rows.every(isAskedFor)) throw new ForeignAnswer('an answer to another statement')
    return rows
  }
  return { ...statement, check, cursor: cursor && { ...cursor, each: (rows) => cursor.each(check(rows)) } }
}

const foreignError = (cause: ForeignAnswer) =>
  Object.assign(
    overloaded('The database answered another question; that answer was discarded. Read before you repeat a write.'),
    { cause },
  )

function lateError(isKnownUndone: boolean, cause?: unknown) {
  const outcome = isKnownUndone
    ? 'Nothing was written: try again.'
    : 'A write may or may not have happened: read before you repeat it.'
  const error = Object.assign(overloaded(`The database did not answer in time. ${outcome}`), { cause })
  if (isKnownUndone) undone.add(error)
  return error
}

function run(line: Line, options: DbOptions, name: string, statement: Compiled): Promise<Rows> {
  return new Promise((resolve, reject) => {
    const finish = options.observe?.(name)
    const asked = guarded(statement)
    let connection: Held | undefined
    let isSettled = false
    const settle = (failure?: StatementFailure) => {
      isSettled = true
      clearTimeout(timer)
      finish?.(failure)
      if (failure) reject(failure.error)
    }
    const waiter = {
      use(held: Held) {
        connection = held
        const answer = held.run(asked).then(asked.check)
        answer.then(
          (rows) => {
            if (isSettled) return
            held.giveBack()
            settle()
            resolve(rows)
          },
          (error: unknown) => {
            if (isSettled) return
            if (error instanceof ForeignAnswer) {
              held.drop('distrusted')
              return settle({ reason: 'foreign', error: foreignError(error) })
            }
            if (error instanceof Error) Object.assign(error, { statement: name })
            if (held.isSoundAfter(error)) held.giveBack()
            else held.drop('broken')
            settle(isTimeout(error) ? { reason: 'deadline', error: lateError(true, error) } : failureOf(error))
          },
        )
      },
      refuse(error: unknown) {
        undone.add(error as object)
        settle(failureOf(error))
      },
    }
    const timer = setTimeout(() => {
      const isUnsent = line.leave(waiter)
      settle({ reason: 'deadline', error: lateError(isUnsent) })
      connection?.drop('deadline')
    }, options.deadlineMs)
    line.take(waiter)
  })
}

/** For longer than a statement. */
function taken(line: Line, deadlineMs: number): Promise<Held> {
  return new Promise((resolve, reject) => {
    const waiter = {
      use(connection: Held) {
        clearTimeout(timer)
        resolve(connection)
      },
      refuse(error: unknown) {
        clearTimeout(timer)
        reject(error)
      },
    }
    const timer = setTimeout(() => {
      line.leave(waiter)
      reject(lateError(true))
    }, deadlineMs)
    line.take(waiter)
  })
}

/** Postgres ended it by its `statement_timeout`, or somebody did by hand. */
const isTimeout = (error: unknown) => (error as { code?: string })?.code === '57014'

const unreachableCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
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

/** Nothing of the statement happened: as `isRolledBack`, or it was ended in time, or it was never sent. */
export const isUndone = (error: unknown): boolean =>
  (error as Error)?.name === 'PostgresError' || undone.has(error as object)

/** What the database takes up on disk. */
export async function databaseBytes(sql: Sql): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`select pg_database_size(current_database()) as bytes`
  return row?.bytes ?? 0
}
