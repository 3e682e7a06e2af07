-- migrate:up

create table calendars (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  -- null: a calendar of the organization itself
  agent_id uuid,
  name text not null,
  timezone text not null,
  agent_status text not null default 'idle',
  default_reminders integer[],
  metadata jsonb not null,
  external_id text,
  provider text,
  feed_token_hash bytea not null check (length(feed_token_hash) = 32),
  feed_token_sealed bytea not null,
  -- counts the changes of the calendar and of its events: who decides by what else is on it writes where revision = seen
  revision bigint not null default 0,
  -- living internal events by stored status, kept by every change, so that a list's total costs nothing
  confirmed_events integer not null default 0 check (confirmed_events >= 0),
  tentative_events integer not null default 0 check (tentative_events >= 0),
  cancelled_events integer not null default 0 check (cancelled_events >= 0),
  hold_events integer not null default 0 check (hold_events >= 0),
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, agent_id) references agents on delete cascade
);
-- lists: those of an agent, or (agent_id null) of the organization, newest first
create index calendars_of_owner on calendars (org_id, agent_id, id desc) where deleted_at is null;
-- the feed finds its calendar by the token
create unique index calendars_by_feed_token on calendars (feed_token_hash);

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
  -- null: inherit the calendar's
  reminders integer[],
  hold_expires_at timestamptz,
  hold_priority smallint not null default 0 check (hold_priority between 0 and 100),
  -- how a hold ended; null while it lives, and for an event that never was one
  hold_outcome text check (hold_outcome in ('confirmed', 'released', 'expired', 'preempted')),
  recurrence_rule text,
  recurrence_exdates timestamptz[] not null default '{}',
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, calendar_id) references calendars on delete cascade,
  check (end_time > start_time),
  check (status <> 'hold' or (hold_expires_at is not null and hold_outcome is null)),
  check (hold_outcome is null or hold_expires_at is not null),
  check (recurrence_rule is null or hold_expires_at is null or hold_outcome = 'confirmed'),
  check (recurrence_rule is not null or recurrence_exdates = '{}')
);
-- lists (by start, then id; of one status or merged over all four) and busy time, which leaves cancelled events aside
create index events_by_status_and_start on events (org_id, calendar_id, status, start_time, id) include (end_time)
  where deleted_at is null;
-- the few holds that live: overlap checks, and the lapsed ones that a list must show as cancelled
create index events_live_holds on events (org_id, calendar_id, hold_expires_at) include (start_time, end_time, hold_priority)
  where status = 'hold' and deleted_at is null;

-- migrate:down
