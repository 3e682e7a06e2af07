-- migrate:up

create table api_keys (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  -- null: the organization's own key
  agent_id uuid,
  hash bytea not null check (length(hash) = 32),
  prefix text not null,
  label text,
  created_at timestamptz not null,
  revoked_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, agent_id) references agents on delete cascade
);
-- authentication: every request with a key that the process does not know yet
create unique index api_keys_by_hash on api_keys (hash);
-- an organization has at most one living key of its own
create unique index api_keys_one_organization_key on api_keys (org_id) where agent_id is null and revoked_at is null;
-- the living keys of an agent: the list, and what is revoked when the agent is decommissioned
create index api_keys_of_agent on api_keys (org_id, agent_id) where revoked_at is null;
-- the audit log: whose key failed to authenticate; revoked keys count too
create index api_keys_by_prefix on api_keys (prefix);

-- migrate:down
