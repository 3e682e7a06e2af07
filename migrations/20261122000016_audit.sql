-- migrate:up

-- The audit log, one partition for each day of UTC: a day that no plan keeps any longer is dropped as a whole table.
create table audit_entries (
  org_id uuid not null,
  id uuid not null,
  action text not null,
  actor_key_prefix text,
  -- the address of the account whose console session made the change; null: a key or the service itself made it
  actor_account text,
  agent_id uuid,
  resource text,
  ip text,
  status smallint,
  method text,
  path text,
  duration_ms integer,
  request_id text,
  created_at timestamptz not null,
  -- the log of an organization, newest first
  primary key (org_id, created_at, id)
) partition by range (created_at);
-- the log with an action
create index audit_entries_by_action on audit_entries (org_id, action, created_at, id);
-- the log with a key's prefix
create index audit_entries_by_key on audit_entries (org_id, actor_key_prefix, created_at, id)
  where actor_key_prefix is not null;

-- The entries of a day without a partition: no change ever fails for want of one.
create table audit_entries_default partition of audit_entries default;

-- Makes the missing partitions of these days. A day that has entries in the default partition stays there.
create function make_audit_partitions(first date, last date) returns void language plpgsql set lock_timeout = '1s' as $$
declare
  day date;
  name text;
begin
  for day in select generate_series(first, last, interval '1 day')::date loop
    name := 'audit_entries_' || to_char(day, 'YYYYMMDD');
    continue when to_regclass(name) is not null or exists (
      select from audit_entries_default
      where created_at >= day::timestamp at time zone 'UTC' and created_at < (day + 1)::timestamp at time zone 'UTC');
    execute format('create table %I (like audit_entries including defaults including constraints)', name);
    -- attached, not created in place: that would wait for every reader and block every writer
    execute format('alter table audit_entries attach partition %I for values from (%L) to (%L)', name,
      day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
  end loop;
end $$;

-- Drops the partitions of the days before this one. While it waits for a lock it blocks every change, so it gives up after
-- a second; the purge tries again an hour later.
create function drop_audit_partitions(before date) returns void language plpgsql set lock_timeout = '1s' as $$
declare
  name text;
begin
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_entries'::regclass and c.relname ~ '^audit_entries_\d{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') < before
  loop
    execute format('drop table %I', name);
  end loop;
end $$;

select make_audit_partitions((now() at time zone 'UTC')::date, (now() at time zone 'UTC')::date + 14);

-- migrate:down
