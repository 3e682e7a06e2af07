-- migrate:up

-- An external feed whose events are copied into a calendar. `paused` is not stored: it follows from the calendar and the
-- agent, and neither ever comes back.
create table ical_subscriptions (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  agent_id uuid not null,
  calendar_id uuid not null,
  url_sealed bytea not null,
  label text,
  -- of the last sync
  status text not null default 'active' check (status in ('active', 'error')),
  last_synced_at timestamptz,
  last_error text,
  consecutive_failures integer not null default 0 check (consecutive_failures >= 0),
  -- keys the digests by which a sync sees what changed, so that they disclose nothing of the contents
  digest_key_sealed bytea not null,
  -- of the last body that was read: the names that the server gave it, its digest, and when and for which zone it was expanded
  etag text,
  last_modified text,
  body_digest bytea,
  expanded_at timestamptz,
  expanded_zone text,
  -- counts the syncs that began: only the result of the latest one is written
  claim bigint not null default 0,
  -- during a sync: when the sync counts as lost; null: never again
  next_sync_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- A large sync writes several blocks, and the change feed tells it once, with the last one. What earlier blocks have written
  -- and nothing has told yet: a sync that is lost in between leaves it to the next one.
  untold_added integer not null default 0,
  untold_changed integer not null default 0,
  untold_removed integer not null default 0,
  -- the parts of the feed that cannot be read
  unread integer not null default 0 check (unread >= 0),
  primary key (org_id, id),
  foreign key (org_id, agent_id) references agents on delete cascade,
  foreign key (org_id, calendar_id) references calendars on delete cascade,
  check ((status = 'error') = (last_error is not null)),
  check ((status = 'error') = (consecutive_failures > 0))
);
-- the list of an agent, newest first
create index ical_subscriptions_of_agent on ical_subscriptions (org_id, agent_id, id desc);
-- the sweeper: what is due
create index ical_subscriptions_due on ical_subscriptions (next_sync_at) where next_sync_at is not null;
-- the gauges of feeds, and the feed that was last read the longest time ago
create index ical_subscriptions_stalest on ical_subscriptions (status, last_synced_at) where next_sync_at is not null;

-- migrate:down
