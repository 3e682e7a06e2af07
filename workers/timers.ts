// The queue `timers`: a wake-up names a shard and a second.
import type { App } from '../src/app.ts'
import { fireMoments } from '../src/events/fire.ts'
import { expireHolds } from '../src/events/holds.ts'
import { expireProposals } from '../src/proposals/expire.ts'
import { type Fires, fireSecond, fireShard } from '../src/timers/engine.ts'
import { timerKinds } from '../src/timers/timers.ts'
import type { Handlers } from '../src/wakeups/pool.ts'

/** What the timers of each kind do. */
const fires: Fires = {
  hold_expiry: expireHolds,
  event_start: fireMoments,
  event_end: fireMoments,
  event_reminder: fireMoments,
  proposal_expiry: expireProposals,
}

export function timerHandlers(app: App): Handlers<'timers'> {
  for (const kind of timerKinds) {
    app.metrics.timersFired.inc({ kind }, 0)
    app.metrics.timerLag.zero({ kind })
  }
  return { fire: ({ shard, second }) => fireSecond(app, fires, shard, second) }
}

/** Fires everything of a shard that is due. Returns how many timers it took. */
export const fireDue = (app: App, shard: number): Promise<number> => fireShard(app, fires, shard)
