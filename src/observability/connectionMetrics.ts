// Calendars of humans: what their providers tell us.
import type { MetricFactory } from './metricFactory.ts'

export function connectionMetrics({ counter }: MetricFactory) {
  const externalPushes = counter(
    'calendar_external_pushes_total',
    'Messages of providers that something has changed, by outcome: taken, sync (the channel lives), ignored (the connection is not active), unknown (no such channel, or not its secret).',
    ['provider', 'outcome'],
  )
  for (const provider of ['google', 'microsoft']) {
    for (const outcome of ['taken', 'sync', 'ignored', 'unknown']) externalPushes.inc({ provider, outcome }, 0)
  }
  return { externalPushes }
}
