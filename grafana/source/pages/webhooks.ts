import { type Page, quantiles, rate, shared } from '../page.ts'

const attempts = 'calendar_delivery_attempts_total'

export const webhooks: Page = {
  uid: 'calendar-webhooks',
  title: 'Calendar: webhooks',
  description: 'Attempts, how they end, what waits, and endpoints that are switched off.',
  rows: [
    {
      title: 'Attempts',
      panels: [
        {
          title: 'Attempts by outcome',
          description: 'Attempts per second. `refused` is an answer other than 2xx. Normal: mostly `delivered`.',
          unit: 'ops',
          kind: 'stack',
          queries: [[rate(attempts, 'outcome'), '{{outcome}}']],
        },
        {
          title: 'Share of delivered attempts',
          description: 'Share of attempts that the receiver accepted. Normal: steady; it depends on the receivers.',
          unit: 'percentunit',
          queries: [[`${rate(attempts, '', 'outcome="delivered"')} / ${rate(attempts)}`, 'delivered']],
        },
        {
          title: 'Time of an attempt',
          description:
            'From the name lookup to the last byte. Most of it is spent at the receiver; the deadline is 10 s. Normal: steady, and far below 10 s.',
          unit: 's',
          queries: quantiles('calendar_delivery_attempt_duration_seconds'),
        },
        {
          title: 'Lag of the first attempt',
          description: 'From the change to the first attempt: the delay of the service itself. Normal: under a second.',
          unit: 's',
          limits: [5, 10],
          queries: quantiles('calendar_delivery_first_attempt_age_seconds'),
        },
      ],
    },
    {
      title: 'Deliveries',
      panels: [
        {
          title: 'Deliveries waiting',
          description:
            'Deliveries that wait for a first attempt, or for the time of a retry; counted up to 10,000. Normal: nearly none for a first attempt; those for a retry depend on the receivers.',
          unit: 'short',
          queries: [[shared('calendar_deliveries_waiting', 'for'), '{{for}}']],
        },
        {
          title: 'Deliveries overdue',
          description: 'Deliveries whose attempt is due, counted up to 10,000. Normal: none, or a few for an instant.',
          unit: 'short',
          queries: [[shared('calendar_deliveries_overdue'), 'overdue']],
        },
        {
          title: 'Oldest overdue delivery',
          description: 'How long the most overdue attempt has been due. Normal: under 10 s.',
          unit: 's',
          limits: [10, 60],
          queries: [[shared('calendar_deliveries_oldest_overdue_seconds'), 'age']],
        },
        {
          title: 'Deliveries rescued',
          description: 'Deliveries that the sweeper found overdue. Normal: none.',
          unit: 'ops',
          queries: [[rate('calendar_sweeper_rescues_total', '', 'source="deliveries"'), 'rescued']],
        },
      ],
    },
    {
      title: 'Shares',
      panels: [
        {
          title: 'Places for attempts',
          description:
            'Attempts at once, over all workers: taken and free. If few are free, add workers. Normal: most are free.',
          unit: 'short',
          queries: [['sum by (state) (calendar_delivery_places)', '{{state}}']],
        },
        {
          title: 'Deliveries in line',
          description:
            'Subscriptions whose deliveries wait because their organization has used its share of the places. Normal: none, or short peaks.',
          unit: 'short',
          queries: [['sum(calendar_deliveries_in_line)', 'in line']],
        },
        {
          title: 'Lanes of subscriptions',
          description:
            'Subscriptions that workers serve, and lanes taken from a worker that died or was stalled, per minute. Normal: served follows the load, and none is taken over.',
          unit: 'short',
          queries: [
            ['sum(calendar_delivery_lanes)', 'served'],
            ['60 * sum(rate(calendar_delivery_lanes_inherited_total[$__rate_interval]))', 'taken over per minute'],
          ],
        },
        {
          title: 'Organizations over their share',
          description:
            'Due deliveries whose organization had used its share: they waited, or were left to the sweeper. Normal: none, or short peaks.',
          unit: 'ops',
          queries: [[rate('calendar_deliveries_over_share_total', 'outcome'), '{{outcome}}']],
        },
      ],
    },
    {
      title: 'Endpoints',
      panels: [
        {
          title: 'Webhooks switched off',
          description:
            'Subscriptions that are off: after too many failures in a row, or by their owner. Normal: steady.',
          unit: 'short',
          queries: [[shared('calendar_webhooks_disabled', 'by'), '{{by}}']],
        },
        {
          title: 'Webhooks switched off in an hour',
          description: 'Subscriptions switched off after 50 failures, in the last hour. Normal: under 5.',
          unit: 'short',
          limits: [5, 20],
          queries: [['sum(increase(calendar_webhooks_deactivated_total[1h]))', 'in an hour']],
        },
        {
          title: 'Test deliveries',
          description: 'Test deliveries that owners requested, by outcome. They count in nothing else. Normal: few.',
          unit: 'ops',
          queries: [[rate('calendar_webhook_tests_total', 'outcome'), '{{outcome}}']],
        },
        {
          title: 'Replayed deliveries',
          description:
            'Deliveries that replays sent again, and those that their webhook had never got. Normal: none, except while a replay runs.',
          unit: 'ops',
          queries: [[rate('calendar_webhook_replayed_total', 'kind'), '{{kind}}']],
        },
      ],
    },
  ],
}
