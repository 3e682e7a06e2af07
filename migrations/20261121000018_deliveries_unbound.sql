-- migrate:up

-- The check locked the subscription's row for every delivery that was written, so that changes of one organization met
-- there. A delivery is only ever written by a read of its living subscription, and removed before it.
alter table webhook_deliveries drop constraint webhook_deliveries_org_id_subscription_id_fkey;

-- migrate:down
