-- migrate:up

-- Each poll looks into the days that were made ahead: three are enough. A day that has entries stays, and so does one that is in use.
do $$
declare
  name text;
  has_entries boolean;
begin
  set local lock_timeout = '1s';
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'changes'::regclass and c.relname ~ '^changes_\d{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') > (now() at time zone 'UTC')::date + 3
  loop
    begin
      execute 'lock table changes in access exclusive mode';
      execute format('select exists (select from %I)', name) into has_entries;
      if not has_entries then execute format('drop table %I', name); end if;
    exception when lock_not_available then
      null;
    end;
  end loop;
end $$;

-- migrate:down
