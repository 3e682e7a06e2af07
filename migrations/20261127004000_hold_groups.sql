-- migrate:up

-- holds on several calendars that are placed and end together; the holds themselves are rows of events
create table hold_groups (
  org_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  -- the owner of all its calendars; null if they have several
  agent_id uuid,
  title_sealed bytea not null,
  description_sealed bytea,
  metadata jsonb not null,
  start_time timestamptz not null,
  end_time timestamptz not null check (end_time > start_time),
  status text not null check (status in ('held', 'confirmed', 'released', 'expired')),
  reason text check (reason in ('lapsed', 'preempted', 'calendar_gone')),
  hold_expires_at timestamptz,
  hold_priority smallint not null check (hold_priority between 0 and 100),
  require_free boolean not null,
  renew_until timestamptz,
  -- [{need, spare, members: [id of an event]}], as they were placed
  requirements jsonb not null,
  revision bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  check ((status = 'expired') = (reason is not null)),
  check (status <> 'held' or hold_expires_at is not null)
);

-- the list of an organization with a filter
create index hold_groups_by_status on hold_groups (org_id, status, id desc);
-- upkeep: groups that are held
create index hold_groups_held on hold_groups (id) where status = 'held';

alter table events
  add column hold_group_id uuid,
  -- of a renewable hold
  add column renew_until timestamptz,
  add column hold_fence bigint;

alter table timers
  drop constraint timers_kind_check,
  add constraint timers_kind_check
    check (kind in ('hold_expiry', 'event_start', 'event_end', 'event_reminder', 'proposal_expiry', 'hold_group_expiry')) not valid;

-- migrate:down
