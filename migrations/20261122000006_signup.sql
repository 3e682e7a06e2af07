-- migrate:up

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
