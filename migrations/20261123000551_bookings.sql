-- migrate:up

-- What a guest needs to come back to a booking. Its event is the truth: without it the booking is cancelled.
create table bookings (
  org_id uuid not null references organizations on delete cascade,
  -- that of the event
  id uuid not null,
  page_id uuid not null,
  -- whoever knows the token may cancel and move the booking: it is found by its hash
  token_hash bytea not null check (length(token_hash) = 32),
  -- name, address, language and zone of the guest, and the token, for a form that is sent again
  guest_sealed bytea not null,
  -- as the guest last chose them
  start_time timestamptz not null,
  end_time timestamptz not null,
  -- how often the guest has moved it: each time is a mail
  moves smallint not null default 0 check (moves >= 0),
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, page_id) references booking_pages on delete cascade
);
-- a guest: the booking of a token
create unique index bookings_by_token_hash on bookings (token_hash);
-- the purge: which are long over
create index bookings_by_end on bookings (end_time);

-- As a statement of its own the check is not validated under a long lock: the table holds only mails that wait.
alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (
  kind in (
    'verification_code', 'password_reset', 'activation', 'waitlist', 'address_proof', 'locked_out', 'connection_trouble',
    'booking_confirmed', 'booking_moved', 'booking_cancelled'
  )
);

-- migrate:down
