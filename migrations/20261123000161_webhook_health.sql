-- migrate:up

-- How the attempts of a subscription went, by stretches of ten minutes. `outcomes` counts the failures by their label;
-- `ms_histogram` counts the durations by the bounds in src/webhooks/histogram.ts.
create table webhook_health (
  org_id uuid not null,
  subscription_id uuid not null,
  stretch timestamptz not null,
  attempts integer not null,
  delivered integer not null,
  outcomes jsonb not null,
  ms_histogram integer[] not null,
  primary key (org_id, subscription_id, stretch),
  foreign key (org_id, subscription_id) references webhook_subscriptions on delete cascade,
  check (delivered between 0 and attempts)
) with (fillfactor = 50);
-- the hourly purge: stretches older than a week
create index webhook_health_age on webhook_health using brin (stretch) with (pages_per_range = 32, autosummarize = on);

-- The last success and the last failure of each subscription, however long ago.
alter table webhook_delivery_counts
  add column last_success_at timestamptz,
  add column last_failure_at timestamptz,
  add column last_failure_outcome text,
  add column last_failure_status smallint;

-- How long the last attempt took.
alter table webhook_deliveries add column last_duration_ms integer;

-- migrate:down
