// Runs an approved request as the key that asked. The gate asks its questions again, about the key as it is now.
import type { Actor, RequestContext } from '../../src/actors/actor.ts'
import { requireWriter } from '../../src/actors/guardrails.ts'
import type { App } from '../../src/app.ts'
import type { Decider, Door } from '../../src/approvals/decide.ts'
import type { StoredApproval, StoredRequest } from '../../src/approvals/stored.ts'
import { unauthenticated } from '../../src/errors.ts'
import { principalOfKey } from '../../src/keys/principals.ts'
import { periodAt } from '../../src/plans/period.ts'
import type { Budget } from '../../src/quotas/budget.ts'
import { errorRecord } from '../http/errors.ts'
import type { Gated } from '../http/route.ts'
import type { Identified } from './identify.ts'
import { meterOf } from './meter.ts'
import { budgetExhausted, refusals } from './refusals.ts'

/** Runs the requests of one door. `routeOf`: the requirements at the gate. */
type Runner<Stored> = {
  routeOf(stored: Stored): Gated & { success: { status: number } }
  run(actor: Actor, stored: Stored): Promise<unknown>
}
type Runners = { [Door in StoredRequest['door']]?: Runner<Extract<StoredRequest, { door: Door }>> }

/** They know all routes, so they are added when the server opens. */
const openRunners = (): Runners => ({})
export const runnersOf = (app: App): Runners => app.memory(openRunners)

export const doorOf = (app: App, decider: Decider): Door => ({
  run: (row, stored, request) => runApproved(app, decider, row, stored, request),
  bodyOf: (error) => ({ error: errorRecord(error, decider.request.id) }),
})

async function runApproved(
  app: App,
  decider: Decider,
  row: StoredApproval,
  stored: StoredRequest,
  request: RequestContext,
): Promise<unknown> {
  const runner = runnersOf(app)[stored.door] as Runner<StoredRequest>
  const { identified, actor } = await keyAsActor(app, row, request)
  const route = runner.routeOf(stored)
  request.successStatus = route.success.status
  const now = app.clock.now()
  for (const { refuse } of refusals) {
    const refusal = refuse(identified, route, now)
    if (refusal) throw refusal
  }
  requireWriter(actor)
  const run = () => runner.run(actor, stored)
  return route.spends ? spending(app, decider, { identified, budget: route.spends, now }, run) : run()
}

/** Throws 401 if the key was revoked, or its agent decommissioned. */
async function keyAsActor(app: App, { orgId, keyId, id: approvalId }: StoredApproval, request: RequestContext) {
  const caller = await principalOfKey(app, orgId, keyId)
  if (!caller) throw unauthenticated('This API key does not exist or has been revoked.')
  const { plan, limits, agentId, keyPrefix, guardrails, requestsPerSecond } = caller
  const period = periodAt(caller.orgCreatedAt, app.clock.now())
  const identified: Identified = {
    caller,
    spender: { orgId, bucket: keyId, epoch: undefined, requestsPerSecond, limits, period },
    // The request itself was admitted when it came.
    verdict: { kind: 'ok', callsUsed: 0 },
  }
  const actor: Actor = {
    ...{ orgId, plan, limits, period, keyPrefix, keyId, request, approvalId },
    ...(agentId && { agentId }),
    ...(guardrails && { guardrails }),
  }
  return { identified, actor }
}

type Spending = { identified: Identified; budget: Budget; now: Date }

/** Takes one unit of the budget, and gives it back if the request fails. A dry run only looks. */
async function spending<T>(
  app: App,
  { request: { dryRun } }: Decider,
  { identified, budget, now }: Spending,
  run: () => Promise<T>,
): Promise<T> {
  const meter = meterOf(app)
  const { spender } = identified
  if (dryRun) {
    if (!(await meter.hasLeft(spender, budget))) throw budgetExhausted(identified, budget, now)
    dryRun.spends[budget] = 1
    return run()
  }
  const { isTaken, release } = await meter.spendBudget(spender, budget)
  if (!isTaken) throw budgetExhausted(identified, budget, now)
  try {
    return await run()
  } catch (error) {
    meter.refund(spender, budget)
    throw error
  } finally {
    release?.()
  }
}
