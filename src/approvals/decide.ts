// Decides a request: rejects it, or runs it now as the key that asked. The decision is in the statement of the change, so of an
// approval, a rejection and the expiry at one moment one happens, and the change once.
import type { Actor, RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntries } from '../audit/record.ts'
import type { Origin } from '../changeLog/origin.ts'
import { commit } from '../commit/commit.ts'
import type { Effect } from '../commit/effect.ts'
import { guard, type Step } from '../commit/step.ts'
import { conflict, ServiceError } from '../errors.ts'
import { releaseKeys } from '../keys/writes.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import { violatedIn } from '../stores/failures.ts'
import { clearTimers } from '../timers/writes.ts'
import { emit } from '../webhooks/emit.ts'
import type { ApprovalRow } from './queries.ts'
import type { ApprovalRecord, ApprovalStatus } from './schema.ts'
import { openRequest, presentApproval, type Result, type StoredRequest, sealResult, statusAt } from './stored.ts'
import { decideGuard, decideInChange } from './writes.ts'

/** Somebody who acts for the organization, or who has the mailed address. */
export type Decider = Pick<Actor, 'orgId' | 'keyPrefix' | 'account' | 'member' | 'request'>

/** The door of the stored request. `run` throws the refusal that the request gets. */
export type Door = {
  run(row: ApprovalRow, stored: StoredRequest, request: RequestContext): Promise<unknown>
  bodyOf(error: ServiceError): unknown
}

/** Returns the approval: `approved`, or `failed` if the request is refused now. */
export async function approve(
  app: App,
  decider: Decider,
  row: ApprovalRow,
  reason: string | undefined,
  { run, bodyOf }: Door,
): Promise<ApprovalRecord> {
  requirePending(app, row)
  const { request: stored } = openRequest(app, row)
  let shown: ApprovalRecord | undefined
  const effects = (status: number, body: unknown, after?: Step): Effect[] => {
    const { record, decision, effectsBehind } = settle(app, decider, row, 'approved', {
      reason,
      result: { status, body: body ?? null },
    })
    shown = record
    const { decided, effects } = decideInChange(app, row, decision, after)
    return [...effects, ...effectsBehind(decided)]
  }
  const { id, ip, userAgent, startedAt, dryRun } = decider.request
  const approval = { isDryRun: dryRun !== undefined, effects }
  const { method, path } = stored
  const request = { id, ip, userAgent, startedAt, method, path, successStatus: 200, approval }
  try {
    await run(row, stored, request)
  } catch (error) {
    if (violatedIn(error) === 'approval_is_pending') throw decided()
    if (!(error instanceof ServiceError) || error.status >= 500) throw error
    const result = { reason, result: { status: error.status, body: bodyOf(error) } }
    return write(app, decider, row, 'failed', result)
  }
  if (!shown) throw new Error(`${method} ${path} has changed something without its approval`)
  return shown
}

export function reject(
  app: App,
  decider: Decider,
  row: ApprovalRow,
  reason: string | undefined,
): Promise<ApprovalRecord> {
  requirePending(app, row)
  return write(app, decider, row, 'rejected', { reason })
}

/** A decision without a change. */
async function write(app: App, decider: Decider, row: ApprovalRow, status: ApprovalStatus, result: Result) {
  const { record, decision, effectsBehind } = settle(app, decider, row, status, result)
  const { matched } = await commit(app, {
    guard: decideGuard(app.sql, row, decision),
    effects: [releaseKeys(app.sql, guard), ...effectsBehind(guard)],
  })
  if (!matched) throw decided()
  return record
}

/** The records of every decision. `effectsBehind`: the part that has locked the approval. */
function settle(app: App, decider: Decider, row: ApprovalRow, status: ApprovalStatus, result: Result) {
  const now = app.clock.now()
  const decision = { status, resultSealed: sealResult(app, row.id, result), now }
  const record = presentApproval(app, { ...row, ...decision, decidedAt: now }, now)
  const { url: _, ...approval } = record
  const origin: Origin = {
    orgId: row.orgId,
    cause: 'approval',
    actor: { agent_id: null, key_prefix: decider.keyPrefix },
  }
  return {
    record,
    decision,
    effectsBehind: (behind: Step | typeof guard): Effect[] => [
      clearTimers(app, row, { name: 'cleared_expiry', behind }),
      ...emit(app, origin, [{ type: 'approval.decided', payload: { approval } }], { name: 'decided' }),
      auditEntries(app, [{ actor: decider, action: 'approval.decide', resource: record.id }], 'audit_decision'),
      ...[storeResponse(app, decider, record, { behind }) ?? []].flat(),
    ],
  }
}

function requirePending(app: App, row: ApprovalRow): void {
  const status = statusAt(row, app.clock.now())
  if (status === 'expired') throw conflict('This request has expired. The agent can ask again.', 'approval_expired')
  if (status !== 'pending') throw decided()
}

const decided = () => conflict('This request has been decided already.', 'approval_decided')
