-- migrate:up

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

alter table calendar_connections
  -- what the human allowed at the provider; null: everything
  add column granted text[] check (granted <@ array['availability', 'publishing']),
  -- counts the tokens: whoever takes new ones has seen the old ones
  add column credentials_version bigint not null default 0,
  -- until then somebody takes new tokens, or was lost while doing so
  add column renewing_until timestamptz;

-- migrate:down
