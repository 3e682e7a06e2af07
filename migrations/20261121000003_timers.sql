-- migrate:up

-- One row per thing that will happen. Firing deletes the row (or moves it on) in the statement that carries its effects.
create table timers (
  org_id uuid not null,
  -- the event or the proposal
  subject_id uuid not null,
  kind text not null check (kind in ('hold_expiry', 'event_start', 'event_end', 'event_reminder', 'proposal_expiry')),
  -- minutes before the start, of a reminder
  offset_minutes integer not null default 0,
  calendar_id uuid not null,
  -- the occurrence meant, of a series
  occurrence_start timestamptz,
  due_at timestamptz not null,
  -- the calendar's revision that set it: never repeats for one subject, so a stale wake-up can't match
  generation bigint not null,
  -- spreads the wake-ups of one second over several jobs
  shard smallint not null,
  primary key (org_id, subject_id, kind, offset_minutes),
  check ((kind = 'event_reminder') = (offset_minutes > 0))
);
-- what is due, by the shard that a wake-up names
create index timers_due on timers (shard, due_at);
-- what enters the horizon, for the sweeper
create index timers_by_time on timers (due_at) include (shard);

-- How far ahead each source of due rows has been rung, and for which memory of Redis.
create table sweeps (
  source text primary key,
  rung_until timestamptz not null,
  incarnation text not null
);

-- migrate:down
