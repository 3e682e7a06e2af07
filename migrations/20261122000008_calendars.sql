-- migrate:up

-- No foreign key to organizations: an account is deleted at once, its calendars in blocks (see erasures).
create table calendars (
  org_id uuid not null,
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
  -- counts the changes of the calendar and of its events: a change that depends on what is on the calendar is written only
  -- if the revision is still the one that was read
  revision bigint not null default 0,
  -- the same for its holds alone: a new hold depends on nothing else
  holds_revision bigint not null default 0,
  -- living internal events by stored status; every change keeps them, so that a list's total costs nothing
  confirmed_events integer not null default 0 check (confirmed_events >= 0),
  tentative_events integer not null default 0 check (tentative_events >= 0),
  cancelled_events integer not null default 0 check (cancelled_events >= 0),
  hold_events integer not null default 0 check (hold_events >= 0),
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- where its events are copied to; null: nowhere. Every change of an event locks its calendar, so it knows this of the moment
  -- at which it commits.
  destination_id uuid,
  primary key (org_id, id),
  foreign key (org_id, agent_id) references agents on delete cascade
);
-- the list of an agent, newest first
create index calendars_of_owner on calendars (org_id, agent_id, id desc) where deleted_at is null;
-- the list of the organization's own calendars, newest first
create index calendars_of_organization on calendars (org_id, id desc) where agent_id is null and deleted_at is null;
-- the list of all, newest first, and how many the plan's cap counts
create index calendars_living on calendars (org_id, id desc) where deleted_at is null;
-- the feed: the calendar of a token
create unique index calendars_by_feed_token on calendars (feed_token_hash);

-- migrate:down
