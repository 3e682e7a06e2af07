-- migrate:up

-- What withdraws copies through a connection that was removed renews its tokens, as what reads a connection does.
alter table departing_connections
  add column credentials_version bigint not null default 0,
  add column renewing_until timestamptz;

-- The provider asked for patience: nothing is written through the connection before.
alter table publication_lanes add column held_until timestamptz;

-- migrate:down
