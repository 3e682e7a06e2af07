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
  -- by the last sync
  status text not null default 'active' check (status in ('active', 'error')),
  last_synced_at timestamptz,
  last_error text,
  consecutive_failures integer not null default 0 check (consecutive_failures >= 0),
  -- keys the digests by which a sync tells what changed, so that they give nothing of the contents away
  digest_key_sealed bytea not null,
  -- of the last body that was read: what the server called it, its digest, when and for which zone it was expanded
  etag text,
  last_modified text,
  body_digest bytea,
  expanded_at timestamptz,
  expanded_zone text,
  -- counts the syncs that were begun: a result whose number is not the latest any more is dropped
  claim bigint not null default 0,
  -- while a sync is under way: when it counts as lost. null: never again
  next_sync_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, agent_id) references agents on delete cascade,
  foreign key (org_id, calendar_id) references calendars on delete cascade,
  check ((status = 'error') = (last_error is not null)),
  check ((status = 'error') = (consecutive_failures > 0))
);
-- lists of an agent, newest first
create index ical_subscriptions_of_agent on ical_subscriptions (org_id, agent_id, id desc);
-- what is due, for the sweeper
create index ical_subscriptions_due on ical_subscriptions (next_sync_at) where next_sync_at is not null;

-- counts the changes of an event, as its feed tells them
alter table events add column sequence integer not null default 0;
-- where an imported event comes from. The subscription may be gone, the event stays
alter table events add column ical_subscription_id uuid;
-- keyed digests of its identity in the feed (UID and RECURRENCE-ID) and of its content
alter table events add column ical_key bytea;
alter table events add column ical_content bytea;
alter table events add check ((ical_subscription_id is null) = (ical_key is null) and (ical_key is null) = (ical_content is null));
alter table events add check (ical_subscription_id is null or source = 'external_ical');
-- what a sync compares the feed with
create unique index events_of_ical_subscription on events (org_id, ical_subscription_id, ical_key)
  where ical_subscription_id is not null;

-- migrate:down
