-- migrate:up

-- The second factor of an account: codes of an authenticator app (TOTP).
alter table accounts
  add column totp_sealed bytea,
  add column totp_enabled_at timestamptz,
  -- the last step whose code was accepted: it and all steps before it are used up
  add column totp_last_step integer,
  -- counts the changes of the factor and of its recovery codes: a change that was decided at an older one matches nothing
  add column factor_revision integer not null default 0,
  -- a secret that was shown and is not confirmed yet
  add column totp_pending_sealed bytea,
  add column totp_pending_expires_at timestamptz,
  add check ((totp_sealed is null) = (totp_enabled_at is null)),
  add check (totp_last_step is null or totp_sealed is not null),
  add check ((totp_pending_sealed is null) = (totp_pending_expires_at is null));

-- Each signs in once in place of a code. A code that was used is removed.
create table recovery_codes (
  account_id uuid not null references accounts on delete cascade,
  hash bytea not null,
  primary key (account_id, hash)
);

-- Sign-ins that have passed the password or the provider, and wait for a code.
create table sign_in_challenges (
  hash bytea primary key,
  account_id uuid not null references accounts on delete cascade,
  -- of the account: what ends all sessions also ends its challenges
  generation integer not null,
  attempts smallint not null default 0 check (attempts between 0 and 5),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
-- the challenges of an account, when it is erased
create index sign_in_challenges_of_account on sign_in_challenges (account_id);
-- the challenges that are over
create index sign_in_challenges_by_expiry on sign_in_challenges (expires_at);

alter table organizations add column require_second_factor boolean not null default false;

-- migrate:down
