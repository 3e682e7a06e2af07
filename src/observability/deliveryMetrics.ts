// Webhooks: the attempts to deliver, what waits for one, and which subscriptions are switched off.
import { lagBuckets, latencyBuckets, type MetricFactory } from './metricFactory.ts'

export const deliveryMetrics = ({ counter, gauge, histogram }: MetricFactory) => ({
  webhookTests: counter('calendar_webhook_tests_total', 'Test deliveries that owners requested, by outcome.', [
    'outcome',
  ]),
  webhookReplayed: counter(
    'calendar_webhook_replayed_total',
    'Deliveries that replays sent again, or for the first time.',
    ['kind'],
  ),
  deliveryAttempts: counter('calendar_delivery_attempts_total', 'Webhook attempts, by outcome.', ['outcome']),
  deliveryAttemptDuration: histogram(
    'calendar_delivery_attempt_duration_seconds',
    'Duration of one webhook attempt, from the DNS lookup to the last byte.',
    latencyBuckets,
  ),
  deliveryFirstAttemptAge: histogram(
    'calendar_delivery_first_attempt_age_seconds',
    'Time from a change to the first attempt of its delivery.',
    lagBuckets,
  ),
  deliveriesWaiting: gauge(
    'calendar_deliveries_waiting',
    'Deliveries that wait for their first attempt or for a retry, counted up to 10,000. The same on every worker.',
    ['for'],
  ),
  deliveriesOverdue: gauge(
    'calendar_deliveries_overdue',
    'Deliveries whose next attempt is due, counted up to 10,000. The same on every worker.',
  ),
  deliveriesOldestOverdue: gauge(
    'calendar_deliveries_oldest_overdue_seconds',
    'Time since the oldest overdue attempt was due; 0 without overdue deliveries.',
  ),
  deliveryPlaces: gauge(
    'calendar_delivery_places',
    'Places for attempts that this process makes at the same time, by state: taken or free.',
    ['state'],
  ),
  deliveriesInLine: gauge(
    'calendar_deliveries_in_line',
    'Subscriptions with due deliveries that wait in this process for a place: their organization uses its share, or ten of their attempts are under way.',
  ),
  deliveryLanes: gauge(
    'calendar_delivery_lanes',
    'Subscriptions whose deliveries this process sends: the lanes that it has.',
  ),
  deliveryLanesInherited: counter(
    'calendar_delivery_lanes_inherited_total',
    'Lanes taken while claims of an owner that did not give them back were open: it died, or was stalled for seconds.',
  ),
  deliveriesOverShare: counter(
    'calendar_deliveries_over_share_total',
    'Times that a subscription with due deliveries got no place in a turn: it waited in line, or was left to the sweeper because the process serves too many.',
    ['outcome'],
  ),
  webhooksDeactivated: counter(
    'calendar_webhooks_deactivated_total',
    'Webhook subscriptions switched off after too many failures.',
  ),
  webhooksDisabled: gauge(
    'calendar_webhooks_disabled',
    'Webhook subscriptions that are switched off, after too many failures or by their owner, counted up to 10,000. The same on every worker.',
    ['by'],
  ),
})
