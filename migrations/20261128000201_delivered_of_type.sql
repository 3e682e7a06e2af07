-- migrate:up transaction:false

-- the history of one event type, newest first: those that were delivered
create index concurrently if not exists webhook_deliveries_delivered_of_type
  on webhook_deliveries (org_id, subscription_id, event_type, change_id, position) where status = 'delivered';

-- migrate:down
