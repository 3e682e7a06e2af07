import { type Page, quantile, quantiles, rate, rateOrZero, shared } from '../page.ts'

const requests = 'calendar_http_request_duration_seconds'
const errors = `(${rateOrZero(`${requests}_count`, 'status=~"5.."')}) / ${rate(`${requests}_count`)}`

export const overview: Page = {
  uid: 'calendar-overview',
  title: 'Calendar: overview',
  description: 'The four golden signals, and whether what is due happens on time.',
  rows: [
    {
      title: 'Now',
      panels: [
        {
          title: 'Requests',
          description: 'Answered per second, over all API processes. Normal: as on other days at this hour.',
          unit: 'reqps',
          kind: 'number',
          width: 4,
          queries: [[rate(`${requests}_count`)]],
        },
        {
          title: 'Errors',
          description: 'Share of answers with a status of 500 or above. Normal: under 0.1 %, the objective.',
          unit: 'percentunit',
          kind: 'number',
          width: 4,
          limits: [0.001, 0.01],
          queries: [[errors]],
        },
        {
          title: 'Slowest requests',
          description: 'The 99th percentile over all routes. Normal: under 0.5 s.',
          unit: 's',
          kind: 'number',
          width: 4,
          limits: [0.5, 1],
          queries: [[quantile(0.99, requests)]],
        },
        {
          title: 'Timers overdue',
          description: 'How long the most overdue timer has been due. Normal: under 5 s.',
          unit: 's',
          kind: 'number',
          width: 4,
          limits: [5, 30],
          queries: [[shared('calendar_timers_oldest_overdue_seconds')]],
        },
        {
          title: 'Deliveries overdue',
          description: 'How long the most overdue attempt has been due. Normal: under 10 s.',
          unit: 's',
          kind: 'number',
          width: 4,
          limits: [10, 60],
          queries: [[shared('calendar_deliveries_oldest_overdue_seconds')]],
        },
        {
          title: 'Processes',
          description: 'API processes and workers that Prometheus reaches. Normal: as many as you run.',
          unit: 'short',
          kind: 'number',
          width: 4,
          queries: [['count(calendar_process_start_time_seconds)']],
        },
      ],
    },
    {
      title: 'Alerts',
      panels: [
        {
          title: 'Alerts that fire',
          description: 'By name and urgency. The dashboard of each has links to what to do. Normal: none.',
          unit: 'short',
          width: 24,
          queries: [
            ['count by (alertname, severity) (ALERTS{alertstate="firing"}) or vector(0)', '{{alertname}} {{severity}}'],
          ],
        },
      ],
    },
    {
      title: 'Golden signals',
      panels: [
        {
          title: 'Traffic',
          description:
            'Requests, timers and webhook attempts per second. Normal: as on other days at this hour, with peaks of timers at full hours.',
          unit: 'ops',
          queries: [
            [rate(`${requests}_count`), 'requests'],
            [rate('calendar_timers_fired_total'), 'timers'],
            [rate('calendar_delivery_attempts_total'), 'attempts'],
          ],
        },
        {
          title: 'Failed requests and attempts',
          description:
            'Share of answers with 5xx, and of attempts that failed. Normal: under 0.1 % of requests; the share of attempts depends on the receivers.',
          unit: 'percentunit',
          limits: [0.001, 0.01],
          queries: [
            [errors, 'requests'],
            [
              `${rate('calendar_delivery_attempts_total', '', 'outcome!="delivered"')} / (${rate('calendar_delivery_attempts_total')} > 0) or vector(0)`,
              'attempts',
            ],
          ],
        },
        {
          title: 'Latency of requests',
          description: 'Time to answer a request. Normal: under 0.5 s.',
          unit: 's',
          limits: [0.5, 1],
          queries: quantiles(requests),
        },
        {
          title: 'Saturation',
          description:
            'Statements in flight per connection, how late the event loop of the busiest process is (as a share of a second), and the processor time of the busiest process. Normal: under 70 %.',
          unit: 'percentunit',
          limits: [0.7, 1],
          queries: [
            ['max(calendar_postgres_statements_in_flight / calendar_postgres_connections_max)', 'connections'],
            ['max(calendar_nodejs_eventloop_lag_p99_seconds)', 'event loop'],
            ['max(rate(calendar_process_cpu_seconds_total[$__rate_interval]))', 'processor'],
          ],
        },
      ],
    },
    {
      title: 'On time',
      panels: [
        {
          title: 'Timer lag',
          description: 'From the moment a timer was due to the commit that fired it. Normal: under a second.',
          unit: 's',
          limits: [1, 5],
          queries: quantiles('calendar_timer_lag_seconds'),
        },
        {
          title: 'Lag of the first attempt',
          description: 'From a change to the first attempt of its delivery. Normal: under a second.',
          unit: 's',
          limits: [5, 10],
          queries: quantiles('calendar_delivery_first_attempt_age_seconds'),
        },
        {
          title: 'Rescues of the sweeper',
          description: 'Due rows for which no worker was woken. Normal: none.',
          unit: 'ops',
          queries: [[rate('calendar_sweeper_rescues_total', 'source'), '{{source}}']],
        },
        {
          title: 'Requests decided without Redis',
          description: 'Requests decided from Postgres because Redis did not answer. Normal: none.',
          unit: 'reqps',
          queries: [[rate('calendar_gate_without_redis_total'), 'requests']],
        },
      ],
    },
  ],
}
