-- migrate:up

-- The calendar of a human into which the events of one calendar are published. One that has ended stays until its copies are
-- withdrawn. Nothing refers to an organization: a deleted one's rows go in blocks.
create table external_destinations (
  org_id uuid not null,
  id uuid not null,
  calendar_id uuid not null,
  connection_id uuid not null,
  external_calendar_id uuid not null,
  -- its name for the provider
  remote_sealed bytea not null,
  policy text not null check (policy in ('confirmed', 'confirmed_tentative')),
  -- why nothing can be written any more, until somebody mends it
  lost text check (lost in ('forbidden', 'not_found')),
  -- the events of the calendar are gone through in the order of their identifiers, after this one; null: that is done
  fill_after uuid,
  -- when there is something to do about it beside its events
  next_step_at timestamptz,
  ended_at timestamptz,
  keeps_copies boolean not null default false,
  -- until then what has ended is withdrawn
  gives_up_at timestamptz,
  created_at timestamptz not null,
  primary key (org_id, id),
  check ((ended_at is null) = (gives_up_at is null))
);
-- the destination of a calendar
create unique index external_destinations_of on external_destinations (org_id, calendar_id) where ended_at is null;
-- the destinations of a connection
create index external_destinations_by_connection on external_destinations (org_id, connection_id);
-- when the earliest step is due, for the sweeper
create index external_destinations_due on external_destinations (next_step_at) where next_step_at is not null;

-- What a copy of an event shall be: a level. A worker compares it with what was written last, and writes the difference.
create table publications (
  org_id uuid not null,
  destination_id uuid not null,
  event_id uuid not null,
  calendar_id uuid not null,
  state text not null check (state in ('queued', 'published', 'skipped', 'failed')),
  -- counts the changes of the event: a write that began before the last of them is not the last one
  wanted bigint not null default 1,
  changed_at timestamptz not null,
  -- null: nothing is to be done, or the connection must be mended first
  next_attempt_at timestamptz,
  attempts integer not null default 0 check (attempts >= 0),
  last_error text check (last_error in (
    'rate_limited', 'unreachable', 'provider_error', 'unauthorized', 'forbidden', 'not_found', 'too_large', 'malformed')),
  -- counts the copies that the human deleted: each has another key
  generation integer not null default 0,
  copy text not null default 'none' check (copy in ('none', 'maybe', 'there', 'deleted')),
  -- when the copy is over; infinity: never
  ends_at timestamptz,
  -- of what was written last, and of its start, end and rule
  content_digest bytea,
  shape_digest bytea,
  -- what the provider wants to be told with the next write
  kept_sealed bytea,
  -- the copy as reads of the calendar find it, and its UID in feeds
  object_digest bytea,
  uid_digest bytea,
  -- the removal of a copy has begun, and its end was not recorded: the copy may be gone, and its human did not remove it
  is_leaving boolean not null default false,
  primary key (org_id, destination_id, event_id)
);
-- the next one of a destination, for its worker and the sweeper
create index publications_next on publications (org_id, destination_id, next_attempt_at) where next_attempt_at is not null;
-- when the earliest copy is due, for the sweeper
create index publications_due on publications (next_attempt_at) where next_attempt_at is not null;
-- the gauges: how many, and the oldest that waits
create index publications_by_state on publications (state, changed_at);
-- what a calendar makes busy: our own copies
create index publications_by_object on publications (org_id, object_digest) where object_digest is not null;
-- what a feed contains: our own copies
create index publications_by_uid on publications (org_id, uid_digest) where uid_digest is not null;

-- Who writes to a connection: one worker at a time, and how fast.
create table publication_lanes (
  org_id uuid not null,
  connection_id uuid not null,
  claim bigint not null default 0,
  claimed_until timestamptz,
  -- in real time, also where the clock of a test stands still: the provider lives in that
  paced_until timestamptz not null default '-infinity',
  -- the provider asked for patience: nothing is written through the connection before
  held_until timestamptz,
  primary key (org_id, connection_id)
);

-- Accounts of connections that were removed, until what was published through them is withdrawn. Their tokens are renewed as
-- those of a connection that is read.
create table departing_connections (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  provider text not null check (provider in ('google', 'microsoft', 'caldav')),
  credentials_sealed bytea not null,
  server_sealed bytea,
  gives_up_at timestamptz not null,
  credentials_version bigint not null default 0,
  renewing_until timestamptz,
  primary key (org_id, id)
);

-- migrate:down
