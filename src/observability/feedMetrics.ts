// External feeds: how their syncs end, and how old our copies are.
import type { MetricFactory } from './metricFactory.ts'

export const feedMetrics = ({ counter, gauge }: MetricFactory) => ({
  icalSyncs: counter(
    'calendar_ical_syncs_total',
    'Reads of external feeds, by outcome: imported, unchanged, superseded, or the reason for the failure.',
    ['outcome'],
  ),
  icalFeeds: gauge(
    'calendar_ical_feeds',
    'External feeds that are read regularly, by the outcome of their last sync, counted up to 10,000. The same on every worker.',
    ['status'],
  ),
  unreadComponents: counter(
    'calendar_unread_components_total',
    'Parts of foreign calendars that could not be read, by reason: structure, start, end, date, rule, size (too many instances) or object (a whole object of a CalDAV server).',
    ['reason'],
  ),
  icalStalestFeed: gauge(
    'calendar_ical_stalest_feed_seconds',
    'Age of the last successful read of the stalest active feed (time since creation if it was never read); 0 without feeds.',
  ),
})
