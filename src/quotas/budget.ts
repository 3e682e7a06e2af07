// The monthly budgets, how each is counted, and the name of its counter in Redis.
import type { App } from '../app.ts'
import type { Period } from '../plans/period.ts'
import type { Uuid } from '../shapes/ids.ts'
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

/** A scalar query: what the organization has used since the start of a period. The noun that has the rows provides it. */
export type Counter = (sql: Sql, orgId: Uuid, periodStart: Date) => Fragment
export type Counters = Readonly<Record<CountedBudget, Counter>>

/** A condition on rows whose key is (org_id, id). Ids are UUIDv7, so the start of a period is also a bound on the key. */
export const isMadeSince = (sql: Sql, orgId: Uuid, start: Date): Fragment => sql`
  org_id = ${orgId} and id >= ${firstIdAt(sql, start)} and created_at >= ${start}`

/** The smallest UUIDv7 of a millisecond. */
const firstIdAt = (sql: Sql, at: Date): Fragment =>
  sql`overlay(overlay(lpad(to_hex(${at.getTime()}::bigint), 12, '0') || repeat('0', 20) placing '7' from 13) placing '8' from 17)::uuid`

export const counterKey = (app: App, { orgId, budget, period }: Use): string =>
  `${app.config.redisPrefix}:{${orgId}}:${budget}:${period.start.getTime()}`
