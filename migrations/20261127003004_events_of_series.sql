-- migrate:up transaction:false

-- a change of a series: its occurrences that have a row of their own
create unique index concurrently if not exists events_of_series on events (org_id, series_id, original_start)
  where series_id is not null;

-- migrate:down
