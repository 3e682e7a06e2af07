-- migrate:up

-- One row for each thing that will happen. Firing deletes the row (or moves it on) in the statement that writes its effects.
create table timers (
  org_id uuid not null,
  -- the event or the proposal
  subject_id uuid not null,
  kind text not null check (kind in ('hold_expiry', 'event_start', 'event_end', 'event_reminder', 'proposal_expiry')),
  -- of a reminder: minutes before the start
  offset_minutes integer not null default 0,
  calendar_id uuid not null,
  -- of a series: the occurrence
  occurrence_start timestamptz,
  due_at timestamptz not null,
  -- the revision of the calendar that set the timer. It never repeats for one subject, so a stale wake-up matches nothing.
  generation bigint not null,
  -- the W3C trace context of the change that set the timer; null: it has no trace
  traceparent text,
  primary key (org_id, subject_id, kind, offset_minutes),
  check ((kind = 'event_reminder') = (offset_minutes > 0))
);
-- the engine: the timers that are due; the sweeper: the seconds that enter its horizon; the gauges of due timers
create index timers_due_at on timers (due_at);

-- migrate:down
