// The form of a change before its parts were values.
import type { App } from '../app.ts'
import type { Fragment } from '../stores/postgres.ts'
import { type Committed, commit } from './commit.ts'
import { Effect, type Rung } from './effect.ts'
import { Step } from './step.ts'

export type Effects = Record<string, Fragment | Step | undefined>

const rung = ['timers', 'deliveries', 'mails']

export function commitParts<Row = unknown>(
  app: App,
  guard: Fragment,
  effects: Effects,
  first: Effects = {},
): Promise<Committed<Row>> {
  const parts = (given: Effects) =>
    Object.entries(given).flatMap(([name, part]) => {
      if (part === undefined) return []
      if (part instanceof Step) return [part as Effect]
      return [new Effect(name, part, rung.includes(name) ? (name as Rung) : undefined)]
    })
  return commit<Row>(app, { steps: parts(first), guard, effects: parts(effects) })
}
