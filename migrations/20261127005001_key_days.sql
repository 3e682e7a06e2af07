-- migrate:up

-- What an agent key has made in a day of the zone of its guardrails. Only keys that count have rows.
-- No foreign key to organizations: an account is deleted at once, its rows in blocks (see erasures).
create table key_days (
  org_id uuid not null,
  key_id uuid not null,
  day date not null,
  events bigint not null,
  holds bigint not null,
  -- what the last change was allowed; null: it did not count, or there is no limit
  max_events bigint,
  max_holds bigint,
  -- how many holds the last change expected to be placed with its own: null if it did not look, -1 if they were not so many
  seen_holds bigint,
  primary key (org_id, key_id, day),
  -- a change that goes beyond a limit, or was decided by an older count, fails with all it does
  constraint key_days_events check (events <= max_events),
  constraint key_days_holds check (holds <= max_holds),
  constraint key_days_seen check (seen_holds >= 0)
);
-- the purge of past days
create index key_days_by_day on key_days (day);

-- migrate:down
