-- migrate:up

-- `booking` of an event's metadata: who the guest is. Null: there is none, or the row is older than this column and has it
-- in `metadata`.
alter table events add column booking_sealed bytea;

-- A slug is found by its hash and shown from its sealed form. Pages that are older have it in `slug` until they are edited.
alter table booking_pages add column slug_hash bytea check (length(slug_hash) = 32);
alter table booking_pages add column slug_sealed bytea;
alter table booking_pages alter column slug drop not null;
alter table booking_pages add check ((slug is null) = (slug_hash is not null)),
  add check ((slug_hash is null) = (slug_sealed is null));
-- guests come by the slug
create unique index booking_pages_by_slug_hash on booking_pages (slug_hash);

-- migrate:down
