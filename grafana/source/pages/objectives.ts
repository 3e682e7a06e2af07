import { type Page, rate } from '../page.ts'

const days = '[30d]'

/** The share of observations of a histogram up to `edge` seconds, over 30 days. */
const within = (histogram: string, edge: string) =>
  `sum(rate(${histogram}_bucket{le="${edge}"}${days})) / sum(rate(${histogram}_count${days}))`

const requests = 'calendar_http_request_duration_seconds'
const failed = `(sum(rate(${requests}_count{status=~"5.."}${days})) or vector(0)) / sum(rate(${requests}_count${days}))`

export const objectives: Page = {
  uid: 'calendar-objectives',
  title: 'Calendar: objectives',
  description: 'The objectives of docs/objectives.md: what was promised over 30 days, and how much of it is left.',
  rows: [
    {
      title: 'Over 30 days',
      panels: [
        {
          title: 'Error budget left',
          description:
            'Of the 0.1 % of requests that may fail. Below zero the objective is missed: deploy only repairs. Normal: above 50 %.',
          unit: 'percentunit',
          kind: 'number',
          width: 6,
          queries: [[`1 - ${failed} / 0.001`]],
        },
        {
          title: 'Requests within one second',
          description: 'Answered within a second. Normal: at least 99 %, the objective.',
          unit: 'percentunit',
          kind: 'number',
          width: 6,
          queries: [[within(requests, '1')]],
        },
        {
          title: 'Timers within one second',
          description: 'Fired within a second of their moment. Normal: at least 99.9 %, the objective.',
          unit: 'percentunit',
          kind: 'number',
          width: 6,
          queries: [[within('calendar_timer_lag_seconds', '1')]],
        },
        {
          title: 'First attempts within five seconds',
          description: 'Posted within five seconds of their change. Normal: at least 99.9 %, the objective.',
          unit: 'percentunit',
          kind: 'number',
          width: 6,
          queries: [[within('calendar_delivery_first_attempt_age_seconds', '5')]],
        },
      ],
    },
    {
      title: 'Now',
      panels: [
        {
          title: 'Burn of the error budget',
          description:
            'How many times faster than allowed requests fail. At 1 the budget lasts 30 days, at 14.4 two. Normal: under 1.',
          unit: 'short',
          limits: [1, 14.4],
          queries: [
            ['(calendar:http_errors:ratio_rate1h or vector(0)) / 0.001', 'one hour'],
            ['(calendar:http_errors:ratio_rate6h or vector(0)) / 0.001', 'six hours'],
            ['(calendar:http_errors:ratio_rate3d or vector(0)) / 0.001', 'three days'],
          ],
        },
        {
          title: 'Alerts that fire',
          description: 'By name. docs/reference/alerts.md says what customers notice. Normal: none.',
          unit: 'short',
          queries: [['sum by (alertname) (ALERTS{alertstate="firing"}) or vector(0)', '{{alertname}}']],
        },
        {
          title: 'Late timers',
          description: 'Fired more than a second after their moment, per second. Normal: none.',
          unit: 'ops',
          queries: [
            [
              `${rate('calendar_timer_lag_seconds_count')} - ${rate('calendar_timer_lag_seconds_bucket', '', 'le="1"')}`,
              'timers',
            ],
          ],
        },
      ],
    },
  ],
}
