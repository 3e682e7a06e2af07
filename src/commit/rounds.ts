// Decisions about one subject that wait at the same moment are made in one round: they read together, are decided one after the
// other, and what does not depend on an earlier one is written together. The rest is decided in the next round. So the outcome equals
// some order one at a time.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { App } from '../app.ts'
import { batchedPerKey } from '../stores/keyedBatch.ts'
import { again, decide } from './decide.ts'

export type Rounds<Item, Read, Result> = {
  /** The noun in the error message: `calendar`. */
  noun: string
  /** The state that the decision depends on. */
  read(app: App, key: string, item: Item): Promise<Read | typeof again>
  /** Undefined: it is granted. The error is made after the round, so that the other calls do not wait for its explanation. */
  refusal(app: App, read: Read): (() => Error | Promise<Error>) | undefined
  /** Whether it can be written beside `chosen`, which were granted before it. `all`: those of the round. */
  goesWith(read: Read, chosen: readonly Read[], all: readonly Read[]): boolean
  write(app: App, read: Read): Promise<Result | typeof again>
}

/** Rejects with 503 if the subject changed during every try, or if its turn did not come in time; nothing has happened then. */
export const inRounds = <Item, Read, Result>(
  app: App,
  rounds: Rounds<Item, Read, Result>,
  key: string,
  item: Item,
): Promise<Result> => app.memory(openLines)(rounds as Rounds<unknown, unknown, unknown>)(key, item) as Promise<Result>

class Refusal {
  readonly make: () => Error | Promise<Error>
  constructor(make: Refusal['make']) {
    this.make = make
  }
}

type Outcome = PromiseSettledResult<unknown>

/** `within` runs the work of a call in the trace of its own request. */
type Call = { item: unknown; within: ReturnType<typeof AsyncLocalStorage.snapshot> }

const maxAtOnce = 50
const gather = { upTo: maxAtOnce, gatherMs: 2 }

type Line = (key: string, item: unknown) => Promise<unknown>

function openLines(app: App) {
  const known = new Map<unknown, Line>()
  return (rounds: Rounds<unknown, unknown, unknown>): Line => {
    const line = known.get(rounds) ?? openLine(app, rounds)
    known.set(rounds, line)
    return line
  }
}

function openLine(app: App, rounds: Rounds<unknown, unknown, unknown>): Line {
  const call = batchedPerKey<Call, Outcome>(maxAtOnce, (key, calls) => decideAll(app, rounds, key, calls), { gather })
  return async (key, item) => {
    const outcome = await call(key, { item, within: AsyncLocalStorage.snapshot() })
    if (outcome.status === 'rejected') throw outcome.reason
    if (outcome.value instanceof Refusal) throw await outcome.value.make()
    return outcome.value
  }
}

/** In the turn of the subject: rounds until every call is decided. */
async function decideAll(
  app: App,
  rounds: Rounds<unknown, unknown, unknown>,
  key: string,
  calls: readonly Call[],
): Promise<Outcome[]> {
  const outcomes = new Map<Call, Outcome>()
  const left = () => calls.filter((call) => !outcomes.has(call))
  try {
    await decide(app, { noun: rounds.noun, key }, async () => {
      const asked = left()
      for (const [nth, outcome] of (await runRound(app, rounds, key, asked)).entries()) {
        if (outcome.status === 'rejected' || outcome.value !== again) outcomes.set(asked[nth]!, outcome)
      }
      return left().length === 0 ? undefined : again
    })
  } catch (reason) {
    for (const call of left()) outcomes.set(call, { status: 'rejected', reason })
  }
  return calls.map((call) => outcomes.get(call)!)
}

async function runRound(
  app: App,
  { read, refusal, goesWith, write }: Rounds<unknown, unknown, unknown>,
  key: string,
  calls: readonly Call[],
): Promise<Outcome[]> {
  const found = await Promise.allSettled(calls.map(({ item, within }) => within(() => read(app, key, item))))
  const all = found.flatMap((one) => (one.status === 'fulfilled' && one.value !== again ? [one.value] : []))
  const chosen: unknown[] = []
  // Each runs up to its write before the next one is decided.
  const decideOne = async (one: Outcome, nth: number) => {
    if (one.status === 'rejected') throw one.reason
    if (one.value === again) return again
    const refused = refusal(app, one.value)
    if (refused) return new Refusal(refused)
    if (!goesWith(one.value, chosen, all)) return again
    chosen.push(one.value)
    return calls[nth]!.within(() => write(app, one.value))
  }
  return Promise.allSettled(found.map(decideOne))
}
