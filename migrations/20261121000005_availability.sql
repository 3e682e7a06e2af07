-- migrate:up

create table availability_rules (
  org_id uuid not null,
  calendar_id uuid not null,
  id uuid not null,
  buffer_before_minutes smallint not null check (buffer_before_minutes between 0 and 120),
  buffer_after_minutes smallint not null check (buffer_after_minutes between 0 and 120),
  -- null: no restriction
  working_hours jsonb,
  timezone text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, calendar_id),
  foreign key (org_id, calendar_id) references calendars on delete cascade,
  check (working_hours <> '{}')
);
-- the busy time of a window finds an event by a start at most a week before it; this one has the few that are longer
create index events_longer_than_a_week on events (org_id, calendar_id, end_time) include (start_time)
  where end_time - start_time > interval '7 days' and deleted_at is null;
-- the series of a calendar: their occurrences are not stored, so every window asks for all of them
create index events_series on events (org_id, calendar_id) where recurrence_rule is not null and deleted_at is null;

-- migrate:down
