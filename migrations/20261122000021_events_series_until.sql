-- migrate:up transaction:false

-- Of a calendar, the series that are not over, and the last that were, without a look at the others.
create index concurrently if not exists events_series_until on events (
  org_id, calendar_id, status,
  coalesce((series_last_start at time zone 'UTC' + (end_time - start_time)) at time zone 'UTC', 'infinity')
) where recurrence_rule is not null and deleted_at is null;

-- migrate:down
