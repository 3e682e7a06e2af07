// The call of the gate's script in Redis, with a typed answer.
import type { App } from '../app.ts'
import { defineScript } from '../stores/redis.ts'
import { type Budget, counterKey } from './budget.ts'
import { epochKey } from './epoch.ts'
import { spendScript } from './spend.lua.ts'
import type { Spender } from './spender.ts'

type Answer = {
  /** `seed`: a counter does not exist. `calls` and `budget`: it is exhausted. */
  verdict: 'ok' | 'epoch' | 'seed' | 'rate' | 'calls' | 'budget'
  epoch: string
  callsUsed: number
  waitMs: number
}

export function openSpendScript(app: App) {
  const run = defineScript(app.redis, 'spend', spendScript)
  return async (spender: Spender, budget: Budget | undefined): Promise<Answer> => {
    const { orgId, period, limits } = spender
    const keys = [
      epochKey(app, orgId),
      `${app.config.redisPrefix}:{${orgId}}:bucket:${spender.bucket}`,
      counterKey(app, { orgId, budget: 'api_calls', period }),
    ]
    if (budget) keys.push(counterKey(app, { orgId, budget, period }))
    const answer = await run(keys, [
      app.clock.now().getTime(),
      spender.epoch ?? '',
      spender.requestsPerSecond ?? 0,
      limits.api_calls ?? -1,
      (budget && limits[budget]) ?? -1,
    ])
    const [verdict, epoch, callsUsed, waitMs] = answer as [Answer['verdict'], string, number, number]
    return { verdict, epoch, callsUsed, waitMs }
  }
}
