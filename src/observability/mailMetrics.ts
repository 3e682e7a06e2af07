// Mails: how attempts to send them end, and how many wait.
import type { MetricFactory } from './metricFactory.ts'

export const mailMetrics = ({ counter, gauge }: MetricFactory) => ({
  mails: counter(
    'calendar_mails_total',
    'Attempts to send a mail, by outcome: sent, postponed, failed for good, expired before it was sent, or needless because its recipient was erased or its booking is over.',
    ['outcome'],
  ),
  mailsWaiting: gauge(
    'calendar_mails_waiting',
    'Mails that are not sent yet, counted up to 10,000. The same on every worker.',
  ),
  mailsOldest: gauge('calendar_mails_oldest_seconds', 'Age of the oldest mail that is not sent yet; 0 without mails.'),
})
