-- migrate:up transaction:false

-- the list, by start, then id: of one status, or merged from all four, without occurrences that have a row of their own; busy time,
-- which skips cancelled events
create index concurrently if not exists events_by_start on events (org_id, calendar_id, status, start_time, id)
  include (end_time, series_id) where deleted_at is null;

-- migrate:down
