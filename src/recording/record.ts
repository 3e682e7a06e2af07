// The record of every change of a caller: its entry in the change feed with the deliveries, its audit entry, and the response
// for its Idempotency-Key.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { type Audited, auditEach, entryColumns, entryOf } from '../audit/record.ts'
import { byActor, type Origin } from '../changeLog/origin.ts'
import type { DryRunEnd } from '../commit/dryRun.ts'
import type { Effect } from '../commit/effect.ts'
import type { Step } from '../commit/step.ts'
import { countDays, dayCountOf } from '../quotas/keyDays.ts'
import type { Uuid } from '../shapes/ids.ts'
import { approvedEffects, dryRunEnd, keyedResponse, storeResponses } from '../storedResponses/storeResponse.ts'
import { type Emission, emissionColumns, emissionOf, emitEach } from '../webhooks/emit.ts'

/** `id`: of the changed record. */
type Emitted = { id: Uuid; emission: Emission; origin?: Origin }

type Done = Emitted &
  Omit<Audited, 'actor'> & {
    /** The body of the response; undefined for an empty one. */
    response: unknown
    /** The values of the response that the change makes, such as a new id. */
    made?: readonly string[]
    /** Results that only some doors show. */
    extras?: object | undefined
    /** How many holds the key had placed today, if it was decided by that. */
    seenHolds?: number | undefined
  }

/** The things that a key makes and its guardrails may limit per day. */
const countedTypes: Partial<Record<Emission['type'], { events?: 1; holds?: 1 }>> = {
  'event.created': { events: 1 },
  'event.hold_created': { holds: 1 },
  'event.hold_confirmed': { events: 1 },
}

/** The list of it, as an item of a statement that changes many things. It belongs to the trace that is under way. */
export const recordOf = (app: App, actor: Actor, done: Done) => ({
  ...emittedOf(app, actor, done),
  ...entryOf(app, { actor, action: done.action, resource: done.resource }),
  answer: keyedResponse(app, actor, done.id, done.response, done.extras),
  end: dryRunEnd(app, actor, done.response, done.made),
  approved: actor.request.approval && {
    isDryRun: actor.request.approval.isDryRun,
    effects: (after: Step | undefined) => approvedEffects(actor, done.response, after),
  },
  counted: actor.guardrails && dayCountOf(app, actor, done.id, countedTypes[done.emission.type] ?? {}, done.seenHolds),
})

/** An emission that happens by itself in the request of an actor is no answer to it, and has no audit entry. */
export const emittedOf = (
  app: App,
  actor: Pick<Actor, 'orgId' | 'plan' | 'agentId' | 'keyPrefix'>,
  { id, emission, origin = byActor(actor) }: Emitted,
) => ({ orgId: actor.orgId, id, plan: actor.plan, ...emissionOf(app, origin, emission), emission })

export type Recorded = ReturnType<typeof emittedOf> & Partial<ReturnType<typeof recordOf>>

/** The columns of every such item. */
export const recordedColumns = {
  orgId: 'uuid',
  id: 'uuid',
  plan: 'text',
  ...emissionColumns,
  ...entryColumns,
} as const

/** Writes it for each row of the guard. A dry run also names the events it would emit, and has an end. */
export const recordEach = (
  app: App,
  items: readonly Recorded[],
  { emitted, end }: { emitted?: readonly Emission[]; end?: DryRunEnd | undefined } = {},
): (Effect | undefined)[] => {
  const day = countDays(
    app,
    items.flatMap(({ counted }) => counted ?? []),
  )
  return [
    ...emitEach(app, emitted),
    auditEach(app),
    day,
    storeResponses(
      app,
      items.flatMap(({ answer }) => answer ?? []),
      day,
    ),
    ...items.flatMap(({ approved }) => approved?.effects(day) ?? []),
    end,
  ]
}
