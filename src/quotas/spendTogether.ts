// Spends of one turn of the event loop share a call of Redis. Requests of one spender and one budget are a group, which the
// script decides as a whole; its members get their results in the order in which they came.
import type { App } from '../app.ts'
import { noteReaders } from '../commit/notifyReaders.ts'
import { collected, defineItemScript } from '../stores/turnScript.ts'
import type { Budget } from './budget.ts'
import { counterField, gateKey } from './gateHash.ts'
import type { Manner, Spender, Verdict } from './spender.ts'
import { type Counts, groupAnswerOf, spendScript } from './spendScript.ts'

/** Undefined if a counter does not exist in Redis. */
type Answer = Exclude<Verdict, { kind: 'no_redis' }> | undefined

type Asked = {
  spender: Spender
  budget: Budget | undefined
  isFree: boolean
  isDry: boolean
  resolve(answer: Answer): void
  reject(error: unknown): void
}

type Group = Pick<Asked, 'spender' | 'budget' | 'isFree' | 'isDry'> & { nowMs: number; members: Asked[] }

/** `record` gets the spending of each group: `calls` of the month's calls, `units` of the budget. */
export function openSpendTogether(
  app: App,
  record: (spender: Spender, budget: Budget | undefined, calls: number, units: number) => void,
) {
  const spendGroups = defineItemScript<Group>(app.redis, 'spend', {
    lua: spendScript,
    keyOf: ({ spender }) => gateKey(app, spender.orgId),
    argumentsOf,
    settle({ spender, budget, isFree, isDry, members }, answer) {
      const decision = groupAnswerOf(answer, members.length)
      if (decision.kind === 'failed') {
        for (const { reject } of members) reject(decision.error)
      } else if (decision.kind === 'decided') {
        noteReaders(app, spender.orgId, decision.waitedUntil)
        if (decision.granted > 0) record(spender, budget, isFree ? 0 : decision.granted, isDry ? 0 : decision.passed)
        for (const [nth, { resolve }] of members.entries()) resolve(verdictOf(decision, nth, { budget, isFree }))
      } else {
        // Each of them reads stale or missing values itself, and asks again.
        for (const { resolve } of members) resolve(decision.kind === 'stale' ? decision : undefined)
      }
    },
  })
  const join = collected<Asked>((asked) => spendGroups(groupsOf(asked, app.clock.now().getTime())))
  return (
    spender: Spender,
    budget: Budget | undefined,
    { isFree = false, isDry = false }: Manner = {},
  ): Promise<Answer> => new Promise((resolve, reject) => join({ spender, budget, isFree, isDry, resolve, reject }))
}

function groupsOf(asked: readonly Asked[], nowMs: number): Group[] {
  const bySpender = new Map<Spender, Group[]>()
  for (const one of asked) {
    const { spender, budget, isFree, isDry } = one
    const own = bySpender.get(spender) ?? []
    if (own.length === 0) bySpender.set(spender, own)
    const equal = own.find((group) => group.budget === budget && group.isFree === isFree && group.isDry === isDry)
    if (equal) equal.members.push(one)
    else own.push({ spender, budget, isFree, isDry, nowMs, members: [one] })
  }
  return [...bySpender.values()].flat()
}

/** In the order that the script states. */
function argumentsOf({ spender, budget, isFree, isDry, nowMs, members }: Group): (string | number)[] {
  const { epoch, requestsPerSecond, burst, limits, bucket, period } = spender
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
    isFree ? 0 : 1,
    burst ?? requestsPerSecond ?? 0,
    isDry ? 0 : 1,
  ]
}

/** The answer that the script would give to member `nth` of the group alone. */
function verdictOf(counts: Counts, nth: number, { budget, isFree }: Pick<Asked, 'budget' | 'isFree'>): Answer {
  const { callsUsed, waitMs, rated, granted, passed } = counts
  const usedThen = isFree ? callsUsed : callsUsed - granted + nth + 1
  if (nth < passed) return { kind: 'ok', callsUsed: usedThen }
  if (nth < granted) return { kind: 'quota', budget: budget!, callsUsed: usedThen }
  if (nth < rated) return { kind: 'quota', budget: 'api_calls', callsUsed }
  return { kind: 'rate', waitMs, callsUsed }
}
