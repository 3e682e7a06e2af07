import { type Page, quantile, rate, shared } from '../page.ts'

const statements = 'calendar_postgres_statement_duration_seconds'

export const stores: Page = {
  uid: 'calendar-stores',
  title: 'Calendar: Postgres and Redis',
  description: 'As the processes see them. For what the servers report about themselves, use their own exporters.',
  rows: [
    {
      title: 'Postgres',
      panels: [
        {
          title: 'Statements per second',
          description: 'Per second, the ten most frequent. Normal: follows the load.',
          unit: 'ops',
          kind: 'stack',
          queries: [[`topk(10, ${rate(`${statements}_count`, 'statement')})`, '{{statement}}']],
        },
        {
          title: 'Slowest statements',
          description: 'The 99th percentile of the ten slowest, including the wait for a connection. Normal: steady.',
          unit: 's',
          queries: [[`topk(10, ${quantile(0.99, statements, 'statement')})`, '{{statement}}']],
        },
        {
          title: 'Time in Postgres',
          description: 'Seconds per second, the ten statements that take the most time. Normal: follows the load.',
          unit: 's',
          kind: 'stack',
          queries: [[`topk(10, ${rate(`${statements}_sum`, 'statement')})`, '{{statement}}']],
        },
        {
          title: 'Failed statements',
          description:
            'Statements that were not answered in time, could not reach Postgres, or were refused by it. Normal: none.',
          unit: 'ops',
          queries: [[rate('calendar_postgres_statement_failures_total', 'reason'), '{{reason}}']],
        },
        {
          title: 'Use of connections',
          description:
            'Statements in flight per connection, by process. Above 100 % they wait for each other. Normal: under 80 %.',
          unit: 'percentunit',
          limits: [0.8, 1],
          queries: [
            [
              'max by (job, instance) (calendar_postgres_statements_in_flight / calendar_postgres_connections_max)',
              '{{job}} {{instance}}',
            ],
          ],
        },
        {
          title: 'Open connections',
          description: 'By process. Idle ones close after a minute. Normal: follows the load.',
          unit: 'short',
          queries: [['max by (job, instance) (calendar_postgres_connections_open)', '{{job}} {{instance}}']],
        },
        {
          title: 'Connections closed',
          description:
            'By reason. Deadline, broken and silent mean trouble with Postgres or the network; distrusted should never happen. Normal: only idle, age and shutdown, which are housekeeping.',
          unit: 'ops',
          queries: [[rate('calendar_postgres_connections_closed_total', 'reason'), '{{reason}}']],
        },
        {
          title: 'Postgres ready',
          description: '1 while Postgres answers a process. Normal: 1.',
          unit: 'short',
          queries: [['min by (job, instance) (calendar_ready)', '{{job}} {{instance}}']],
        },
        {
          title: 'Clock of Postgres',
          description: "Ahead of each process' clock. Normal: within a tenth of a second.",
          unit: 's',
          queries: [[`calendar_postgres_clock_offset_seconds`, '{{job}} {{instance}}']],
        },
        {
          title: 'Size of the database',
          description: 'On disk. Normal: steady, or slow growth.',
          unit: 'bytes',
          queries: [[shared('calendar_postgres_database_bytes'), 'database']],
        },
        {
          title: 'Free disk',
          description:
            'The file system of DATA_DIR. It holds the files of Postgres only under npm start. Normal: more than 10 % of the disk, and no steady fall.',
          unit: 'bytes',
          queries: [['min(calendar_data_dir_available_bytes > 0)', 'DATA_DIR']],
        },
      ],
    },
    {
      title: 'Replication',
      panels: [
        {
          title: 'Synchronous standbys',
          description:
            'Standbys that changes wait for, and whether they must (1). Normal: one or more where they must, otherwise 0.',
          unit: 'short',
          queries: [
            [shared('calendar_postgres_synchronous_standbys'), 'standbys'],
            [shared('calendar_postgres_synchronous_required'), 'required'],
          ],
        },
        {
          title: 'Changes that wait for a standby',
          description: 'Server processes. Normal: 0, or a few for a moment.',
          unit: 'short',
          queries: [[shared('calendar_postgres_synchronous_waits'), 'waiting']],
        },
        {
          title: 'Log behind',
          description:
            'Of the standby, and of the slot, that is furthest behind. Normal: a few megabytes, and no steady growth.',
          unit: 'bytes',
          queries: [
            [shared('calendar_postgres_standby_unreplayed_bytes'), 'standby'],
            [shared('calendar_postgres_slot_kept_bytes'), 'slot'],
          ],
        },
        {
          title: 'Delay of the slowest standby',
          description: 'Until it has replayed a change. Normal: under a second.',
          unit: 's',
          queries: [[shared('calendar_postgres_standby_behind_seconds'), 'slowest']],
        },
        {
          title: 'Time line of Postgres',
          description: 'Each promotion of a standby begins another. Normal: constant.',
          unit: 'short',
          queries: [[shared('calendar_postgres_timeline'), 'time line']],
        },
      ],
    },
    {
      title: 'Redis',
      panels: [
        {
          title: 'Redis connected',
          description: '1 while a process is connected. Normal: 1.',
          unit: 'short',
          queries: [['min by (job, instance) (calendar_redis_up)', '{{job}} {{instance}}']],
        },
        {
          title: 'Latency of Redis',
          description: 'How long Redis took to answer a process. Normal: steady, and alike for all processes.',
          unit: 's',
          queries: [['max by (job, instance) (calendar_redis_ping_seconds)', '{{job}} {{instance}}']],
        },
        {
          title: 'Memory of Redis',
          description: 'In use, and the limit (0: none). Normal: steady, and under 90 % of the limit.',
          unit: 'bytes',
          queries: [
            [shared('calendar_redis_memory_used_bytes'), 'used'],
            [shared('calendar_redis_memory_max_bytes'), 'at most'],
          ],
        },
        {
          title: 'Redis policy noeviction',
          description:
            '1 when the policy is noeviction. Any other policy loses wake-ups and quota counters. Normal: 1.',
          unit: 'short',
          queries: [['min(calendar_redis_noeviction)', 'noeviction']],
        },
      ],
    },
  ],
}
