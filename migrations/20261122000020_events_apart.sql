-- migrate:up transaction:false

-- What the start does not tell enough of: series, holds (do they live?), and events that may have begun long ago; by their
-- last moment, which for a series is the end of its last occurrence. One look per calendar for what took three.
create index concurrently if not exists events_apart on events (org_id, calendar_id, (
  case when recurrence_rule is null then end_time
  else coalesce((series_last_start at time zone 'UTC' + (end_time - start_time)) at time zone 'UTC', 'infinity') end
)) where (recurrence_rule is not null or status = 'hold' or end_time - start_time > interval '7 days')
  and status <> 'cancelled' and deleted_at is null;

-- migrate:down
