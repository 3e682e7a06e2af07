-- migrate:up

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

alter table calendar_connections
  -- when its channels are made, renewed or stopped next; null: there is nothing to do
  add column next_watch_at timestamptz;
-- the sweeper: whose channels are due
create index calendar_connections_watch on calendar_connections (next_watch_at) where next_watch_at is not null;

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
