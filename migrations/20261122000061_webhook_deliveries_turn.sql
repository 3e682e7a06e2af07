-- migrate:up transaction:false

-- The engine: what is due of a subscription, the earliest first. A build that was killed leaves an invalid index behind, and this
-- file then fails until `drop index webhook_deliveries_turn` has removed it.
create index concurrently webhook_deliveries_turn
  on webhook_deliveries (org_id, subscription_id, next_retry_at, change_id, position)
  where status = 'pending' and next_retry_at is not null;

-- migrate:down
