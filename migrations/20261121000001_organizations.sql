-- migrate:up

-- The service's clock inside statements. Tests replace it by a set clock; it is inlined, so it costs nothing.
create function app_now() returns timestamptz language sql stable parallel safe as 'select now()';

create table organizations (
  id uuid primary key,
  name text not null,
  email text not null,
  plan text not null check (plan in ('free', 'pro', 'custom', 'free-agent', 'free-agent-unverified')),
  -- negotiated caps of a custom plan; an absent or null key is unlimited
  limits jsonb not null default '{}',
  rate_limit_per_second integer check (rate_limit_per_second > 0),
  verification_status text check (verification_status in ('unverified', 'verified')),
  signup_source text not null check (signup_source in ('admin', 'console', 'oauth', 'agent', 'waitlist')),
  email_verified boolean not null default false,
  is_waitlisted boolean not null default false,
  waitlisted_at timestamptz,
  accepted_terms_version text,
  accepted_terms_at timestamptz,
  -- counts the changes to what the plan caps (agents, calendars, webhooks, keys): who decides by a cap writes where revision = seen
  revision bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((plan = 'free-agent-unverified') = (verification_status is not distinct from 'unverified')),
  check (not is_waitlisted or waitlisted_at is not null),
  check ((accepted_terms_version is null) = (accepted_terms_at is null))
);
-- administration looks organizations up by the owner's address
create index organizations_by_email on organizations (lower(email));

create table agents (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  name text not null,
  type text not null check (type in ('ai', 'human', 'resource')),
  description text,
  status text not null check (status in ('active', 'paused', 'decommissioned')),
  metadata jsonb not null,
  decommissioned_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  check ((status = 'decommissioned') = (decommissioned_at is not null))
);

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
-- every request with a key the process has not seen yet
create unique index api_keys_by_hash on api_keys (hash);
-- one living organization key at most
create unique index api_keys_one_organization_key on api_keys (org_id) where agent_id is null and revoked_at is null;
-- the keys of an agent, for the list and when it is decommissioned
create index api_keys_of_agent on api_keys (org_id, agent_id) where revoked_at is null;

-- What a billing period used of a budget that no other table can tell (calls, queries).
create table usage_counters (
  org_id uuid not null references organizations on delete cascade,
  period_start timestamptz not null,
  metric text not null,
  used bigint not null check (used >= 0),
  primary key (org_id, period_start, metric)
);

create table audit_entries (
  org_id uuid not null,
  id uuid not null,
  action text not null,
  actor_key_prefix text,
  agent_id uuid,
  resource text,
  ip text,
  status smallint,
  method text,
  path text,
  duration_ms integer,
  request_id text,
  created_at timestamptz not null,
  primary key (org_id, id)
);

-- migrate:down
