import { type Page, quantile, quantiles, rate, shared } from '../page.ts'

export const timers: Page = {
  uid: 'calendar-timers',
  title: 'Calendar: timers',
  description: 'Holds that lapse, events that start and end, reminders, proposals and approvals that expire.',
  rows: [
    {
      title: 'Firing',
      panels: [
        {
          title: 'Timers fired',
          description: 'Moments per second, by kind. Normal: follows the load, with peaks at full hours.',
          unit: 'ops',
          kind: 'stack',
          queries: [[rate('calendar_timers_fired_total', 'kind'), '{{kind}}']],
        },
        {
          title: 'Timer lag',
          description: 'From the moment a timer was due to the commit that fired it. Normal: under a second.',
          unit: 's',
          limits: [1, 5],
          queries: quantiles('calendar_timer_lag_seconds'),
        },
        {
          title: 'Timer lag by kind',
          description: 'The 99th percentile. Normal: under a second.',
          unit: 's',
          limits: [1, 5],
          queries: [[quantile(0.99, 'calendar_timer_lag_seconds', 'kind'), '{{kind}}']],
        },
        {
          title: 'Timers fired within a second',
          description: 'Share of moments that fired within one second of their time. Normal: at least 99.9 %.',
          unit: 'percentunit',
          queries: [
            [
              `${rate('calendar_timer_lag_seconds_bucket', '', 'le="1"')} / ${rate('calendar_timer_lag_seconds_count')}`,
              'on time',
            ],
          ],
        },
      ],
    },
    {
      title: 'Due',
      panels: [
        {
          title: 'Timers due within a minute',
          description:
            'Timers that are due within the next minute, counted up to 10,000. Normal: follows the load, with peaks before full hours.',
          unit: 'short',
          queries: [[shared('calendar_timers_due'), 'due']],
        },
        {
          title: 'Approvals',
          description:
            'Requests of agent keys that a person decides: those that wait, and those that ended within a day (approved, rejected, expired, or failed when they were approved). Normal: few that wait; many that expire are requests that nobody looks at.',
          unit: 'short',
          queries: [[shared('calendar_approvals', 'status'), '{{status}}']],
        },
        {
          title: 'Timers overdue',
          description: 'Timers whose moment has passed, counted up to 10,000. Normal: none, or a few for an instant.',
          unit: 'short',
          queries: [[shared('calendar_timers_overdue'), 'overdue']],
        },
        {
          title: 'Oldest overdue timer',
          description: 'How long the most overdue timer has been due. Normal: under 5 s.',
          unit: 's',
          limits: [5, 30],
          queries: [[shared('calendar_timers_oldest_overdue_seconds'), 'age']],
        },
        {
          title: 'Timers rescued',
          description: 'Timers that the sweeper found overdue: no worker was woken for them. Normal: none.',
          unit: 'ops',
          queries: [[rate('calendar_sweeper_rescues_total', '', 'source="timers"'), 'rescued']],
        },
      ],
    },
  ],
}
