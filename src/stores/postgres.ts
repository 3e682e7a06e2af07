// The door to Postgres. A statement gets its own rows or an error within its deadline: it has its connection to itself, and a
// connection whose statement was given up is closed (docs/decisions/one-statement-a-connection.md).
import type { Rows } from './connection.ts'
import { type ConnectionsObserver, type Line, openConnections } from './connections.ts'
import { parseDatabaseUrl } from './databaseUrl.ts'
import { lineBefore } from './reservedLine.ts'
import { reserveConnection, runStatement } from './run.ts'
import { type StatementObserver, statementName } from './statements.ts'
import { type Compiled, type Cursor, compile, Identifier, Json, NewRow, Template } from './template.ts'

/** A part of a statement. */
export type Fragment = Template

/** A statement runs when it is first awaited; embedded in another one it is a part of that and does not run. */
type Statement<Result extends readonly unknown[]> = Template &
  Promise<Result> & {
    /** Passes the rows to `each` as they come, this many at once; the result is then empty. */
    cursor(rowsAtOnce: number, each: (rows: Result) => void): Promise<unknown>
    /** Every row must be one that was asked for: otherwise the statement fails and its connection is closed. */
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
  /** The text unchanged, in the simple protocol. Never for text from outside. */
  unsafe<Result extends readonly unknown[] = Row[]>(text: string): Statement<Result & { count: number }>
}

export type Sql = Tag & {
  /** A connection for the caller alone, for settings and locks of a session. `release` closes it. */
  reserve(): Promise<Tag & { release(): void }>
  /** Waits at most `timeout` seconds for running statements, then closes every connection. */
  end(options?: { timeout?: number }): Promise<void>
}

type DbOptions = {
  connections: number
  deadlineMs: number
  name: string
  /** Called for every statement. */
  observe?: StatementObserver
  /** Called for every connection. */
  observeConnections?: ConnectionsObserver
}

/** Postgres ends a statement a little before its deadline, so that it is known to have had no effect. */
const statementTimeoutMs = (deadlineMs: number) => Math.ceil(deadlineMs * 0.95)

export function openDb(url: string, options: DbOptions): Sql {
  const connections = openConnections({
    address: parseDatabaseUrl(url),
    name: options.name,
    max: options.connections,
    statementTimeoutMs: statementTimeoutMs(options.deadlineMs),
    observer: options.observeConnections,
  })
  return Object.assign(tagOf(connections, options), {
    async reserve() {
      const connection = await reserveConnection(connections, options.deadlineMs)
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
    return new LazyStatement(first, values, (statement) => runStatement(line, options, name, statement))
  }
  return Object.assign(
    tag as Tag,
    {
      json: (content: unknown) => new Json(content),
      unsafe: (text: string) =>
        new LazyStatement([text], [], (statement) =>
          runStatement(line, options, 'unsafe', { ...statement, isSimple: true }),
        ),
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
  // biome-ignore lint/suspicious/noThenProperty: a statement is a promise that begins when it is awaited
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

/** Whether Postgres answers at this moment. */
export const isAnswering = (sql: Sql): Promise<boolean> =>
  sql<{ isStandby: boolean }[]>`select pg_is_in_recovery() as is_standby`.then(
    ([server]) => !server!.isStandby,
    () => false,
  )

/** The size of the database on disk. */
export async function databaseBytes(sql: Sql): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`select pg_database_size(current_database()) as bytes`
  return row?.bytes ?? 0
}
