-- migrate:up

-- An organization's own row goes at once when its account is deleted. What hung on it may be millions of rows and goes
-- in blocks: these references would make one statement of it.
alter table agents drop constraint agents_org_id_fkey;
alter table calendars drop constraint calendars_org_id_fkey;
alter table webhook_subscriptions drop constraint webhook_subscriptions_org_id_fkey;
alter table proposals drop constraint proposals_org_id_fkey;

-- Deleted organizations of which rows are left.
create table erasures (
  org_id uuid primary key,
  erased_at timestamptz not null,
  -- while somebody is at it: when that counts as lost
  next_run_at timestamptz not null
);
-- what is due, for the sweeper
create index erasures_due on erasures (next_run_at);

-- migrate:down
