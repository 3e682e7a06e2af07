// Calendars of humans: the messages of their providers, their reads, and the times closed for lack of a read.
import { lagBuckets, latencyBuckets, type MetricFactory } from './metricFactory.ts'

export function connectionMetrics({ counter, gauge, histogram }: MetricFactory) {
  const externalPushes = counter(
    'calendar_external_pushes_total',
    'Change notifications from providers, by outcome: taken, sync (the channel works), ignored (the connection is not active), unknown (no such channel, or a wrong secret).',
    ['provider', 'outcome'],
  )
  for (const provider of ['google', 'microsoft']) {
    for (const outcome of ['taken', 'sync', 'ignored', 'unknown']) externalPushes.inc({ provider, outcome }, 0)
  }
  const availabilityClosed = counter(
    'calendar_availability_closed_total',
    'Queries for free time that returned none because the copy of the calendar of a human is stale, partial or unavailable.',
    ['state'],
  )
  for (const state of ['stale', 'partial', 'unavailable']) availabilityClosed.inc({ state }, 0)
  return {
    externalPushes,
    availabilityClosed,
    connections: gauge(
      'calendar_connections',
      'Connected accounts of humans, by provider and status, counted up to 100,000 altogether. The same on every worker.',
      ['provider', 'status'],
    ),
    externalCalendars: gauge(
      'calendar_external_calendars',
      'Selected calendars of humans, by the state of their copy: of the 10,000 that were read longest ago and of 10,000 that were never read. The same on every worker.',
      ['sync'],
    ),
    externalReads: counter(
      'calendar_external_reads_total',
      'Reads of connections, by outcome: read, refused (the account), or the reason for the failure.',
      ['provider', 'outcome'],
    ),
    externalReadDuration: histogram(
      'calendar_external_read_duration_seconds',
      'Duration of reads of connections, with any outcome.',
      [...latencyBuckets, 30, 60],
      ['provider'],
    ),
    externalReadLag: histogram(
      'calendar_external_read_lag_seconds',
      'Time from the moment when a connection is due to be read until its copies are stored, by what made it due: push (a message of the provider), poll (the clock), interest (a query).',
      lagBuckets,
      ['by'],
    ),
    externalStalest: gauge(
      'calendar_external_stalest_seconds',
      'Age of the oldest copy of an external calendar that can be read, or how long a read has been due if that is more; 0 without any. The same on every worker.',
    ),
    externalChannels: gauge(
      'calendar_external_channels',
      'Channels by which providers send change notifications, by state: live, late (not renewed in time), ended; of the 10,000 that end first. The same on every worker.',
      ['provider', 'state'],
    ),
    providerRequests: counter(
      'calendar_provider_requests_total',
      'Requests to providers of calendars, by outcome: ok, refused (401), rate_limited (429), rejected (another 4xx), failed (5xx), unreachable, held_back (by our own pace).',
      ['provider', 'outcome'],
    ),
  }
}
