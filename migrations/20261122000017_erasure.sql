-- migrate:up

-- Deleted organizations of which rows are left. The row of an organization goes at once when its account is deleted; its
-- agents, calendars, webhooks and proposals may be millions of rows and go in blocks.
create table erasures (
  org_id uuid primary key,
  erased_at timestamptz not null,
  -- during a run: when the run counts as lost
  next_run_at timestamptz not null
);
-- the sweeper: what is due
create index erasures_due on erasures (next_run_at);

-- migrate:down
