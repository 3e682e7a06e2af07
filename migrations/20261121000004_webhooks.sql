-- migrate:up

create table webhook_subscriptions (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  url_sealed bytea not null,
  -- SHA-256 of the address: finds duplicates without unsealing
  url_hash bytea not null check (length(url_hash) = 32),
  events text[] not null check (cardinality(events) > 0),
  active boolean not null default true,
  consecutive_failures integer not null default 0 check (consecutive_failures >= 0),
  first_failure_at timestamptz,
  secret_sealed bytea not null,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  check ((consecutive_failures = 0) = (first_failure_at is null)),
  check (deleted_at is null or not active)
);

create table webhook_deliveries (
  org_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  -- the change that emitted it, and its place among that change's events: they leave in this order
  change_id uuid not null,
  position smallint not null,
  event_type text not null,
  payload_sealed bytea not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts smallint not null default 0,
  -- seconds from each failed attempt to the next one; the plan's when it was emitted
  retry_schedule integer[] not null,
  last_attempt_at timestamptz,
  -- while an attempt is under way: when it counts as lost. null while pending: it waits for its predecessor, or for its
  -- subscription to become active again
  next_retry_at timestamptz,
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, subscription_id) references webhook_subscriptions on delete cascade,
  check (status = 'pending' or next_retry_at is null),
  check ((attempts = 0) = (last_attempt_at is null))
);
-- what is due, for the sweeper
create index webhook_deliveries_due on webhook_deliveries (next_retry_at)
  where status = 'pending' and next_retry_at is not null;
-- the successors of one change, and what waits for a subscription
create index webhook_deliveries_chain on webhook_deliveries (org_id, subscription_id, change_id, position)
  where status = 'pending';
-- the history, newest first, with or without a status; its counts come from the index alone
create index webhook_deliveries_history on webhook_deliveries (org_id, subscription_id, id desc) include (status);
create index webhook_deliveries_history_by_status on webhook_deliveries (org_id, subscription_id, status, id desc);
-- records are kept 30 days
create index webhook_deliveries_age on webhook_deliveries (created_at);

-- migrate:down
