-- migrate:up

-- Keys the digests by which an organization's accounts and calendars at providers are looked up, and the busy time of these.
create table connection_keys (
  org_id uuid primary key references organizations on delete cascade,
  key_sealed bytea not null
);

-- A human's account at a provider. Its row goes when the human disconnects it.
create table calendar_connections (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  provider text not null check (provider in ('google', 'microsoft', 'caldav')),
  -- a digest: one account is one connection
  account_digest bytea not null,
  label_sealed bytea,
  -- how requests are authorized; null: nothing may be asked any more
  credentials_sealed bytea,
  -- where the account lives at its provider
  server_sealed bytea,
  capabilities text[] not null check (capabilities <@ array['availability', 'publishing'] and capabilities <> '{}'),
  status text not null check (status in ('active', 'paused', 'reauthorization_required', 'disconnected')),
  reauthorization_reason text check (reauthorization_reason in (
    'grant_revoked', 'credentials_rejected', 'scope_missing', 'provider_policy', 'unattended')),
  -- of dates and times without a zone
  timezone text not null,
  -- the link that made it and is not completed: the connection ends with it
  made_by_link uuid,
  -- counts its changes, also those of what was read
  revision bigint not null default 0,
  -- counts the reads that began: only the result of the latest one is written
  claim bigint not null default 0,
  -- counts what was heard of changes at the provider; since when some of it has been unread
  notified bigint not null default 0,
  notified_at timestamptz,
  -- this read, and those before it, are not enough
  wanted_claim bigint,
  -- when it is read next; null: it is not read
  next_read_at timestamptz,
  -- until then a read is under way, or was lost with its worker
  claimed_until timestamptz,
  -- the provider asked for patience: nothing is asked before
  held_until timestamptz,
  last_read_began_at timestamptz,
  last_read_ended_at timestamptz,
  consecutive_failures integer not null default 0 check (consecutive_failures >= 0),
  -- since when the credentials are refused, before that is believed
  refused_at timestamptz,
  listed_at timestamptz not null,
  -- the next mail or end of one that nobody authorizes again
  attention_at timestamptz,
  broken_at timestamptz,
  last_authenticated_at timestamptz not null,
  created_at timestamptz not null,
  -- what the human allowed at the provider; null: everything
  granted text[] check (granted <@ array['availability', 'publishing']),
  -- counts the tokens: whoever takes new ones has seen the old ones
  credentials_version bigint not null default 0,
  -- until then somebody takes new tokens, or was lost while doing so
  renewing_until timestamptz,
  -- when its channels are made, renewed or stopped next; null: there is nothing to do
  next_watch_at timestamptz,
  primary key (org_id, id),
  unique (org_id, provider, account_digest),
  check ((status in ('reauthorization_required', 'disconnected')) = (reauthorization_reason is not null)),
  check (status <> 'disconnected' or credentials_sealed is null)
);
-- the sweeper: what is due to be read
create index calendar_connections_due on calendar_connections (next_read_at) where next_read_at is not null;
-- the sweeper: whose human is written to, or given up
create index calendar_connections_attention on calendar_connections (attention_at) where attention_at is not null;
-- the sweeper: whose channels are due
create index calendar_connections_watch on calendar_connections (next_watch_at) where next_watch_at is not null;

-- A calendar of such an account, and the copy of its busy time.
create table external_calendars (
  org_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  remote_digest bytea not null,
  -- its name for the provider
  remote_sealed bytea not null,
  name_sealed bytea not null,
  access_role text check (access_role in ('owner', 'writer', 'reader', 'free_busy')),
  is_primary boolean not null,
  -- holidays, contacts and imported feeds: offered last
  is_feed boolean not null,
  timezone text,
  is_readable boolean not null,
  is_writable boolean not null,
  is_selected boolean not null default false,
  -- of the copy; a change of it is a change of what the calendar makes busy
  revision bigint not null default 0,
  last_attempted_at timestamptz,
  -- when the last successful read began
  last_read_at timestamptz,
  last_error text check (last_error in (
    'rate_limited', 'unreachable', 'provider_error', 'unauthorized', 'forbidden', 'not_found', 'too_large', 'malformed')),
  covers_from timestamptz,
  covers_until timestamptz,
  is_cut boolean not null default false,
  -- where the next read goes on, and when everything was compared and read whole last
  cursor_sealed bytea,
  compared_at timestamptz,
  read_whole_at timestamptz,
  created_at timestamptz not null,
  -- The provider answered for the account, and refused this calendar: it is unavailable at once, whatever the age of its copy.
  is_refused boolean not null default false,
  -- some of it cannot be read
  has_unread boolean not null default false,
  primary key (org_id, id),
  unique (org_id, connection_id, remote_digest),
  foreign key (org_id, connection_id) references calendar_connections on delete cascade,
  check ((last_read_at is null) = (covers_from is null) and (last_read_at is null) = (covers_until is null)),
  check (is_selected or last_read_at is null)
);
-- the gauge of the stalest copy
create index external_calendars_stalest on external_calendars (last_read_at) where is_selected;

