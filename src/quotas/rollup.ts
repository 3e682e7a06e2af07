// The use of a budget that is counted from rows. The settled rows of a period are counted once, and their number is kept:
// docs/decisions/usage-is-rolled-up.md.
import type { App } from '../app.ts'
import { minuteMs } from '../shapes/durations.ts'
import type { Counter, Use } from './budget.ts'
import { type Rollup, rollupOf, rowsFrom } from './queries.ts'
import { setRollup } from './writes.ts'

/**
 * A row commits at most this long after its id was made: a request and its statement last seconds, and the clocks of two
 * processes differ by less than a second. Ids carry real time, whatever a test's clock says.
 */
const settleMs = 10 * minuteMs

/** A rollup is written when there are so many new settled rows: fewer are counted in about a millisecond. */
const minRolled = 1_000

/** Exact. `settledUntil`: every row whose id was made before that is visible. */
export async function countUse(
  app: App,
  counter: Counter,
  use: Use,
  settledUntil: Date = new Date(Date.now() - settleMs),
): Promise<number> {
  const [rollup] = await rollupOf(app.sql, use)
  const [row] = await rowsFrom(app.sql, counter, use, rollup?.upto ?? use.period.start, settledUntil)
  const before = Number(rollup?.used ?? 0)
  const { made, settled, unspent } = row!
  if (Number(settled) >= minRolled) await keep(app, use, { used: before + Number(settled), upto: settledUntil })
  return before + Number(made) - Number(unspent)
}

/** Without it the next count takes longer, so a failure is no failure of the count. */
async function keep(app: App, use: Use, rollup: Rollup): Promise<void> {
  try {
    await setRollup(app.sql, use, rollup)
  } catch (error) {
    app.log.debug({ error: (error as Error).message }, 'a rollup could not be written')
  }
}
