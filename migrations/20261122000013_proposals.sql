-- migrate:up

-- No foreign key to organizations: an account is deleted at once, its proposals in blocks (see erasures).
create table proposals (
  org_id uuid not null,
  id uuid not null,
  title_sealed bytea not null,
  description_sealed bytea,
  organizer_agent_id uuid not null,
  participant_agent_ids uuid[] not null check (cardinality(participant_agent_ids) between 1 and 50),
  calendar_id uuid not null,
  status text not null default 'pending' check (status in ('pending', 'confirmed', 'expired', 'cancelled')),
  expires_at timestamptz,
  resolved_slot_id uuid,
  created_event_id uuid,
  cancel_reason text check (cancel_reason in ('organizer_cancelled', 'all_declined')),
  metadata jsonb not null,
  -- counts its responses: a change that depends on them is written only if the revision is still the one that was read
  revision bigint not null default 0,
  ended_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, calendar_id) references calendars on delete cascade,
  check ((status = 'pending') = (ended_at is null)),
  check ((status = 'confirmed') = (resolved_slot_id is not null)),
  check ((status = 'confirmed') = (created_event_id is not null)),
  check ((status = 'cancelled') = (cancel_reason is not null)),
  check (status <> 'expired' or expires_at is not null)
);
-- the list with a status, newest first
create index proposals_by_status on proposals (org_id, status, id desc);
-- the list of an organizer, newest first
create index proposals_by_organizer on proposals (org_id, organizer_agent_id, id desc);

create table proposal_slots (
  org_id uuid not null,
  proposal_id uuid not null,
  id uuid not null,
  position smallint not null,
  start_time timestamptz not null,
  end_time timestamptz not null check (end_time > start_time),
  weight double precision not null check (weight between 0 and 10),
  -- null: the calendar of the proposal
  calendar_id uuid,
  primary key (org_id, proposal_id, id),
  foreign key (org_id, proposal_id) references proposals on delete cascade
);

create table proposal_responses (
  org_id uuid not null,
  proposal_id uuid not null,
  agent_id uuid not null,
  id uuid not null,
  response text not null check (response in ('accept', 'decline', 'counter')),
  selected_slot_id uuid,
  counter_slots jsonb not null,
  message text,
  created_at timestamptz not null,
  -- each participant responds at most once
  primary key (org_id, proposal_id, agent_id),
  foreign key (org_id, proposal_id) references proposals on delete cascade,
  check (response <> 'accept' or selected_slot_id is not null)
);

-- migrate:down
