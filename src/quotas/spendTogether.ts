// Spends of one turn of the event loop share a call of Redis. Requests of one spender and one budget are a group, which
// the script decides as a whole; its members are told in the order in which they came.
import type { App } from '../app.ts'
import { tellOfReaders } from '../changes/rouse.ts'
import { collected, defineItemScript } from '../stores/turnScript.ts'
import type { Budget } from './budget.ts'
import { counterField, gateKey } from './gateHash.ts'
import type { Spender, Verdict } from './spender.ts'
import { type Counts, groupAnswerOf, spendScript } from './spendScript.ts'

/** Undefined if a counter does not exist in Redis. */
type Answer = Exclude<Verdict, { kind: 'no_redis' }> | undefined

type Asked = {
  spender: Spender
  budget: Budget | undefined
  resolve(answer: Answer): void
  reject(error: unknown): void
}

type Group = { spender: Spender; budget: Budget | undefined; nowMs: number; members: Asked[] }

/** `record` is told what each group spent: `calls` of the month's calls, `units` of the budget. */
export function openSpendTogether(
  app: App,
  record: (spender: Spender, budget: Budget | undefined, calls: number, units: number) => void,
) {
  const spendGroups = defineItemScript<Group>(app.redis, 'spend', {
    lua: spendScript,
    keyOf: ({ spender }) => gateKey(app, spender.orgId),
    argumentsOf,
    tell({ spender, budget, members }, answer) {
      const decision = groupAnswerOf(answer, members.length)
      if (decision.kind === 'failed') {
        for (const { reject } of members) reject(decision.error)
      } else if (decision.kind === 'decided') {
        tellOfReaders(app, spender.orgId, decision.waitedUntil)
        if (decision.granted > 0) record(spender, budget, decision.granted, decision.passed)
        for (const [nth, { resolve }] of members.entries()) resolve(verdictOf(decision, nth, budget))
      } else {
        // Each of them reads for itself what is stale or missing, and asks again.
        for (const { resolve } of members) resolve(decision.kind === 'stale' ? decision : undefined)
      }
    },
  })
  const join = collected<Asked>((asked) => spendGroups(groupsOf(asked, app.clock.now().getTime())))
  return (spender: Spender, budget: Budget | undefined): Promise<Answer> =>
    new Promise((resolve, reject) => join({ spender, budget, resolve, reject }))
}

function groupsOf(asked: readonly Asked[], nowMs: number): Group[] {
  const groups: Group[] = []
  for (const [spender, own] of Map.groupBy(asked, (one) => one.spender)) {
    for (const [budget, members] of Map.groupBy(own, (one) => one.budget)) {
      groups.push({ spender, budget, nowMs, members })
    }
  }
  return groups
}

/** In the order that the script states. */
function argumentsOf({ spender, budget, nowMs, members }: Group): (string | number)[] {
  const { epoch, requestsPerSecond, limits, bucket, period } = spender
  return [
    nowMs,
    epoch ?? '',
    members.length,
    requestsPerSecond ?? 0,
    limits.api_calls ?? -1,
    (budget && limits[budget]) ?? -1,
    bucket,
    counterField({ budget: 'api_calls', period }),
    budget ? counterField({ budget, period }) : '',
  ]
}

/** What the script would have said to member `nth` of the group alone. */
function verdictOf(counts: Counts, nth: number, budget: Budget | undefined): Answer {
  const { callsUsed, waitMs, rated, granted, passed } = counts
  if (nth < passed) return { kind: 'ok', callsUsed: callsUsed - granted + nth + 1 }
  if (nth < granted) return { kind: 'quota', budget: budget!, callsUsed: callsUsed - granted + nth + 1 }
  if (nth < rated) return { kind: 'quota', budget: 'api_calls', callsUsed }
  return { kind: 'rate', waitMs, callsUsed }
}
