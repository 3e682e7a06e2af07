-- migrate:up transaction:false

-- the edited occurrences of a window, in the order of lists
create index concurrently if not exists events_edited
  on events (org_id, calendar_id, start_time, series_id, original_start)
  include (end_time) where series_id is not null and deleted_at is null;

-- migrate:down
