-- migrate:up

alter table bookings
  -- how often it was changed other than by a move of the guest: with `moves` it is the SEQUENCE of the guests' calendar files
  add column other_changes integer not null default 0 check (other_changes >= 0),
  -- how many further guests get the mails; who they are is in `guest_sealed`
  add column others smallint not null default 0 check (others between 0 and 20);

-- A mail about a booking is written without an address and composed when it is sent, so that one to an erased guest is never
-- sent. Processes that do not know `about` yet postpone it.
alter table mails
  alter column content_sealed drop not null,
  add column about jsonb,
  add constraint mails_content_check check ((content_sealed is null) <> (about is null));

-- migrate:down
