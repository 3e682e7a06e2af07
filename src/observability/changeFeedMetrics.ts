// The change feed: who waits for changes, and what reading it costs.
import { lagBuckets, type MetricFactory } from './metricFactory.ts'

const rowBuckets = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]

export const changeFeedMetrics = ({ gauge, histogram }: MetricFactory) => ({
  feedWaits: gauge('calendar_feed_waits', 'Requests and streams that wait for changes in this process.'),
  feedDelay: histogram(
    'calendar_feed_delay_seconds',
    'Time from a change to its answer to a reader that was waiting for it.',
    lagBuckets,
  ),
  feedScannedRows: histogram(
    'calendar_feed_scanned_rows',
    'Entries of the change feed that one statement of a reader scanned.',
    rowBuckets,
  ),
})
