-- migrate:up

-- Several keys of an organization, each with what it may do, from where and until when.
alter table api_keys
  -- Of the organization's own keys, the one that is made without a body; it means nothing where there is an agent. True by
  -- default: a process of the version before makes no other key.
  add column is_primary boolean not null default true,
  add column scope text not null default 'full' check (scope in ('full', 'read_only')),
  -- addresses and networks as they were sent; null: from everywhere
  add column allowed_ips jsonb,
  -- null: never; from then on the key is known, and refused
  add column expires_at timestamptz,
  -- up to ten minutes late
  add column last_used_at timestamptz,
  -- Who made it, with a console session. Both stay when the member leaves.
  add column created_by_member uuid,
  add column created_by_email text,
  -- the key that took its place: this one works until it ends
  add column replaced_by uuid,
  add constraint api_keys_of_organization check (agent_id is null or (scope = 'full' and allowed_ips is null));

-- Requests that were refused, one partition for each day of UTC on which they stop being kept. Who is shown is the caller: no
-- query, body or message is stored.
create table refused_requests (
  org_id uuid not null,
  -- of the request
  id uuid not null,
  at timestamptz not null,
  -- from then on it is not shown; as long as the plan at that time says
  kept_until timestamptz not null,
  method text not null,
  path text not null,
  status smallint not null,
  type text not null,
  code text,
  param text,
  key_prefix text,
  actor_account text,
  agent_id uuid,
  ip text,
  duration_ms integer not null,
  -- the list, newest first
  primary key (org_id, at, id, kept_until)
) partition by range (kept_until);
-- the list of one status, of one code, of one key; a single request
create index refused_requests_by_status on refused_requests (org_id, status, at, id);
create index refused_requests_by_code on refused_requests (org_id, code, at, id) where code is not null;
create index refused_requests_by_key on refused_requests (org_id, key_prefix, at, id) where key_prefix is not null;
create index refused_requests_by_id on refused_requests (org_id, id);

-- The requests of a day without a partition: none is lost for want of one.
create table refused_requests_default partition of refused_requests default;

-- Makes the missing partitions of these days. A day that has requests in the default partition stays there.
create function make_refused_partitions(first date, last date) returns void language plpgsql set lock_timeout = '1s' as $$
declare
  day date;
  name text;
begin
  for day in select generate_series(first, last, interval '1 day')::date loop
    name := 'refused_requests_' || to_char(day, 'YYYYMMDD');
    continue when to_regclass(name) is not null or exists (
      select from refused_requests_default
      where kept_until >= day::timestamp at time zone 'UTC' and kept_until < (day + 1)::timestamp at time zone 'UTC');
    execute format('create table %I (like refused_requests including defaults including constraints)', name);
    -- attached, not created in place: that would wait for every reader and block every writer
    execute format('alter table refused_requests attach partition %I for values from (%L) to (%L)', name,
      day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
  end loop;
end $$;

-- Drops the partitions of the days before this one, and empties the default one of them. While it waits for a lock it blocks
-- others, so it gives up after a second; the purge tries again an hour later.
create function drop_refused_partitions(before date) returns void language plpgsql set lock_timeout = '1s' as $$
declare
  name text;
begin
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'refused_requests'::regclass and c.relname ~ '^refused_requests_\d{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') < before
  loop
    execute format('drop table %I', name);
  end loop;
  delete from refused_requests_default where kept_until < before::timestamp at time zone 'UTC';
end $$;

select make_refused_partitions((now() at time zone 'UTC')::date, (now() at time zone 'UTC')::date + 8);

-- migrate:down
