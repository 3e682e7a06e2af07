-- migrate:up

-- Whoever signed up by themselves has one organization per address, whatever the race; an administrator may repeat one.
create unique index organizations_one_per_email on organizations (lower(email)) where signup_source <> 'admin';

-- Who can sign in to the console: by a password, or through a provider of identities.
create table accounts (
  org_id uuid primary key references organizations on delete cascade,
  -- trimmed and in lower case
  email text not null check (email = lower(email)),
  -- Argon2id in its own notation; null: only through a provider
  password_hash text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
-- sign-in
create unique index accounts_by_email on accounts (email);

create table identities (
  org_id uuid not null references accounts on delete cascade,
  issuer text not null,
  subject text not null,
  created_at timestamptz not null,
  primary key (org_id, issuer, subject)
);
-- sign-in through a provider
create unique index identities_by_subject on identities (issuer, subject);

-- A console session lives as long as its row: signing out removes it, which counts on every process at once.
create table sessions (
  org_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (org_id, id)
);
-- what has expired, for upkeep
create index sessions_by_expiry on sessions (expires_at);

create table password_resets (
  org_id uuid not null references organizations on delete cascade,
  -- SHA-256 of the token in the mailed link
  hash bytea not null check (length(hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (org_id, hash)
);
-- the link that was followed
create unique index password_resets_by_hash on password_resets (hash);
-- what has expired, for upkeep
create index password_resets_by_expiry on password_resets (expires_at);

-- The one-time code of a self-signed-up agent: one at a time.
create table verification_codes (
  org_id uuid primary key references organizations on delete cascade,
  -- SHA-256 of the code, sealed: six digits are soon guessed from a bare hash
  hash_sealed bytea not null,
  attempts smallint not null default 0 check (attempts between 0 and 10),
  created_at timestamptz not null,
  expires_at timestamptz not null
);

-- Every publication of the terms of service; the last one is in force.
create table terms_publications (
  nth bigint generated always as identity primary key,
  version text not null,
  -- a date or a datetime, as it was given
  effective_at text not null,
  url text not null,
  material boolean not null,
  published_at timestamptz not null
);
insert into terms_publications (version, effective_at, url, material, published_at)
values ('2026-11-01', '2026-11-01', 'https://agent-calendar.example/terms/2026-11-01', false, '2026-11-01T00:00:00Z');

-- Who accepted what, and how. It outlives the organization.
create table terms_acceptances (
  id uuid primary key,
  org_id uuid references organizations on delete set null,
  version text not null,
  -- SHA-256 of the manifest that was in force
  document_hash bytea not null check (length(document_hash) = 32),
  source text not null check (source in ('console', 'oauth', 'agent', 'waitlist')),
  ip text,
  user_agent text,
  accepted_at timestamptz not null
);
-- the acceptances of an organization, for its export, and when it is deleted
create index terms_acceptances_of_organization on terms_acceptances (org_id) where org_id is not null;

-- A mail waits here until it has been handed over; then its row is gone.
create table mails (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('verification_code', 'password_reset', 'activation', 'waitlist')),
  -- recipient, subject and text
  content_sealed bytea not null,
  attempts smallint not null default 0,
  -- while an attempt is under way: when it counts as lost
  next_attempt_at timestamptz not null,
  -- from then on it is of no use to anybody
  expires_at timestamptz,
  created_at timestamptz not null,
  primary key (org_id, id)
);
-- what is due, for the sweeper
create index mails_due on mails (next_attempt_at);

-- migrate:down
