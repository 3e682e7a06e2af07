-- migrate:up

-- Deliveries in two parts, by their status. Those that wait for an attempt are few and change often. Those that have ended are
-- many, and stay as they are until their day is dropped. A delivery moves when it ends, and when it is sent again.
-- 1,000,000 deliveries are copied in about 15 seconds, and every statement about deliveries waits for that.
lock table webhook_deliveries in access exclusive mode;
alter table webhook_deliveries rename to webhook_deliveries_whole;
alter table webhook_deliveries_whole
  drop constraint webhook_deliveries_pkey,
  drop constraint webhook_deliveries_check,
  drop constraint webhook_deliveries_check1;
drop index
  webhook_deliveries_due, webhook_deliveries_turn, webhook_deliveries_unspent, webhook_deliveries_chain,
  webhook_deliveries_delivered, webhook_deliveries_failed, webhook_deliveries_delivered_of_type,
  webhook_deliveries_failed_of_type, webhook_deliveries_age;

-- No primary key: it would need the columns that say in which part a delivery is.
create table webhook_deliveries (
  like webhook_deliveries_whole including defaults,
  check (status = 'pending' or next_retry_at is null),
  check ((attempts = 0) = (last_attempt_at is null))
) partition by list (status);

create table webhook_deliveries_pending partition of webhook_deliveries for values in ('pending');

-- By the UTC day of the change: it is in the change's id, a UUIDv7. So a delivery goes with its entry in `changes`.
create table webhook_deliveries_ended partition of webhook_deliveries for values in ('delivered', 'failed')
  partition by range (change_id);
-- The deliveries of a day without a partition: none is lost for want of one.
create table webhook_deliveries_ended_default partition of webhook_deliveries_ended default;

-- Makes the missing partitions of these days. A day that has deliveries in the default partition stays there.
create function make_delivery_partitions(first date, last date) returns void language plpgsql set lock_timeout = '1s' as $$
declare
  day date;
  name text;
begin
  for day in select generate_series(first, last, interval '1 day')::date loop
    name := 'webhook_deliveries_' || to_char(day, 'YYYYMMDD');
    continue when to_regclass(name) is not null or exists (
      select from webhook_deliveries_ended_default
      where change_id >= first_id_of_day(day) and change_id < first_id_of_day(day + 1));
    execute format(
      'create table %I (like webhook_deliveries_ended including defaults including constraints including storage)', name);
    -- attached, not created in place: that would wait for every reader and block every writer
    execute format('alter table webhook_deliveries_ended attach partition %I for values from (%L) to (%L)', name,
      first_id_of_day(day), first_id_of_day(day + 1));
  end loop;
end $$;

-- Drops the partitions of the days before this one, and takes their deliveries from the counts. Deliveries come before counts
-- (docs/decisions/lock-order.md). While it waits for a lock it blocks every result, so it gives up after a second; the purge
-- tries again an hour later.
create function drop_delivery_partitions(before date) returns void language plpgsql set lock_timeout = '1s' as $$
declare
  name text;
begin
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'webhook_deliveries_ended'::regclass and c.relname ~ '^webhook_deliveries_\d{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') < before
  loop
    lock table only webhook_deliveries_ended in access exclusive mode;
    execute format('lock table %I in access exclusive mode', name);
    execute format($lost$
      with
      lost as (
        select
          org_id, subscription_id,
          count(*) filter (where status = 'delivered') as delivered,
          count(*) filter (where status = 'failed') as failed
        from %I
        group by 1, 2
      ),
      locked as (
        select c.org_id, c.subscription_id, lost.delivered, lost.failed
        from webhook_delivery_counts c
        join lost using (org_id, subscription_id)
        order by c.org_id, c.subscription_id
        for no key update of c
      )
      update webhook_delivery_counts c
      set delivered = c.delivered - l.delivered, failed = c.failed - l.failed
      from locked l
      where c.org_id = l.org_id and c.subscription_id = l.subscription_id $lost$, name);
    execute format('drop table %I', name);
  end loop;
end $$;

-- From the first change that a delivery is of, 31 days ago at the earliest.
select make_delivery_partitions(
  greatest(
    today - 31, least(today, (select (uuid_extract_timestamp(change_id) at time zone 'UTC')::date
      from webhook_deliveries_whole order by change_id limit 1))),
  today + 3)
from (select (now() at time zone 'UTC')::date as today) clock;

insert into webhook_deliveries select * from webhook_deliveries_whole;
drop table webhook_deliveries_whole;

alter table webhook_deliveries_pending add primary key (org_id, id);

-- These are partial, although all rows here are pending: a statement that names rows by their key says `not in`, so that Postgres
-- chooses no other index while it believes that the table is nearly empty.
-- the sweeper: what is due
create index webhook_deliveries_due on webhook_deliveries_pending (next_retry_at)
  where status = 'pending' and next_retry_at is not null;
-- the engine: what is due of a subscription, the earliest first
create index webhook_deliveries_turn
  on webhook_deliveries_pending (org_id, subscription_id, next_retry_at, change_id, position)
  where status = 'pending' and next_retry_at is not null;
-- the history, newest first, the successors in a change, and what waits for a subscription
create index webhook_deliveries_chain on webhook_deliveries_pending (org_id, subscription_id, change_id, position)
  where status = 'pending';

-- one delivery
create index webhook_deliveries_by_id on webhook_deliveries_ended (org_id, id);
-- the history, newest first, one index for each status and for each status with the type
create index webhook_deliveries_delivered on webhook_deliveries_ended (org_id, subscription_id, change_id, position)
  where status = 'delivered';
create index webhook_deliveries_failed on webhook_deliveries_ended (org_id, subscription_id, change_id, position)
  where status = 'failed';
create index webhook_deliveries_delivered_of_type
  on webhook_deliveries_ended (org_id, subscription_id, event_type, change_id, position) where status = 'delivered';
create index webhook_deliveries_failed_of_type
  on webhook_deliveries_ended (org_id, subscription_id, event_type, change_id, position) where status = 'failed';
-- the monthly budget: deliveries that ended without an attempt, because nothing of it was left
create index webhook_deliveries_unspent on webhook_deliveries_ended (org_id, id) include (created_at) where attempts = 0;

-- A `ctid` is only unique within a partition: an old process that erases an organization would delete rows of others. It fails, and
-- a new one erases.
create function refuse_ctid() returns trigger language plpgsql as $$
begin
  if current_query() ~* '\mctid\M' then
    raise exception 'rows of % are named by their keys', tg_table_name;
  end if;
  return null;
end $$;
create trigger named_by_key before delete on webhook_deliveries for each statement execute function refuse_ctid();

analyze webhook_deliveries;

-- migrate:down
