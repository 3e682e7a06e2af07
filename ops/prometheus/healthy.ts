// The series of a healthy service, and what series are made of.
import { poolNames } from '../../src/wakeups/jobs.ts'

/** Values minute by minute in promtool's notation, for this many minutes, by the name of the series. */
export type Series = Record<string, (minutes: number) => string>

export const always = (value: number) => (minutes: number) => `${value}x${minutes}`
/** From 0 to 1 at the second minute, then constant. */
export const once = (minutes: number) => `0 0 1x${minutes}`
export const growing = (perMinute: number) => (minutes: number) => `0+${perMinute}x${minutes}`

export const worker = 'job="calendar-worker", instance="w1"'
export const api = 'job="calendar-api", instance="a1"'
export const answers = (status: string) => `calendar_http_request_duration_seconds_count{${api}, status="${status}"}`

/** A histogram whose observations all fall into the bucket up to `edge`. */
export const histogram = (name: string, edge: number): Series =>
  Object.fromEntries(
    [0.1, 1, 5, 30, 60, '+Inf'].map((le) => [
      `${name}_bucket{${worker}, le="${le}"}`,
      le === '+Inf' || Number(le) >= edge ? growing(60) : always(0),
    ]),
  )

export const scanned = (edge: number): Series =>
  Object.fromEntries(
    [1, 1_000, 100_000, '+Inf'].map((le) => [
      `calendar_feed_scanned_rows_bucket{${api}, le="${le}"}`,
      le === '+Inf' || Number(le) >= edge ? growing(60) : always(0),
    ]),
  )

export const reads = (outcome: string) =>
  `calendar_external_reads_total{${worker}, provider="google", outcome="${outcome}"}`
export const channels = (state: string) => `calendar_external_channels{${worker}, provider="google", state="${state}"}`

export const healthy: Series = {
  [`up{${api}}`]: always(1),
  [`up{${worker}}`]: always(1),
  [answers('200')]: growing(6_000),
  [answers('503')]: growing(1),
  ...histogram('calendar_http_request_duration_seconds', 0.1),
  ...histogram('calendar_timer_lag_seconds', 1),
  ...histogram('calendar_delivery_first_attempt_age_seconds', 0.1),
  [`calendar_nodejs_eventloop_lag_p99_seconds{${api}}`]: always(0.02),
  ...scanned(1),
  [`calendar_admin_token_failures_total{${api}}`]: always(3),
  [`calendar_timers_oldest_overdue_seconds{${worker}}`]: always(0),
  [`calendar_deliveries_oldest_overdue_seconds{${worker}}`]: always(1),
  [`calendar_webhooks_deactivated_total{${worker}}`]: always(3),
  [`calendar_sweeper_rescues_total{${worker}, source="timers"}`]: always(7),
  [`calendar_sweeper_runs_total{${worker}, outcome="done"}`]: growing(30),
  [`calendar_job_troubles_total{${worker}, queue="timers", trouble="failed"}`]: always(0),
  [`calendar_queue_oldest_waiting_seconds{${worker}, queue="timers"}`]: always(0),
  [`calendar_ical_stalest_feed_seconds{${worker}}`]: always(900),
  [`calendar_ical_feeds{${worker}, status="active"}`]: always(40),
  [`calendar_ical_feeds{${worker}, status="error"}`]: always(30),
  [`calendar_publications_oldest_seconds{${worker}}`]: always(2),
  [`calendar_connections{${worker}, provider="google", status="reauthorization_required"}`]: always(70),
  [reads('read')]: growing(6),
  [reads('provider_error')]: growing(1),
  [`calendar_external_stalest_seconds{${worker}}`]: always(900),
  [channels('live')]: always(400),
  [channels('late')]: always(30),
  [channels('ended')]: always(5),
  [`calendar_mails_oldest_seconds{${worker}}`]: always(20),
  [`calendar_measurement_failures_total{${worker}, source="timers"}`]: always(0),
  [`calendar_ready{${api}}`]: always(1),
  [`calendar_postgres_statements_in_flight{${api}}`]: always(4),
  [`calendar_postgres_connections_max{${api}}`]: always(20),
  [`calendar_postgres_statement_failures_total{${api}, reason="deadline"}`]: always(0),
  [`calendar_postgres_statement_failures_total{${api}, reason="foreign"}`]: always(0),
  [`calendar_postgres_synchronous_required{${worker}}`]: always(1),
  [`calendar_postgres_synchronous_standbys{${worker}}`]: always(1),
  [`calendar_postgres_synchronous_waits{${worker}}`]: always(2),
  [`calendar_postgres_standby_unreplayed_bytes{${worker}}`]: always(5_000_000),
  [`calendar_postgres_standby_behind_seconds{${worker}}`]: always(0.4),
  [`calendar_postgres_slot_kept_bytes{${worker}}`]: always(200_000_000),
  [`calendar_postgres_timeline{${worker}}`]: always(3),
  [`calendar_postgres_clock_offset_seconds{${api}}`]: always(0.02),
  [`calendar_postgres_clock_offset_seconds{${worker}}`]: always(-0.3),
  // An API process does not look.
  [`calendar_postgres_synchronous_required{${api}}`]: always(0),
  [`calendar_postgres_timeline{${api}}`]: always(0),
  [`calendar_data_dir_available_bytes{${worker}}`]: always(50),
  [`calendar_data_dir_size_bytes{${worker}}`]: always(100),
  // An API process does not look.
  [`calendar_data_dir_available_bytes{${api}}`]: always(0),
  [`calendar_data_dir_size_bytes{${api}}`]: always(0),
  [`calendar_redis_up{${api}}`]: always(1),
  [`calendar_redis_noeviction{${api}}`]: always(1),
  [`calendar_redis_memory_used_bytes{${worker}}`]: always(95),
  [`calendar_redis_memory_max_bytes{${worker}}`]: always(0),
  ...Object.fromEntries(poolNames.map((queue) => [`calendar_worker_pool{${worker}, queue="${queue}"}`, always(1)])),
}
