-- migrate:up

-- No foreign key to organizations: an account is deleted at once, its webhooks in blocks (see erasures).
create table webhook_subscriptions (
  org_id uuid not null,
  id uuid not null,
  url_sealed bytea not null,
  -- SHA-256 of the address: finds duplicates without unsealing
  url_hash bytea not null check (length(url_hash) = 32),
  events text[] not null check (cardinality(events) > 0),
  active boolean not null default true,
  consecutive_failures integer not null default 0 check (consecutive_failures >= 0),
  first_failure_at timestamptz,
  secret_sealed bytea not null,
  -- a removed webhook stays for its deliveries
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- a secret that was replaced signs beside the new one until its time is over
  secret_previous_sealed bytea,
  previous_expires_at timestamptz,
  -- deliveries also carry the headers of Standard Webhooks
  standard boolean not null default false,
  -- of which calendars and agents it hears; null: of all
  calendar_ids uuid[] check (cardinality(calendar_ids) > 0),
  agent_ids uuid[] check (cardinality(agent_ids) > 0),
  primary key (org_id, id),
  check ((consecutive_failures = 0) = (first_failure_at is null)),
  check (deleted_at is null or not active),
  check ((secret_previous_sealed is null) = (previous_expires_at is null))
);
-- a change: the webhooks that it notifies
create index webhook_subscriptions_active on webhook_subscriptions (org_id) where active;
-- the list, newest first, and how many the plan's cap counts
create index webhook_subscriptions_living on webhook_subscriptions (org_id, id desc) where deleted_at is null;
-- the gauge of webhooks that are switched off
create index webhook_subscriptions_disabled on webhook_subscriptions (consecutive_failures)
  where not active and deleted_at is null;

-- No foreign key to the subscription: its check would lock the subscription's row for every delivery, and changes of one
-- organization would wait for each other. A delivery is written only by a statement that reads its living subscription, and
-- is deleted before it.
create table webhook_deliveries (
  org_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  -- the change that emitted it, and its place among the events of that change: they leave in this order
  change_id uuid not null,
  position smallint not null,
  event_type text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts smallint not null default 0,
  -- seconds from each failed attempt to the next one, of the plan at the time of the change
  retry_schedule integer[] not null,
  last_attempt_at timestamptz,
  -- how the last attempt failed: an outcome of calendar_delivery_attempts_total, and the HTTP status if the receiver
  -- answered; null while no attempt has failed, and once it is delivered
  last_outcome text,
  last_http_status smallint,
  -- during an attempt: when the attempt counts as lost. Null while pending: it waits for its predecessor, or until its
  -- subscription is active again.
  next_retry_at timestamptz,
  -- the W3C trace context of the change that emitted it; null: it has no trace
  traceparent text,
  created_at timestamptz not null,
  -- with `change_id` and `position` the key of its entry in `changes`, which has the payload
  seq bigint not null,
  -- how long the last attempt took
  last_duration_ms integer,
  primary key (org_id, id),
  check (status = 'pending' or next_retry_at is null),
  check ((attempts = 0) = (last_attempt_at is null))
);
-- the sweeper: what is due
create index webhook_deliveries_due on webhook_deliveries (next_retry_at)
  where status = 'pending' and next_retry_at is not null;
-- the engine: what is due of a subscription, the earliest first
create index webhook_deliveries_turn on webhook_deliveries (org_id, subscription_id, next_retry_at, change_id, position)
  where status = 'pending' and next_retry_at is not null;
-- the monthly budget: deliveries that ended without an attempt, because nothing of it was left
create index webhook_deliveries_unspent on webhook_deliveries (org_id, id) include (created_at)
  where status <> 'pending' and attempts = 0;
-- the history, newest first: one index for each status, so that a delivery is in one of them only. That of the pending ones
-- also finds the successors in a change, and what waits for a subscription.
create index webhook_deliveries_chain on webhook_deliveries (org_id, subscription_id, change_id, position)
  where status = 'pending';
create index webhook_deliveries_delivered on webhook_deliveries (org_id, subscription_id, change_id, position)
  where status = 'delivered';
create index webhook_deliveries_failed on webhook_deliveries (org_id, subscription_id, change_id, position)
  where status = 'failed';
-- the hourly purge: deliveries older than 30 days. Rows come in the order of their time, so a summary of each block is
-- enough; Postgres writes it when the block is full, not with the next vacuum.
create index webhook_deliveries_age on webhook_deliveries using brin (created_at)
  with (pages_per_range = 32, autosummarize = on);

-- How many deliveries of a subscription have ended. Every change of a status keeps them, so that the totals of a history
-- cost nothing. Pending deliveries are few and are counted when asked for. The last success and failure are kept however long
-- ago they were.
create table webhook_delivery_counts (
  org_id uuid not null,
  subscription_id uuid not null,
  delivered bigint not null default 0 check (delivered >= 0),
  failed bigint not null default 0 check (failed >= 0),
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_failure_outcome text,
  last_failure_status smallint,
  primary key (org_id, subscription_id),
  foreign key (org_id, subscription_id) references webhook_subscriptions on delete cascade
) with (fillfactor = 50);

-- Which worker process serves a subscription: the only one that claims its deliveries, until its lease ends. A row stays when
-- it is given back, so that taking it again is an update in place.
create table webhook_lanes (
  org_id uuid not null,
  subscription_id uuid not null,
  owner uuid not null,
  claimed_until timestamptz not null,
  primary key (org_id, subscription_id),
  foreign key (org_id, subscription_id) references webhook_subscriptions on delete cascade
) with (fillfactor = 50);

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

-- What is sent again to a subscription, chosen when that was asked for, in the order of its changes: deliveries, and where
-- `delivery_ids` has null, entries of the log of changes that the subscription never got. Upkeep walks them; `progress` counts
-- those that are done. The lists are emptied in the end.
create table webhook_replays (
  org_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  matched integer not null,
  progress integer not null default 0,
  change_ids uuid[] not null,
  positions integer[] not null,
  seqs bigint[] not null,
  delivery_ids uuid[] not null,
  -- null: it is done
  next_run_at timestamptz,
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, subscription_id) references webhook_subscriptions on delete cascade,
  check (progress between 0 and matched),
  check (next_run_at is not null or progress = matched)
);
-- one at a time; and what erasure and a look at the subscription find
create unique index webhook_replays_running on webhook_replays (org_id, subscription_id) where next_run_at is not null;
create index webhook_replays_of_subscription on webhook_replays (org_id, subscription_id);
-- the sweeper: what is due
create index webhook_replays_due on webhook_replays (next_run_at) where next_run_at is not null;

-- migrate:down
