// The changes of a healthy service's series for each fault, and the alerts that then fire.
import { poolNames } from '../../src/wakeups/jobs.ts'
import {
  always,
  answers,
  api,
  channels,
  growing,
  histogram,
  once,
  reads,
  type Series,
  scanned,
  worker,
} from './healthy.ts'

const disk = '{job="postgres-host", instance="db1", mountpoint="/var/lib/postgresql", fstype="ext4"}'

export type Case = { name: string; change: Series; minutes: number; fires: string[] }

export const cases: Case[] = [
  { name: 'all is well', change: {}, minutes: 200, fires: [] },
  {
    name: 'a twentieth of the requests fails',
    change: { [answers('503')]: growing(300) },
    minutes: 60,
    fires: ['ApiErrorsBurnFast', 'ApiErrorsBurnSlow'],
  },
  {
    name: 'the trouble is over, the long window still remembers it',
    change: { [answers('503')]: () => '0+300x60 18000x15' },
    minutes: 75,
    fires: ['ApiErrorsBurnLow', 'ApiErrorsBurnSlow'],
  },
  {
    name: 'two requests in a thousand fail, for days',
    change: { [answers('503')]: growing(12) },
    minutes: 200,
    fires: ['ApiErrorsBurnLow'],
  },
  {
    name: 'requests are slow',
    change: histogram('calendar_http_request_duration_seconds', 5),
    minutes: 20,
    fires: ['ApiSlow'],
  },
  {
    name: 'an event loop is late',
    change: { [`calendar_nodejs_eventloop_lag_p99_seconds{${api}}`]: () => '1 1.2 0.2 0.9 1.1 0.3 1 0.2 0.8 1.2 0.3' },
    minutes: 10,
    fires: ['EventLoopLate'],
  },
  {
    name: 'an API process does not answer, another one does',
    change: { [`up{${api}}`]: always(0), 'up{job="calendar-api", instance="a2"}': always(1) },
    minutes: 5,
    fires: ['ProcessDown'],
  },
  {
    name: 'no API process answers',
    change: { [`up{${api}}`]: always(0) },
    minutes: 5,
    fires: ['NoApi', 'ProcessDown'],
  },
  { name: 'the API processes are gone', change: { [`up{${api}}`]: () => '1 _x10' }, minutes: 10, fires: ['NoApi'] },
  {
    name: 'somebody guesses the administrator token',
    change: { [`calendar_admin_token_failures_total{${api}}`]: growing(5) },
    minutes: 15,
    fires: ['AdminTokenGuessed'],
  },
  {
    name: 'timers fire late',
    change: histogram('calendar_timer_lag_seconds', 30),
    minutes: 10,
    fires: ['TimersFireLate'],
  },
  {
    name: 'a timer does not fire at all',
    change: { [`calendar_timers_oldest_overdue_seconds{${worker}}`]: growing(60) },
    minutes: 5,
    fires: ['TimersOverdue'],
  },
  {
    name: 'webhooks leave late',
    change: histogram('calendar_delivery_first_attempt_age_seconds', 60),
    minutes: 12,
    fires: ['DeliveriesLate'],
  },
  {
    name: 'an attempt is not made',
    change: { [`calendar_deliveries_oldest_overdue_seconds{${worker}}`]: growing(60) },
    minutes: 6,
    fires: ['DeliveriesOverdue'],
  },
  {
    name: 'many endpoints are switched off',
    change: { [`calendar_webhooks_deactivated_total{${worker}}`]: growing(1) },
    minutes: 40,
    fires: ['WebhooksSwitchedOff'],
  },
  {
    name: 'the sweeper keeps rescuing',
    change: { [`calendar_sweeper_rescues_total{${worker}, source="timers"}`]: growing(20) },
    minutes: 25,
    fires: ['SweeperRescues'],
  },
  {
    name: 'the sweeper rescued for a moment',
    change: { [`calendar_sweeper_rescues_total{${worker}, source="timers"}`]: () => '0x5 200x10' },
    minutes: 12,
    fires: [],
  },
  {
    name: 'no process sweeps',
    change: { [`calendar_sweeper_runs_total{${worker}, outcome="done"}`]: always(9) },
    minutes: 10,
    fires: ['SweeperStopped'],
  },
  ...poolNames.map((queue) => ({
    name: `no process serves ${queue}`,
    change: { [`calendar_worker_pool{${worker}, queue="${queue}"}`]: (minutes: number) => `_x${minutes}` },
    minutes: 5,
    fires: ['NoWorker'],
  })),
  {
    name: 'a queue is behind',
    change: { [`calendar_queue_oldest_waiting_seconds{${worker}, queue="timers"}`]: always(60) },
    minutes: 5,
    fires: ['QueueBehind'],
  },
  {
    name: 'jobs fail',
    change: { [`calendar_job_troubles_total{${worker}, queue="timers", trouble="failed"}`]: growing(3) },
    minutes: 12,
    fires: ['JobsFail'],
  },
  { name: 'readers of changes go through much', change: scanned(100_000), minutes: 25, fires: ['ChangeFeedReadsFar'] },
  {
    name: 'a feed was not read for an hour',
    change: { [`calendar_ical_stalest_feed_seconds{${worker}}`]: always(3_600) },
    minutes: 15,
    fires: ['FeedsStale'],
  },
  {
    name: 'most feeds fail',
    change: {
      [`calendar_ical_feeds{${worker}, status="active"}`]: always(10),
      [`calendar_ical_feeds{${worker}, status="error"}`]: always(60),
    },
    minutes: 15,
    fires: ['FeedsFail'],
  },
  {
    name: 'many connections of one provider ask for consent at once',
    change: {
      [`calendar_connections{${worker}, provider="google", status="reauthorization_required"}`]: (minutes) =>
        `70x60 70+10x5 120x${minutes}`,
    },
    minutes: 75,
    fires: ['ConnectionsAskForConsent'],
  },
  {
    name: 'connections ask for consent now and then',
    change: {
      [`calendar_connections{${worker}, provider="google", status="reauthorization_required"}`]: (minutes) =>
        `70+0.2x${minutes}`,
    },
    minutes: 150,
    fires: [],
  },
  {
    name: 'most reads of a provider fail',
    change: { [reads('read')]: growing(2), [reads('provider_error')]: growing(5) },
    minutes: 12,
    fires: ['ProviderFails'],
  },
  {
    name: 'external calendars are not read',
    change: { [`calendar_external_stalest_seconds{${worker}}`]: always(3_600) },
    minutes: 10,
    fires: ['ExternalReadsBehind'],
  },
  {
    name: 'channels are not renewed',
    change: { [channels('live')]: always(100), [channels('late')]: always(60) },
    minutes: 15,
    fires: ['ChannelsDie'],
  },
  {
    name: 'events are not published',
    change: { [`calendar_publications_oldest_seconds{${worker}}`]: always(1_200) },
    minutes: 10,
    fires: ['PublicationsOld'],
  },
  {
    name: 'a mail does not go',
    change: { [`calendar_mails_oldest_seconds{${worker}}`]: always(1_200) },
    minutes: 10,
    fires: ['MailsStuck'],
  },
  {
    name: 'gauges cannot be read that are read once a minute',
    change: { [`calendar_measurement_failures_total{${worker}, source="timers"}`]: growing(1) },
    minutes: 12,
    fires: ['MeasurementsFail'],
  },
  { name: 'Postgres is away', change: { [`calendar_ready{${api}}`]: always(0) }, minutes: 5, fires: ['PostgresAway'] },
  {
    name: 'no standby is there, and changes wait for one',
    change: { [`calendar_postgres_synchronous_standbys{${worker}}`]: always(0) },
    minutes: 5,
    fires: ['StandbyMissing'],
  },
  {
    name: 'no standby is there, and no change waits for one',
    change: {
      [`calendar_postgres_synchronous_required{${worker}}`]: always(0),
      [`calendar_postgres_synchronous_standbys{${worker}}`]: always(0),
    },
    minutes: 5,
    fires: [],
  },
  {
    name: 'the standby hangs',
    change: { [`calendar_postgres_synchronous_waits{${worker}}`]: always(20) },
    minutes: 5,
    fires: ['StandbyHangs'],
  },
  {
    name: 'a standby has much to replay',
    change: { [`calendar_postgres_standby_unreplayed_bytes{${worker}}`]: always(200_000_000) },
    minutes: 10,
    fires: ['StandbyBehind'],
  },
  {
    name: 'a standby replays late',
    change: { [`calendar_postgres_standby_behind_seconds{${worker}}`]: always(30) },
    minutes: 10,
    fires: ['StandbyBehind'],
  },
  {
    name: 'a slot keeps the log of a standby that is gone',
    change: { [`calendar_postgres_slot_kept_bytes{${worker}}`]: growing(100_000_000) },
    minutes: 30,
    fires: ['SlotKeepsLog'],
  },
  {
    name: 'the clock of a process is ahead',
    change: { [`calendar_postgres_clock_offset_seconds{${worker}}`]: always(-0.8) },
    minutes: 5,
    fires: ['ClocksApart'],
  },
  {
    name: 'a standby was promoted',
    change: { [`calendar_postgres_timeline{${worker}}`]: () => '3x10 4x5' },
    minutes: 15,
    fires: ['PrimaryChanged'],
  },
  {
    name: 'a worker has started, and looked after a while',
    change: { [`calendar_postgres_timeline{${worker}}`]: () => '0x10 3x5' },
    minutes: 15,
    fires: [],
  },
  {
    name: 'statements wait for connections',
    change: { [`calendar_postgres_statements_in_flight{${api}}`]: always(30) },
    minutes: 5,
    fires: ['ConnectionsExhausted'],
  },
  {
    name: 'statements are not answered',
    change: { [`calendar_postgres_statement_failures_total{${api}, reason="deadline"}`]: growing(4) },
    minutes: 10,
    fires: ['StatementsTimeOut'],
  },
  {
    name: 'one answer was not to the question',
    change: { [`calendar_postgres_statement_failures_total{${api}, reason="foreign"}`]: once },
    minutes: 5,
    fires: ['ForeignAnswers'],
  },
  {
    name: 'DATA_DIR is nearly full',
    change: { [`calendar_data_dir_available_bytes{${worker}}`]: always(5) },
    minutes: 15,
    fires: ['DataDirFull'],
  },
  { name: 'Redis is away', change: { [`calendar_redis_up{${api}}`]: always(0) }, minutes: 5, fires: ['RedisAway'] },
  {
    name: 'Redis is away and its policy was never read',
    change: { [`calendar_redis_up{${api}}`]: always(0), [`calendar_redis_noeviction{${api}}`]: always(0) },
    minutes: 5,
    fires: ['RedisAway'],
  },
  {
    name: 'Redis may evict',
    change: { [`calendar_redis_noeviction{${api}}`]: always(0) },
    minutes: 5,
    fires: ['RedisEvicts'],
  },
  {
    name: 'Redis is nearly full',
    change: { [`calendar_redis_memory_max_bytes{${worker}}`]: always(100) },
    minutes: 10,
    fires: ['RedisFull'],
  },
  {
    name: "Postgres' disk is full",
    change: { [`node_filesystem_avail_bytes${disk}`]: always(5), [`node_filesystem_size_bytes${disk}`]: always(100) },
    minutes: 10,
    fires: ['PostgresDiskFull'],
  },
  {
    name: "Postgres' disk fills up",
    change: {
      [`node_filesystem_avail_bytes${disk}`]: (minutes: number) => `50-0.05x${minutes}`,
      [`node_filesystem_size_bytes${disk}`]: always(100),
    },
    minutes: 400,
    fires: ['PostgresDiskFillsUp'],
  },
  {
    name: 'Postgres has none of its few connections left for the service',
    change: {
      'pg_stat_activity_count{job="postgres", instance="db1", state="active"}': always(7),
      'pg_stat_activity_count{job="postgres", instance="db1", state="idle"}': always(10),
      'pg_settings_max_connections{job="postgres", instance="db1"}': always(20),
      'pg_settings_superuser_reserved_connections{job="postgres", instance="db1"}': always(3),
    },
    minutes: 10,
    fires: ['PostgresConnectionsNearLimit'],
  },
  {
    name: 'the exporter of Postgres is not let in',
    change: { 'up{job="postgres", instance="db1"}': always(1), 'pg_up{job="postgres", instance="db1"}': always(0) },
    minutes: 10,
    fires: ['PostgresUnseen'],
  },
  {
    name: 'the exporter of the machine does not answer',
    change: { 'up{job="postgres-host", instance="db1"}': always(0) },
    minutes: 10,
    fires: ['PostgresUnseen'],
  },
]
