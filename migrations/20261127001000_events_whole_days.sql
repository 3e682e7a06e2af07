-- migrate:up transaction:false

-- another zone of a calendar: the events that are dates there, whatever else is on it
create index concurrently if not exists events_whole_days on events (org_id, calendar_id)
  where all_day and deleted_at is null;

-- migrate:down
