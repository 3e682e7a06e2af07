// The queue `timers`: a wake-up names a second, or a slice of a backlog to help with.
import type { App } from '../src/app.ts'
import { expireApprovals } from '../src/approvals/expire.ts'
import { expireHoldGroups } from '../src/events/expireHoldGroups.ts'
import { fireMoments } from '../src/events/fire.ts'
import { fireSingles } from '../src/events/fireSingles.ts'
import { type DueEventTimer, dueWithEvents } from '../src/events/firingQueries.ts'
import { expireHolds } from '../src/events/holds.ts'
import { expireProposals } from '../src/proposals/expire.ts'
import type { Firing } from '../src/timers/block.ts'
import { openEngine } from '../src/timers/engine.ts'
import { timerKinds } from '../src/timers/timers.ts'
import type { Handlers } from '../src/wakeups/pool.ts'

export const firing: Firing<DueEventTimer> = {
  fireInSql: fireSingles,
  read: dueWithEvents,
  fires: {
    hold_expiry: expireHolds,
    event_start: fireMoments,
    event_end: fireMoments,
    event_reminder: fireMoments,
    proposal_expiry: expireProposals,
    approval_expiry: expireApprovals,
    hold_group_expiry: expireHoldGroups,
  },
}

export function timerHandlers(app: App): Handlers<'timers'> {
  for (const kind of timerKinds) {
    app.metrics.timersFired.inc({ kind }, 0)
    app.metrics.timerLag.zero({ kind })
  }
  const engine = openEngine(app, firing)
  return { fire: ({ second, slice }) => (slice ? engine.helpWith(slice) : engine.fireSecond(second)) }
}

/** Fires everything that is due. Returns how many timers it took. */
export const fireDue = (app: App): Promise<number> => openEngine(app, firing).fireDue()
