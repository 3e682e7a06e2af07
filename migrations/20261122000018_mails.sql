-- migrate:up

-- A mail waits here until it is handed over; then its row is deleted.
create table mails (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  kind text not null check (
    kind in (
      'verification_code', 'password_reset', 'activation', 'waitlist', 'address_proof', 'locked_out', 'connection_trouble',
      'booking_confirmed', 'booking_moved', 'booking_cancelled'
    )
  ),
  -- recipient, subject and text; null: it is composed when it is sent
  content_sealed bytea,
  attempts smallint not null default 0,
  -- during an attempt: when the attempt counts as lost
  next_attempt_at timestamptz not null,
  -- from then on it is of no use to anybody
  expires_at timestamptz,
  created_at timestamptz not null,
  -- the booking that it is about: written without an address, so that one to an erased guest is never sent
  about jsonb,
  primary key (org_id, id),
  constraint mails_content_check check ((content_sealed is null) <> (about is null))
);
-- the sweeper: what is due
create index mails_due on mails (next_attempt_at);
-- the gauge of waiting mails: since when the oldest waits
create index mails_oldest on mails (created_at);

-- migrate:down
