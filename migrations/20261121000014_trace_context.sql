-- migrate:up

-- The W3C trace context of what caused a row, so that one trace goes from the request to what it leads to. Null: not traced.
alter table webhook_deliveries add column traceparent text;
alter table timers add column traceparent text;

-- What takes a walk over all organizations is measured by upkeep now and then; every worker shows the last result.
create table measurements (
  -- a metric and its labels
  name text not null,
  labels jsonb not null,
  value double precision not null,
  measured_at timestamptz not null,
  primary key (name, labels)
);

-- the gauge of endpoints that are switched off
create index webhook_subscriptions_disabled on webhook_subscriptions (consecutive_failures)
  where not active and deleted_at is null;
-- the gauges of feeds, and the one that was not read for longest
create index ical_subscriptions_stalest on ical_subscriptions (status, last_synced_at) where next_sync_at is not null;
-- the gauge of mails that wait, and since when
create index mails_oldest on mails (created_at);

-- migrate:down
