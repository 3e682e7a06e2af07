import { type Page, quantile, rate, shared } from '../page.ts'

export const queues: Page = {
  uid: 'calendar-queues',
  title: 'Calendar: queues and workers',
  description: 'Wake-ups in Redis, the workers that take them, and the sweeper that makes up for lost ones.',
  rows: [
    {
      title: 'Queues',
      panels: [
        {
          title: 'Waiting wake-ups',
          description: 'Wake-ups that no worker has taken yet. Normal: almost none.',
          unit: 'short',
          queries: [[shared('calendar_queue_jobs', 'queue', 'state="waiting"'), '{{queue}}']],
        },
        {
          title: 'Oldest waiting wake-up',
          description: 'How long ago the oldest waiting wake-up was due. If it grows, add workers. Normal: under 5 s.',
          unit: 's',
          limits: [5, 30],
          queries: [[shared('calendar_queue_oldest_waiting_seconds', 'queue'), '{{queue}}']],
        },
        {
          title: 'Active jobs',
          description: 'Jobs in progress. Normal: follows the load.',
          unit: 'short',
          queries: [[shared('calendar_queue_jobs', 'queue', 'state="active"'), '{{queue}}']],
        },
        {
          title: 'Delayed wake-ups',
          description: 'Wake-ups for the next ten minutes. Normal: follows the load, with peaks before full hours.',
          unit: 'short',
          queries: [[shared('calendar_queue_jobs', 'queue', 'state="delayed"'), '{{queue}}']],
        },
      ],
    },
    {
      title: 'Workers',
      panels: [
        {
          title: 'Processes per queue',
          description:
            'Workers that serve a queue. Without any, its work waits. Normal: as many as you run, and never 0.',
          unit: 'short',
          queries: [['sum by (queue) (calendar_worker_pool)', '{{queue}}']],
        },
        {
          title: 'Finished jobs',
          description: 'Finished per second, by name. Normal: follows the load.',
          unit: 'ops',
          kind: 'stack',
          queries: [[rate('calendar_job_duration_seconds_count', 'job'), '{{job}}']],
        },
        {
          title: 'Time of a job',
          description:
            'The 95th percentile. `fire` lasts until its second is over, `deliver` waits for the receiver. Normal: steady.',
          unit: 's',
          queries: [[quantile(0.95, 'calendar_job_duration_seconds', 'job'), '{{job}}']],
        },
        {
          title: 'Failed and stalled jobs',
          description:
            'Jobs that threw, or whose worker disappeared. A throw is an error of the service: the log has it. Normal: none.',
          unit: 'ops',
          queries: [[rate('calendar_job_troubles_total', 'queue, trouble'), '{{queue}} {{trouble}}']],
        },
      ],
    },
    {
      title: 'Sweeper',
      panels: [
        {
          title: 'Sweeps by outcome',
          description: 'By outcome. `without_redis`: the worker did the due work itself. Normal: all `done`.',
          unit: 'ops',
          queries: [[rate('calendar_sweeper_runs_total', 'outcome'), '{{outcome}}']],
        },
        {
          title: 'Rescues of the sweeper',
          description: 'Due rows for which no worker was woken, by source. Normal: none.',
          unit: 'ops',
          queries: [[rate('calendar_sweeper_rescues_total', 'source'), '{{source}}']],
        },
        {
          title: 'Measurements that failed',
          description: 'Gauges that still show an old value, by source. Normal: none.',
          unit: 'ops',
          queries: [[rate('calendar_measurement_failures_total', 'source'), '{{source}}']],
        },
      ],
    },
  ],
}
