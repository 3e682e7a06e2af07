-- migrate:up transaction:false

-- What the plan caps, by when it stops to count.
create index concurrently if not exists events_active_series on events (org_id, coalesce(series_last_start, 'infinity')) include (calendar_id)
  where recurrence_rule is not null and status <> 'cancelled' and deleted_at is null;

-- migrate:down
