// The record of a change of a caller, as one list of effects: its entry in the change feed with the deliveries, its audit
// entry, and the response for its Idempotency-Key.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { type Audited, auditEntry } from '../audit/record.ts'
import { byActor } from '../changeLog/origin.ts'
import type { Effect } from '../commit/effect.ts'
import type { Step } from '../commit/step.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import { type Emission, emit } from '../webhooks/emit.ts'

type Done = Omit<Audited, 'actor'> & {
  /** In the order in which it must leave. */
  emits?: readonly Emission[]
  /** The body of the response; undefined for an empty one. */
  response: unknown
  /** The values of the response that the change makes, such as a new id. */
  created?: readonly string[] | undefined
  /** Results that only some doors show. */
  extras?: object | undefined
  /** The count of the key's day. */
  after?: Step | undefined
}

export const recorded = (
  app: App,
  actor: Actor,
  { action, resource, emits, response, created = [], extras, after }: Done,
): (Effect | undefined)[] => [
  ...(emits ? emit(app, byActor(actor), emits) : []),
  auditEntry(app, actor, action, resource),
  ...[storeResponse(app, actor, response, { made: created, ...(extras && { extras }), after })].flat(),
]
