-- migrate:up transaction:false

-- The monthly budget: deliveries that ended without an attempt, because nothing of it was left. A build that was killed leaves an
-- invalid index behind, and this file then fails until `drop index webhook_deliveries_unspent` has removed it.
create index concurrently webhook_deliveries_unspent on webhook_deliveries (org_id, id) include (created_at)
  where status <> 'pending' and attempts = 0;

-- migrate:down
