// Postgres, the disk and Redis, as one process sees them.
import type { MetricFactory } from './metricFactory.ts'

const statementBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

export const storeMetrics = (factory: MetricFactory) => ({
  ...postgresMetrics(factory),
  ...replicationMetrics(factory),
  ...diskMetrics(factory),
  ...redisMetrics(factory),
  ready: factory.gauge('calendar_ready', '1 while Postgres answers, otherwise 0.'),
})

const postgresMetrics = ({ counter, gauge, histogram }: MetricFactory) => ({
  postgresStatementDuration: histogram(
    'calendar_postgres_statement_duration_seconds',
    'Duration of a statement, including the wait for a connection, by the function that contains it.',
    statementBuckets,
    ['statement'],
  ),
  postgresStatementFailures: counter(
    'calendar_postgres_statement_failures_total',
    'Statements that failed, by reason: no answer before the deadline, Postgres unreachable, refused by Postgres, or the result of another statement (foreign).',
    ['reason'],
  ),
  postgresStatementsInFlight: gauge(
    'calendar_postgres_statements_in_flight',
    'Statements that wait for a connection or for an answer.',
  ),
  postgresConnectionsMax: gauge(
    'calendar_postgres_connections_max',
    'Maximum number of connections to Postgres that this process opens.',
  ),
  postgresConnectionsOpen: gauge(
    'calendar_postgres_connections_open',
    'Open connections to Postgres, whether in use or not.',
  ),
  postgresConnectionsClosed: counter(
    'calendar_postgres_connections_closed_total',
    'Connections to Postgres that were closed, by reason: a statement exceeded its deadline, the connection broke, it did not answer a question while another one hung, it returned the result of another statement, or the connection was no longer needed.',
    ['reason'],
  ),
  postgresClockOffset: gauge(
    'calendar_postgres_clock_offset_seconds',
    "How far the clock of Postgres is ahead of this process' clock; negative while it is behind.",
  ),
  postgresDatabase: gauge(
    'calendar_postgres_database_bytes',
    'Size of the database on disk. The same on every worker.',
  ),
})

const replicationMetrics = ({ gauge }: MetricFactory) => ({
  postgresSynchronousRequired: gauge(
    'calendar_postgres_synchronous_required',
    '1 while changes wait for a standby (synchronous_standby_names is set), otherwise 0. The same on every worker.',
  ),
  postgresSynchronousStandbys: gauge(
    'calendar_postgres_synchronous_standbys',
    'Connected standbys that changes wait for. The same on every worker.',
  ),
  postgresStandbyUnreplayed: gauge(
    'calendar_postgres_standby_unreplayed_bytes',
    'Write-ahead log that the standby furthest behind has not replayed. Needs pg_monitor. The same on every worker.',
  ),
  postgresStandbyBehind: gauge(
    'calendar_postgres_standby_behind_seconds',
    'How long the slowest standby has not replayed what was written, or took to replay the last of it. Needs pg_monitor.',
  ),
  postgresSlotKept: gauge(
    'calendar_postgres_slot_kept_bytes',
    'Write-ahead log that is kept for the replication slot furthest behind. The same on every worker.',
  ),
  postgresSynchronousWaits: gauge(
    'calendar_postgres_synchronous_waits',
    'Server processes whose change waits for a standby. The same on every worker.',
  ),
  postgresTimeline: gauge(
    'calendar_postgres_timeline',
    'Number of the time line of the primary: each promotion begins another. The same on every worker.',
  ),
})

const diskMetrics = ({ gauge }: MetricFactory) => ({
  dataDirAvailable: gauge(
    'calendar_data_dir_available_bytes',
    'Free space on the file system of DATA_DIR. With npm start, the data of Postgres is there too.',
  ),
  dataDirSize: gauge('calendar_data_dir_size_bytes', 'Size of the file system of DATA_DIR.'),
})

const redisMetrics = ({ gauge }: MetricFactory) => ({
  redisUp: gauge('calendar_redis_up', '1 while this process is connected to Redis, otherwise 0.'),
  redisPing: gauge('calendar_redis_ping_seconds', 'Time that Redis took to answer the last question of this process.'),
  redisNoeviction: gauge('calendar_redis_noeviction', "1 if Redis' maxmemory-policy is noeviction, otherwise 0."),
  redisMemoryUsed: gauge(
    'calendar_redis_memory_used_bytes',
    'Memory that Redis uses; in a cluster, that of its fullest node.',
  ),
  redisMemoryMax: gauge(
    'calendar_redis_memory_max_bytes',
    'Memory that Redis may use; in a cluster, that of its fullest node. 0 means no limit.',
  ),
})
