-- migrate:up

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
