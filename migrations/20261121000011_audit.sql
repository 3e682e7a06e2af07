-- migrate:up

-- The audit log, a partition a day: what no plan keeps any longer goes as a whole table. Entries whose day has no
-- partition land in the default one, so that no change ever fails for want of it.
alter table audit_entries rename to audit_entries_before;
alter table audit_entries_before rename constraint audit_entries_pkey to audit_entries_before_pkey;

create table audit_entries (
  org_id uuid not null,
  id uuid not null,
  action text not null,
  actor_key_prefix text,
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
-- the same with a filter
create index audit_entries_by_action on audit_entries (org_id, action, created_at, id);
create index audit_entries_by_key on audit_entries (org_id, actor_key_prefix, created_at, id)
  where actor_key_prefix is not null;

create table audit_entries_default partition of audit_entries default;

-- Makes the partitions of these days where they are missing. A day that has entries in the default partition stays there.
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
    -- attached, not created in place: that would wait for every reader and hold up every writer
    execute format('alter table audit_entries attach partition %I for values from (%L) to (%L)', name,
      day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
  end loop;
end $$;

-- Drops the partitions of the days before this one. Whoever waits for a lock here holds up every change, so it gives up
-- soon and comes again in an hour.
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

select make_audit_partitions(
  coalesce((select min(created_at) at time zone 'UTC' from audit_entries_before
            where created_at > now() - interval '100 days')::date, (now() at time zone 'UTC')::date),
  (now() at time zone 'UTC')::date + 14);

insert into audit_entries select org_id, id, action, actor_key_prefix, agent_id, resource, ip, status, method, path,
  duration_ms, request_id, created_at from audit_entries_before;
drop table audit_entries_before;

-- whose key it was that failed to authenticate, revoked ones included
create index api_keys_by_prefix on api_keys (prefix);

-- migrate:down
