-- migrate:up

-- A large sync writes several blocks, and the change feed tells it once, with the last one. What earlier blocks have written and
-- nothing has told yet: a sync that is lost in between leaves it to the next one.
alter table ical_subscriptions
  add column untold_added integer not null default 0,
  add column untold_changed integer not null default 0,
  add column untold_removed integer not null default 0;

-- migrate:down
