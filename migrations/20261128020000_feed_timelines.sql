-- migrate:up

-- Where each time line of Postgres began, so that readers of the change feed go on after a promotion that lost nothing. The first
-- process on a new time line writes its row. The rows travel with the database, so a server has those of its own history alone. A dump
-- brings rows of another cluster along, so the cluster is part of the key.
create table feed_timelines (
  system_identifier bigint not null,
  -- as in the names of its files: 00000002
  timeline text not null,
  -- Two servers that were promoted apart give their time lines the same number.
  id uuid not null default gen_random_uuid(),
  -- the place in the write-ahead log at which the time line before it was left; null: not known any more
  left_at pg_lsn,
  since timestamptz not null default now(),
  primary key (system_identifier, timeline)
);
insert into feed_timelines (system_identifier, timeline)
select system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8)
from pg_control_system();

-- migrate:down

drop table feed_timelines;
