-- migrate:up

-- Each poll looks into the days that were made ahead: three are enough. A day that has entries stays. If the table is in use for
-- longer, or an older process makes such days again, they stay until their time comes.
do $$
declare
  name text;
  has_entries boolean;
begin
  set local lock_timeout = '1s';
  lock table only changes in access exclusive mode;
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'changes'::regclass and c.relname ~ '^changes_\d{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') > (now() at time zone 'UTC')::date + 3
  loop
    execute format('select exists (select from %I)', name) into has_entries;
    if not has_entries then execute format('drop table %I', name); end if;
  end loop;
exception when lock_not_available then
  null;
end $$;

-- migrate:down
