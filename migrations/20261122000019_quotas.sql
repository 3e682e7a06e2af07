-- migrate:up

-- What an organization used of a budget in a billing period, where no other table can tell (calls, queries).
create table usage_counters (
  org_id uuid not null references organizations on delete cascade,
  period_start timestamptz not null,
  metric text not null,
  used bigint not null check (used >= 0),
  primary key (org_id, period_start, metric)
);

-- How far organizations are into their quotas. The job `measure` walks over all organizations now and then; every worker
-- shows the last result.
create table measurements (
  -- a metric and its labels
  name text not null,
  labels jsonb not null,
  value double precision not null,
  measured_at timestamptz not null,
  primary key (name, labels)
);

-- How many rows of a billing period an organization has that cost a unit of a budget, as far as their ids are older than `upto`.
-- Such a number never changes; `upto` only moves forward.
create table usage_rollups (
  org_id uuid not null references organizations on delete cascade,
  metric text not null,
  period_start timestamptz not null,
  used bigint not null check (used >= 0),
  upto timestamptz not null,
  primary key (org_id, metric)
) with (fillfactor = 50);

-- migrate:down
