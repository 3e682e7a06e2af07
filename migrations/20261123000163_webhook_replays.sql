-- migrate:up

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
