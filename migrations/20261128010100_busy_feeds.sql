-- migrate:up

-- The address of a feed that says when the calendar is busy, and nothing else.
alter table calendars
  add column busy_token_hash bytea check (length(busy_token_hash) = 32),
  add column busy_token_sealed bytea,
  add check ((busy_token_hash is null) = (busy_token_sealed is null));

-- the feed behind an address
create unique index calendars_by_busy_token on calendars (busy_token_hash) where busy_token_hash is not null;

-- migrate:down
