-- migrate:up

create table organizations (
  id uuid primary key,
  name text not null,
  email text not null,
  plan text not null check (plan in ('free', 'pro', 'custom', 'free-agent', 'free-agent-unverified')),
  -- the caps agreed for a custom plan; a missing key and null mean unlimited
  limits jsonb not null default '{}',
  rate_limit_per_second integer check (rate_limit_per_second > 0),
  verification_status text check (verification_status in ('unverified', 'verified')),
  signup_source text not null check (signup_source in ('admin', 'console', 'oauth', 'agent', 'waitlist')),
  email_verified boolean not null default false,
  is_waitlisted boolean not null default false,
  waitlisted_at timestamptz,
  accepted_terms_version text,
  accepted_terms_at timestamptz,
  -- counts the changes to what the plan caps (agents, calendars, webhooks, keys, …): a change that depends on a cap is
  -- written only if the revision is still the one that was read
  revision bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- since when an operator keeps the public pages closed; null: they are open
  pages_closed_at timestamptz,
  check ((plan = 'free-agent-unverified') = (verification_status is not distinct from 'unverified')),
  check (not is_waitlisted or waitlisted_at is not null),
  check ((accepted_terms_version is null) = (accepted_terms_at is null))
);
-- the organizations of an owner's address, for the administrator and at sign-up
create index organizations_by_email on organizations (lower(email));
-- sign-up: one organization per address, whatever the race; only an administrator may use an address twice
create unique index organizations_one_per_email on organizations (lower(email)) where signup_source <> 'admin';

-- migrate:down
