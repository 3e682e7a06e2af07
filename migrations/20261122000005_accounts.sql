-- migrate:up

-- Who can sign in to the console: with a password, or through an identity provider.
create table accounts (
  org_id uuid primary key references organizations on delete cascade,
  -- trimmed and in lower case
  email text not null check (email = lower(email)),
  -- Argon2id in its own notation; null: only through a provider
  password_hash text,
  -- counts how often all sessions of the account were ended at once
  generation integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
-- sign-in with a password
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

-- A console session lives as long as its row: signing out deletes the row, and so holds on every process at once.
create table sessions (
  org_id uuid not null references accounts on delete cascade,
  id uuid not null,
  -- a session counts only in its account's generation: a sign-in that is under way while all sessions end opens none
  generation integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (org_id, id)
);
-- the purge: expired sessions
create index sessions_by_expiry on sessions (expires_at);

create table password_resets (
  org_id uuid not null references organizations on delete cascade,
  -- SHA-256 of the token in the mailed link
  hash bytea not null check (length(hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (org_id, hash)
);
-- a link that somebody follows
create unique index password_resets_by_hash on password_resets (hash);
-- the purge: expired links
create index password_resets_by_expiry on password_resets (expires_at);

-- The one-time code of an agent that signed up by itself: one at a time.
create table verification_codes (
  org_id uuid primary key references organizations on delete cascade,
  -- SHA-256 of the code, sealed: six digits are quickly guessed from a bare hash
  hash_sealed bytea not null,
  attempts smallint not null default 0 check (attempts between 0 and 10),
  created_at timestamptz not null,
  expires_at timestamptz not null
);

-- migrate:down
