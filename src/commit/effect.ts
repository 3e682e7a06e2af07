// The parts of a change besides its guard, as values that know their name and what they ring.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { Step } from './step.ts'

/** Something that happened: the change feed and webhooks tell it. */
export type EmittedEvent = { type: string; payload: object; calendarId?: Uuid | null }

/** A kind of wake-up after the commit. The noun of the rows defines it. */
export type Ring = {
  name: string
  /** A query of one value: what the rows of an effect say to `after`, as JSON; null for nothing. */
  found(sql: Sql, rows: Effect, horizon: Date): Fragment
  after(app: App, found: unknown): void
}

/** `after` gets what `found` reads. */
export const ring = <Found>(
  name: string,
  { found, after }: { found: Ring['found']; after(app: App, found: Found): void },
): Ring => ({ name, found, after: (app, value) => after(app, value as Found) })

export class Effect extends Step {
  readonly ring: Ring | undefined
  /** In the order in which they leave. */
  readonly emitted: readonly EmittedEvent[]
  constructor(name: string, body: Fragment, rings?: Ring, emitted: readonly EmittedEvent[] = []) {
    super(name, body)
    this.ring = rings
    this.emitted = emitted
  }
}

/** An effect without a wake-up. */
export const effect = (name: string, body: Fragment): Effect => new Effect(name, body)

/** An effect whose rows are rung for. It has the name of its ring, unless a change has two effects of one ring. */
export const ringing = (rings: Ring, body: Fragment, emitted?: readonly EmittedEvent[], name = rings.name): Effect =>
  new Effect(name, body, rings, emitted)
