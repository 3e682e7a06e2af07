-- migrate:up

-- A moment of an event: its start, its end or a reminder. Its payload is put together from these, and `payload_sealed` is the title
-- as the event had it, sealed for the event: so Postgres alone can write it. Null in every other entry.
alter table changes
  add column starts_at timestamptz,
  add column ends_at timestamptz,
  add column reminder_minutes integer,
  add constraint changes_moment check (
    (starts_at is null) = (ends_at is null) and (starts_at is not null or reminder_minutes is null)) not valid;

-- migrate:down
