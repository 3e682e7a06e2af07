-- migrate:up

-- No foreign key to calendars: every statement that inserts events locks the row of their calendar and finds it living, so a
-- check would only cost each event a look into the calendars. An erasure deletes events before calendars.
create table events (
  org_id uuid not null,
  id uuid not null,
  calendar_id uuid not null,
  title_sealed bytea not null,
  description_sealed bytea,
  start_time timestamptz not null,
  end_time timestamptz not null,
  all_day boolean not null default false,
  status text not null check (status in ('confirmed', 'tentative', 'cancelled', 'hold')),
  source text not null default 'internal' check (source in ('internal', 'external_ical')),
  metadata jsonb not null,
  -- `booking` of the metadata, which says who the guest is; null: there is none
  booking_sealed bytea,
  -- null: those of the calendar
  reminders integer[],
  hold_expires_at timestamptz,
  hold_priority smallint not null default 0 check (hold_priority between 0 and 100),
  -- how a hold ended; null while it lives, and for an event that never was a hold
  hold_outcome text check (hold_outcome in ('confirmed', 'released', 'expired', 'preempted')),
  recurrence_rule text,
  recurrence_exdates timestamptz[] not null default '{}',
  -- when the last occurrence of a series starts, cancelled or not; null: the series has no end. From that moment on the
  -- series no longer counts as active.
  series_last_start timestamptz,
  -- SEQUENCE of the calendar's feed: counts the changes of the event
  sequence integer not null default 0,
  -- where an imported event comes from; the event may outlive the subscription
  ical_subscription_id uuid,
  -- keyed digests of its identity in the external feed (UID and RECURRENCE-ID) and of its content
  ical_key bytea,
  ical_content bytea,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  check (end_time > start_time),
  check (status <> 'hold' or (hold_expires_at is not null and hold_outcome is null)),
  check (hold_outcome is null or hold_expires_at is not null),
  -- a hold never recurs; an event that was a hold, however it ended, may become a series
  check (status <> 'hold' or recurrence_rule is null),
  check (recurrence_rule is not null or recurrence_exdates = '{}'),
  check (recurrence_rule is not null or series_last_start is null),
  check ((ical_subscription_id is null) = (ical_key is null) and (ical_key is null) = (ical_content is null)),
  check (ical_subscription_id is null or source = 'external_ical')
);
-- the list, by start, then id: of one status, or merged from all four; busy time, which skips cancelled events
create index events_by_status_and_start on events (org_id, calendar_id, status, start_time, id) include (end_time)
  where deleted_at is null;
-- the list of imported events, and how many there are: the calendar counts only internal ones
create index events_imported on events (org_id, calendar_id, status, start_time, id)
  where source = 'external_ical' and deleted_at is null;
-- the few living holds: which of them overlap, and which have lapsed and show as cancelled in a list
create index events_live_holds on events (org_id, calendar_id, hold_expires_at) include (start_time, end_time, hold_priority)
  where status = 'hold' and deleted_at is null;
-- busy time: what a window cannot find by the start. Series, holds (do they live?) and events longer than a week, by the
-- moment at which they are over, which for a series is the end of its last occurrence. One scan per calendar.
create index events_apart on events (
  org_id,
  calendar_id,
  (case
    when recurrence_rule is null then end_time
    else coalesce((series_last_start at time zone 'UTC' + (end_time - start_time)) at time zone 'UTC', 'infinity')
  end)
) where (recurrence_rule is not null or status = 'hold' or end_time - start_time > interval '7 days')
  and status <> 'cancelled' and deleted_at is null;
-- lists and contexts: the series of a calendar that are not over, and the last one that is, without a look at the others
create index events_series_until on events (
  org_id,
  calendar_id,
  status,
  coalesce((series_last_start at time zone 'UTC' + (end_time - start_time)) at time zone 'UTC', 'infinity')
) where recurrence_rule is not null and deleted_at is null;
-- how many active series the plan's cap counts
create index events_active_series on events (org_id, coalesce(series_last_start, 'infinity')) include (calendar_id)
  where recurrence_rule is not null and status <> 'cancelled' and deleted_at is null;
-- a sync: what it compares the external feed with
create unique index events_of_ical_subscription on events (org_id, ical_subscription_id, ical_key)
  where ical_subscription_id is not null;
-- another zone of a calendar: the events that are dates there, whatever else is on it
create index events_whole_days on events (org_id, calendar_id) where all_day and deleted_at is null;

-- migrate:down
