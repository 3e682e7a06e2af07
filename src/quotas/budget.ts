// The monthly budgets, and how each is counted.
import type { Period } from '../plans/period.ts'
import { firstIdAt, type Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'

/** `counted`: from the rows of a noun. `written`: from the counters that each process writes back. */
const sources = {
  api_calls: 'written',
  availability_queries: 'written',
  events: 'counted',
  webhook_deliveries: 'counted',
  proposals: 'counted',
} as const
export type Budget = keyof typeof sources
type CountedBudget = { [Name in Budget]: (typeof sources)[Name] extends 'counted' ? Name : never }[Budget]
type WrittenBudget = Exclude<Budget, CountedBudget>

export const budgets = Object.keys(sources) as Budget[]

export const isWrittenBack = (budget: Budget): budget is WrittenBudget => sources[budget] === 'written'

/** The budget of one organization in one period. */
export type Use = { orgId: Uuid; budget: Budget; period: Pick<Period, 'start'> }

/** How a noun counts an organization's use from its rows. `made` is a condition on rows whose key is (org_id, id). */
export type Counter = {
  /**
   * `from … where …`: the rows that cost a unit. Until their period is over none of them vanishes, and whether it is one of
   * them never changes, so that each need be counted only once.
   */
  rows(sql: Sql, made: Fragment): Fragment
  /** A scalar query: how many of these rows cost nothing so far. It may change at any time, so that it is counted every time. */
  unspent?(sql: Sql, made: Fragment): Fragment
}
export type Counters = Readonly<Record<CountedBudget, Counter>>

/** Since the start of a period. Ids are UUIDv7, so it is also a bound on the key. `from`: only rows with a later id. */
export const isMadeSince = (sql: Sql, orgId: Uuid, start: Date, from: Date = start): Fragment => sql`
  org_id = ${orgId} and id >= ${firstIdAt(from)} and created_at >= ${start}`
