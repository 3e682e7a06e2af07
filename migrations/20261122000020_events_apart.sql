-- migrate:up

-- What the start does not tell enough of: series, holds (do they live?), and events that may have begun long ago; by their
-- last moment, which for a series is the end of its last occurrence. One look per calendar for what took three.
create index events_apart on events (org_id, calendar_id, (
  case when recurrence_rule is null then end_time
  else coalesce((series_last_start at time zone 'UTC' + (end_time - start_time)) at time zone 'UTC', 'infinity') end
)) where (recurrence_rule is not null or status = 'hold' or end_time - start_time > interval '7 days')
  and status <> 'cancelled' and deleted_at is null;
drop index events_longer_than_a_week;

-- Of a calendar, the series that are not over, and the last that were, without a look at the others.
drop index events_series;
create index events_series on events (
  org_id, calendar_id, status,
  coalesce((series_last_start at time zone 'UTC' + (end_time - start_time)) at time zone 'UTC', 'infinity')
) where recurrence_rule is not null and deleted_at is null;
-- What the plan caps, by when it stops to count.
create index events_active_series on events (org_id, coalesce(series_last_start, 'infinity')) include (calendar_id)
  where recurrence_rule is not null and status <> 'cancelled' and deleted_at is null;

-- migrate:down
