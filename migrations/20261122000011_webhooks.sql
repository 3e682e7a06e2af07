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
  primary key (org_id, id),
  check ((consecutive_failures = 0) = (first_failure_at is null)),
  check (deleted_at is null or not active)
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
  payload_sealed bytea not null,
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
  primary key (org_id, id),
  check (status = 'pending' or next_retry_at is null),
  check ((attempts = 0) = (last_attempt_at is null))
);
-- the sweeper: what is due
create index webhook_deliveries_due on webhook_deliveries (next_retry_at)
  where status = 'pending' and next_retry_at is not null;
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
-- cost nothing. Pending deliveries are few and are counted when asked for.
create table webhook_delivery_counts (
  org_id uuid not null,
  subscription_id uuid not null,
  delivered bigint not null default 0 check (delivered >= 0),
  failed bigint not null default 0 check (failed >= 0),
  primary key (org_id, subscription_id),
  foreign key (org_id, subscription_id) references webhook_subscriptions on delete cascade
) with (fillfactor = 50);

-- migrate:down
