import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'vitest'

/** Statements that ask for no organization in particular: workers, gauges, operators and the terms. */
const ofEverybody = [
  'approvals/metrics.ts approvalCounts',
  'audit/queries.ts keeperKinds',
  'audit/queries.ts keepers',
  'audit/writes.ts insertFailures',
  'changeFeed/queries.ts knownTimelines',
  'connections/linkQueries.ts dueLinks',
  'connections/metrics.ts calendarCounts',
  'connections/metrics.ts channelCounts',
  'connections/metrics.ts connectionCounts',
  'connections/metrics.ts stalestSeconds',
  'connections/revocationWrites.ts dueRevocations',
  'copyWriter/leaseQueries.ts dueDestinations',
  'erasure/queries.ts dueErasures',
  'events/firingQueries.ts dueWithEvents',
  'externalCalendars/readQueries.ts dueReads',
  'externalCalendars/readQueries.ts dueReauthorizationReminders',
  'externalCalendars/readQueries.ts dueWatches',
  'externalCopies/metrics.ts publicationBacklog',
  'imports/metrics.ts feedBacklog',
  'imports/queries.ts dueSubscriptions',
  'imports/queries.ts failingSubscriptions',
  'mails/metrics.ts mailBacklog',
  'mails/queries.ts dueMails',
  'organizations/queries.ts organizationCount',
  'organizations/queries.ts organizationsPage',
  'organizations/termsQueries.ts lastPublication',
  'quotas/queries.ts lastMeasurements',
  'quotas/queries.ts organizationsAfter',
  'sealing/sealedTable.ts keysInUse',
  'sealing/sealedTable.ts readBlock',
  'stores/clockOffset.ts readClockOffsetMs',
  'stores/ownership.ts answersTo',
  'stores/postgres.ts databaseBytes',
  'stores/postgres.ts isAnswering',
  'stores/replication.ts replicationOf',
  'sweeps/sweeps.ts searchedSources',
  'sweeps/sweeps.ts takeSweeps',
  'timers/due.ts firstDue',
  'timers/due.ts nextDue',
  'timers/due.ts overdueTimers',
  'timers/due.ts secondsBetween',
  'timers/metrics.ts timerBacklog',
  'webhooks/metrics.ts deliveryBacklog',
  'webhooks/metrics.ts disabledWebhooks',
  'webhooks/queries.ts dueLanes',
  'webhooks/queries.ts lanesBetween',
  'webhooks/replayWrites.ts dueReplays',
  'webhooks/retentionWrites.ts deleteStray',
  'webhooks/retentionWrites.ts oldestPending',
]

/** Where rows are read as they come: `<noun>/<file> <function>`. */
const uncheckedReads = globSync('src/*/*.ts')
  .filter((file) => !file.includes('.test.') && !file.startsWith('src/testing/'))
  .flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    return [...text.matchAll(/\bsql<(?![^`]*Fragment)/g)].map(({ index }) => {
      const names = [...text.slice(0, index).matchAll(/^(?:export )?(?:const|(?:async )?function) (\w+)/gm)]
      return `${file.slice('src/'.length)} ${names.at(-1)?.[1]}`
    })
  })

test('every statement about an organization compares its rows with what was asked', () => {
  assert.deepEqual([...new Set(uncheckedReads)].sort(), ofEverybody)
})
