// The answer of a mutation, stored in the statement of the mutation: a repetition with the same key gets it again.
import type { RequestContext, ResponseKey } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { commit } from '../commit/commit.ts'
import { DryRunEnd } from '../commit/dryRun.ts'
import { type Effect, effect } from '../commit/effect.ts'
import { guard, hasRun, type Step } from '../commit/step.ts'
import { withLocal } from '../localtime/view.ts'
import { decodeId, type Uuid } from '../shapes/ids.ts'
import { responseContext } from './sealed.ts'
import { insertResponses, type ResponseRow } from './writes.ts'

/** The caller: an actor, or the administrator, who acts for no organization. */
type Caller = { request: RequestContext }

type Further = {
  /** The values of the body that the change makes, such as new ids and secrets. */
  made?: readonly string[]
  /** Results that only some doors show. */
  extras?: object
  /** The part that must have a row, if it is not the guard. */
  behind?: Step | typeof guard
  /** The count of the key's day, which is locked before the answer. */
  after?: Step | undefined
}

/**
 * The effect that stores it, or that ends a dry run; undefined if the request has no key. `body`: the body of the response,
 * undefined for an empty one.
 */
export function storeResponse(
  app: App,
  { request }: Caller,
  body: unknown,
  { made, extras, behind = guard, after }: Further = {},
): Effect | readonly Effect[] | undefined {
  if (request.approval) return approvedEffects({ request }, body, after)
  if (request.dryRun) return dryRunEnd(app, { request }, body, made)
  const { responseKey } = request
  if (!responseKey) return undefined
  const isMatched = app.sql`exists (select from ${behind}) and ${hasRun(app.sql, after)}`
  return effect('answer', insertResponses(app.sql, [responseRow(app, request, responseKey, body, extras)], isMatched))
}

/** The effects of the decision, for the change of an approved request; undefined for other requests. */
export const approvedEffects = (
  { request }: Caller,
  body: unknown,
  after: Step | undefined,
): readonly Effect[] | undefined => request.approval?.effects(request.successStatus, shownBody(request, body), after)

/** The effect that ends a dry run; undefined for other requests. For a change whose answer is not stored. */
export function dryRunEnd(
  { sql }: App,
  { request }: Caller,
  body: unknown,
  made: readonly string[] = [],
): DryRunEnd | undefined {
  if (!request.dryRun) return undefined
  request.dryRun.hasEnd = true
  return new DryRunEnd(sql, { status: request.successStatus, body: shownBody(request, body), made })
}

/** The answer of one of many changes that share a statement; `id`: of the guard's row that it belongs to. */
export const keyedResponse = (
  app: App,
  { request }: Caller,
  id: Uuid,
  body: unknown,
  extras?: object,
): ResponseRow | undefined =>
  request.responseKey && { ...responseRow(app, request, request.responseKey, body, extras), belongsTo: id }

/** Those answers whose `id` the guard returned; undefined without any. */
export const storeResponses = (
  { sql }: App,
  rows: readonly ResponseRow[],
  after: Step | undefined,
): Effect | undefined =>
  rows.length === 0
    ? undefined
    : effect(
        'answer',
        insertResponses(sql, rows, sql`a.belongs_to in (select id from ${guard}) and ${hasRun(sql, after)}`),
      )

/** For a request that changes nothing, or nothing of the kind that a statement can hold. */
export async function commitResponse(app: App, caller: Caller, body: unknown): Promise<void> {
  const answer = storeResponse(app, caller, body)
  if (answer) await commit(app, { guard: app.sql`select 1 as answered`, effects: [answer] })
}

function responseRow(
  { sealer, clock }: App,
  request: RequestContext,
  key: ResponseKey,
  body: unknown,
  extras: object | undefined,
): ResponseRow {
  const kept = request.toStoredBody ? request.toStoredBody(body, extras) : shownBody(request, body)
  const text = kept === undefined ? '' : JSON.stringify(kept)
  return {
    ...key,
    status: request.successStatus,
    answerSealed: sealer.seal(responseContext(key.id), text),
    requestId: decodeId('req', request.id)!,
    createdAt: clock.now(),
    belongsTo: null,
  }
}

const shownBody = ({ localZone }: RequestContext, body: unknown): unknown =>
  localZone === undefined ? body : withLocal(body, localZone)
