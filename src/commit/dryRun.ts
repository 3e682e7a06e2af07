// A dry run: the statement of a change runs to its end, and is undone when it would commit. So it meets every guard, cap and
// constraint that the change would meet, and nothing of it stays (docs/decisions/dry-run.md).
import { isDryRunEnd } from '../stores/failures.ts'
import type { Sql } from '../stores/postgres.ts'
import { Effect, type EmittedEvent } from './effect.ts'
import { guard } from './step.ts'

/** The last effect of a change that must not happen. */
export class DryRunEnd extends Effect {
  readonly answer: WouldBeAnswer
  constructor(sql: Sql, answer: WouldBeAnswer) {
    super('dry_run', sql`insert into dry_runs (matched) select count(*) from ${guard}`)
    this.answer = answer
  }
}

type WouldBeAnswer = {
  status: number
  /** Undefined for none. */
  body: unknown
  /**
   * Identifiers, secrets and addresses that the change would make. The response leaves them out, because they will never exist.
   */
  made: readonly string[]
}

/** Thrown in the place of the answer: the change would happen. */
export class WouldHappen extends Error {
  readonly answer: WouldBeAnswer
  /** The events that would leave, in order. */
  readonly emitted: readonly EmittedEvent[]
  /** How many rows the guard matched. */
  readonly matched: number
  constructor({ answer }: DryRunEnd, emitted: readonly EmittedEvent[], matched: number) {
    super('the change would happen')
    this.answer = answer
    this.emitted = emitted
    this.matched = matched
  }
}

/** Returns if the guard matched nothing. Throws `WouldHappen` if it matched, or the error that the change would fail with. */
export async function runDry(run: () => Promise<unknown>, end: DryRunEnd, effects: readonly Effect[]): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!isDryRunEnd(error)) throw error
    const matched = Number((error as Error).message)
    if (matched === 0) return
    throw new WouldHappen(
      end,
      effects.flatMap(({ emitted }) => emitted),
      matched,
    )
  }
  throw new Error('a dry run was committed')
}
