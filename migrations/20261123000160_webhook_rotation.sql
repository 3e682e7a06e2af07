-- migrate:up

-- A secret that was replaced signs beside the new one until its time is over. The lists say of which calendars and agents a
-- subscription hears; null is all. `standard`: deliveries also carry the headers of Standard Webhooks.
alter table webhook_subscriptions
  add column secret_previous_sealed bytea,
  add column previous_expires_at timestamptz,
  add column standard boolean not null default false,
  add column calendar_ids uuid[] check (cardinality(calendar_ids) > 0),
  add column agent_ids uuid[] check (cardinality(agent_ids) > 0),
  add check ((secret_previous_sealed is null) = (previous_expires_at is null));

-- migrate:down
