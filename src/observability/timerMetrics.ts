// Timers: how many are due, and how late they fire.
import { lagBuckets, type MetricFactory } from './metricFactory.ts'

export const timerMetrics = ({ counter, gauge, histogram }: MetricFactory) => ({
  timersFired: counter('calendar_timers_fired_total', 'Timers that fired, by kind.', ['kind']),
  timerLag: histogram(
    'calendar_timer_lag_seconds',
    'Time from the moment a timer was due to the commit that fired it, by kind.',
    lagBuckets,
    ['kind'],
  ),
  timersDue: gauge(
    'calendar_timers_due',
    'Timers due within the next minute, counted up to 10,000. The same on every worker.',
  ),
  timersOverdue: gauge(
    'calendar_timers_overdue',
    'Timers whose moment has passed, counted up to 10,000. The same on every worker.',
  ),
  timersOldestOverdue: gauge(
    'calendar_timers_oldest_overdue_seconds',
    'Time since the oldest overdue timer was due; 0 without overdue timers.',
  ),
})
