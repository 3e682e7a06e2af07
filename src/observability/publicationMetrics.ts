// Copies of events in calendars of humans: how many are behind, and how long they take.
import { lagBuckets, type MetricFactory } from './metricFactory.ts'

export const publicationMetrics = ({ counter, gauge, histogram }: MetricFactory) => ({
  publications: gauge(
    'calendar_publications',
    'Copies of events in calendars of humans, by state, counted up to 10,000 of each. The same on every worker.',
    ['state'],
  ),
  publicationsOldest: gauge(
    'calendar_publications_oldest_seconds',
    'Time since the oldest change whose copy is due and not written. The same on every worker.',
  ),
  publicationAttempts: counter('calendar_publication_attempts_total', 'Writes of copies to providers, by outcome.', [
    'provider',
    'outcome',
  ]),
  publicationLag: histogram(
    'calendar_publication_lag_seconds',
    'Time from the commit of a change to its copy at the provider.',
    lagBuckets,
    ['provider'],
  ),
})
