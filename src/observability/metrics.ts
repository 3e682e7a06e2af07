// Metrics of one process, in Prometheus' conventions. Labels are bounded: never an organization, never an id. Of what can
// go wrong every label is there from the start with 0, so that the first failure is an increase. The table in the README
// is compared with this file.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { openMeasurements } from './measurements.ts'

const lagBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const statementBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

export type Metrics = ReturnType<typeof openMetrics>

export function openMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: 'calendar_' })
  const measurementFailures = new Counter({
    name: 'calendar_measurement_failures_total',
    help: 'Gauges that could not be read, by source: they show their last value.',
    labelNames: ['source'],
    registers,
  })
  return {
    registry,
    measurements: openMeasurements((source, failures) => measurementFailures.inc({ source }, failures)),
    measurementFailures,
    requests: new Histogram({
      name: 'calendar_http_request_duration_seconds',
      help: 'Time from the request line to the last byte of the answer, by route and status; 499: the client hung up before it was answered.',
      labelNames: ['method', 'route', 'status'],
      buckets: latencyBuckets,
      registers,
    }),
    requestsInFlight: new Gauge({
      name: 'calendar_http_requests_in_flight',
      help: 'Requests that are being answered.',
      registers,
    }),
    malformedRequests: new Counter({
      name: 'calendar_http_malformed_requests_total',
      help: 'Refused before any route: invalid HTTP, not exactly one Host header, an Expect that cannot be met, or a request that timed out.',
      registers,
    }),
    gateDecisions: new Counter({
      name: 'calendar_gate_decisions_total',
      help: 'What the gate decided on requests with an API key or a console session, by plan: admitted, or why it refused.',
      labelNames: ['plan', 'decision'],
      registers,
    }),
    gateWithoutRedis: new Counter({
      name: 'calendar_gate_without_redis_total',
      help: 'Requests decided from Postgres and local buckets because Redis did not answer.',
      registers,
    }),
    throttleRefusals: new Counter({
      name: 'calendar_throttle_refusals_total',
      help: 'Requests over a limit per client address or subject, by limit.',
      labelNames: ['limit'],
      registers,
    }),
    adminTokenFailures: new Counter({
      name: 'calendar_admin_token_failures_total',
      help: 'Requests to /v1/admin or /admin/queues with a wrong administrator token.',
      registers,
    }),
    heavyReadRefusals: new Counter({
      name: 'calendar_heavy_read_refusals_total',
      help: 'Large reads refused because their organization had too many of them under way, by kind.',
      labelNames: ['kind'],
      registers,
    }),
    failures: new Counter({
      name: 'calendar_failures_total',
      help: 'Failed authentications and throttled requests: recorded in an audit log, or only counted here.',
      labelNames: ['action', 'outcome'],
      registers,
    }),
    organizations: new Gauge({
      name: 'calendar_organizations',
      help: 'Organizations, by plan. Measured by upkeep, the same on every worker.',
      labelNames: ['plan'],
      registers,
    }),
    quotaUse: new Gauge({
      name: 'calendar_quota_organizations',
      help: 'Organizations that used at least this share of a monthly budget. Measured by upkeep, the same on every worker.',
      labelNames: ['budget', 'at_least'],
      registers,
    }),
    timersFired: new Counter({
      name: 'calendar_timers_fired_total',
      help: 'Moments that fired, by kind.',
      labelNames: ['kind'],
      registers,
    }),
    timerLag: new Histogram({
      name: 'calendar_timer_lag_seconds',
      help: 'From the moment a timer was due to the commit that fired it, by kind.',
      labelNames: ['kind'],
      buckets: lagBuckets,
      registers,
    }),
    timersDue: new Gauge({
      name: 'calendar_timers_due',
      help: 'Timers due within the next minute, counted up to 10,000. The same on every worker.',
      registers,
    }),
    timersOverdue: new Gauge({
      name: 'calendar_timers_overdue',
      help: 'Timers whose moment has passed, counted up to 10,000. The same on every worker.',
      registers,
    }),
    timersOldest: new Gauge({
      name: 'calendar_timers_oldest_overdue_seconds',
      help: 'How long the timer that is due for longest has been due; 0 when none is.',
      registers,
    }),
    deliveryAttempts: new Counter({
      name: 'calendar_delivery_attempts_total',
      help: 'Webhook attempts, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    deliveryDuration: new Histogram({
      name: 'calendar_delivery_attempt_duration_seconds',
      help: 'Time of one webhook attempt, DNS to the last byte.',
      buckets: latencyBuckets,
      registers,
    }),
    deliveryAge: new Histogram({
      name: 'calendar_delivery_first_attempt_age_seconds',
      help: 'From the change to the first attempt of its delivery.',
      buckets: lagBuckets,
      registers,
    }),
    deliveriesWaiting: new Gauge({
      name: 'calendar_deliveries_waiting',
      help: 'Deliveries that wait for their first attempt or for a retry, counted up to 10,000. The same on every worker.',
      labelNames: ['for'],
      registers,
    }),
    deliveriesOverdue: new Gauge({
      name: 'calendar_deliveries_overdue',
      help: 'Deliveries whose attempt is due, counted up to 10,000. The same on every worker.',
      registers,
    }),
    deliveriesOldest: new Gauge({
      name: 'calendar_deliveries_oldest_overdue_seconds',
      help: 'How long the attempt that is due for longest has been due; 0 when none is.',
      registers,
    }),
    deliveryPlaces: new Gauge({
      name: 'calendar_delivery_places',
      help: 'Attempts that this process makes at once: places that are taken, and free ones.',
      labelNames: ['state'],
      registers,
    }),
    deliveriesInLine: new Gauge({
      name: 'calendar_deliveries_in_line',
      help: 'Deliveries that wait in this process because their organization has its share of the places.',
      registers,
    }),
    deliveriesOverShare: new Counter({
      name: 'calendar_deliveries_over_share_total',
      help: 'Due deliveries that found their organization at its share of the places: they waited in line, or were left to the sweeper because the line was full.',
      labelNames: ['outcome'],
      registers,
    }),
    subscriptionsDeactivated: new Counter({
      name: 'calendar_webhooks_deactivated_total',
      help: 'Webhook subscriptions switched off after too many failures.',
      registers,
    }),
    subscriptionsDisabled: new Gauge({
      name: 'calendar_webhooks_disabled',
      help: 'Webhook subscriptions that are switched off, by whom, counted up to 10,000. The same on every worker.',
      labelNames: ['by'],
      registers,
    }),
    icalSyncs: new Counter({
      name: 'calendar_ical_syncs_total',
      help: 'Reads of external feeds, by outcome: imported, unchanged, superseded, or why it failed.',
      labelNames: ['outcome'],
      registers,
    }),
    feeds: new Gauge({
      name: 'calendar_ical_feeds',
      help: 'External feeds that are read, by the outcome of their last sync, counted up to 10,000. The same on every worker.',
      labelNames: ['status'],
      registers,
    }),
    feedsStalest: new Gauge({
      name: 'calendar_ical_stalest_feed_seconds',
      help: 'How long ago the active feed was read that was not read for longest, or made where it never was; 0 when there is none.',
      registers,
    }),
    mails: new Counter({
      name: 'calendar_mails_total',
      help: 'Attempts to send a mail, by outcome: sent, postponed, failed for good, expired before it went.',
      labelNames: ['outcome'],
      registers,
    }),
    mailsWaiting: new Gauge({
      name: 'calendar_mails_waiting',
      help: 'Mails that have not gone yet, counted up to 10,000. The same on every worker.',
      registers,
    }),
    mailsOldest: new Gauge({
      name: 'calendar_mails_oldest_seconds',
      help: 'How long the oldest mail has been waiting; 0 when none is.',
      registers,
    }),
    sweeperRescues: new Counter({
      name: 'calendar_sweeper_rescues_total',
      help: 'Due rows that nobody had been woken for, by source: above zero, Redis lost something or a worker died.',
      labelNames: ['source'],
      registers,
    }),
    sweeperRuns: new Counter({
      name: 'calendar_sweeper_runs_total',
      help: 'Sweeps, by outcome: done, without_redis (it did the work itself), failed.',
      labelNames: ['outcome'],
      registers,
    }),
    poolRunning: new Gauge({
      name: 'calendar_worker_pool',
      help: '1 for each queue that this process serves.',
      labelNames: ['queue'],
      registers,
    }),
    jobDuration: new Histogram({
      name: 'calendar_job_duration_seconds',
      help: 'Time of one job, by name. A job that fires timers stays until its second is over.',
      labelNames: ['job'],
      buckets: latencyBuckets,
      registers,
    }),
    jobTrouble: new Counter({
      name: 'calendar_job_troubles_total',
      help: 'Jobs of a queue that failed, or whose worker went away (stalled).',
      labelNames: ['queue', 'trouble'],
      registers,
    }),
    queueJobs: new Gauge({
      name: 'calendar_queue_jobs',
      help: 'Wake-ups in Redis: waiting to be taken, active, or delayed until they are due. The same on every worker.',
      labelNames: ['queue', 'state'],
      registers,
    }),
    queueOldest: new Gauge({
      name: 'calendar_queue_oldest_waiting_seconds',
      help: 'How long ago the oldest waiting wake-up was due; 0 when none waits.',
      labelNames: ['queue'],
      registers,
    }),
    statements: new Histogram({
      name: 'calendar_postgres_statement_duration_seconds',
      help: 'Time of a statement, waiting for a connection included, by the function that holds it.',
      labelNames: ['statement'],
      buckets: statementBuckets,
      registers,
    }),
    statementFailures: new Counter({
      name: 'calendar_postgres_statement_failures_total',
      help: 'Statements that failed, by reason: not answered in time, Postgres not reachable, refused by it, or answered with rows that were not asked for.',
      labelNames: ['reason'],
      registers,
    }),
    statementsInFlight: new Gauge({
      name: 'calendar_postgres_statements_in_flight',
      help: 'Statements that wait for an answer or for a connection.',
      registers,
    }),
    connectionsMost: new Gauge({
      name: 'calendar_postgres_connections_max',
      help: 'Connections that this process opens at most.',
      registers,
    }),
    connectionsOpen: new Gauge({
      name: 'calendar_postgres_connections_open',
      help: 'Connections to Postgres that are open, in use or not.',
      registers,
    }),
    connectionsClosed: new Counter({
      name: 'calendar_postgres_connections_closed_total',
      help: 'Connections to Postgres that were closed, by reason: their statement passed its deadline, they broke, what came over them was not what was asked for, or they were not needed any more.',
      labelNames: ['reason'],
      registers,
    }),
    databaseSize: new Gauge({
      name: 'calendar_postgres_database_bytes',
      help: 'Size of the database on disk. The same on every worker.',
      registers,
    }),
    dataDirAvailable: new Gauge({
      name: 'calendar_data_dir_available_bytes',
      help: 'Free space where DATA_DIR is: of Postgres too, where npm start runs it.',
      registers,
    }),
    dataDirSize: new Gauge({
      name: 'calendar_data_dir_size_bytes',
      help: 'Size of the file system where DATA_DIR is.',
      registers,
    }),
    redisUp: new Gauge({
      name: 'calendar_redis_up',
      help: '1 while this process is connected to Redis, else 0.',
      registers,
    }),
    redisPing: new Gauge({
      name: 'calendar_redis_ping_seconds',
      help: 'How long Redis took to answer the last question of this process.',
      registers,
    }),
    redisKeeps: new Gauge({
      name: 'calendar_redis_noeviction',
      help: "1 when Redis' maxmemory-policy is noeviction, else 0.",
      registers,
    }),
    redisMemory: new Gauge({
      name: 'calendar_redis_memory_used_bytes',
      help: 'Memory that Redis uses; of a cluster, by its fullest node.',
      registers,
    }),
    redisMemoryMost: new Gauge({
      name: 'calendar_redis_memory_max_bytes',
      help: 'Memory that Redis may use, or that node of a cluster; 0 is no limit.',
      registers,
    }),
    readiness: new Gauge({
      name: 'calendar_ready',
      help: '1 while Postgres answers, else 0.',
      registers,
    }),
  }
}
