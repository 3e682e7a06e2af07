-- migrate:up

-- Whom a change tells, and the list of the webhooks: those that were removed stay for their deliveries.
create index webhook_subscriptions_active on webhook_subscriptions (org_id) where active;
create index webhook_subscriptions_living on webhook_subscriptions (org_id, id desc) where deleted_at is null;

-- Lists of calendars, newest first, of all and of the organization's own, without the deleted ones.
create index calendars_living on calendars (org_id, id desc) where deleted_at is null;
create index calendars_of_organization on calendars (org_id, id desc) where agent_id is null and deleted_at is null;

-- Lists of agents by type or status, and what the plan caps.
create index agents_by_status on agents (org_id, status, id desc);
create index agents_by_type on agents (org_id, type, id desc);
create index agents_living on agents (org_id) where status <> 'decommissioned';

-- The hourly purge asks for what is old: a block of the table is summarized when it is full, not with the next vacuum.
alter index webhook_deliveries_age set (autosummarize = on);

-- migrate:down
