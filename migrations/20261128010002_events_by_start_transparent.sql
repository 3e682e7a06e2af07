-- migrate:up transaction:false

-- as events_by_start, with what availability leaves out, so that its read stays in the index
create index concurrently if not exists events_listed
  on events (org_id, calendar_id, status, start_time, id)
  include (end_time, series_id, transparent) where deleted_at is null;

-- migrate:down
