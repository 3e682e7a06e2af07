-- migrate:up

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
