-- migrate:up

-- What has happened, one row for each entry of the change feed. A change writes its entries in its own statement. Partitioned by
-- the UTC day of the change: its id is a UUIDv7, whose first bits are its time.
create table changes (
  org_id uuid not null,
  -- drawn once per statement, behind the locks of its guard: of two changes of one calendar the later one has the larger
  seq bigint not null,
  change_id uuid not null,
  -- the place among the entries of one change
  position smallint not null,
  -- the transaction that wrote it: a cursor of the feed is a snapshot
  xid xid8 not null default pg_current_xact_id(),
  type text not null,
  calendar_id uuid,
  -- whose it is: the owner of the calendar, the agent itself, the organizer of a proposal
  agent_id uuid,
  -- what it is about; the first word of the type says what that is
  resource_id uuid not null,
  -- of the calendar; null where the change does not count as one of the calendar
  revision bigint,
  cause text not null check (cause in ('api', 'timer', 'booking', 'import', 'approval')),
  -- the agent and the prefix of the key that made the change; null: nobody did
  actor jsonb,
  -- sealed values do not compress
  payload_sealed bytea storage external not null,
  created_at timestamptz not null,
  -- whom it concerns beside its agent: the participants of a proposal
  participant_ids uuid[],
  -- A moment of an event: its start, its end or a reminder. Its payload is put together from these, and `payload_sealed` is the
  -- title as the event had it, sealed for the event: so Postgres alone can write it. Null in every other entry.
  starts_at timestamptz,
  ends_at timestamptz,
  reminder_minutes integer,
  constraint changes_moment check (
    (starts_at is null) = (ends_at is null) and (starts_at is not null or reminder_minutes is null)),
  -- the feed of an organization, and the payload of a delivery
  primary key (org_id, seq, change_id, position)
) partition by range (change_id);
-- the feed: where in its order something is new to a snapshot
create index changes_by_xid on changes (org_id, xid) include (seq);

-- Cache 1, the default: a session that kept numbers back would use small ones late.
create sequence changes_seq owned by changes.seq;

-- The entries of a day without a partition: no change ever fails for want of one.
create table changes_default partition of changes default;

-- The smallest UUIDv7 of the beginning of a day of UTC.
create function first_id_of_day(day date) returns uuid language sql immutable strict return
  (lpad(to_hex((extract(epoch from day::timestamp) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid;

-- Makes the missing partitions of these days. A day that has entries in the default partition stays there.
create function make_change_partitions(first date, last date) returns void language plpgsql set lock_timeout = '1s' as $$
declare
  day date;
  name text;
begin
  for day in select generate_series(first, last, interval '1 day')::date loop
    name := 'changes_' || to_char(day, 'YYYYMMDD');
    continue when to_regclass(name) is not null or exists (
      select from changes_default
      where change_id >= first_id_of_day(day) and change_id < first_id_of_day(day + 1));
    execute format('create table %I (like changes including defaults including constraints including storage)', name);
    -- attached, not created in place: that would wait for every reader and block every writer
    execute format('alter table changes attach partition %I for values from (%L) to (%L)', name,
      first_id_of_day(day), first_id_of_day(day + 1));
  end loop;
end $$;

-- Drops the partitions of the days before this one. While it waits for a lock it blocks every change, so it gives up after
-- a second; the purge tries again an hour later.
create function drop_change_partitions(before date) returns void language plpgsql set lock_timeout = '1s' as $$
declare
  name text;
begin
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'changes'::regclass and c.relname ~ '^changes_\d{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') < before
  loop
    execute format('drop table %I', name);
  end loop;
end $$;

-- Each poll looks into the days that are made ahead: three are enough.
select make_change_partitions((now() at time zone 'UTC')::date, (now() at time zone 'UTC')::date + 3);

-- Which life of this database the cursors of the change feed belong to. A backup that is restored would accept the cursors of what
-- it has lost, so whoever restores one writes a new row (`npm run ops -- feed restored`): every older cursor is then refused.
create table feed_incarnation (
  incarnation uuid not null default gen_random_uuid(),
  since timestamptz not null default now(),
  -- one row
  is_only boolean primary key default true check (is_only)
);
insert into feed_incarnation default values;

-- migrate:down