-- Busy time: times and a digest of the object that they come from. Nothing refers to an organization, so that a deleted one's
-- rows go in blocks.
create table external_busy (
  org_id uuid not null,
  external_calendar_id uuid not null,
  object_digest bytea not null,
  start_time timestamptz not null,
  end_time timestamptz not null check (end_time > start_time)
);
-- what a calendar makes busy in a window
create index external_busy_by_start on external_busy (org_id, external_calendar_id, start_time, end_time);
-- what one object of a calendar makes busy
create index external_busy_by_object on external_busy (org_id, external_calendar_id, object_digest);

-- The objects of a CalDAV calendar and the version of each that was read.
create table external_objects (
  org_id uuid not null,
  external_calendar_id uuid not null,
  object_digest bytea not null,
  version_digest bytea not null,
  primary key (org_id, external_calendar_id, object_digest)
);

-- Which agents may see when a human is busy.
create table availability_grants (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  audience text not null check (audience in ('selected_agents', 'all_current_agents', 'all_org_agents')),
  -- agents made later are not meant
  audience_cutoff_at timestamptz,
  active boolean not null,
  revision bigint not null default 0,
  created_at timestamptz not null,
  primary key (org_id, id),
  check ((audience = 'all_current_agents') = (audience_cutoff_at is not null))
);

create table availability_grant_calendars (
  org_id uuid not null,
  grant_id uuid not null,
  external_calendar_id uuid not null,
  primary key (org_id, grant_id, external_calendar_id),
  foreign key (org_id, grant_id) references availability_grants on delete cascade,
  foreign key (org_id, external_calendar_id) references external_calendars on delete cascade
);
-- the grants of a calendar
create index availability_grant_calendars_of on availability_grant_calendars (org_id, external_calendar_id);

create table availability_grant_agents (
  org_id uuid not null,
  grant_id uuid not null,
  agent_id uuid not null,
  primary key (org_id, grant_id, agent_id),
  foreign key (org_id, grant_id) references availability_grants on delete cascade
);

-- An agent's request to a human to connect a calendar. `expired` is not stored: it follows from the clock.
create table connection_links (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  calendar_id uuid not null,
  token_digest bytea not null unique,
  capabilities text[] not null check (capabilities <@ array['availability', 'publishing'] and capabilities <> '{}'),
  publication_policy text not null check (publication_policy in ('none', 'confirmed', 'confirmed_tentative')),
  status text not null check (status in ('awaiting_human', 'in_progress', 'completed', 'declined', 'cancelled')),
  -- of a pending one: what the human has connected so far
  connection_id uuid,
  expires_at timestamptz not null,
  ended_at timestamptz,
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, calendar_id) references calendars on delete cascade,
  check ((status in ('awaiting_human', 'in_progress')) = (ended_at is null)),
  check (status <> 'completed' or connection_id is not null)
);
-- the pending link of a calendar
create index connection_links_pending on connection_links (org_id, calendar_id) where ended_at is null;
-- upkeep: links that have ended, and those that expire
create index connection_links_expiry on connection_links (expires_at);

-- What a human agreed to: who, when, from where, and which text they were shown.
create table connection_consents (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  connection_id uuid not null,
  session_id uuid not null,
  ip text,
  text_version text not null,
  capabilities text[] not null,
  external_calendar_ids uuid[] not null,
  created_at timestamptz not null,
  primary key (org_id, id)
);

-- The way through a provider that a human has begun and not come back from. Its row goes with the answer of the provider.
create table connection_states (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  state_digest bytea not null unique,
  -- whoever comes back must be who went
  session_id uuid not null,
  provider text not null check (provider in ('google', 'microsoft')),
  capabilities text[] not null check (capabilities <@ array['availability', 'publishing'] and capabilities <> '{}'),
  -- the link that the account is connected for
  link_id uuid,
  -- the connection that is authorized again
  connection_id uuid,
  -- the verifier of the code, and the nonce of the ID token
  secrets_sealed bytea not null,
  created_at timestamptz not null,
  primary key (org_id, id)
);
-- upkeep: those that nobody comes back from
create index connection_states_age on connection_states (created_at);

-- What tells us that something in an external calendar has changed. Nothing refers to a connection: its channels are stopped after it.
create table connection_channels (
  org_id uuid not null,
  id uuid not null unique,
  connection_id uuid not null,
  external_calendar_id uuid not null,
  -- of what the provider sends along, so that nobody else can
  token_digest bytea not null,
  -- the provider's own name of it; null: it is being made
  resource_sealed bytea,
  renew_at timestamptz not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (org_id, id)
);
-- the channels of a connection
create index connection_channels_of on connection_channels (org_id, connection_id);
-- upkeep: those that have expired
create index connection_channels_expiry on connection_channels (expires_at);

-- What a connection that has ended leaves at its provider: tokens to revoke and channels to stop, for a day at most. It outlives
-- its organization.
create table connection_revocations (
  org_id uuid not null,
  -- that of the connection
  id uuid not null,
  provider text not null check (provider in ('google', 'microsoft')),
  account_digest bytea not null,
  credentials_sealed bytea not null,
  attempts integer not null default 0,
  next_run_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (org_id, id)
);
-- the sweeper: what is due to be revoked
create index connection_revocations_due on connection_revocations (next_run_at);

-- migrate:down
