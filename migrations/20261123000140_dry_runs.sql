-- migrate:up

-- The last effect of a change that must not happen inserts a row here. The trigger fires when the statement would commit,
-- after all effects and their constraints, and undoes it. So the table is always empty.
create unlogged table dry_runs (
  -- the rows of the guard: 0 if the change would not happen
  matched bigint not null
);

create function end_dry_run() returns trigger language plpgsql as $$
begin
  raise exception using errcode = 'AC001', message = new.matched::text;
end
$$;

create constraint trigger end_dry_run after insert on dry_runs
  deferrable initially deferred
  for each row execute function end_dry_run();

-- migrate:down
