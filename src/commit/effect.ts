// What a change does beside its guard, as values that know their name and what they ring.
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment } from '../stores/postgres.ts'
import { Step } from './step.ts'

/**
 * What is rung for after the commit, and the columns that the effect returns for it:
 * `timers`: due_at. `deliveries`: org_id, subscription_id, next_retry_at.
 * `mails`: org_id, id, attempts, next_attempt_at. `changes`: org_id. `publications`: org_id, destination_id.
 */
export type Rung = 'timers' | 'deliveries' | 'mails' | 'changes' | 'publications'

/** Something that happened: the change feed and webhooks tell it. */
export type EmittedEvent = { type: string; payload: object; calendarId?: Uuid | null }

export class Effect extends Step {
  readonly rings: Rung | undefined
  /** In the order in which they leave. */
  readonly emitted: readonly EmittedEvent[]
  constructor(name: string, body: Fragment, rings?: Rung, emitted: readonly EmittedEvent[] = []) {
    super(name, body)
    this.rings = rings
    this.emitted = emitted
  }
}

/** An effect that wakes nobody. */
export const effect = (name: string, body: Fragment): Effect => new Effect(name, body)

/**
 * An effect whose rows wake a worker when they are due soon, or the readers of the change feed. A change has one of each kind at
 * most.
 */
export const ringing = (rings: Rung, body: Fragment, emitted?: readonly EmittedEvent[]): Effect =>
  new Effect(rings, body, rings, emitted)
