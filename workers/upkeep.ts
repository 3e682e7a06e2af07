// The queue `upkeep`: housekeeping once an hour, the measurement of quotas, and the rows of deleted organizations.
import { purgeSessions } from '../src/accounts/sessions.ts'
import type { App } from '../src/app.ts'
import { purgeApprovals } from '../src/approvals/retention.ts'
import { purgeAuditLog } from '../src/audit/retention.ts'
import { purgeBookings } from '../src/bookingPages/bookings.ts'
import { recordTimeline } from '../src/changeFeed/promotion.ts'
import { dropChangeDays, makeChangeDays } from '../src/changeLog/retention.ts'
import { expireLink } from '../src/connections/expireLinks.ts'
import { tidyLinks } from '../src/connections/tidyLinks.ts'
import { eraseOrganization } from '../src/erasure/eraseOrganization.ts'
import { purgeTrash } from '../src/events/trash.ts'
import { purgeChannels } from '../src/externalCalendars/channelWrites.ts'
import { revokeConnection } from '../src/externalCalendars/revocations.ts'
import { purgeOldInvitations } from '../src/members/invitations.ts'
import { purgeKeyDays } from '../src/quotas/keyDays.ts'
import { measureQuotas } from '../src/quotas/metrics.ts'
import { purgeRefusedRequests } from '../src/refusedRequests/retention.ts'
import { hourMs, minuteMs } from '../src/shapes/durations.ts'
import { purgeOldCodes } from '../src/signup/code.ts'
import { purgeResponses } from '../src/storedResponses/retention.ts'
import { firstPeriod, type Source } from '../src/sweeps/source.ts'
import { wakeup } from '../src/wakeups/jobs.ts'
import type { Handlers } from '../src/wakeups/pool.ts'
import { purgeOldHealth } from '../src/webhooks/health.ts'
import { purgeOldReplays, walkReplay } from '../src/webhooks/replayWalk.ts'
import { makeDeliveryDays, purgeOldDeliveries } from '../src/webhooks/retention.ts'
import { purgePreviousSecrets } from '../src/webhooks/rotate.ts'

/** A delivery points to its entry, so it goes first. */
async function purgeFeed(app: App): Promise<void> {
  const now = new Date()
  const neededSince = await purgeOldDeliveries(app, now)
  await dropChangeDays(app, now, neededSince)
}

/** First the steps that make the next partitions: without one an entry goes to the default partition. */
const purges = [
  ...[
    makeChangeDays,
    makeDeliveryDays,
    purgeAuditLog,
    purgeFeed,
    purgeOldHealth,
    purgePreviousSecrets,
    purgeOldReplays,
  ],
  ...[purgeResponses, purgeSessions, purgeOldCodes, purgeBookings, tidyLinks, purgeChannels, purgeKeyDays],
  ...[purgeRefusedRequests, purgeOldInvitations, purgeTrash, purgeApprovals],
]

export function upkeepHandlers(app: App): Handlers<'upkeep'> {
  for (const kind of ['again', 'missed']) app.metrics.webhookReplayed.inc({ kind }, 0)
  return handlersOf(app)
}

const handlersOf = (app: App): Handlers<'upkeep'> => ({
  erase: ({ orgId }) => eraseOrganization(app, orgId),
  expire: (key) => expireLink(app, key),
  revoke: (key) => revokeConnection(app, key),
  replay: (key) => walkReplay(app, key),
  async measure() {
    await recordTimeline(app)
    await measureQuotas(app)
  },
  /** One after the other, even if one before it failed. */
  async purge() {
    const errors: Error[] = []
    for (const purge of purges) await purge(app).catch((error: Error) => errors.push(error))
    if (errors.length > 0) throw new AggregateError(errors, errors.map(({ message }) => message).join('; '))
  },
})

/** How often the use of quotas is measured. */
const measureEveryMs = 5 * minuteMs

const wakeMeasure = (nth: number) => wakeup('measure', { nth }, new Date(nth * measureEveryMs))

/** Also those that were missed: one purge does their work. */
export const wakePurge = (hour: number) => wakeup('purge', { hour }, new Date(hour * hourMs))

/** How many whole periods have passed. */
const periodsUntil = (at: Date, periodMs: number) => Math.floor(at.getTime() / periodMs)

/** They follow the clock and have no rows, so they are never overdue. */
export const measurementsDue: Source = {
  name: 'measurements',
  queue: 'upkeep',
  earliest: firstPeriod('measurements', measureEveryMs),
  due: async () => [],
  async coming(_app, from, until) {
    const first = periodsUntil(from, measureEveryMs) + 1
    const count = periodsUntil(until, measureEveryMs) + 1 - first
    return { wakeups: Array.from({ length: count }, (_, nth) => wakeMeasure(first + nth)), until }
  },
}

/** As the measurements, but only the last one: a purge also does the work of missed ones. */
export const purgesDue: Source = {
  name: 'upkeep',
  queue: 'upkeep',
  earliest: firstPeriod('upkeep', hourMs),
  due: async () => [],
  async coming(_app, from, until) {
    const hour = periodsUntil(until, hourMs)
    return { wakeups: from.getTime() < hour * hourMs ? [wakePurge(hour)] : [], until }
  },
}
