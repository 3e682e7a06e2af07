// The monthly budgets, where each is counted, and the name of its counter.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'

/** `counted`: from its own table. `written`: from the counters that each process writes back. */
const sources = {
  api_calls: 'written',
  availability_queries: 'written',
  events: 'counted',
  webhook_deliveries: 'counted',
  proposals: 'counted',
} as const
export type Budget = keyof typeof sources
export const budgets = Object.keys(sources) as Budget[]

export const isWrittenBack = (budget: Budget): boolean => sources[budget] === 'written'

export const counterKey = (app: App, orgId: Uuid, budget: Budget, periodStart: Date): string =>
  `${app.config.redisPrefix}:{${orgId}}:${budget}:${periodStart.getTime()}`
