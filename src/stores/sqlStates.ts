// The handling of each SQLSTATE: one table for the API, the tools, the pages, the workers and the operator's tools. A state
// outside it has the handling of its class, its first two letters, or else is a defect.

/** `answer`: for a caller of the API. `work`: for a worker. `npm run reference` writes both to a page. */
export const handlings = {
  away: {
    answer: '503 with `Retry-After`. A write that was sent may have happened; the message says so.',
    work: 'Leaves the row due, counts no failure.',
  },
  short: {
    answer: '503 with `Retry-After`: nothing was written.',
    work: 'Leaves the row due, counts no failure.',
  },
  collided: {
    answer: 'Tried three times; then 503 with `Retry-After`: nothing was written.',
    work: 'The same; then leaves the row due.',
  },
  late: {
    answer: '503 with `Retry-After`: nothing was written.',
    work: 'Leaves the row due.',
  },
  expected: {
    answer: 'The answer of the endpoint that expects it, such as 409; 500 from any other.',
    work: 'If it is not expected, the same as a defect.',
  },
  defect: {
    answer: '500. Repeating does not help.',
    work: 'Logs it, and continues with the other rows.',
  },
} as const

export type Handling = keyof typeof handlings

type SqlState = { state: string; name: string; handling: Handling; why: string }

const table: readonly [state: string, name: string, handling: Handling, why: string][] = [
  [
    '08',
    'connection exception',
    'away',
    'The connection to Postgres broke. Poolers also send 08P01 for their own limits.',
  ],
  [
    '25006',
    'read-only transaction',
    'away',
    'After a failover the connection leads to a standby. It is closed, and nothing happened.',
  ],
  ['25P03', 'idle transaction ended', 'away', 'Postgres closed the connection.'],
  ['25P04', 'transaction timeout', 'away', 'Postgres closed the connection.'],
  ['28', 'login refused', 'away', 'The role or its password changed. An operator corrects `DATABASE_URL`.'],
  ['3D000', 'no such database', 'away', 'The database does not exist. An operator corrects `DATABASE_URL`.'],
  ['40', 'rolled back', 'collided', 'Two changes conflicted (40001), or waited for each other (40P01).'],
  ['40003', 'outcome unknown', 'away', 'Postgres itself does not know whether it committed.'],
  ['53', 'out of resources', 'short', 'The disk (53100) or the memory (53200) is full.'],
  ['53300', 'too many connections', 'away', 'No connection is free.'],
  ['55P03', 'lock not available', 'collided', 'The lock of another change lasted longer than `lock_timeout`.'],
  ['57014', 'canceled', 'late', 'It exceeded `statement_timeout`, or an operator ended it.'],
  ['57P01', 'shutting down', 'away', 'Postgres stops, or an operator ended the connection.'],
  ['57P02', 'crash of the server', 'away', 'Postgres restarts after a crash.'],
  ['57P03', 'starting up', 'away', 'Postgres is not ready yet.'],
  ['57P04', 'database dropped', 'away', 'The connection has lost its database.'],
  ['57P05', 'idle session ended', 'away', 'Postgres closed the connection.'],
  ['58000', 'system error', 'short', 'The operating system refused a call of Postgres.'],
  ['58030', 'I/O error', 'short', 'The disk failed.'],
  ['23505', 'duplicate', 'expected', 'Another change inserted the row first.'],
  ['AC001', 'end of a dry run', 'expected', 'Our own: Postgres undid the statement because it was a dry run.'],
]

export const sqlStates: readonly SqlState[] = table.map(([state, name, handling, why]) => ({
  state,
  name,
  handling,
  why,
}))

const byState = new Map(sqlStates.map(({ state, handling }) => [state, handling]))

/** Of an error that came from Postgres. */
export const handlingOf = (state: string): Handling => byState.get(state) ?? byState.get(state.slice(0, 2)) ?? 'defect'
