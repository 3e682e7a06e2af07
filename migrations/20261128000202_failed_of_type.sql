-- migrate:up transaction:false

-- the history of one event type, newest first: those that failed
create index concurrently if not exists webhook_deliveries_failed_of_type
  on webhook_deliveries (org_id, subscription_id, event_type, change_id, position) where status = 'failed';

-- migrate:down
