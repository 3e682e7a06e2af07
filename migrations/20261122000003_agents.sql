-- migrate:up

-- No foreign key to organizations: an account is deleted at once, its agents in blocks (see erasures).
create table agents (
  org_id uuid not null,
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
-- the list with a status, newest first
create index agents_by_status on agents (org_id, status, id desc);
-- the list with a type, newest first
create index agents_by_type on agents (org_id, type, id desc);
-- how many agents the plan's cap counts
create index agents_living on agents (org_id) where status <> 'decommissioned';

-- migrate:down
