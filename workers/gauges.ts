// Waiting and overdue work, and the use of the disks: read from the stores when a worker is scraped. Every worker reports the same
// values, so dashboards take their maximum, not their sum.
import { statfs } from 'node:fs/promises'
import type { App } from '../src/app.ts'
import { approvalCounts } from '../src/approvals/metrics.ts'
import { approvalStatuses } from '../src/approvals/schema.ts'
import { writeOutcomes } from '../src/copyWriter/outcome.ts'
import { publicationBacklog } from '../src/externalCopies/metrics.ts'
import { publicationStates } from '../src/externalCopies/rules.ts'
import { unreadReasons } from '../src/icalendar/unread.ts'
import { feedBacklog } from '../src/imports/metrics.ts'
import { mailBacklog } from '../src/mails/metrics.ts'
import { planIds } from '../src/plans/plans.ts'
import { providers } from '../src/providers/rules.ts'
import { measuredBudgets, showQuotas, useSteps } from '../src/quotas/metrics.ts'
import { databaseBytes } from '../src/stores/postgres.ts'
import { openReplayDelay } from '../src/stores/replayDelay.ts'
import { replicationOf } from '../src/stores/replication.ts'
import { timerBacklog } from '../src/timers/metrics.ts'
import { poolNames } from '../src/wakeups/jobs.ts'
import { deliveryBacklog, disabledWebhooks } from '../src/webhooks/metrics.ts'
import { setConnectionZeros, showConnections, showStalestRead } from './connectionGauges.ts'

const backlogMs = 5_000
const rarelyMs = 60_000

export function openGauges(app: App): void {
  const { metrics } = app
  setZeros(app)
  const { measurements } = metrics
  measurements.add('timers', backlogMs, async () => {
    const { due, overdue, oldestSeconds } = await timerBacklog(app)
    metrics.timersDue.set(due)
    metrics.timersOverdue.set(overdue)
    metrics.timersOldestOverdue.set(oldestSeconds)
  })
  measurements.add('deliveries', backlogMs, async () => {
    const { first, retry, overdue, oldestSeconds } = await deliveryBacklog(app)
    metrics.deliveriesWaiting.set({ for: 'first' }, first)
    metrics.deliveriesWaiting.set({ for: 'retry' }, retry)
    metrics.deliveriesOverdue.set(overdue)
    metrics.deliveriesOldestOverdue.set(oldestSeconds)
  })
  measurements.add('webhooks', rarelyMs, async () => {
    const { failures, owner } = await disabledWebhooks(app)
    metrics.webhooksDisabled.set({ by: 'failures' }, failures)
    metrics.webhooksDisabled.set({ by: 'owner' }, owner)
  })
  measurements.add('feeds', backlogMs, async () => {
    const { active, error, stalestSeconds } = await feedBacklog(app)
    metrics.icalFeeds.set({ status: 'active' }, active)
    metrics.icalFeeds.set({ status: 'error' }, error)
    metrics.icalStalestFeed.set(stalestSeconds)
  })
  measurements.add('external reads', backlogMs, () => showStalestRead(app))
  measurements.add('connections', rarelyMs, () => showConnections(app))
  measurements.add('publications', backlogMs, async () => {
    const { oldestSeconds, ...counts } = await publicationBacklog(app)
    for (const state of publicationStates) metrics.publications.set({ state }, counts[state])
    metrics.publicationsOldest.set(oldestSeconds)
  })
  measurements.add('mails', backlogMs, async () => {
    const { waiting, oldestSeconds } = await mailBacklog(app)
    metrics.mailsWaiting.set(waiting)
    metrics.mailsOldest.set(oldestSeconds)
  })
  measurements.add('approvals', rarelyMs, async () => {
    for (const [status, count] of Object.entries(await approvalCounts(app))) metrics.approvals.set({ status }, count)
  })
  measurements.add('queues', backlogMs, async () => {
    for (const { queue, states, oldestSeconds } of await app.bell.depths()) {
      for (const [state, jobs] of Object.entries(states)) metrics.queueJobs.set({ queue, state }, jobs)
      metrics.queueOldestWaiting.set({ queue }, oldestSeconds)
    }
  })
  measurements.add('quotas', rarelyMs, () => showQuotas(app))
  const replayDelay = openReplayDelay()
  measurements.add('replication', backlogMs, async () => {
    const replication = await replicationOf(app.sql)
    if (!replication) return
    metrics.postgresSynchronousRequired.set(replication.isRequired ? 1 : 0)
    metrics.postgresSynchronousStandbys.set(replication.synchronous)
    metrics.postgresStandbyUnreplayed.set(replication.behindBytes)
    const { behindSeconds, writtenTo, replayedTo } = replication
    metrics.postgresStandbyBehind.set(
      Math.max(behindSeconds, replayDelay({ at: performance.now(), writtenTo }, replayedTo)),
    )
    metrics.postgresSlotKept.set(replication.slotBytes)
    metrics.postgresSynchronousWaits.set(replication.waiting)
    metrics.postgresTimeline.set(replication.timeline)
  })
  measurements.add('disk', rarelyMs, async () => {
    metrics.postgresDatabase.set(await databaseBytes(app.sql))
    // The directory may not exist if the stores run elsewhere.
    const disk = await statfs(app.config.dataDir).catch(() => undefined)
    metrics.dataDirAvailable.set((disk?.bavail ?? 0) * (disk?.bsize ?? 0))
    metrics.dataDirSize.set((disk?.blocks ?? 0) * (disk?.bsize ?? 0))
  })
}

/** Sets every label to 0 at the start, or Prometheus would not see the first failure as an increase. */
function setZeros(app: App) {
  const { metrics } = app
  setConnectionZeros(app)
  for (const outcome of ['sent', 'postponed', 'failed', 'expired']) metrics.mails.inc({ outcome }, 0)
  for (const outcome of ['imported', 'unchanged', 'timeout', 'unreadable']) metrics.icalSyncs.inc({ outcome }, 0)
  for (const reason of unreadReasons) metrics.unreadComponents.inc({ reason }, 0)
  for (const provider of providers)
    for (const outcome of writeOutcomes) metrics.publicationAttempts.inc({ provider, outcome }, 0)
  for (const status of approvalStatuses) metrics.approvals.set({ status }, 0)
  for (const by of ['failures', 'owner']) metrics.webhooksDisabled.set({ by }, 0)
  for (const plan of planIds) metrics.organizations.set({ plan }, 0)
  for (const budget of measuredBudgets)
    for (const at_least of useSteps) metrics.quotaOrganizations.set({ budget, at_least }, 0)
  for (const queue of poolNames) metrics.queueOldestWaiting.set({ queue }, 0)
}
